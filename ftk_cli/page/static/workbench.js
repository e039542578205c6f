// The workbench: the files of a game in a tree and in editors, one or two side by side, with what checks find in all of them.
import { Background } from "./background.js";
import { changes } from "./changes.js";
import { Effect } from "./effect.js";
import { Guide } from "./guide.js";
import { download, h, show } from "./elements.js";
import { menu } from "./head.js";
import { Tree, short } from "./files.js";
import { Pane } from "./pane.js";
import { Problems } from "./problems.js";
import { listed, shortcut } from "./shortcuts.js";
import { Tabs } from "./tabs.js";
import { Search } from "./textsearch.js";
import { Trial } from "./trial.js";

const PAUSE = 350; // milliseconds without a key before a check
const REST = 900; // milliseconds without an edit or a check before a file that is not open is checked
const LARGE = 500000; // characters of a file that is checked only when asked
const DEPENDENT = { // folders of files whose findings may change with a file of a folder
  spec: ["glossary", "looks", "translations", "variants", "scenarios", "reviews"],
  variants: ["translations", "scenarios"],
  glossary: ["translations", "reviews"],
  translations: ["translations", "reviews"],
};

const unsaved = new Set(); // names of files that are changed and not saved
addEventListener("beforeunload", (event) => unsaved.size && event.preventDefault());

/** The game that an address of the door names: #workbench?game=ID. */
const wanted = () => new URLSearchParams(location.hash.split("?")[1] ?? "").get("game");

class Workbench {
  #page; #place; #games = []; #game = ""; #files = []; #open = []; // the open ones have tabs
  #timer = 0; #idle = 0; #round = 0; #stopped = false; #effect = null; #trial = null;
  #changed = null; // what changed, with the text of the spec that it is about
  #main; #beside; #active; // panes; the active one is that which buttons are about
  #tree; #tabs; #search; #problems; #guide; #background;
  #second = h("div", { class: "tabs second" });
  #side = h("div", { class: "side" });
  #drawer = h("button", { class: "drawer", "data-key": "files", "aria-expanded": "false", onclick: () => this.#slide() }, "☰");
  #bench = h("div", { class: "bench" });
  #compared = h("section", { class: "compared" });
  #pressed = (event) => this.#press(event);

  constructor(place, page) {
    [this.#page, this.#place] = [page, place];
    const on = { edited: (pane) => this.#later(pane), focused: (pane) => this.#activate(pane), moved: (pane) => this.#guide.about(pane) };
    this.#main = this.#active = new Pane(page, on);
    this.#beside = new Pane(page, on);
    this.#main.host.id = "bench-file";
    this.#main.host.setAttribute("role", "tabpanel");
    this.#beside.host.setAttribute("role", "group");
    this.#tree = new Tree(page, (file, isBeside) => (isBeside ? this.#put(file) : this.#pick(file)));
    this.#tabs = new Tabs(page, { pick: (file) => this.#pick(file), close: (file) => this.#close(file), beside: () => this.#put(this.#main.file) });
    const go = ({ file, start }) => this.#go({ path: file.name, start });
    this.#search = new Search(page, { files: () => this.#texts(), game: () => this.#game, go, searched: (is) => (this.#tree.element.hidden = is) });
    this.#problems = new Problems(page, {
      go: (finding) => this.#go(finding), fix: (file, finding, fix) => this.#fix(file, finding, fix), check: (file) => this.#checkLarge(file),
    });
    this.#background = new Background(page);
    this.#guide = new Guide(page, { files: () => this.#files, pick: (file) => this.#pick(file), go });
    addEventListener("keydown", this.#pressed);
    this.#begin();
  }

  /** The panes that hold a file. */
  get #panes() {
    return [this.#main, this.#beside].filter((pane) => pane.file);
  }

  get #spec() {
    return this.#files[0];
  }

  /** The files that the rules of a game are in. */
  get #rules() {
    return this.#files.filter((one) => ["spec", "variants"].includes(kindOf(one)));
  }

  async #begin() {
    const { t } = this.#page;
    show(this.#place, h("h1", {}, t("tab_workbench")), h("p", { class: "loading", id: "loading" }, t("loading_rules")));
    if (!(await this.translate())) return;
    await this.#read((this.#games.find(({ id }) => id === wanted()) ?? this.#games[0]).id);
    this.#asked(this.#page.remote.call("prepare")); // the reader looks at the file meanwhile
  }

  /** Draws everything around the text in the language. Whether it is drawn. */
  async translate() {
    const { remote, lang } = this.#page;
    const games = await this.#asked(remote.call("games", { lang: lang() }));
    if (!games) return false;
    this.#games = games.sort((one, other) => other.own - one.own);
    this.#draw();
    if (this.#changed) {
      await this.#compare();
      await this.#effect?.translate();
    }
    return true;
  }

  #draw() {
    const { t } = this.#page;
    const choose = h("select", { "data-key": "game", "aria-label": t("game"), onchange: (event) => this.#read(event.target.value) },
      this.#games.map(({ id, title }) => h("option", { value: id, selected: id === this.#game }, title)));
    const button = (key, act, words = t(key)) => h("button", { "data-key": key, onclick: act }, words);
    show(this.#place, h("h1", { class: "unseen" }, t("tab_workbench")), h("div", { class: "row tools" }, [
      this.#drawer,
      choose,
      menu(this.#page, [
        button("save_file", () => this.#save()),
        button("compare", () => this.#compare(), t("show_changes")),
        button("play-from", () => this.#play(), t("play_from")),
        button("game_beside", () => this.#begins()),
        h("button", { "data-key": "keys", "aria-label": t("keys"), title: t("keys"), onclick: () => listed(this.#page) }, "?"),
      ]),
    ]), this.#bench);
    show(this.#side, this.#search.element, this.#tree.element);
    show(this.#bench, this.#side, h("div", { class: "pane" }, [this.#tabs.element, this.#main.host, this.#guide.element]),
      h("div", { class: "pane" }, [this.#second, this.#beside.host]), this.#trial?.element, h("div", { class: "below" }, [this.#compared, this.#problems.element]));
    for (const name of ["aria-label", "title"]) this.#drawer.setAttribute(name, t("files"));
    this.#search.draw();
    this.#guide.draw();
    this.#problems.translate();
    this.#trial?.translate();
    if (!this.#files.length) return;
    this.#tree.draw(this.#files, this.#game);
    this.#show();
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
    const choice = this.#place.querySelector("[data-key='game']");
    if (choice) choice.value = game;
    this.#send();
    this.#hideTrial();
    const files = await this.#asked(this.#page.remote.call("files", { game }));
    if (!files || game !== this.#game) return; // another one was chosen since
    for (const pane of this.#panes) pane.close();
    this.#files = files.map((one) => ({ ...one, found: null, isOld: false, unsaved: unsaved.has(one.name), isLarge: one.text.length > LARGE }));
    this.#open = [];
    this.#forget();
    this.#tree.draw(this.#files, game);
    this.#search.draw();
    this.#guide.draw();
    this.#count();
    await this.#pick(this.#spec);
  }

  /** Opens a file in the first editor, unless it is in the second one. */
  #pick(file) {
    this.#slide(false);
    if (file === this.#beside.file) return this.#beside.focus();
    this.#send();
    this.#swap(file);
    this.#activate(this.#main);
    return this.#check([this.#main, this.#beside].filter((pane) => pane.file));
  }

  #swap(file) {
    if (!this.#open.includes(file)) this.#open.push(file);
    this.#main.open(file);
  }

  /** Opens a file in the second editor; another one is in the first. */
  #put(file) {
    if (!file || file === this.#beside.file) return;
    this.#send();
    const other = this.#open.filter((one) => one !== file && one !== this.#beside.file).at(-1) ?? this.#files.find((one) => one !== file);
    if (!other) return;
    if (file === this.#main.file) this.#swap(other);
    this.#open = this.#open.filter((one) => one !== file);
    if (this.#beside.file && this.#beside.file !== file) this.#open.push(this.#beside.file);
    this.#beside.open(file);
    this.#activate(this.#beside);
    this.#check([...this.#panes].reverse()); // the new one first
  }

  /** Closes the tab of a file; the spec is opened in place of the last one. */
  #close(file) {
    const at = this.#open.indexOf(file);
    const left = this.#open.filter((one) => one !== file);
    if (at < 0 || (!left.length && file === this.#spec)) return;
    this.#open = left;
    if (file === this.#main.file) this.#pick(left[Math.min(at, left.length - 1)] ?? this.#spec);
    else this.#show();
  }

  #closeBeside() {
    this.#send();
    if (!this.#open.includes(this.#beside.file)) this.#open.push(this.#beside.file);
    this.#beside.close();
    this.#activate(this.#main);
  }

  #activate(pane) {
    this.#active = pane;
    for (const one of [this.#main, this.#beside]) one.host.classList.toggle("active", one === pane && this.#panes.length > 1);
    this.#show();
  }

  /** Shows which files are open. */
  #show() {
    const { t } = this.#page;
    const second = this.#beside.file;
    this.#tabs.draw(this.#open, this.#main.file, this.#game, this.#main.host.id);
    this.#tree.mark([...this.#open, second], this.#active.file);
    this.#bench.classList.toggle("two", Boolean(second));
    this.#bench.classList.toggle("tried", Boolean(this.#trial));
    const close = () => h("button", { class: "quiet", "data-key": "close-beside", "aria-label": t("close_file"), title: t("close_file"), onclick: () => this.#closeBeside() }, "×");
    show(this.#second, second ? [h("strong", {}, [short(second, this.#game), second.unsaved ? " ●" : ""]), close()] : null);
  }

  /** Opens and closes the list of files where the screen is narrow. */
  #slide(isOpen = this.#drawer.getAttribute("aria-expanded") === "false") {
    this.#drawer.setAttribute("aria-expanded", String(isOpen));
    this.#side.classList.toggle("slid", isOpen);
  }

  /** All files, as they are edited now. */
  #texts() {
    for (const pane of this.#panes) pane.keep();
    return this.#files;
  }

  /** Sends texts that are edited and not checked yet: calls are answered in order, so all later ones know them. */
  #send() {
    clearTimeout(this.#timer);
    for (const pane of this.#panes.filter((one) => one.edited)) this.#asked(pane.write());
  }

  #later(pane) {
    const { file } = pane;
    file.isLarge = pane.size > LARGE;
    if (!file.isOld) {
      file.isOld = true;
      this.#count();
    }
    if (!file.unsaved) {
      unsaved.add(file.name);
      file.unsaved = true;
      this.#show();
      this.#tree.count();
    }
    clearTimeout(this.#idle);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(this.#concerned()), PAUSE);
  }

  /** The panes to be checked after an edit, what is edited first. A spec is checked without its texts and scenarios. */
  #concerned() {
    const edited = this.#panes.filter((one) => one.edited);
    const folders = new Set(edited.flatMap(({ file }) => DEPENDENT[kindOf(file)] ?? []));
    for (const file of this.#files) if (folders.has(kindOf(file))) file.isOld = true;
    return [...edited, ...this.#panes.filter((one) => !one.edited && one.file !== this.#spec)];
  }

  async #check(panes) {
    if (!(await this.#checkEach(panes))) return;
    if (this.#changed) await this.#follow();
    this.#replay();
    this.#rest();
  }

  /** Whether all panes were checked before another edit. */
  async #checkEach(panes) {
    const { t, say } = this.#page;
    const [files, round] = [panes.map((pane) => pane.file), ++this.#round];
    for (const [at, pane] of panes.entries()) {
      const answer = await this.#asked(pane.write());
      if (answer === undefined || round !== this.#round || pane.edited || pane.file !== files[at]) return false; // edited or closed since
      if (!answer) continue; // the file is read-only or large
      this.#took(pane.file, answer);
      pane.mark();
      if (pane === this.#active) say(t("findings", { number: answer.report.findings.length }));
    }
    this.#count();
    return true;
  }

  #took(file, { report, fixes }) {
    Object.assign(file, { found: { findings: report.findings, fixes }, isOld: false });
    this.#count();
  }

  #count() {
    this.#tree.count();
    this.#problems.draw(this.#files);
  }

  /** Checks one file that is not open, once nothing else has been asked for a while, and then the next. */
  #rest() {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#checkNext(), REST);
  }

  async #checkNext() {
    const panes = this.#panes.map((pane) => pane.file);
    const file = this.#files.find((one) => (!one.found || one.isOld) && !one.readonly && !one.isLarge && !panes.includes(one));
    if (this.#stopped || !file) return;
    const { name, text } = file;
    const round = this.#round;
    const answer = await this.#asked(this.#background.check(this.#game, this.#texts(), { name, text }));
    if (answer && round === this.#round && file.text === text && this.#files.includes(file)) this.#took(file, answer);
    if (answer && this.#files.includes(file)) this.#rest(); // a check that failed is not tried again
  }

  /** Checks a file that is too large to be checked while it is edited. */
  async #checkLarge(file) {
    this.#pick(file);
    this.#page.say(this.#page.t("checks_large"));
    const pane = this.#panes.find((one) => one.file === file);
    const answer = await this.#asked(pane.write(true));
    if (!answer || pane.file !== file) return;
    this.#took(file, answer);
    pane.mark();
  }

  #go({ path, start }) {
    const file = this.#files.find((one) => one.name === path);
    const open = this.#panes.find((pane) => pane.file === file);
    if (file && !open) this.#pick(file);
    this.#slide(false);
    (open ?? this.#main).go(start);
  }

  /** Applies a correction to the text that it was found in. */
  #fix(file, finding, fix) {
    this.#go(finding);
    const pane = this.#panes.find((one) => one.file === file);
    if (pane && !pane.edited) pane.fix(fix);
  }

  /** Shows what changed in the game, and in the lines of its open files. */
  async #compare() {
    if (!this.#main.file) return;
    clearTimeout(this.#timer);
    if (this.#panes.some((pane) => pane.edited)) await this.#checkEach(this.#concerned());
    const round = this.#round;
    const found = await this.#asked(this.#changes());
    if (!found || !(await this.#compareWith(found, round))) return;
    this.#page.say(found.head ?? "");
    this.#compared.scrollIntoView({ block: "nearest" });
  }

  /** Shows it anew after an edit: the lines, and the changes of a spec without errors. */
  async #follow() {
    const [round, isOld] = [this.#round, this.#changed.hasErrors || this.#spec.text !== this.#changed.text];
    const found = isOld ? await this.#asked(this.#changes()) : this.#changed;
    if (found) await this.#compareWith(found, round);
  }

  /** What changed in the game; for a spec with errors what had changed before them, if that is known. */
  async #changes() {
    const { text } = this.#spec;
    try {
      return { ...(await this.#page.remote.call("changes", { game: this.#game, lang: this.#page.lang() })), text };
    } catch (error) {
      if (!error.findings?.length) throw error;
      return { changes: [], players: [], new: {}, ...this.#changed, hasErrors: true };
    }
  }

  /** Whether it is shown: nothing was edited or closed since the round. */
  async #compareWith(found, round) {
    const calls = this.#panes.map(({ file: { name, text } }) => this.#page.remote.call("changed", { name, text }));
    const lines = await this.#asked(Promise.all(calls));
    if (!lines || round !== this.#round) return false;
    if (found.new.digest !== this.#changed?.new.digest) this.#effect = this.#effectOf(found);
    this.#changed = found;
    const go = (start) => this.#go({ path: found.new.path, start });
    const open = this.#compared.querySelector("details")?.open;
    show(this.#compared, changes(this.#page, found, lines.flat(), { go, open }), this.#effect?.element);
    return true;
  }

  /** What leads to a game that stands before the rule, or where the scenario leads, at the cursor; null if nothing does. */
  #fromCursor() {
    const { file, cursor } = this.#active;
    this.#send();
    this.#active.keep();
    this.#page.say(this.#page.t("play_from_looks"));
    return this.#page.remote.call("play_from", { name: file.name, text: file.text, offset: cursor });
  }

  /** Goes to the game at the cursor. */
  async #play() {
    const { file } = this.#active;
    if (!file || file.readonly) return;
    const found = await this.#asked(this.#fromCursor());
    if (file !== this.#active.file || found === undefined) return;
    if (found) this.#page.go("play", found.game);
    else this.#page.fail({ message: this.#page.t("play_from_where") });
  }

  /** Shows a game beside the spec: from the cursor, or from its first decision. */
  async #begins() {
    const { file } = this.#active;
    if (!file) return;
    this.#trial ??= new Trial(this.#page, () => this.#hideTrial());
    const trial = this.#trial;
    this.#bench.querySelector(".below").before(trial.element);
    this.#show();
    const found = file.readonly ? null : await this.#fromCursor().catch(() => null); // the game of the rules as they are then says what is wrong
    if (trial !== this.#trial) return;
    const note = found ? this.#page.t("trial_from", { place: found.place }) : this.#page.t("trial_first");
    trial.rules = textOf(this.#rules);
    await trial.begin(this.#game, found?.game, note);
  }

  /** Draws the game beside the spec anew if the rules have changed. */
  #replay() {
    const text = textOf(this.#rules);
    if (!this.#trial || text === this.#trial.rules) return;
    this.#trial.rules = text;
    if (this.#rules.some((one) => one.found?.findings.some(({ severity }) => severity === "error"))) this.#trial.wait();
    else this.#trial.again();
  }

  #hideTrial() {
    this.#trial?.stop();
    this.#trial = null;
    this.#show();
  }

  /** Both versions in play, if they differ and can be played alike. */
  #effectOf({ changes, players }) {
    this.#effect?.stop();
    return changes.length && players.length ? new Effect(this.#page, this.#game, players, (error) => this.#page.fail(error)) : null;
  }

  #forget() {
    this.#effect?.stop();
    this.#effect = this.#changed = null;
    show(this.#compared);
  }

  /** Writes the file to a place that the reader chooses, or downloads it. */
  async #save() {
    const { file } = this.#active;
    if (!file) return;
    this.#active.keep();
    const { name, text } = file;
    if (!(await this.#written(name.split("/").pop(), text)) || file.text !== text) return;
    unsaved.delete(name);
    file.unsaved = false;
    this.#show();
    this.#tree.count();
  }

  /** Whether a text was written to a file: the reader can refuse to choose one, and a disk can be full. */
  async #written(name, text) {
    if (!window.showSaveFilePicker) return download(name, text) ?? true;
    try {
      const handle = await window.showSaveFilePicker({ suggestedName: name });
      const stream = await handle.createWritable();
      await stream.write(text);
      await stream.close();
      return true;
    } catch (error) {
      if (error.name !== "AbortError") this.#page.fail({ message: this.#page.t("not_saved", { name, why: error.message }) });
      return false;
    }
  }

  #press(event) {
    const act = shortcut(event)?.act;
    if (!act || document.querySelector("dialog[open]") || !this.#files.length) return;
    event.preventDefault();
    ({
      search: () => { this.#slide(true); this.#search.focus(); },
      save: () => this.#save(),
      tab: () => this.#nth(Number(event.code.at(-1))),
      close: () => (this.#active === this.#beside ? this.#closeBeside() : this.#close(this.#main.file)),
      beside: () => this.#put(this.#active.file),
      tree: () => { this.#slide(true); this.#tree.focus(); },
      problems: () => this.#problems.element.querySelector("button")?.focus(),
      game: () => this.#begins(),
      help: () => listed(this.#page),
    })[act]();
  }

  #nth(number) {
    const file = this.#open[number - 1];
    if (!file) return;
    this.#pick(file);
    this.#main.focus();
  }

  stop() {
    this.#send();
    this.#stopped = true;
    removeEventListener("keydown", this.#pressed);
    clearTimeout(this.#idle);
    this.#effect?.stop();
    this.#trial?.stop();
    this.#background.stop();
    for (const pane of this.#panes) pane.close();
  }
}

const textOf = (files) => files.map((one) => one.text).join("\n");
const kindOf = (file) => file.folder.split("/")[0];

export function start(place, page) {
  const bench = new Workbench(place, page);
  return { translate: () => bench.translate(), stop: () => bench.stop() };
}
