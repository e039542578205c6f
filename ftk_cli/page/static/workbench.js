// The workbench: the files of a game in an editor, with what a check finds in them while they are edited.
import * as cm from "./codemirror.js";
import { changes } from "./changes.js";
import { Effect } from "./effect.js";
import { download, h, show } from "./elements.js";

const PAUSE = 350; // milliseconds without a key before a check

const unsaved = new Set(); // names of files that are changed and not saved
addEventListener("beforeunload", (event) => unsaved.size && event.preventDefault());

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

class Workbench {
  #page; #place; #games = []; #game = ""; #files = []; #file = null; #view = null;
  #edited = false; #timer = 0; #round = 0; #stopped = false; #found = null; #changed = null; #effect = null;
  #host = h("div", { class: "editor", id: "bench-file", role: "tabpanel" });
  #side = null; // the view of the file beside
  #beside = h("div", { class: "editor", hidden: true });
  #choice = h("select", { "data-key": "beside", onchange: (event) => this.#put(event.target.value) });
  #bar = h("div", { class: "row files", role: "tablist", onkeydown: (event) => this.#turn(event) });
  #panel = h("section", { class: "findings" });
  #compared = h("section", { class: "compared" });

  constructor(place, page) {
    this.#page = page;
    this.#place = place;
    this.#open();
  }

  async #open() {
    const { t } = this.#page;
    show(this.#place, h("h1", {}, t("tab_workbench")), h("p", { class: "loading", id: "loading" }, t("loading_rules")));
    if (await this.translate()) await this.#read(this.#games[0].id);
  }

  /** Draws everything around the text in the language. Whether it is drawn. */
  async translate() {
    const { remote, lang } = this.#page;
    const games = await this.#asked(remote.call("games", { lang: lang() }));
    if (!games) return false;
    this.#games = games.sort((one, other) => other.own - one.own);
    this.#draw();
    if (this.#found) this.#show(...this.#found);
    if (this.#changed) {
      await this.#compare();
      await this.#effect?.translate();
    }
    return true;
  }

  #draw() {
    const { t } = this.#page;
    const choose = h("select", { "data-key": "game", onchange: (event) => this.#read(event.target.value) },
      this.#games.map(({ id, title }) => h("option", { value: id, selected: id === this.#game }, title)));
    show(this.#place, h("h1", {}, t("tab_workbench")), h("div", { class: "row" }, [
      h("label", { class: "row" }, [t("game"), choose]),
      h("button", { onclick: () => this.#save() }, t("save_file")),
      h("button", { "data-key": "compare", onclick: () => this.#compare() }, t("show_changes")),
      h("button", { "data-key": "play-from", onclick: () => this.#play() }, t("play_from")),
      h("label", { class: "row" }, [t("beside"), this.#choice]),
    ]), this.#bar, h("div", { class: "bench" }, [this.#host, this.#beside, h("div", {}, [this.#compared, this.#panel])]));
  }

  /** What a call answers; undefined after a failure, which is shown, and once the tab is left. */
  async #asked(call) {
    try {
      const answer = await call;
      return this.#stopped ? undefined : answer;
    } catch (error) {
      this.#page.fail(error);
      return undefined;
    }
  }

  async #read(game) {
    this.#game = game;
    this.#send();
    const files = await this.#asked(this.#page.remote.call("files", { game }));
    if (!files || game !== this.#game) return; // another one was chosen since
    this.#files = files;
    this.#pick(files[0]);
  }

  #pick(file) {
    this.#send();
    this.#keep();
    this.#file = file;
    this.#found = this.#changed = null;
    show(this.#bar, this.#files.map((one) => h("button", {
      role: "tab", "data-key": one.name, "aria-selected": String(one === file), "aria-controls": this.#host.id,
      tabindex: one === file ? "0" : "-1", onclick: () => this.#pick(one),
    }, one.name.replace(/^specs\//, ""))));
    this.#host.setAttribute("aria-label", file.name);
    this.#offer();
    this.#forget();
    this.#edit(file);
    this.#check();
  }

  /** Offers all other files to be read beside the one that is edited. */
  #offer() {
    const others = this.#files.filter((one) => one !== this.#file).map((one) => one.name);
    const chosen = others.includes(this.#choice.value) ? this.#choice.value : "";
    show(this.#choice, ["", ...others].map((name) =>
      h("option", { value: name, selected: name === chosen }, name.replace(/^specs\//, "") || "–")));
    this.#put(chosen);
  }

  #put(name) {
    this.#side?.destroy();
    this.#side = null;
    const file = this.#files.find((one) => one.name === name);
    this.#beside.hidden = !file;
    if (!file) return;
    const root = this.#beside.shadowRoot ?? this.#beside.attachShadow({ mode: "open" });
    this.#side = new cm.EditorView({ root, parent: root, doc: file.text, extensions: [
      ...this.#looks(file), cm.EditorView.editable.of(false), cm.EditorView.contentAttributes.of({ tabindex: "0", "aria-readonly": "true" }),
    ] });
  }

  /** The keys of a list of tabs: arrows go around, Home and End to its ends. */
  #turn(event) {
    const number = this.#files.length;
    const at = this.#files.indexOf(this.#file);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + number, Home: 0, End: number - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#pick(this.#files[to % number]);
    this.#bar.querySelector("[aria-selected='true']").focus();
  }

  #keep() {
    if (this.#view) this.#file.text = this.#view.state.doc.toString();
  }

  /** Sends a text that is edited and not checked yet: calls are answered in order, so all later ones know it. */
  #send() {
    clearTimeout(this.#timer);
    if (!this.#edited) return null;
    this.#keep();
    return this.#asked(this.#write());
  }

  #write() {
    this.#edited = false;
    return this.#page.remote.call("check_file", { name: this.#file.name, text: this.#file.text });
  }

  /** The editor is in a shadow tree: its styles are adopted there, which the security policy allows. */
  #edit(file) {
    this.#view?.destroy();
    const root = this.#host.shadowRoot ?? this.#host.attachShadow({ mode: "open" });
    this.#view = new cm.EditorView({ root, parent: root, doc: file.text, extensions: this.#extensions(file) });
  }

  #extensions(file) {
    return [
      ...this.#looks(file),
      cm.history(), cm.drawSelection(), cm.highlightActiveLine(), cm.bracketMatching(), cm.lintGutter(),
      cm.keymap.of([...cm.completionKeymap, ...cm.defaultKeymap, ...cm.historyKeymap, ...cm.searchKeymap, ...cm.lintKeymap]),
      cm.autocompletion({ override: [(context) => this.#complete(context)] }),
      cm.hoverTooltip((view, at) => this.#hover(view, at)),
      cm.EditorView.updateListener.of((update) => update.docChanged && this.#later()),
    ];
  }

  #looks(file) {
    return [
      cm.lineNumbers(), cm.StreamLanguage.define(cm.yaml), cm.syntaxHighlighting(COLOURS), cm.EditorView.lineWrapping,
      cm.EditorView.theme(THEME, { dark: matchMedia("(prefers-color-scheme: dark)").matches }),
      cm.EditorView.contentAttributes.of({ "aria-label": file.name, spellcheck: "false" }),
    ];
  }

  #later() {
    this.#edited = true;
    unsaved.add(this.#file.name);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), PAUSE);
  }

  async #check() {
    this.#keep();
    const { t, say } = this.#page;
    const [file, round] = [this.#file, ++this.#round];
    const answer = await this.#asked(this.#write());
    if (!answer || round !== this.#round || this.#edited) return; // edited since
    this.#found = [file, answer.report.findings, answer.fixes];
    this.#show(...this.#found);
    say(t("findings", { number: answer.report.findings.length }));
  }

  #show(file, findings, fixes) {
    const { t } = this.#page;
    const { doc } = this.#view.state;
    const here = findings.map((one, number) => ({ one, fix: fixes[number] })).filter(({ one }) => one.path === file.name);
    this.#view.dispatch(cm.setDiagnostics(this.#view.state, here.map(({ one }) => ({
      from: offsetOf(doc, one.start), to: offsetOf(doc, one.end), severity: one.severity, message: `${one.message} ${one.hint}`,
    }))));
    show(this.#panel, h("h2", {}, t("findings", { number: findings.length })), h("ul", {}, findings.map((one, number) => h("li", {}, [
      h("button", { onclick: () => this.#go(one) }, `${one.path}:${one.start.line}:${one.start.column} ${one.code}`),
      h("p", {}, one.message), h("p", { class: "note" }, one.hint),
      fixes[number] ? h("button", { onclick: () => this.#fix(file, fixes[number]) }, t("apply_fix")) : null,
    ]))));
    this.#panel.dataset.checked = file.name;
    this.#panel.dataset.report = JSON.stringify(findings);
  }

  #go({ path, start }) {
    const file = this.#files.find((one) => one.name === path);
    if (file && file !== this.#file) this.#pick(file);
    const at = offsetOf(this.#view.state.doc, start);
    this.#view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.#view.focus();
  }

  #fix(file, { start, end, text }) {
    if (file !== this.#file || this.#edited) return; // the patch is of another text
    const before = this.#view.state.doc.toString();
    this.#view.dispatch({ changes: { from: units(before, start), to: units(before, end), insert: text } });
  }

  async #complete(context) {
    const text = context.state.doc.toString();
    const word = context.matchBefore(/[\w.-]*/);
    if (!context.explicit && word.from === word.to) return null;
    const found = await this.#page.remote.call("proposals", { name: this.#file.name, text, offset: points(text, context.pos) });
    const options = found.map(({ label, detail }) => ({ label, detail }));
    return options.length ? { from: word.from, options, validFor: /^[\w.-]*$/ } : null;
  }

  async #hover(view, at) {
    const text = view.state.doc.toString();
    const found = await this.#page.remote.call("hover", { name: this.#file.name, text, offset: points(text, at) });
    if (!found) return null;
    return { pos: units(text, found.start), end: units(text, found.end), create: () => ({ dom: h("div", { class: "hover" }, found.text) }) };
  }

  /** Shows what changed in the game, and in the lines of the file. */
  async #compare() {
    if (!this.#file) return;
    clearTimeout(this.#timer);
    if (this.#edited) await this.#check();
    const { remote, lang } = this.#page;
    const [file, game] = [this.#file, this.#game];
    const lines = await this.#asked(remote.call("changed", { name: file.name, text: file.text }));
    const found = lines && await this.#asked(remote.call("changes", { game, lang: lang() }));
    if (!found || file !== this.#file) return;
    if (found.new.digest !== this.#changed?.new.digest) this.#effect = this.#effectOf(found);
    this.#changed = found;
    const go = (start) => this.#go({ path: found.new.path, start });
    show(this.#compared, changes(this.#page, found, lines, go), this.#effect?.element);
    this.#page.say(found.head);
  }

  /** Goes to a game that stands before the rule, or where the scenario leads, at the cursor. */
  async #play() {
    const file = this.#file;
    if (!file) return;
    this.#send();
    this.#keep();
    const offset = points(file.text, this.#view.state.selection.main.head);
    this.#page.say(this.#page.t("play_from_looks"));
    const found = await this.#asked(this.#page.remote.call("play_from", { name: file.name, text: file.text, offset }));
    if (file !== this.#file || found === undefined) return;
    if (found) this.#page.go("play", found);
    else this.#page.fail({ message: this.#page.t("play_from_where") });
  }

  /** Both versions in play, if they differ and can be played alike. */
  #effectOf({ changes, players }) {
    this.#effect?.stop();
    return changes.length && players.length ? new Effect(this.#page, this.#game, players, (error) => this.#page.fail(error)) : null;
  }

  #forget() {
    this.#effect?.stop();
    this.#effect = null;
    show(this.#compared);
  }

  /** Writes the file to a place that the reader chooses, or downloads it. */
  async #save() {
    if (!this.#file) return;
    this.#keep();
    const { name, text } = this.#file;
    if ((await written(name.split("/").pop(), text)) && this.#file.text === text) unsaved.delete(name);
  }

  stop() {
    this.#send();
    this.#stopped = true;
    this.#effect?.stop();
    this.#view?.destroy();
    this.#side?.destroy();
  }
}

/** Whether a text was written to a file: the reader can refuse to choose one. */
async function written(name, text) {
  try {
    if (!window.showSaveFilePicker) throw new Error("no picker");
    const handle = await window.showSaveFilePicker({ suggestedName: name });
    const stream = await handle.createWritable();
    await stream.write(text);
    await stream.close();
  } catch (error) {
    if (error.name === "AbortError") return false;
    download(name, text);
  }
  return true;
}

export function start(place, page) {
  const bench = new Workbench(place, page);
  return { translate: () => bench.translate(), stop: () => bench.stop() };
}
