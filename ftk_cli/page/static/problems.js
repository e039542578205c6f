// All findings of the files that have been checked, by file: filtered by severity and words, with their corrections.
import { h, show } from "./elements.js";
import { SEVERITIES, isPending } from "./files.js";

const MOST = 100; // findings that are drawn

export class Problems {
  #page; #on; #files = []; #most = MOST; #drawn = "";
  #severity = h("select", { "data-key": "problems-severity", onchange: () => this.#again() });
  #words = h("input", { type: "search", "data-key": "problems-words", oninput: () => this.#again() });
  #title = h("h2", { id: "problems-title" });
  #list = h("div", {});
  #note = h("p", { class: "note" });
  element = h("section", { class: "findings", "aria-labelledby": "problems-title" });

  /** `on` has functions: `go` receives a finding, `fix` a file with a finding and its patch, `check` a large file. */
  constructor(page, on) {
    [this.#page, this.#on] = [page, on];
  }

  translate() {
    const { t } = this.#page;
    const chosen = this.#severity.value;
    const options = [["", "desk_all"], ...Object.entries(SEVERITIES)];
    show(this.#severity, options.map(([value, key]) => h("option", { value, selected: value === chosen }, t(key))));
    this.#severity.setAttribute("aria-label", t("severity"));
    for (const name of ["placeholder", "aria-label"]) this.#words.setAttribute(name, t("filter_findings"));
    show(this.element, h("div", { class: "bar" }, [this.#title, h("div", { class: "row" }, [this.#severity, this.#words])]), this.#note, this.#list);
    this.#drawn = "";
    this.draw(this.#files);
  }

  /** Shows the findings of files. What stays the same is not drawn again: a click may be under way. */
  draw(files) {
    const { t } = this.#page;
    this.#files = files;
    const checked = files.filter((one) => one.found);
    if (checked.length) this.element.dataset.checked = checked.length;
    const listed = this.#listed(checked);
    const text = JSON.stringify([files[0]?.name, listed.map(({ finding, fix }) => [finding, fix]), files.filter((one) => one.isLarge).map((one) => one.name), this.#most]);
    const every = distinct(checked);
    const number = t("findings", { number: every.length === listed.length ? every.length : `${listed.length} / ${every.length}` });
    const left = files.filter(isPending).length;
    this.#title.textContent = checked.length || !left ? number : t("checking");
    this.#note.textContent = left ? `${t("checking")} ${t("files_checked", { number: files.length - left, all: files.length })}` : "";
    if (text === this.#drawn) return;
    this.#drawn = text;
    show(this.#list, this.#large(), this.#groups(listed.slice(0, this.#most)), listed.length > this.#most ? this.#more(listed.length) : null);
  }

  #again() {
    this.#most = MOST;
    this.draw(this.#files);
  }

  #listed(checked) {
    const words = this.#words.value.toLowerCase().split(/\s+/);
    const severity = this.#severity.value;
    const text = ({ path, code, message, hint }) => `${path} ${code} ${message} ${hint}`.toLowerCase();
    return distinct(checked).filter(({ finding }) => (!severity || finding.severity === severity) && words.every((word) => text(finding).includes(word)));
  }

  #large() {
    const { t } = this.#page;
    return this.#files.filter((one) => one.isLarge).map((file) => h("p", { class: "row large" }, [
      t("file_is_large", { file: file.name, size: (file.text.length / 1e6).toFixed(1) }), h("button", { onclick: () => this.#on.check(file) }, t("check_now")),
    ]));
  }

  #groups(listed) {
    const paths = [...new Set(listed.map(({ finding }) => finding.path))];
    return paths.map((path) => {
      const here = listed.filter(({ finding }) => finding.path === path);
      return h("section", {}, [h("h3", {}, [path.replace(/^specs\//, ""), h("small", {}, ` ${here.length}`)]), h("ul", {}, here.map((one) => this.#one(one)))]);
    });
  }

  #one({ file, finding, fix }) {
    const { t } = this.#page;
    const { path, start, code, severity, message, hint } = finding;
    return h("li", { class: severity }, [
      h("button", { "data-key": `finding-${path}-${start.line}-${start.column}-${code}`, onclick: () => this.#on.go(finding) }, `${start.line}:${start.column} ${code}`),
      h("p", {}, message), hint ? h("p", { class: "note" }, hint) : null,
      fix ? h("button", { onclick: () => this.#on.fix(file, finding, fix) }, t("apply_fix")) : null,
    ]);
  }

  #more(number) {
    const more = () => {
      this.#most += MOST;
      this.draw(this.#files);
    };
    return h("button", { "data-key": "problems-more", onclick: more }, this.#page.t("more_findings", { number: number - this.#most }));
  }
}

/** The findings of files, each once: checks of several files can report the same one. */
function distinct(files) {
  const found = new Map();
  for (const file of files) {
    for (const [at, finding] of file.found.findings.entries()) {
      const { path, start, code, message } = finding;
      const key = JSON.stringify([path, start, code, message]);
      const fix = path === file.name ? file.found.fixes[at] : null;
      if (!found.has(key) || fix) found.set(key, { file, finding, fix });
    }
  }
  return [...found.values()];
}
