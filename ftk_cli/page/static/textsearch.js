// Search over the texts of files, in this browser: literal text or a regular expression, without regard to case.
import { h, show } from "./elements.js";
import { label } from "./tabs.js";

const PAUSE = 150; // milliseconds without a key before a search
const MOST = 200; // places that are listed
const AROUND = 60; // characters before and after a place

/** The places of a text or an expression, one by one. Raises SyntaxError for an expression that is none. */
export function* places(files, typed, isExpression) {
  const found = new RegExp(isExpression ? typed : typed.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), "giu");
  for (const file of files) {
    for (const [at, line] of file.text.split("\n").entries()) {
      for (const match of line.matchAll(found)) if (match[0]) yield place(file, at + 1, line, match);
    }
  }
}

/** Columns count code points from 1, as those of findings do. */
function place(file, line, text, { index, 0: words }) {
  const [before, after] = [text.slice(Math.max(0, index - AROUND), index).trimStart(), text.slice(index + words.length, index + words.length + AROUND)];
  return { file, start: { line, column: [...text.slice(0, index)].length + 1 }, before, words, after };
}

export class Search {
  #page; #on; #timer = 0;
  #field = h("input", { type: "search", "data-key": "search-files", oninput: () => this.#later(), onkeydown: (event) => this.#pressed(event) });
  #expression = h("input", { type: "checkbox", onchange: () => this.#find() });
  #results = h("ol", { class: "places", onkeydown: (event) => this.#move(event) });
  #said = h("p", { class: "note" });
  element = h("div", { class: "search-files" });

  /** `on` has functions: `files` gives the files as they are now and the game, `go` receives a place, `searched` whether there is a search. */
  constructor(page, on) {
    [this.#page, this.#on] = [page, on];
  }

  draw() {
    const { t } = this.#page;
    for (const [name, value] of [["placeholder", t("search_files")], ["aria-label", t("search_files")]]) this.#field.setAttribute(name, value);
    this.#results.setAttribute("aria-label", t("search_files"));
    show(this.element, this.#field, h("label", {}, [this.#expression, ` ${t("search_expression")}`]), this.#said, this.#results);
    this.#find();
  }

  focus() {
    this.#field.focus();
    this.#field.select();
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#find(), PAUSE);
  }

  #find() {
    clearTimeout(this.#timer);
    const typed = this.#field.value;
    this.#on.searched(Boolean(typed));
    const { listed, words } = typed ? this.#listed(typed) : { listed: [], words: "" };
    this.#said.textContent = words;
    show(this.#results, listed.map((one) => this.#result(one)));
  }

  /** The first places, and what is said of them. */
  #listed(typed) {
    const { t } = this.#page;
    const listed = [];
    try {
      for (const one of places(this.#on.files(), typed, this.#expression.checked)) {
        if (listed.push(one) > MOST) return { listed: listed.slice(0, MOST), words: t("search_many", { number: MOST }) };
      }
    } catch {
      return { listed, words: t("search_wrong") };
    }
    return { listed, words: t("search_found", { number: listed.length }) };
  }

  #result(one) {
    const { file, start, before, words, after } = one;
    return h("li", {}, h("button", { onclick: () => this.#on.go(one) }, [
      h("small", {}, `${label(file, this.#on.game())}:${start.line}`), h("code", {}, [before, h("mark", {}, words), after]),
    ]));
  }

  #pressed(event) {
    const first = this.#results.querySelector("button");
    if (event.key === "Escape") {
      this.#field.value = "";
      this.#find();
    } else if (event.key === "Enter") {
      this.#find();
      this.#results.querySelector("button")?.click();
    } else if (event.key === "ArrowDown" && first) {
      event.preventDefault();
      first.focus();
    }
  }

  /** Arrows go from place to place; the one before the first is the field. */
  #move(event) {
    const every = [...this.#results.querySelectorAll("button")];
    const at = every.indexOf(event.target);
    const to = { ArrowDown: every[at + 1], ArrowUp: every[at - 1] ?? this.#field, Home: every[0], End: every.at(-1), Escape: this.#field }[event.key];
    if (!to) return;
    event.preventDefault();
    to.focus();
  }
}
