// The tree of the files of a game, with the number of findings of each: the “tree view” of the ARIA practices.
import { h, show } from "./elements.js";

/** The severities of findings, the worst first, with their words. */
export const SEVERITIES = { error: "errors", warning: "warnings", info: "infos" };

/** The folders of a game, with their words. */
const FOLDERS = {
  spec: "folder_spec",
  glossary: "folder_glossary",
  looks: "folder_looks",
  translations: "folder_translations",
  variants: "folder_variants",
  scenarios: "folder_scenarios",
  reviews: "folder_reviews",
  sheets: "folder_sheets",
};

/** The name of a file as it is shown: below the folder of its game, or its last part. */
export function short({ name }, game) {
  const inside = name.split(`/${game}/`);
  return inside.length > 1 ? inside.pop() : name.split("/").pop();
}

/** Whether a file is still to be checked: its findings are not there, or are those of an older text. */
export const isPending = (one) => !one.readonly && !one.isLarge && (!one.found || one.isOld);

/** The number of findings of some files, by severity. */
function numbers(files) {
  const every = files.flatMap((one) => one.found?.findings ?? []);
  return Object.keys(SEVERITIES).map((severity) => [severity, every.filter((one) => one.severity === severity).length]);
}

export class Tree {
  #page; #open; #game = ""; #closed = new Set(); #typed = ""; #last = 0; #rows = [];
  element = h("ul", { role: "tree", class: "tree", onkeydown: (event) => this.#press(event) });

  /** `open` receives a file, and whether it is wanted beside the other one. */
  constructor(page, open) {
    [this.#page, this.#open] = [page, open];
  }

  draw(files, game) {
    this.#game = game;
    this.#rows = [];
    this.#branches(folders(files), "", null);
    this.element.setAttribute("aria-label", this.#page.t("files"));
    show(this.element, this.#rows.map((row) => row.item));
    this.#fold();
    this.#focusable(this.#rows[0]?.item);
    this.count();
  }

  /** Shows which files are open, and which of them is edited. */
  mark(open, chosen) {
    for (const { item, file } of this.#rows.filter((row) => row.file)) {
      item.setAttribute("aria-selected", String(file === chosen));
      item.classList.toggle("opened", open.includes(file));
    }
    if (!this.element.contains(document.activeElement)) this.#focusable(this.#rows.find((row) => row.file === chosen)?.item);
  }

  /** Shows the numbers of findings anew. Items stay: a click may be under way. The style sheet writes the numbers, which the
   * labels have in words. */
  count() {
    for (const { item, badges, label, files, file } of this.#rows) {
      const there = numbers(files).filter(([, number]) => number);
      const unsaved = files.some((one) => one.unsaved);
      const pending = files.some(isPending);
      show(badges, unsaved ? h("i") : null, pending ? h("s") : null, there.map(([severity, number]) => h("b", { class: severity, "data-number": number })));
      const words = there.map(([severity, number]) => `${this.#page.t(SEVERITIES[severity])}: ${number}`);
      item.setAttribute("aria-label", [label, unsaved ? this.#page.t("unsaved") : "", ...words, pending ? this.#page.t("checking") : ""].filter(Boolean).join(", "));
      if (file?.found) Object.assign(item.dataset, { checked: file.isOld ? "old" : "yes", report: JSON.stringify(file.found.findings) });
    }
  }

  #branches(children, path, above) {
    for (const [part, below] of children) this.#branch(part, below, `${path}/${part}`, above);
  }

  /** A folder, or a file. A folder with a single file is drawn as that file. */
  #branch(part, below, key, above) {
    const files = filesOf(below);
    const label = above ? part : this.#page.t(FOLDERS[part]);
    if (files.length === 1) return this.#leaf(files[0], above, above ? "" : label);
    const item = h("li", { "data-key": key, onclick: () => this.#toggle(item) });
    const row = this.#row({ item, label, files, above }, [label]);
    this.#branches(below, key, row);
  }

  #leaf(file, above, folder) {
    const name = short(file, this.#game);
    const item = h("li", { "data-key": file.name, title: file.name, onclick: (event) => this.#open(file, event.altKey) });
    this.#row({ item, label: [folder, name].join(" ").trim(), files: [file], file, above }, folder ? [folder, h("small", {}, ` ${name}`)] : [name]);
  }

  /** The tree is flat for browsers: the level of an item says how deep it is. */
  #row(row, words) {
    const badges = h("span", { class: "badges", "aria-hidden": "true" });
    const level = (row.above?.level ?? 0) + 1;
    for (const [name, value] of [["role", "treeitem"], ["tabindex", "-1"], ["aria-level", level]]) row.item.setAttribute(name, value);
    row.item.append(h("span", { class: "label" }, words), badges);
    this.#rows.push(Object.assign(row, { badges, level }));
    return row;
  }

  #toggle(item) {
    const { key } = item.dataset;
    if (!this.#closed.delete(key)) this.#closed.add(key);
    this.#fold();
  }

  /** Hides what is in folders that are closed. */
  #fold() {
    const isClosed = (row) => row !== null && (this.#closed.has(row.item.dataset.key) || isClosed(row.above));
    for (const { item, file, above } of this.#rows) {
      item.hidden = isClosed(above);
      if (!file) item.setAttribute("aria-expanded", String(!this.#closed.has(item.dataset.key)));
    }
  }

  /** Only one item is reached by Tab. */
  #focusable(item) {
    if (!item) return;
    for (const row of this.#rows) row.item.tabIndex = row.item === item ? 0 : -1;
  }

  focus(item = this.element.querySelector("[tabindex='0']")) {
    this.#focusable(item);
    item?.focus();
  }

  get #shown() {
    return this.#rows.map((row) => row.item).filter((item) => !item.hidden);
  }

  #press(event) {
    const item = event.target.closest("[role='treeitem']");
    if (event.ctrlKey || event.metaKey || (event.altKey && event.key !== "Enter") || !item) return;
    const to = this.#moved(event.key, item) ?? (event.key.length === 1 && event.key !== " " ? this.#named(event.key, item) : null);
    if (to) this.focus(to);
    else if (event.key === "Enter" || event.key === " ") item.dispatchEvent(new MouseEvent("click", { altKey: event.altKey }));
    else return;
    event.preventDefault();
  }

  /** The item that a key leads to; it may be the same one, opened or closed. */
  #moved(key, item) {
    const shown = this.#shown;
    const at = shown.indexOf(item);
    const isOpen = item.getAttribute("aria-expanded");
    if ((key === "ArrowRight" && isOpen === "false") || (key === "ArrowLeft" && isOpen === "true")) return this.#toggle(item) ?? item;
    const above = this.#rows.find((row) => row.item === item).above?.item;
    const right = isOpen ? shown[at + 1] : null;
    return { ArrowDown: shown[at + 1], ArrowUp: shown[at - 1], Home: shown[0], End: shown.at(-1), ArrowLeft: above, ArrowRight: right }[key];
  }

  /** The next item whose name begins with what has been typed within a second. */
  #named(key, item) {
    const now = Date.now();
    this.#typed = (now - this.#last < 1000 ? this.#typed : "") + key.toLowerCase();
    this.#last = now;
    const shown = this.#shown;
    const at = shown.indexOf(item) + (this.#typed.length === 1 ? 1 : 0);
    const label = (one) => this.#rows.find((row) => row.item === one).label.toLowerCase();
    return [...shown.slice(at), ...shown.slice(0, at)].find((one) => label(one).startsWith(this.#typed));
  }
}

/** Files by the parts of their folders, as nested maps. */
function folders(files) {
  const root = new Map();
  for (const file of files) {
    let at = root;
    for (const part of file.folder.split("/")) at = at.get(part) ?? at.set(part, new Map()).get(part);
    at.set(file.name, file);
  }
  return root;
}

const filesOf = (below) => (below instanceof Map ? [...below.values()].flatMap(filesOf) : [below]);
