(function () {
  "use strict";
  var byId = function (id) { return document.getElementById(id); };
  var all = function (selector, within) { return Array.prototype.slice.call((within || document).querySelectorAll(selector)); };
  var rules = all(".rule").map(function (node) {
    return { node: node, words: node.textContent.replace(/\s+/g, " ").toLowerCase() };
  });
  var rank = { "": 0, info: 1, warning: 2, error: 3 };
  var search = byId("page-search"), severity = byId("page-severity"), only = byId("page-only");
  var boxes = all(".page-lang"), toggle = byId("page-toggle"), filters = byId("page-filters");

  document.documentElement.classList.add("js");
  filters.hidden = toggle.hidden = false;

  function visible() {
    return boxes.filter(function (box) { return box.checked; }).map(function (box) { return box.value; });
  }

  // A difference from texts that are not shown is none to look at.
  function showLanguages(labels) {
    all("[data-label]").forEach(function (node) { node.hidden = labels.indexOf(node.dataset.label) < 0; });
    all("[data-against]").forEach(function (node) {
      var live = node.dataset.against.split("|").some(function (label) { return labels.indexOf(label) >= 0; });
      node.classList.toggle("moot", !live);
    });
    all(".differences > div").forEach(function (node) { node.hidden = !node.querySelector(".item:not(.moot)"); });
    boxes.forEach(function (box) { box.disabled = labels.length === 1 && box.checked; });
  }

  function showFindings(least) {
    all(".finding-item").forEach(function (node) { node.classList.toggle("below", rank[node.dataset.severity] < least); });
    ["info", "warning", "error"].forEach(function (name) {
      document.documentElement.classList.toggle("no-" + name, rank[name] < least);
    });
  }

  function differs(node) {
    return node.hasAttribute("data-notable") && (
      node.querySelector(".side:not([hidden]) .missing, .side:not([hidden]) .item:not(.moot), .side:not([hidden]) .finding-item") !== null ||
      facts(node)
    );
  }

  function facts(node) {
    return all(".facts li.needed", node).some(function (fact) {
      var judged = all(".judgement:not([hidden])", fact).map(function (one) { return one.className; });
      return judged.some(function (one) { return one !== judged[0]; });
    });
  }

  function suits(rule, least, wanted) {
    if (only.checked && !differs(rule.node)) { return false; }
    if (least && !rule.node.querySelector(".side:not([hidden]) .finding-item:not(.below)")) { return false; }
    return wanted.every(function (word) { return rule.words.indexOf(word) >= 0; });
  }

  function apply() {
    var least = rank[severity.value], wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean), shown = 0;
    showLanguages(visible());
    showFindings(least);
    rules.forEach(function (rule) {
      rule.node.hidden = !suits(rule, least, wanted);
      shown += rule.node.hidden ? 0 : 1;
    });
    byId("page-showing").textContent = shown === rules.length ? "All " + shown + " shown" : shown + " of " + rules.length + " shown";
    byId("page-empty").hidden = shown > 0;
  }

  function reset() {
    search.value = severity.value = "";
    only.checked = false;
    boxes.forEach(function (box) { box.checked = true; });
    apply();
  }

  // A link to a rule leads there even where a filter has hidden it.
  function follow() {
    var target = byId(decodeURIComponent(location.hash.slice(1)));
    if (!target) { return; }
    if (target.closest("[hidden], .below")) { reset(); }
    target.scrollIntoView();
  }

  // On a phone the texts come first: the facts fold away above them.
  if (window.matchMedia("(max-width: 48rem)").matches) {
    all("details.facts").forEach(function (node) { node.open = false; });
  }

  function measure() {
    document.documentElement.style.setProperty("--bar", byId("page-top").offsetHeight + 12 + "px");
  }

  var pinned = null;
  function highlight(node) {
    all(".hot").forEach(function (one) { one.classList.remove("hot"); });
    var rule = node && node.closest(".rule");
    if (!rule) { return; }
    var wanted = node.dataset.concepts.split(" ");
    all("[data-concepts]", rule).forEach(function (one) {
      var same = one.dataset.concepts.split(" ").some(function (id) { return wanted.indexOf(id) >= 0; });
      one.classList.toggle("hot", same);
    });
  }

  function pin(node) {
    var again = node && pinned === node;
    if (pinned && pinned.hasAttribute("aria-pressed")) { pinned.setAttribute("aria-pressed", "false"); }
    pinned = again ? null : node;
    if (pinned && pinned.hasAttribute("aria-pressed")) { pinned.setAttribute("aria-pressed", "true"); }
    highlight(pinned);
  }

  var concept = function (event) { return event.target.closest ? event.target.closest("[data-concepts]") : null; };
  document.addEventListener("mouseover", function (event) { highlight(concept(event) || pinned); });
  document.addEventListener("click", function (event) { if (concept(event) || pinned) { pin(concept(event)); } });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") { pin(null); }
    if ((event.key === "Enter" || event.key === " ") && event.target.matches(".chip[role]")) {
      event.preventDefault();
      pin(event.target);
    }
  });
  all(".chip[data-concepts]").forEach(function (chip) {
    chip.tabIndex = 0;
    chip.setAttribute("role", "button");
    chip.setAttribute("aria-pressed", "false");
  });

  toggle.addEventListener("click", function () {
    toggle.setAttribute("aria-expanded", String(filters.classList.toggle("open")));
    measure();
  });
  filters.addEventListener("submit", function (event) { event.preventDefault(); });
  filters.addEventListener("input", apply);
  filters.addEventListener("change", apply);
  byId("page-reset").addEventListener("click", reset);
  window.addEventListener("hashchange", follow);
  window.addEventListener("resize", measure);
  measure();
  apply();
  follow();
}());
