"use strict";
// The address of this page ends with what to open and how wide, and whether with scripts:
// `drive.html?page=diff.html&width=390&scripts=off`.
const asked = new URLSearchParams(location.search);
const frame = document.getElementById("frame");
const result = { errors: [] };

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function tools(view) {
  const page = view.document;
  const all = (selector, within = page) => [...within.querySelectorAll(selector)];
  const seen = (node) => node.getClientRects().length > 0 && view.getComputedStyle(node).visibility !== "hidden";
  return {
    page, view, all, seen,
    one: (selector) => page.querySelector(selector),
    rules: () => all(".rule").filter(seen).map((node) => node.id),
    labels: () => [...new Set(all(".side").filter(seen).map((node) => node.dataset.label))],
    set(selector, value) {
      const field = page.querySelector(selector);
      if (field.type === "checkbox") { field.checked = value; } else { field.value = value; }
      field.dispatchEvent(new view.Event("input", { bubbles: true }));
      field.dispatchEvent(new view.Event("change", { bubbles: true }));
    },
  };
}

function size({ view }) {
  const root = view.document.scrollingElement;
  return { inner: view.innerWidth, scroll: root.scrollWidth };
}

// What sticks out of the screen to the right, by the first few names, so that a failure says where to look.
function outside({ view, all, seen }) {
  const out = all("body *").filter((node) => seen(node) && !node.closest(".hear, .skip"));
  return out.filter((node) => node.getBoundingClientRect().right > view.innerWidth + 0.5).slice(0, 5)
    .map((node) => `${node.tagName}.${node.className}`);
}

function contents({ all }) {
  return all(".rule").map((rule) => ({
    id: rule.id,
    sides: all(".side", rule).map((side) => ({
      label: side.dataset.label,
      lang: side.querySelector(".text") ? side.querySelector(".text").lang : null,
      words: side.querySelector(".text") ? side.querySelector(".text").textContent : null,
      lacks: all(".lacks [data-what]", side).map((node) => node.dataset.what),
      adds: all(".adds [data-what]", side).map((node) => node.dataset.what),
      odd: all("mark.odd", side).map((node) => node.textContent),
      codes: all(".finding-item .code", side).map((node) => node.textContent),
      placed: all(".text .code", side).map((node) => node.textContent),
    })),
  }));
}

async function filters(tool) {
  const { one, all, set, seen, rules, labels } = tool;
  const found = { every: rules() };
  set("#page-only", true);
  found.only = rules();
  set("#page-only", false);
  for (const least of ["info", "warning", "error"]) {
    set("#page-severity", least);
    found[least] = rules();
    found[`${least}_shown`] = [...new Set(all(".finding-item").filter(seen).map((node) => node.dataset.severity))].sort();
  }
  set("#page-severity", "");
  set("#page-search", "ESTEEM.bid");
  found.search = rules();
  set("#page-search", "no such words anywhere");
  found.nothing = rules();
  found.says_so = seen(one("#page-empty"));
  one("#page-reset").click();
  found.reset = rules();
  const boxes = all(".page-lang");
  set(`.page-lang[value="${boxes[0].value}"]`, false);
  found.labels = labels();
  set(`.page-lang[value="${boxes[1].value}"]`, false);
  found.last_is_kept = boxes[2].disabled;
  found.differences_alone = all(".differences .item").filter(seen).length;
  one("#page-reset").click();
  found.showing = one("#page-showing").textContent;
  return found;
}

function highlight({ page, view, one, all }, id) {
  const rule = page.getElementById(id);
  const chip = rule.querySelector(".facts .chip");
  const concept = chip.dataset.concepts;
  for (let above = chip.closest("details"); above; above = above.parentElement.closest("details")) { above.open = true; }
  chip.focus();
  chip.dispatchEvent(new view.KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  const hot = all(".hot");
  const told = {
    focused: page.activeElement === chip,
    pressed: chip.getAttribute("aria-pressed"),
    same: hot.length > 1 && hot.every((node) => node.dataset.concepts.split(" ").includes(concept)),
    within: hot.every((node) => rule.contains(node)),
    sides: [...new Set(hot.map((node) => node.closest(".side")).filter(Boolean).map((side) => side.dataset.label))].length,
  };
  page.dispatchEvent(new view.KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  told.after = all(".hot").length;
  return told;
}

async function link({ page, view, one, set, seen }, id) {
  set("#page-search", "no such words anywhere");
  view.location.hash = `#${id}`;
  await pause(100);
  const top = page.getElementById(id).getBoundingClientRect().top;
  return { shown: seen(page.getElementById(id)), below_bar: top >= one("#page-top").getBoundingClientRect().bottom - 1, top };
}

function labelled({ page, all, seen }) {
  const controls = all("input, select, button").filter(seen);
  const named = (node) => (node.labels && node.labels.length) || node.textContent.trim() || node.getAttribute("aria-label");
  return controls.filter((node) => !named(node)).map((node) => node.outerHTML);
}

// What is there for a reader whose browser runs no scripts.
function still(tool) {
  Object.assign(result, {
    size: size(tool), outside: outside(tool), rules: tool.rules(), labels: tool.labels(),
    filters: tool.seen(tool.one("#page-filters")) || tool.seen(tool.one("#page-toggle")),
    facts: tool.all(".facts > ul").every(tool.seen),
  });
}

async function drive() {
  const tool = tools(frame.contentWindow);
  if (frame.hasAttribute("sandbox")) { still(tool); return; }
  tool.view.addEventListener("error", (event) => result.errors.push(event.message));
  tool.view.addEventListener("securitypolicyviolation", (event) => result.errors.push(event.violatedDirective));
  result.size = size(tool);
  result.outside = outside(tool);
  result.columns = new Set(tool.all(".rule .side:not(:first-child)").slice(0, 3).map((node) => Math.round(node.getBoundingClientRect().left))).size;
  result.contents = contents(tool);
  result.toggle = tool.seen(tool.one("#page-toggle"));
  if (result.toggle) { tool.one("#page-toggle").click(); }
  result.open = tool.seen(tool.one("#page-filters")) && tool.one("#page-toggle").getAttribute("aria-expanded");
  result.open_size = size(tool);
  result.filters = await filters(tool);
  result.highlight = highlight(tool, "king");
  if (result.toggle) { tool.one("#page-toggle").click(); }
  result.link = await link(tool, "king.second");
  result.labelled = labelled(tool);
  tool.all("details").forEach((node) => { node.open = true; });
  result.unfolded_size = size(tool);
  result.resources = tool.view.performance.getEntriesByType("resource").map((entry) => entry.name);
}

if (asked.get("scripts") === "off") { frame.setAttribute("sandbox", "allow-same-origin"); }
frame.style.width = `${asked.get("width")}px`;
frame.addEventListener("load", () => {
  drive().catch((error) => result.errors.push(String(error && error.stack))).finally(() => {
    document.getElementById("result").textContent = JSON.stringify(result);
  });
}, { once: true });
frame.src = asked.get("page");
