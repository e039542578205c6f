// The tabs of the files that are open: a click on ×, a middle click or Delete closes one.
import { h, show } from "./elements.js";
import { short } from "./files.js";

export class Tabs {
  #page; #on; #files = [];
  #bar = h("div", { class: "tabs-list", role: "tablist", onkeydown: (event) => this.#press(event) });
  #beside = h("button", { "data-key": "beside", class: "quiet", onclick: () => this.#on.beside() }, h("span", { class: "halves" }));
  element = h("div", { class: "tabs" }, [this.#bar, this.#beside]);

  /** `on` has functions: `pick` and `close` receive a file, `beside` nothing. */
  constructor(page, on) {
    [this.#page, this.#on] = [page, on];
  }

  draw(files, chosen, game, panel) {
    const { t } = this.#page;
    this.#files = files;
    this.#bar.setAttribute("aria-label", t("open_files"));
    for (const name of ["aria-label", "title"]) this.#beside.setAttribute(name, t("beside"));
    show(this.#bar, files.map((file) => this.#tab(file, file === chosen, game, panel)));
    const tab = this.#bar.querySelector("[aria-selected='true']");
    if (tab) this.#bar.scrollLeft = tab.offsetLeft - this.#bar.offsetLeft - 40; // the one before is seen, too
  }

  #tab(file, isChosen, game, panel) {
    const close = (event) => {
      event.stopPropagation();
      this.#on.close(file);
    };
    return h("button", {
      role: "tab", "data-key": `tab-${file.name}`, "aria-selected": String(isChosen), "aria-controls": panel, title: file.name,
      tabindex: isChosen ? "0" : "-1", "aria-keyshortcuts": "Delete",
      onclick: () => this.#on.pick(file), onauxclick: (event) => event.button === 1 && close(event),
    }, [
      h("span", {}, label(file, game)), file.unsaved ? h("span", { class: "dot" }, ["●", h("span", { class: "unseen" }, this.#page.t("unsaved"))]) : null,
      h("span", { class: "x", "aria-hidden": "true", title: this.#page.t("close_file"), onclick: close }, "×"),
    ]);
  }

  /** The keys of a list of tabs: arrows go around, Home and End to its ends. */
  #press(event) {
    const number = this.#files.length;
    const at = [...this.#bar.children].indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + number, Home: 0, End: number - 1 }[event.key];
    if (to === undefined && event.key !== "Delete") return;
    event.preventDefault();
    if (to === undefined) this.#on.close(this.#files[at]);
    else this.#on.pick(this.#files[to % number]);
    this.#bar.querySelector("[aria-selected='true']").focus();
  }
}

/** The name of a file beside others: the folder says what kind of file it is. */
export const label = (file, game) => `${file.folder.split("/")[0] === "spec" ? "" : `${file.folder.split("/")[0]}/`}${short(file, game)}`;
