// The page: its header, its tabs and the worker. A tab is a module with `start(place, page, given)`, and `stop()` if needed;
// the part of the address after # names the tab: #play, #play?…
import { h, show } from "./elements.js";
import * as language from "./language.js";
import { t } from "./language.js";
import { Remote } from "./remote.js";

const TABS = [
  { id: "door", title: "tab_door", load: () => import("./door.js") },
  { id: "play", title: "tab_play", load: () => import("./play.js") },
  { id: "workbench", title: "tab_workbench", load: () => import("./workbench.js") },
  { id: "desk", title: "tab_desk", load: () => import("./desk.js") },
  { id: "rules", title: "", load: () => import("./rules.js") }, // of one game: the door leads there
];

const main = document.getElementById("main");
const failures = document.getElementById("failures");
const page = { remote: null, t, say, fail, go, lang: () => language.lang, ready: false };
let current = null;
let given = null; // what the next tab begins with

/** Tells users of screen readers what has changed. */
function say(text) {
  document.getElementById("status").textContent = text;
}

/** Shows what went wrong at the top of the page. */
function fail(error) {
  const box = h("div", { class: "failure", role: "alert" }, [
    h("strong", {}, t("failed")),
    error.findings?.length ? null : h("p", {}, error.message), // that of the first finding
    error.hint ? h("p", {}, error.hint) : null,
    (error.findings ?? []).slice(0, 20).map((one) => h("p", { class: "finding" }, `${one.start.line}:${one.start.column} ${one.code} ${one.message}`)),
    h("button", { onclick: () => box.remove() }, t("close")),
  ]);
  show(failures, box); // a place of its own: tabs draw into #main again and again
  box.scrollIntoView({ block: "nearest" });
}

async function header() {
  const skip = document.getElementById("skip");
  skip.textContent = t("skip");
  skip.onclick = (event) => {
    event.preventDefault(); // the part of the address after # names the tab
    main.focus();
  };
  const names = await language.names();
  show(document.getElementById("header"), [
    h("p", { class: "brand" }, "ftk"),
    h("nav", { "aria-label": "ftk" }, TABS.filter(({ title }) => title).map(tab)),
    h("label", { class: "lang" }, [
      h("span", { class: "unseen" }, t("interface_language")),
      h("select", { "data-key": "lang", onchange: (event) => changeLanguage(event.target.value) },
        names.map(([tag, name]) => h("option", { value: tag, lang: tag, selected: tag === language.lang }, name))),
    ]),
  ]);
}

const tab = ({ id, title }) =>
  h("a", { href: `#${id}`, "aria-current": id === wanted().id ? "page" : false, "data-key": `tab-${id}` }, t(title));

async function changeLanguage(tag) {
  await language.use(tag);
  await header();
  if (current?.translate) current.translate();
  else await open();
}

function wanted() {
  const id = location.hash.slice(1).split("?")[0];
  return TABS.find((one) => one.id === id) ?? TABS[0];
}

/** Goes to another tab, which begins with `what`. */
function go(id, what) {
  given = what;
  location.hash = id;
}

async function open() {
  const { id, load } = wanted();
  if (current?.id === id && current.navigate) return current.navigate(location.hash);
  current?.stop?.();
  current = null;
  show(failures);
  const [module] = await Promise.all([load().catch(fail), header()]);
  if (!module) return; // the reader has been told
  if (wanted().id !== id || current) return; // the reader has gone on meanwhile
  current = { id, ...(module.start(main, page, given) ?? {}) };
  given = null;
}

function onStep(step, message) {
  if (step === "failed") return fail({ message });
  if (step === "ready") {
    page.ready = true;
    document.body.dataset.ready = "yes";
    performance.mark("ready");
    keep();
  }
  const place = document.getElementById("loading");
  if (place) place.textContent = step === "ready" ? "" : t(step);
}

/** Keeps the page for visits without a network, where the browser does that. */
function keep() {
  navigator.serviceWorker?.register("offline.js").catch(() => null); // the page works without
}

/** Python, or what refuses its calls in a browser that cannot run it. */
function python() {
  if (typeof WebAssembly === "object") return new Remote(onStep);
  fail({ message: t("no_python") });
  return { call: () => Promise.reject(new Error(t("no_python"))) };
}

await language.use(language.preferred());
page.remote = python();
addEventListener("hashchange", open);
await open();
