// The workbench: the files of a game in editors, one or two side by side, with what a check finds in them while they are edited.
import { changes } from "./changes.js";
import { Effect } from "./effect.js";
import { download, h, show } from "./elements.js";
import { Pane, short } from "./pane.js";

const PAUSE = 350; // milliseconds without a key before a check

const unsaved = new Set(); // names of files that are changed and not saved
addEventListener("beforeunload", (event) => unsaved.size && event.preventDefault());

/** The game that an address of the door names: #workbench?game=ID. */
const wanted = () => new URLSearchParams(location.hash.split("?")[1] ?? "").get("game");

class Workbench {
  #page; #place; #games = []; #game = ""; #files = [];
  #timer = 0; #round = 0; #stopped = false; #effect = null;
  #changed = null; // what changed, with the text of the spec that it is about
  #main; #beside; #active; // panes; the active one is that which buttons are about
  #choice = h("select", { "data-key": "beside", onchange: (event) => this.#put(event.target.value) });
  #bar = h("div", { class: "row files", role: "tablist", onkeydown: (event) => this.#turn(event) });
  #about = h("span", { class: "note" });
  #compared = h("section", { class: "compared" });

  constructor(place, page) {
    this.#page = page;
    this.#place = place;
    const on = { edited: (pane) => this.#later(pane), focused: (pane) => this.#activate(pane), go: (finding) => this.#go(finding) };
    this.#main = this.#active = new Pane(page, on);
    this.#beside = new Pane(page, on);
    this.#main.host.id = "bench-file";
    this.#main.host.setAttribute("role", "tabpanel");
    this.#open();
  }

  /** The panes that hold a file. */
  get #panes() {
    return [this.#main, this.#beside].filter((pane) => pane.file);
  }

  async #open() {
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
    for (const pane of this.#panes) pane.translate();
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
      h("label", { class: "row" }, [t("beside"), this.#choice]),
      this.#about,
      h("button", { onclick: () => this.#save() }, t("save_file")),
      h("button", { "data-key": "compare", onclick: () => this.#compare() }, t("show_changes")),
      h("button", { "data-key": "play-from", onclick: () => this.#play() }, t("play_from")),
    ]), this.#bar, h("div", { class: "bench" }, [
      this.#main.host, this.#beside.host, h("div", { class: "found" }, [this.#compared, this.#main.panel, this.#beside.panel]),
    ]));
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
    await this.#pick(files[0]);
  }

  #pick(file) {
    this.#send();
    this.#main.open(file);
    this.#changed = null;
    show(this.#bar, this.#files.map((one) => h("button", {
      role: "tab", "data-key": one.name, "aria-selected": String(one === file), "aria-controls": this.#main.host.id,
      tabindex: one === file ? "0" : "-1", onclick: () => this.#pick(one),
    }, short(one.name))));
    const chosen = this.#bar.querySelector("[aria-selected='true']");
    this.#bar.scrollLeft = chosen.offsetLeft - this.#bar.offsetLeft; // on a phone the tabs are in one line
    this.#main.host.setAttribute("aria-label", file.name);
    this.#forget();
    this.#offer();
    this.#activate(this.#main);
    return this.#check(this.#panes);
  }

  /** Offers all other files to be edited beside the first one. */
  #offer() {
    const others = this.#files.filter((one) => one !== this.#main.file).map((one) => one.name);
    const chosen = others.includes(this.#choice.value) ? this.#choice.value : "";
    show(this.#choice, ["", ...others].map((name) => h("option", { value: name, selected: name === chosen }, short(name) || "–")));
    this.#fill(chosen);
  }

  #put(name) {
    this.#send();
    this.#fill(name);
    this.#activate(this.#main);
    this.#check([...this.#panes].reverse()); // the new one first
  }

  /** Has a file in the second editor; none without a name. */
  #fill(name) {
    const file = this.#files.find((one) => one.name === name);
    if (!file) this.#beside.close();
    else if (file !== this.#beside.file) this.#beside.open(file);
  }

  #activate(pane) {
    this.#active = pane;
    for (const one of [this.#main, this.#beside]) one.host.classList.toggle("active", one === pane && this.#panes.length > 1);
    this.#about.textContent = this.#panes.length > 1 ? short(pane.file.name) : "";
  }

  /** The keys of a list of tabs: arrows go around, Home and End to its ends. */
  #turn(event) {
    const number = this.#files.length;
    const at = this.#files.indexOf(this.#main.file);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + number, Home: 0, End: number - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#pick(this.#files[to % number]);
    this.#bar.querySelector("[aria-selected='true']").focus();
  }

  /** Sends texts that are edited and not checked yet: calls are answered in order, so all later ones know them. */
  #send() {
    clearTimeout(this.#timer);
    for (const pane of this.#panes.filter((one) => one.edited)) this.#asked(pane.write());
  }

  #later(pane) {
    unsaved.add(pane.file.name);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(this.#concerned()), PAUSE);
  }

  /** The panes to be checked after an edit, what is edited first. A spec is checked without its texts and scenarios. */
  #concerned() {
    const edited = this.#panes.filter((one) => one.edited);
    return [...edited, ...this.#panes.filter((one) => !one.edited && one.file !== this.#files[0])];
  }

  async #check(panes) {
    if ((await this.#checkEach(panes)) && this.#changed) await this.#follow();
  }

  /** Whether all panes were checked before another edit. */
  async #checkEach(panes) {
    const { t, say } = this.#page;
    const [files, round] = [panes.map((pane) => pane.file), ++this.#round];
    for (const [at, pane] of panes.entries()) {
      const answer = await this.#asked(pane.write());
      if (!answer || round !== this.#round || pane.edited || pane.file !== files[at]) return false; // edited or closed since
      pane.took(answer);
      if (pane === this.#active) say(t("findings", { number: answer.report.findings.length }));
    }
    return true;
  }

  #go({ path, start }) {
    const file = this.#files.find((one) => one.name === path);
    const open = this.#panes.find((pane) => pane.file === file);
    if (file && !open) this.#pick(file);
    (open ?? this.#main).go(start);
  }

  /** Shows what changed in the game, and in the lines of its open files. */
  async #compare() {
    if (!this.#main.file) return;
    clearTimeout(this.#timer);
    if (this.#panes.some((pane) => pane.edited)) await this.#checkEach(this.#concerned());
    const round = this.#round;
    const found = await this.#asked(this.#changes());
    if (found && (await this.#compareWith(found, round))) this.#page.say(found.head);
  }

  /** Shows it anew after an edit: the lines, and the changes of a spec without errors. */
  async #follow() {
    const [round, isOld] = [this.#round, this.#files[0].text !== this.#changed.text];
    const found = isOld ? await this.#changes().catch(() => null) : this.#changed;
    await this.#compareWith(found ?? this.#changed, round, !found);
  }

  async #changes() {
    const { text } = this.#files[0];
    const found = await this.#page.remote.call("changes", { game: this.#game, lang: this.#page.lang() });
    return { ...found, text };
  }

  /** Whether it is shown: nothing was edited or closed since the round. */
  async #compareWith(found, round, hasErrors = false) {
    const calls = this.#panes.map(({ file: { name, text } }) => this.#page.remote.call("changed", { name, text }));
    const lines = await this.#asked(Promise.all(calls));
    if (!lines || round !== this.#round) return false;
    if (found.new.digest !== this.#changed?.new.digest) this.#effect = this.#effectOf(found);
    this.#changed = found;
    const go = (start) => this.#go({ path: found.new.path, start });
    const open = this.#compared.querySelector("details")?.open;
    show(this.#compared, changes(this.#page, found, lines.flat(), { go, hasErrors, open }), this.#effect?.element);
    return true;
  }

  /** Goes to a game that stands before the rule, or where the scenario leads, at the cursor. */
  async #play() {
    const pane = this.#active;
    const { file } = pane;
    if (!file) return;
    this.#send();
    pane.keep();
    this.#page.say(this.#page.t("play_from_looks"));
    const found = await this.#asked(this.#page.remote.call("play_from", { name: file.name, text: file.text, offset: pane.cursor }));
    if (file !== pane.file || found === undefined) return;
    if (found) this.#page.go("play", found.game);
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
    const { file } = this.#active;
    if (!file) return;
    this.#active.keep();
    const { name, text } = file;
    if ((await written(name.split("/").pop(), text)) && file.text === text) unsaved.delete(name);
  }

  stop() {
    this.#send();
    this.#stopped = true;
    this.#effect?.stop();
    for (const pane of this.#panes) pane.close();
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
