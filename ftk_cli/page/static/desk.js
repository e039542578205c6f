// The tab of localisers: the texts of a game one by one, each beside what it must state. See desk.py.
import { h, show, download } from "./elements.js";
import { reviewed } from "./review.js";
import { texts } from "./texts.js";

const PAUSE = 250; // milliseconds without a keystroke before a text is checked

/** The games with texts: their titles in a language, and the languages of their texts. */
const listed = async (lang) => (await (await fetch(new URL("desks.json", import.meta.url))).json())[lang];

/** The texts in other languages by language, that which they are made from first. */
const sourceFirst = (others, source) => Object.entries(others).sort(([one], [other]) => (other === source) - (one === source));

/** A line that was or is, with the words that differ. */
function line({ sign, label, runs }) {
  const mark = sign === "-" ? "del" : "ins";
  return h("p", { class: `line ${sign === "-" ? "gone" : "here"}`, lang: label }, runs.map(({ text, differs }) => (differs ? h(mark, {}, text) : text)));
}

export function start(place, page) {
  const desk = new Desk(place, page);
  desk.resume();
  return { translate: () => desk.translate(), stop: () => desk.stop() };
}

let current = null; // the texts that are open, while other tabs are looked at

addEventListener("beforeunload", (event) => current?.changed && event.preventDefault());

class Desk {
  constructor(place, page) {
    Object.assign(this, { place, page, view: null, unit: null, players: null, turn: 0, handle: null, reviewHandle: null });
  }

  stop() {
    this.keep();
    this.turn += 1; // answers to calls of an earlier turn are dropped
  }

  resume() {
    return current ? this.begin("open", { name: current.id, lang: current.lang }) : this.choose();
  }

  took(view) {
    this.view = current = view;
  }

  translate() {
    return this.unit ? this.open(this.unit.entry.id) : this.choose();
  }

  /** Calls Python, and shows what goes wrong. Undefined then, and if the reader has gone on. */
  async ask(name, args = {}) {
    const turn = this.turn;
    try {
      const found = await this.page.remote.call(`desk.${name}`, args);
      return turn === this.turn ? found : undefined;
    } catch (error) {
      if (turn === this.turn) this.page.fail(error);
      return undefined;
    }
  }

  /** Lists the games and the languages of their texts, which are known before Python is there: to choose one waits for it. */
  async choose() {
    const { t, lang } = this.page;
    Object.assign(this, { view: null, unit: null });
    const turn = ++this.turn;
    const games = await listed(lang()).catch((error) => this.page.fail(error));
    if (!games || turn !== this.turn) return;
    const start = ({ id, title }, lang) =>
      h("button", { "data-key": `desk-${id}-${lang}`, "aria-label": `${title} ${lang}`, onclick: () => this.begin("open", { name: id, lang }) }, lang);
    const row = (game) => h("li", {}, [h("strong", {}, game.title), game.langs.map((lang) => start(game, lang))]);
    const take = async (event) => this.begin("opened", { text: await event.target.files[0].text() });
    const file = h("label", { class: "file" }, [h("span", {}, t("desk_open")), h("input", { type: "file", accept: ".yaml,.yml", onchange: take })]);
    show(this.place, [this.head(), h("ul", { class: "desk-games" }, games.map(row)), file]);
  }

  /** The title of the tab, and how far Python is. */
  head() {
    const { t, ready } = this.page;
    return [h("h1", {}, t("desk_title")), h("p", { class: "note" }, t("desk_note")), h("p", { id: "loading", class: "loading" }, ready ? "" : t("loading_python"))];
  }

  async begin(call, args) {
    const far = h("p", { class: "loading", role: "status" }, this.page.t("desk_loading"));
    show(this.place, [this.head(), far]);
    await this.reads(args, far);
    const view = await this.ask(call, args);
    if (!view) return this.choose();
    far.textContent = this.page.t("checking");
    this.took(view);
    this.handle = this.reviewHandle = null; // each file is saved in a place of its own
    const first = view.entries.find((one) => one.state !== "confirmed") ?? view.entries[0];
    return this.open(first.id);
  }

  /** Reads the texts of a game, language by language, and says how far it is. */
  async reads({ name }, far) {
    const games = name ? await listed(this.page.lang()) : [];
    const langs = games.find(({ id }) => id === name)?.langs ?? [];
    for (const [at, lang] of langs.entries()) {
      if (this.page.ready) far.textContent = this.page.t("desk_reads", { number: at + 1, all: langs.length });
      await this.page.remote.call("desk.read", { name, lang }).catch(() => null); // to open them says what is wrong
    }
    far.textContent = this.page.t("desk_compares");
  }

  async open(id) {
    this.wanted = id; // an answer that comes after the reader has chosen another text is dropped
    if (!(await this.keep())) return;
    const unit = await this.ask("unit", { id, lang: this.page.lang(), players: this.players });
    if (!unit || id !== this.wanted) return;
    this.unit = unit;
    this.draw();
  }

  /** What is written in the form and differs from the text, by unit id. */
  written() {
    const { key } = this.unit.entry;
    const texts = {};
    if (this.text.value !== this.unit.text) texts[`${key}/text`] = this.text.value;
    if (this.heading && this.heading.value !== this.unit.heading) texts[`${key}/title`] = this.heading.value;
    return Object.keys(texts).length ? texts : null;
  }

  /** Keeps what is written. False if that cannot be, so that nothing is opened over it. */
  async keep() {
    clearTimeout(this.timer);
    const texts = this.unit && this.text?.isConnected ? this.written() : null;
    if (!texts) return true;
    const view = await this.ask("keep", { texts });
    if (view) this.took(view);
    return Boolean(view);
  }

  /** Checks what is written once there is a pause. */
  typed() {
    clearTimeout(this.timer);
    show(this.found, h("p", { class: "loading" }, this.page.t("checking")));
    this.timer = setTimeout(async () => {
      const { id } = this.unit.entry;
      const found = await this.ask("check", { id, lang: this.page.lang(), texts: this.written() ?? {} });
      if (found && this.unit.entry.id === id) show(this.found, this.findings(found));
    }, PAUSE);
  }

  draw() {
    const { view, unit } = this;
    const { t } = this.page;
    this.found = h("div", { class: "desk-findings", role: "region", "aria-live": "polite", "aria-label": t("desk_findings") });
    show(this.found, this.findings(unit.findings));
    show(this.place, [
      h("div", { class: "bar" }, [h("h1", {}, `${view.game} · ${view.lang}`), this.buttons()]),
      h("div", { class: "desk" }, [texts(this), this.editor(), this.beside()]),
      this.exchange(),
    ]);
    this.place.querySelector(".desk-list [aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  editor() {
    const { t } = this.page;
    const { entry, text } = this.unit;
    const lang = this.view.lang;
    const oninput = () => this.typed();
    this.heading = entry.key.startsWith("rules/") ? h("input", { id: "desk-heading", lang, oninput }) : null;
    if (this.heading) Object.assign(this.heading, { value: this.unit.heading, placeholder: entry.title });
    this.text = h("textarea", { id: "desk-text", "data-key": "desk-text", lang, rows: Math.max(8, text.split("\n").length + 2), oninput });
    this.text.value = text;
    return h("section", { class: "desk-editor", "aria-label": t("desk_text") }, [
      h("h2", {}, [h("span", { lang }, entry.title), " ", h("code", {}, entry.id)]),
      this.heading ? h("p", { class: "field" }, [h("label", { for: "desk-heading" }, t("desk_heading")), this.heading]) : null,
      h("label", { for: "desk-text" }, t("desk_text")),
      this.text,
      this.found,
      h("p", { class: "row" }, [
        h("button", { class: "main", "data-key": "desk-confirm", onclick: () => this.confirm() }, t("desk_confirm")),
        h("button", { "data-key": "desk-next", onclick: () => this.open(this.after()) }, t("desk_next")),
      ]),
      reviewed(this),
    ]);
  }

  /** Keeps what a reviewer says, by a call of Python, and shows it. Why it cannot be kept, "" if it is. */
  async said(name, args) {
    const { id } = this.unit.entry;
    const { turn } = this;
    if (!(await this.keep())) return "";
    try {
      const view = await this.page.remote.call(`desk.${name}`, { ...args, lang: this.page.lang() });
      if (turn !== this.turn) return "";
      this.took(view);
    } catch (error) {
      return error.message;
    }
    if (name === "judge") this.draft = {}; // the remark that was being written, see review.js
    this.page.say(this.page.t("review_kept"));
    await this.open(id);
    return "";
  }

  after() {
    const { entries } = this.view;
    const at = entries.findIndex((one) => one.id === this.unit.entry.id);
    return entries[(at + 1) % entries.length].id;
  }

  async confirm() {
    if (!(await this.keep())) return;
    const view = await this.ask("confirm", { id: this.unit.entry.id });
    if (!view) return;
    this.took(view);
    this.page.say(this.page.t("desk_confirmed"));
    await this.open(this.unit.entry.id);
  }

  findings(found) {
    const { t } = this.page;
    if (!found.length) return [h("p", { class: "note" }, t("desk_no_findings"))];
    return found.map((one) =>
      h("div", { class: `desk-finding ${one.severity}` }, [
        h("p", {}, [h("strong", {}, `${one.code} `), one.message]),
        one.hint ? h("p", { class: "note" }, one.hint) : null,
        this.ignoring(one),
      ]));
  }

  ignoring({ code }) {
    const { t } = this.page;
    const reason = h("input", { "aria-label": t("desk_reason"), placeholder: t("desk_reason"), required: true });
    const submit = async (event) => {
      event.preventDefault();
      if (!(await this.keep())) return;
      const view = await this.ask("ignore", { id: this.unit.entry.id, code, reason: reason.value });
      if (!view) return;
      this.took(view);
      await this.open(this.unit.entry.id);
    };
    return h("details", {}, [h("summary", {}, t("desk_ignore")), h("form", { class: "row", onsubmit: submit }, [reason, h("button", {}, t("desk_ignore"))])]);
  }

  /** What the text must state, the other languages, the terms, a moment of a game. */
  beside() {
    const { t } = this.page;
    const { statements, must_state: facts, others, terms, source_changes: source, own_changes: own } = this.unit;
    return h("section", { class: "desk-beside", "aria-label": t("desk_states") }, [
      this.number(),
      source.length ? [h("h3", {}, t("desk_source_changes")), source.map(line)] : null,
      own.length ? [h("h3", {}, t("desk_own_changes")), own.map(line)] : null,
      statements.length ? [h("h3", {}, t("does")), h("ol", { lang: this.view.lang }, statements.map((one) => this.statement(one)))] : null,
      facts.length ? [h("h3", {}, t("desk_facts")), h("ul", { lang: this.view.lang }, facts.map((one) => h("li", { class: "lines" }, one)))] : null,
      this.moment(),
      terms.length ? [h("h3", {}, t("desk_terms")), h("dl", {}, terms.map((one) => this.term(one)))] : null,
      h("h3", {}, t("desk_others")),
      sourceFirst(others, this.view.source).map(([lang, text]) => h("details", { open: true }, [h("summary", {}, lang), h("p", { lang, class: "lines" }, text)])),
    ]);
  }

  number() {
    const { t } = this.page;
    const onchange = async (event) => {
      this.players = event.target.value ? Number(event.target.value) : null;
      await this.open(this.wanted);
    };
    const option = (value, text) => h("option", { value: value ?? "", selected: this.players === value }, text);
    return h("p", { class: "field" }, [
      h("label", { for: "desk-players" }, t("number_of_players")),
      h("select", { id: "desk-players", "data-key": "desk-players", onchange }, [option(null, t("desk_any")), this.view.players.map((n) => option(n, n))]),
    ]);
  }

  /** A statement; a button selects the sentence that speaks of it. */
  statement({ text, said_in: at }) {
    const sentence = this.unit.sentences[at];
    if (!sentence) return h("li", {}, text);
    const select = () => {
      this.text.focus();
      const before = [...this.text.value];
      const [from, to] = [sentence.start, sentence.end].map((end) => before.slice(0, end).join("").length);
      this.text.setSelectionRange(from, to);
    };
    return h("li", {}, h("button", { class: "link", onclick: select, title: this.page.t("desk_show") }, text));
  }

  term({ preferred, allowed, forms, forbidden, note, concept, mentioned }) {
    const { lang } = this.view;
    const listed = (key, items) => (items.length ? h("dd", {}, [h("small", {}, `${this.page.t(key)} `), h("span", { lang }, items.join(", "))]) : null);
    return h("div", { class: mentioned ? "mentioned" : "" }, [
      h("dt", { lang, title: note || concept }, preferred || concept),
      listed("desk_allowed", [...allowed, ...forms]),
      listed("desk_forbidden", forbidden),
    ]);
  }

  moment() {
    const { t } = this.page;
    if (!this.unit.entry.key.startsWith("rules/")) return null;
    const place = h("div", {});
    const tell = async () => {
      show(place, [h("p", { class: "loading" }, t("loading_game"))]);
      const found = await this.ask("moment", { id: this.unit.entry.id, players: this.players });
      if (found === undefined) return;
      show(place, found ? [
        h("p", { class: "note" }, t("desk_moment_of", { players: found.players, seed: found.seed })),
        h("ul", { lang: this.view.lang }, found.lines.slice(0, 12).map((line) => h("li", {}, line))),
      ] : [h("p", { class: "note" }, t("desk_no_moment"))]);
    };
    return h("details", { ontoggle: (event) => event.target.open && !place.hasChildNodes() && tell() }, [h("summary", {}, t("desk_moment")), place]);
  }

  button(key, onclick) {
    return h("button", { "data-key": key, onclick }, this.page.t(key));
  }

  buttons() {
    return h("p", { class: "row" }, [
      this.button("desk_save", () => this.save()),
      this.view.reviewed ? this.button("review_save", () => this.saveReview()) : null,
      this.button("other_game", () => this.leave()),
    ]);
  }

  /** The formats of other programs, out and in. */
  exchange() {
    return h("p", { class: "row exchange" }, [
      this.button("desk_po", () => this.export("po")),
      this.button("desk_xliff", () => this.export("xliff")),
      h("label", { class: "file" }, [
        h("span", {}, this.page.t("desk_import")),
        h("input", { type: "file", accept: ".po,.xlf,.xliff", onchange: (event) => this.import(event.target.files[0]) }),
      ]),
    ]);
  }

  async leave() {
    if (!(await this.keep()) || (this.view.changed && !confirm(this.page.t("desk_unsaved")))) return;
    await this.ask("close");
    current = null;
    await this.choose();
  }

  async save() {
    if (!(await this.keep())) return;
    const file = await this.ask("file");
    if (file && (await this.stored(file, "handle"))) await this.saved(false, this.page.t("desk_saved", { name: file.name }));
  }

  async saveReview() {
    if (!(await this.keep())) return;
    const file = await this.ask("review_file");
    if (file && (await this.stored(file, "reviewHandle"))) await this.saved(true, this.page.t("review_saved", file));
  }

  async saved(review, words) {
    const view = await this.ask("saved", { review });
    if (view) this.took(view);
    this.page.say(words);
  }

  /** Saves into a file that the reader names once, where the browser can; else as a download. Whether it is saved. */
  async stored(file, handle) {
    try {
      if (!window.showSaveFilePicker) download(file.name, file.text);
      else {
        this[handle] ??= await window.showSaveFilePicker({ suggestedName: file.name });
        const stream = await this[handle].createWritable();
        await stream.write(file.text);
        await stream.close();
      }
      return true;
    } catch (error) {
      if (error.name !== "AbortError") this.page.fail(error);
      return false;
    }
  }

  async export(format) {
    if (!(await this.keep())) return;
    const file = await this.ask("export", { format });
    if (file) download(file.name, file.text);
  }

  async import(file) {
    if (!file || !(await this.keep())) return;
    const view = await this.ask("import", { name: file.name, text: await file.text(), lang: this.page.lang() });
    if (!view) return;
    this.took(view);
    this.unit = null; // what the form has is older than the file
    await this.open(this.wanted);
    if (view.findings.length) this.page.fail({ message: file.name, findings: view.findings });
  }
}
