// The tab in which games are played: choosing a game, then the table. All rules are in Python; see play.py.
import { h, show, download } from "./elements.js";
import { setup } from "./setup.js";
import { table } from "./board.js";
import { Choice } from "./choices.js";
import { log } from "./log.js";
import { result } from "./result.js";
import { animate, placesOf } from "./table.js";
import { rule } from "./rule.js";
import { head } from "./head.js";
import { pace, speed, wait } from "./pace.js";
import { aim, games } from "./door.js";
import { Help } from "./firstgame.js";
import { PERSON, kept, last, link, linked, loses } from "./kept.js";

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
    this.sizes = new ResizeObserver(() => this.measures());
    this.choice = new Choice(page, { choose: (action) => this.act(action), why: (one) => this.why(one), draw: () => { this.draw(); this.finds(); } });
    this.help = new Help(page, { draw: () => this.draw(), moves: (before, after) => this.moves(before, after), why: () => this.why(), goesOn: () => this.goesOn() });
    this.games = [];
    games().then((found) => (this.games = found), () => null); // the table works without what the door knows
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

  async begin({ explains = false, ...given }) {
    Object.assign(this, { lines: [], seat: null, given: null, since: null, width: 0, isLow: false });
    this.help.begin(explains);
    this.loading();
    await this.update("start", { ...given, lang: this.page.lang() }, () => this.choose());
    if (!this.view) return;
    this.unlink();
    if (this.view.searches) this.page.remote.call("prepare_bots").catch(() => null); // a bot that fails says so when it moves
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
      if (turn === this.turn) await this.took(view, turn);
    } catch (error) {
      if (turn !== this.turn) return; // the reader has gone on
      otherwise();
      this.page.fail(error);
    }
  }

  async took(view, turn) {
    const before = view.seat === this.seat && view.after ? this.view.position : null;
    this.lines = before ? [...this.lines, ...view.log] : view.log;
    if (!before || this.isPerson(this.view.next)) this.since = view.position; // changes are those since the own decision
    this.scene = view.scene ?? this.scene;
    view.scene = this.scene;
    this.seat = view.seat;
    if ("text" in view) this.text = view.text; // that of the spec, if it is the reader's own
    kept(view, this.text);
    const between = before && pace().hold ? view.between : [];
    for (const position of between) {
      this.shows({ ...view, position, actions: [], forced: null });
      await wait(Math.min(pace().hold, pace().most / between.length));
      if (turn !== this.turn) return; // the reader has gone on
    }
    this.shows(view);
    this.next();
  }

  /** Shows a position: the one after a decision, or one on the way there. */
  shows(view) {
    const before = view.after ? this.view?.position : null;
    this.moves(before, view.position, () => {
      this.view = view;
      this.choice.of(this.help.setsUp ? { ...view, actions: [] } : view);
      if (this.people().length === 1) this.given = view.seat;
      this.help.of(view);
    });
  }

  /** Draws a position after another one, and what moves on the way there. */
  moves(before, after, change = () => {}) {
    const root = this.table();
    const was = root && before ? placesOf(root) : null;
    change();
    this.draw();
    const table = this.table(); // none while the device is given on
    if (table && was && after) animate(table, this.scene, before, after, was, pace().flight);
  }

  table() {
    return this.place.querySelector(".ftk-table");
  }

  /** The position after the last decision of the person who looks: what has changed since is marked. */
  before() {
    return (!this.view.over && this.given !== null && this.since) || undefined;
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

  /** Goes on after the set-up. */
  goesOn() {
    this.choice.of(this.view);
    this.help.of(this.view);
    this.draw();
    this.next();
  }

  /** What the game is about, in a sentence; "" for rules of the reader's own. */
  about() {
    const game = this.games.find(({ id }) => id === this.view.kept.name);
    return game && !this.view.kept.own ? aim(game, this.page) : "";
  }

  /** Lets a bot move, or makes the only choice. */
  next() {
    if (this.help.setsUp && this.given !== null && !this.needsGiving()) return void this.help.setUp(this.given);
    const { over, next, actions } = this.view;
    if (over || (this.people().length === 0 && !this.running)) return;
    if (!this.isPerson(next)) this.later(() => this.update("bot", this.known()));
    else if (this.view.forced !== null && !this.needsGiving()) this.later(() => this.update("act", { action: this.view.forced, ...this.known() }));
    else if (actions.length) {
      this.finds();
      this.page.say(this.page.t("your_turn", { player: this.view.players[next].name }));
    }
  }

  later(work) {
    const turn = this.turn;
    setTimeout(() => turn === this.turn && work(), pace().pause);
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
    return this.update("undo", { lang: this.page.lang(), seat: this.given }, () => this.take(this.given));
  }

  translate() {
    if (!this.view) return this.choose();
    return this.update("look", { lang: this.page.lang(), seat: this.given, scene: true });
  }

  async take(seat) {
    this.given = seat;
    await this.update("look", { lang: this.page.lang(), seat });
  }

  /** Shows the rule behind an action, or behind the decision. */
  async why(one) {
    try {
      rule(this.page, await this.page.remote.call("why", { action: one?.action ?? null, lang: this.page.lang() }));
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
    const { page } = this;
    const { step } = this.help;
    const view = step ? { ...this.view, position: step.position ?? this.view.position, actions: [] } : this.view;
    const isOpen = this.place.querySelector("#menu:popover-open");
    const drawn = this.isWaiting() ? null : table(page, view, this.choice, step ? this.help.before : this.before()); // lights what the panel need not list
    show(this.place, [
      head(page, view, this.menu()),
      this.note,
      h("div", { class: "game" }, [
        this.about() ? h("p", { class: "aim" }, this.about()) : null,
        h("div", { class: "turn" }, view.over ? this.result() : this.turnOf()),
        drawn && [h("div", { class: "table" }, drawn), log(page, this.lines, view)],
      ]),
      this.notes(),
    ]);
    if (isOpen) this.place.querySelector("#menu").showPopover();
    this.measures();
    this.sizes.disconnect();
    for (const part of this.place.querySelectorAll(".topbar, .turn, .hand")) this.sizes.observe(part);
  }

  /** Lets the parts that stay in sight know the heights of each other: the head, what is asked, and the hand, which is low after a
   * decision that has nothing to do with it. */
  measures() {
    const game = this.place.querySelector(".game");
    const hand = this.place.querySelector(".hand");
    if (this.view?.actions.length) this.isLow = !hand?.querySelector(".lit, .shown");
    game?.classList.toggle("low", Boolean(this.isLow));
    const height = (part) => this.place.querySelector(`.${part}`)?.offsetHeight ?? 0;
    if (this.width !== innerWidth) Object.assign(this, { width: innerWidth, tallest: 0 });
    else this.tallest = Math.max(this.tallest, height("middle")); // what lies around stays where it is when the middle empties
    for (const part of ["topbar", "turn", "hand"]) game?.style.setProperty(`--${part}`, `${height(part)}px`);
    game?.style.setProperty("--middle", `${this.tallest}px`);
  }

  /** Brings what can be chosen on the table into sight: all of it if there is room, else the first of it. */
  finds() {
    const lit = [...this.place.querySelectorAll(".ftk-table .lit")].filter((one) => !one.closest(".hand"));
    if (!lit.length) return;
    const { scrollMarginTop: above, scrollMarginBottom: below } = getComputedStyle(lit[0]);
    const boxes = lit.map((one) => one.getBoundingClientRect()).sort((one, other) => one.top - other.top);
    const over = boxes[0].top - parseFloat(above);
    const [first, last] = [boxes[0].bottom, Math.max(...boxes.map(({ bottom }) => bottom))].map((one) => one + parseFloat(below) - innerHeight);
    if (over < 0 || first > 0 || (last > 0 && last <= over)) scrollBy(0, over < 0 ? over : Math.min(over, last));
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
    const found = [own && t("own_rules"), from && t("from_case", { title: from.title || from.id }), searches === "python" && t("searches_python")].filter(Boolean);
    return found.length ? h("p", { class: "note" }, found.join(" ")) : null;
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
    if (this.help.setsUp && this.given !== null) return this.help.setUpPanel();
    const player = view.players[view.next].name;
    if (!this.isPerson(view.next)) {
      return [h("p", { class: "thinks" }, page.t("bot_thinks", { player })), this.people().length ? null : this.runs()];
    }
    return view.actions.length ? [this.help.panel(), this.choice.panel(player)] : h("p", { class: "thinks" }, player);
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

  menu() {
    const { page, view } = this;
    const button = (key, onclick) => h("button", { "data-key": key, onclick }, page.t(key));
    return [
      this.isPerson(this.given) ? button("undo", () => this.undo()) : null,
      view.rules ? h("a", { class: "button", href: `#rules?game=${view.kept.name}`, "data-key": "rules" }, page.t("read_rules")) : null,
      view.kept.case ? null : button("save", () => this.save()), // no log leads to a position set up by hand
      view.kept.own || view.kept.case ? null : button("link", () => this.copyLink()),
      button("other_game", () => {
        this.stop();
        history.replaceState(null, "", "#play");
        this.choose();
      }),
      speed(page),
    ];
  }
}
