// One file of the workbench in an editor, with marks where a check finds something.
import * as cm from "./codemirror.js";
import { h } from "./elements.js";

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
  ".cm-content:focus": { boxShadow: "inset 3px 0 var(--main)" },
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
  #states = new WeakMap(); // of files that were open here, so that edits can still be taken back
  file = null;
  edited = false; // whether the text is newer than what was sent to be checked
  host = h("div", { class: "editor", hidden: true, onfocusin: () => this.#on.focused(this) });

  /** `on` has functions that receive the pane: `edited`, `focused`, and `moved` for its cursor. */
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
    const before = this.#states.get(file);
    const state = before?.doc.toString() === file.text ? before : cm.EditorState.create({ doc: file.text, extensions: this.#extensions() });
    this.#view = new cm.EditorView({ root, parent: root, state });
    this.host.setAttribute("aria-label", file.name);
    this.mark();
  }

  close() {
    this.keep();
    if (this.#view) this.#states.set(this.file, this.#view.state);
    this.#view?.destroy();
    this.#view = this.file = null;
    this.edited = false;
    this.host.hidden = true;
  }

  keep() {
    if (this.#view) this.file.text = this.#view.state.doc.toString();
  }

  /** The number of characters of the text. */
  get size() {
    return this.#view.state.doc.length;
  }

  /** The offset of the cursor in code points. */
  get cursor() {
    return points(this.#view.state.doc.toString(), this.#view.state.selection.main.head);
  }

  /** Has Python write and check the text; a large one is only written, unless `wanted`. */
  write(wanted = false) {
    this.keep();
    this.edited = false;
    const { name, text, readonly, isLarge } = this.file;
    if (readonly) return Promise.resolve(null);
    return this.#page.remote.call(isLarge && !wanted ? "keep_file" : "check_file", { name, text, ...(isLarge && !wanted ? {} : { lang: this.#page.lang() }) });
  }

  /** Marks what the last check of the file has found. */
  mark() {
    const { doc } = this.#view.state;
    const here = (this.file.found?.findings ?? []).filter((one) => one.path === this.file.name);
    this.#view.dispatch(cm.setDiagnostics(this.#view.state, here.map((one) => ({
      from: offsetOf(doc, one.start), to: offsetOf(doc, one.end), severity: one.severity, message: `${one.message} ${one.hint}`,
    }))));
  }

  focus() {
    this.#view.focus();
  }

  go(start) {
    const at = offsetOf(this.#view.state.doc, start);
    this.#view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.#view.focus();
  }

  /** Applies a patch, which is of the text that was checked. */
  fix({ start, end, text }) {
    const before = this.#view.state.doc.toString();
    this.#view.dispatch({ changes: { from: units(before, start), to: units(before, end), insert: text } });
  }

  #extensions() {
    return [
      cm.lineNumbers(), cm.StreamLanguage.define(cm.yaml), cm.syntaxHighlighting(COLOURS), cm.EditorView.lineWrapping,
      cm.EditorView.theme(THEME, { dark: matchMedia("(prefers-color-scheme: dark)").matches }),
      cm.EditorView.contentAttributes.of({ "aria-label": this.file.name, spellcheck: "false", tabindex: "0" }), cm.EditorState.readOnly.of(this.file.readonly),
      cm.history(), cm.drawSelection(), cm.highlightActiveLine(), cm.bracketMatching(), cm.lintGutter(),
      cm.keymap.of([...cm.completionKeymap, ...cm.defaultKeymap, ...cm.historyKeymap, ...cm.searchKeymap, ...cm.lintKeymap]),
      cm.autocompletion({ override: [(context) => this.#complete(context)] }),
      cm.hoverTooltip((view, at) => this.#hover(view, at)),
      cm.EditorView.updateListener.of((update) => {
        if (update.docChanged) this.#typed();
        if (update.docChanged || update.selectionSet) this.#on.moved(this);
      }),
    ];
  }

  #typed() {
    this.edited = true;
    this.#on.edited(this);
  }

  /** Whether Python is not asked about places in the file. */
  get #isPlain() {
    return this.file.readonly || this.file.isLarge;
  }

  async #complete(context) {
    const word = context.matchBefore(/[\w.-]*/);
    if (this.#isPlain || (!context.explicit && word.from === word.to)) return null;
    const text = context.state.doc.toString();
    const found = await this.#page.remote.call("proposals", { name: this.file.name, text, offset: points(text, context.pos) });
    const options = found.map(({ label, detail }) => ({ label, detail }));
    return options.length ? { from: word.from, options, validFor: /^[\w.-]*$/ } : null;
  }

  /** What is known about the word at an offset, null if that is nothing. */
  async meaning(at = this.#view.state.selection.main.head) {
    if (this.#isPlain) return null;
    const text = this.#view.state.doc.toString();
    return this.#page.remote.call("hover", { name: this.file.name, text, offset: points(text, at) });
  }

  async #hover(view, at) {
    const text = view.state.doc.toString();
    const found = await this.meaning(at);
    if (!found) return null;
    return { pos: units(text, found.start), end: units(text, found.end), create: () => ({ dom: h("div", { class: "hover" }, found.text) }) };
  }
}
