// One file of the workbench in an editor, with what a check finds in it.
import * as cm from "./codemirror.js";
import { h, show } from "./elements.js";

/** Offsets of Python count code points, those of the editor UTF-16 units. */
const units = (text, points) => [...text].slice(0, points).join("").length;
const points = (text, at) => [...text.slice(0, at)].length;

function offsetOf(doc, { line, column }) {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(found.from + units(found.text, column - 1), found.to);
}

const THEME = {
  "&": { color: "var(--ink)", backgroundColor: "var(--sheet)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--quiet)", backgroundColor: "var(--ground)", borderColor: "var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--sheet)", borderColor: "var(--line)" },
  ".cm-tooltip-hover": { maxWidth: "min(40rem, 90vw)", maxHeight: "50vh", overflow: "auto", whiteSpace: "pre-wrap", padding: ".5rem" },
};
const COLOURS = cm.HighlightStyle.define([
  { tag: [cm.tags.atom, cm.tags.keyword, cm.tags.propertyName, cm.tags.definition(cm.tags.propertyName)], color: "var(--main)" },
  { tag: cm.tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: cm.tags.number, color: "var(--lit-line)" },
]);

export class Pane {
  #page; #on; #view = null;
  file = null;
  edited = false; // whether the text is newer than what was sent to be checked
  #found = null;
  host = h("div", { class: "editor", hidden: true, onfocusin: () => this.#on.focused(this) });
  panel = h("section", { class: "findings" });

  /** `on` has functions: `edited` and `focused` receive the pane, `go` a finding. */
  constructor(page, on) {
    this.#page = page;
    this.#on = on;
  }

  /** The editor is in a shadow tree: its styles are adopted there, which the security policy allows. */
  open(file) {
    this.close();
    this.file = file;
    this.host.hidden = false;
    const root = this.host.shadowRoot ?? this.host.attachShadow({ mode: "open" });
    this.#view = new cm.EditorView({ root, parent: root, doc: file.text, extensions: this.#extensions() });
  }

  close() {
    this.keep();
    this.#view?.destroy();
    this.#view = this.file = this.#found = null;
    this.edited = false;
    this.host.hidden = true;
    show(this.panel);
    delete this.panel.dataset.checked;
  }

  keep() {
    if (this.#view) this.file.text = this.#view.state.doc.toString();
  }

  /** The offset of the cursor in code points. */
  get cursor() {
    return points(this.#view.state.doc.toString(), this.#view.state.selection.main.head);
  }

  /** Has Python write and check the text. */
  write() {
    this.keep();
    this.edited = false;
    return this.#page.remote.call("check_file", { name: this.file.name, text: this.file.text });
  }

  /** Shows what a check has found. */
  took({ report, fixes }) {
    this.#found = { findings: report.findings, fixes };
    this.translate();
    this.panel.dataset.checked = this.file.name;
    this.panel.dataset.report = JSON.stringify(report.findings);
  }

  translate() {
    if (!this.#found) return;
    const { findings, fixes } = this.#found;
    const { t } = this.#page;
    const { doc } = this.#view.state;
    const here = findings.filter((one) => one.path === this.file.name);
    this.#view.dispatch(cm.setDiagnostics(this.#view.state, here.map((one) => ({
      from: offsetOf(doc, one.start), to: offsetOf(doc, one.end), severity: one.severity, message: `${one.message} ${one.hint}`,
    }))));
    show(this.panel, h("h2", {}, [t("findings", { number: findings.length }), h("small", {}, ` ${short(this.file.name)}`)]),
      h("ul", {}, findings.map((one, number) => h("li", {}, [
        h("button", { onclick: () => this.#on.go(one) }, `${one.path}:${one.start.line}:${one.start.column} ${one.code}`),
        h("p", {}, one.message), h("p", { class: "note" }, one.hint),
        fixes[number] ? h("button", { onclick: () => this.#fix(this.file, fixes[number]) }, t("apply_fix")) : null,
      ]))));
  }

  go(start) {
    const at = offsetOf(this.#view.state.doc, start);
    this.#view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.#view.focus();
  }

  #fix(file, { start, end, text }) {
    if (file !== this.file || this.edited) return; // the patch is of another text
    const before = this.#view.state.doc.toString();
    this.#view.dispatch({ changes: { from: units(before, start), to: units(before, end), insert: text } });
  }

  #extensions() {
    return [
      cm.lineNumbers(), cm.StreamLanguage.define(cm.yaml), cm.syntaxHighlighting(COLOURS), cm.EditorView.lineWrapping,
      cm.EditorView.theme(THEME, { dark: matchMedia("(prefers-color-scheme: dark)").matches }),
      cm.EditorView.contentAttributes.of({ "aria-label": this.file.name, spellcheck: "false" }),
      cm.history(), cm.drawSelection(), cm.highlightActiveLine(), cm.bracketMatching(), cm.lintGutter(),
      cm.keymap.of([...cm.completionKeymap, ...cm.defaultKeymap, ...cm.historyKeymap, ...cm.searchKeymap, ...cm.lintKeymap]),
      cm.autocompletion({ override: [(context) => this.#complete(context)] }),
      cm.hoverTooltip((view, at) => this.#hover(view, at)),
      cm.EditorView.updateListener.of((update) => update.docChanged && this.#typed()),
    ];
  }

  #typed() {
    this.edited = true;
    this.#on.edited(this);
  }

  async #complete(context) {
    const text = context.state.doc.toString();
    const word = context.matchBefore(/[\w.-]*/);
    if (!context.explicit && word.from === word.to) return null;
    const found = await this.#page.remote.call("proposals", { name: this.file.name, text, offset: points(text, context.pos) });
    const options = found.map(({ label, detail }) => ({ label, detail }));
    return options.length ? { from: word.from, options, validFor: /^[\w.-]*$/ } : null;
  }

  async #hover(view, at) {
    const text = view.state.doc.toString();
    const found = await this.#page.remote.call("hover", { name: this.file.name, text, offset: points(text, at) });
    if (!found) return null;
    return { pos: units(text, found.start), end: units(text, found.end), create: () => ({ dom: h("div", { class: "hover" }, found.text) }) };
  }
}

/** The name of a file as it is shown. */
export const short = (name) => name.replace(/^specs\//, "");
