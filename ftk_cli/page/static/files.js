// The tree of the files of a game, with the number of findings of each: the “tree view” of the ARIA practices.
import { h, show } from "./elements.js";

/** The severities of findings, the worst first, with their words. */
export const SEVERITIES = { error: "errors", warning: "warnings", info: "infos" };

/** The name of a file as it is shown: below the folder of its game, or its last part. */
export function short({ name }, game) {
  const inside = name.split(`/${game}/`);
  return inside.length > 1 ? inside.pop() : name.split("/").pop();
}

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
    this.element.setAttribute("aria-label", this.#page.t("files"));
    show(this.element, this.#branches(folders(files), ""));
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

  /** Shows the numbers of findings anew. Elements stay: a click may be under way. */
  count() {
    for (const { item, badges, label, files, file } of this.#rows) {
      const there = numbers(files).filter(([, number]) => number);
      const unsaved = files.some((one) => one.unsaved);
      show(badges, unsaved ? h("i") : null, there.map(([severity, number]) => h("b", { class: severity }, number)));
      const words = there.map(([severity, number]) => `${this.#page.t(SEVERITIES[severity])}: ${number}`);
      item.setAttribute("aria-label", [label, unsaved ? this.#page.t("unsaved") : "", ...words].filter(Boolean).join(", "));
      if (file?.found) Object.assign(item.dataset, { checked: file.isOld ? "old" : "yes", report: JSON.stringify(file.found.findings) });
    }
  }

  #branches(children, path) {
    return [...children].map(([part, below]) => this.#branch(part, below, `${path}/${part}`));
  }

  /** A folder, or a file. A folder with a single file is drawn as that file. */
  #branch(part, below, key) {
    const files = filesOf(below);
    const single = files.length === 1 ? files[0] : null;
    const isTop = !key.lastIndexOf("/");
    const label = isTop ? this.#page.t(`folder_${part}`) : part;
    if (single) return this.#leaf(single, isTop ? [label] : []);
    const badges = h("span", { class: "badges", "aria-hidden": "true" });
    const group = h("ul", { role: "group", hidden: this.#closed.has(key) });
    const item = h("li", { role: "treeitem", "data-key": key, "aria-expanded": String(!group.hidden), tabindex: "-1" }, [
      h("span", { class: "name", onclick: () => this.#toggle(item) }, [h("span", { class: "label" }, label), badges]), group,
    ]);
    this.#rows.push({ item, badges, label, files });
    group.append(...this.#branches(below, key));
    return item;
  }

  #leaf(file, above) {
    const badges = h("span", { class: "badges", "aria-hidden": "true" });
    const name = short(file, this.#game);
    const open = (event) => this.#open(file, event.altKey);
    const item = h("li", { role: "treeitem", "data-key": file.name, title: file.name, tabindex: "-1" }, [
      h("span", { class: "name", onclick: open }, [h("span", { class: "label" }, [...above, above.length ? h("small", {}, ` ${name}`) : name]), badges]),
    ]);
    this.#rows.push({ item, badges, label: [...above, name].join(" "), files: [file], file });
    return item;
  }

  #toggle(item, isOpen = item.getAttribute("aria-expanded") === "false") {
    item.setAttribute("aria-expanded", String(isOpen));
    item.querySelector("[role='group']").hidden = !isOpen;
    if (isOpen) this.#closed.delete(item.dataset.key);
    else this.#closed.add(item.dataset.key);
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
    return this.#rows.map((row) => row.item).filter((item) => !item.parentElement.closest("[hidden]"));
  }

  #press(event) {
    const item = event.target.closest("[role='treeitem']");
    if (event.ctrlKey || event.metaKey || (event.altKey && event.key !== "Enter") || !item) return;
    const to = this.#moved(event.key, item) ?? (event.key.length === 1 && event.key !== " " ? this.#named(event.key, item) : null);
    if (to) this.focus(to);
    else if (event.key === "Enter" || event.key === " ") item.querySelector(".name").dispatchEvent(new MouseEvent("click", { altKey: event.altKey }));
    else return;
    event.preventDefault();
  }

  /** The item that a key leads to; it may be the same one, opened or closed. */
  #moved(key, item) {
    const shown = this.#shown;
    const at = shown.indexOf(item);
    const isOpen = item.getAttribute("aria-expanded");
    if (key === "ArrowRight" && isOpen === "false") return this.#toggle(item, true) ?? item;
    if (key === "ArrowLeft" && isOpen === "true") return this.#toggle(item, false) ?? item;
    const above = item.parentElement.closest("[role='treeitem']");
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
