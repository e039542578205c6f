// Guidance beside YAML: where to begin, and what the word at the cursor means.
import { h, paragraphs, show } from "./elements.js";

const PAUSE = 300; // milliseconds without a movement before Python is asked

/** Where to begin: a key of the spec, or the first file of a folder. */
const PLACES = [
  { title: "begin_cards", key: "cards" },
  { title: "begin_places", key: "zones" },
  { title: "begin_set_up", key: "setup" },
  { title: "begin_rules", key: "play" },
  { title: "begin_texts", folder: "translations" },
  { title: "begin_looks", folder: "looks" },
];

export class Guide {
  #page; #on; #timer = 0; #asked = null;
  #begin = h("p", { class: "row" });
  #meaning = h("div", { class: "meaning", role: "status" });
  element = h("section", { class: "guide" });

  /** `on` has functions: `files` are those of the game, `pick` receives a file, `go` a place in one. */
  constructor(page, on) {
    [this.#page, this.#on] = [page, on];
    this.element.append(this.#begin, this.#meaning);
  }

  draw() {
    const { t } = this.#page;
    this.element.setAttribute("aria-label", t("guide"));
    const [spec, ...others] = this.#on.files();
    const places = spec ? PLACES.map(({ title, key, folder }) => {
      const act = folder ? this.#file(others, folder) : this.#line(spec, key);
      return act ? h("button", { "data-key": title, onclick: act }, t(title)) : null;
    }) : [];
    show(this.#begin, spec ? h("span", {}, t("guide_begin")) : null, places);
    show(this.#meaning, spec ? h("p", { class: "note" }, t("guide_note")) : null);
  }

  #file(files, folder) {
    const file = files.find((one) => one.folder.split("/")[0] === folder);
    return file ? () => this.#on.pick(file) : null;
  }

  #line(file, key) {
    const line = file.text.split("\n").findIndex((one) => one.startsWith(`${key}:`)) + 1;
    return line ? () => this.#on.go({ file, start: { line, column: 1 } }) : null;
  }

  /** Says what the word at the cursor of a pane means; what was said stays where nothing is known. */
  about(pane) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      if (!pane.file || pane.edited) return; // it is being checked
      const asked = (this.#asked = {});
      const found = await pane.meaning().catch(() => null); // the findings say what is wrong with the file
      if (found && asked === this.#asked) show(this.#meaning, parts(found.text));
    }, PAUSE);
  }
}

/** Markdown as elements: paragraphs, lists, and lines of the spec. */
function parts(text) {
  return text.split(/^```\w*\n/m).flatMap((part, at) => {
    if (!at) return paragraphs(part.replaceAll("`", "").trim());
    const [code, ...rest] = part.split(/^```$/m);
    return [h("pre", {}, code.trim()), ...paragraphs(rest.join("").trim())];
  });
}
