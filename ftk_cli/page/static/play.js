// The tab in which games are played: choosing a game, then the table. All rules are in Python; see play.py.
import { h, show, download } from "./elements.js";
import { setup } from "./setup.js";
import { table } from "./board.js";
import { Choice } from "./choices.js";
import { log } from "./log.js";
import { result } from "./result.js";
import { animate, changes } from "./table.js";
import { rule } from "./rule.js";
import { PERSON, kept, last, link, linked, loses } from "./kept.js";

const SEARCHES = { wasm: "searches_wasm", python: "searches_python" };
const PAUSE = 350; // milliseconds between the moves of bots, so that a person can follow them

let isLeft = false; // whether a game goes on that the reader has left for another tab

export function start(place, page, given) {
  const game = new Play(place, page);
  game.open(given ?? linked(location.hash) ?? (isLeft && !location.hash.includes("?") ? last() : null));
  isLeft = false;
  return {
    translate: () => game.translate(),
    navigate: (hash) => (linked(hash) || chosen(hash)) && game.open(linked(hash)),
    stop: () => {
      isLeft = Boolean(game.view && !game.view.over);
      game.stop();
    },
  };
}

/** The game that an address of the door names: #play?choose=ID. */
const chosen = (hash) => new URLSearchParams(hash.split("?")[1] ?? "").get("choose") ?? "";

class Play {
  constructor(place, page) {
    Object.assign(this, { place, page, view: null, lines: [], seat: null, given: null, running: true, turn: 0, scene: null, since: null });
    this.choice = new Choice(page, { choose: (action) => this.act(action), why: (one) => this.why(one), draw: () => this.draw() });
  }

  stop() {
    this.turn += 1; // answers to calls of an earlier turn are dropped
  }

  open(given) {
    this.stop();
    this.view = null;
    if (given && this.gives(given)) return this.begin(given);
    const game = chosen(location.hash);
    this.unlink();
    return this.choose(game);
  }

  choose(game = "") {
    this.view = null;
    setup(this.place, this.page, (given) => this.gives(given) && this.begin(given), game);
  }

  /** Whether nothing is lost by this game, or the reader agrees: only one unfinished game is kept. */
  gives(given) {
    return !loses(given) || confirm(this.page.t("give_up"));
  }

  async begin(given) {
    Object.assign(this, { lines: [], seat: null, given: null, since: null });
    this.loading();
    await this.update("start", { ...given, lang: this.page.lang() }, () => this.choose());
    if (this.view) this.unlink();
  }

  /** Takes a link out of the address once it is used, so that loading the page again does not begin there again. */
  unlink() {
    if (linked(location.hash) || chosen(location.hash)) history.replaceState(null, "", "#play");
  }

  loading() {
    const text = this.page.ready ? "" : this.page.t("loading_python");
    show(this.place, [h("h1", {}, this.page.t("app")), h("p", { id: "loading", class: "loading" }, text), h("p", { class: "loading" }, this.page.t("loading_game"))]);
  }

  /** Calls Python and shows the position that it answers with. */
  async update(name, args, otherwise = () => {}) {
    const turn = ++this.turn;
    try {
      let view = await this.page.remote.call(name, args);
      for (this.hurries = false; "thinks" in view && turn === this.turn;) {
        this.thinks(view.thinks);
        view = await this.page.remote.call(name, { ...args, now: this.hurries });
      }
      if (turn === this.turn) this.took(view);
    } catch (error) {
      if (turn !== this.turn) return; // the reader has gone on
      otherwise();
      this.page.fail(error);
    }
  }

  took(view) {
    const before = view.seat === this.seat && view.after ? this.view.position : null;
    this.lines = before ? [...this.lines, ...view.log] : view.log;
    if (!before || this.isPerson(this.view.next)) this.since = view.position; // changes are those since the own decision
    this.scene = view.scene ?? this.scene;
    view.scene = this.scene;
    Object.assign(this, { view, seat: view.seat });
    this.choice.of(view);
    if ("text" in view) this.text = view.text; // that of the spec, if it is the reader's own
    kept(view, this.text);
    if (this.people().length === 1) this.given = view.seat;
    this.draw();
    const root = this.place.querySelector(".ftk-table"); // none while the device is given on
    if (root && before && view.position) animate(root, this.scene, before, view.position);
    this.next();
  }

  /** What has changed on the table since the last decision of the person who looks. */
  changed() {
    const { position, over } = this.view;
    return this.since && position && !over && this.given !== null ? changes(this.scene, this.since, position) : new Set();
  }

  people() {
    return this.view.players.filter((one) => one.is === PERSON);
  }

  /** Whether another person has to take the device before anything is shown. */
  needsGiving() {
    const { next, over, forced } = this.view;
    return !over && this.people().length > 1 && this.isPerson(next) && next !== this.given && forced === null;
  }

  /** Whether nobody has taken the device yet: bots move before the first person, or a choice is the only one. */
  isWaiting() {
    return this.people().length > 1 && this.given === null;
  }

  isPerson(seat) {
    return this.view.players[seat]?.is === PERSON;
  }

  /** Lets a bot move, or makes the only choice. */
  next() {
    const { over, next, actions } = this.view;
    if (over || (this.people().length === 0 && !this.running)) return;
    if (!this.isPerson(next)) this.later(() => this.update("bot", this.known()));
    else if (this.view.forced !== null && !this.needsGiving()) this.later(() => this.update("act", { action: this.view.forced, ...this.known() }));
    else if (actions.length) this.page.say(this.page.t("your_turn", { player: this.view.players[next].name }));
  }

  later(work) {
    const turn = this.turn;
    setTimeout(() => turn === this.turn && work(), PAUSE);
  }

  known(lang = this.page.lang()) {
    return { lang, seat: this.given, after: this.view.heard };
  }

  /** A person acts. A second click, before the answer to the first, does nothing. */
  async act(action) {
    if (this.acting) return;
    this.acting = true;
    await this.update("act", { action, ...this.known() });
    this.acting = false;
  }

  /** Takes back the last decision of the person at the device. */
  undo() {
    return this.update("undo", { lang: this.page.lang(), seat: this.given });
  }

  translate() {
    if (!this.view) return this.choose();
    return this.update("look", { lang: this.page.lang(), seat: this.given, scene: true });
  }

  async take(seat) {
    this.given = seat;
    await this.update("look", { lang: this.page.lang(), seat });
  }

  async why(one) {
    try {
      rule(this.page, await this.page.remote.call("why", { action: one.action, lang: this.page.lang() }));
    } catch (error) {
      this.page.fail(error);
    }
  }

  async save() {
    try {
      const { name, text } = await this.page.remote.call("save");
      download(name, text);
    } catch (error) {
      this.page.fail(error);
    }
  }

  async copyLink() {
    const address = link(this.view.kept);
    try {
      await navigator.clipboard.writeText(address);
      this.page.say(this.page.t("copied"));
      this.note = h("p", { class: "note" }, this.page.t("copied"));
    } catch {
      this.note = h("p", { class: "note" }, h("a", { href: address }, this.page.t("link_is")));
    }
    this.draw();
    this.note = null;
  }

  draw() {
    if (this.needsGiving()) return this.give();
    const { page, view } = this;
    show(this.place, [
      h("div", { class: "bar" }, [h("h1", {}, view.title), this.buttons()]),
      this.notes(),
      h("div", { class: "game" }, [
        h("div", { class: "turn" }, view.over ? this.result() : this.turnOf()),
        this.isWaiting() ? null : [h("div", { class: "table" }, table(page, view, this.choice, this.changed())), log(page, this.lines)],
      ]),
    ]);
    const lines = this.place.querySelector(".log > ol");
    if (lines) lines.scrollTop = lines.scrollHeight;
  }

  result() {
    const { own, ...begun } = this.view.kept;
    const again = () => this.open({ ...begun, text: this.text, choices: [], seed: crypto.getRandomValues(new Uint32Array(1))[0] });
    return result(this.page, this.view, { again, save: this.view.kept.case ? null : () => this.save() });
  }

  /** What a player should know about this game: whose rules it has, where it starts, and how its bots search. */
  notes() {
    const { t } = this.page;
    const { kept: { own, case: from }, searches } = this.view;
    const found = [own && t("own_rules"), from && t("from_case", { title: from.title || from.id }), SEARCHES[searches] && t(SEARCHES[searches])].filter(Boolean);
    return [this.note, found.length ? h("p", { class: "note" }, found.join(" ")) : null];
  }

  /** The screen between two people: it has nothing of either of them. */
  give() {
    const { next, players, title } = this.view;
    const player = players[next].name;
    this.lines = [];
    show(this.place, [
      h("div", { class: "give" }, [
        h("h1", {}, title),
        h("h2", {}, this.page.t("give_device", { player })),
        h("p", {}, this.page.t("give_device_note")),
        h("button", { class: "main", "data-key": "take", onclick: () => this.take(next) }, this.page.t("i_am", { player })),
      ]),
    ]);
    this.place.querySelector("button").focus();
    this.page.say(this.page.t("give_device", { player }));
  }

  turnOf() {
    const { page, view } = this;
    const player = view.players[view.next].name;
    if (!this.isPerson(view.next)) {
      return [h("p", { class: "thinks" }, page.t("bot_thinks", { player })), this.people().length ? null : this.runs()];
    }
    return view.actions.length ? this.choice.panel(player) : h("p", {}, player);
  }

  /** Shows what share of its time a bot has thought, and what stops it. */
  thinks(share) {
    const { t } = this.page;
    const place = this.place.querySelector(".thinks");
    const hurry = () => (this.hurries = true);
    if (place && !place.querySelector("progress")) {
      place.append(h("progress", { "aria-label": t("bot_share") }), h("button", { "data-key": "move-now", onclick: hurry }, t("move_now")));
    }
    const shown = place?.querySelector("progress");
    if (shown) shown.value = share;
  }

  runs() {
    const toggle = () => {
      this.running = !this.running;
      this.draw();
      if (this.running) this.next();
    };
    const step = () => this.update("bot", this.known());
    return h("p", { class: "row" }, [
      h("button", { "data-key": "run", onclick: toggle }, this.page.t(this.running ? "pause" : "run")),
      this.running ? null : h("button", { "data-key": "step", onclick: step }, this.page.t("step")),
    ]);
  }

  buttons() {
    const { page, view } = this;
    const button = (key, onclick) => h("button", { "data-key": key, onclick }, page.t(key));
    return h("p", { class: "row" }, [
      this.isPerson(this.given) ? button("undo", () => this.undo()) : null,
      view.rules ? h("a", { class: "button", href: `#rules?game=${view.kept.name}`, "data-key": "rules" }, page.t("read_rules")) : null,
      view.kept.case ? null : button("save", () => this.save()), // no log leads to a position set up by hand
      view.kept.own || view.kept.case ? null : button("link", () => this.copyLink()),
      button("other_game", () => {
        this.stop();
        history.replaceState(null, "", "#play");
        this.choose();
      }),
    ]);
  }
}
