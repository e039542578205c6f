// <ftk-table>: a game as an element of a page, drawn from the three files of `ftk compile GAME --target wasm`. js/README.md describes it.
import { Picking } from "./choice.js";
import { animate, drawTable, h, placesOf } from "./table.js";
import { think } from "./bot.js";
import { Game } from "./game.js";
import { actionOf, afterOf, positionOf } from "./view.js";

const SCENE_FORMAT = 1;
const SOURCES = ["module", "description", "scene", "log"];
const SETTINGS = ["seat", "seed", "bot"];
const LISTED = 24; // so many choices are listed at once; of more their kinds
const STYLE = ":host { display: block; } .moves { display: flex; flex-wrap: wrap; gap: .35rem; margin: .75rem 0 0; padding: 0; list-style: none; } .moves button { font: inherit; padding: .25rem .7rem; }";

/** A table with people and bots on its seats, or with the choices of a log. */
export class FtkTable extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = [...SOURCES, ...SETTINGS];
  #given = {};
  #game = null;
  #scene = null;
  #log = null;
  #states = [];
  #below = null;
  #picking = null;
  #loading = 0;
  #stage = globalThis.document && h("div");

  connectedCallback() {
    if (!this.shadowRoot) {
      const style = h("link", { rel: "stylesheet", href: new URL("table.css", import.meta.url) });
      this.attachShadow({ mode: "open" }).append(style, h("style", {}, STYLE), this.#stage);
    }
    this.#load();
  }

  attributeChangedCallback(name) {
    delete this.#given[name];
    if (this.isConnected) this.#load();
  }

  /** The seats that people play, from 0: those of the attribute `seat`, such as "0" or "0 2". Bots play all others. */
  get people() {
    return (this.getAttribute("seat") ?? "").split(/[\s,]+/).filter(Boolean).map(Number);
  }

  /** The state that is shown, as js/game.js has it; null before it is loaded. */
  get state() {
    return this.#states.at(-1) ?? null;
  }

  /** Where a file is, or what a property holds in its place. */
  source(name) {
    return this.#given[name] ?? this.getAttribute(name);
  }

  give(name, value) {
    this.#given[name] = value;
    if (this.isConnected) this.#load();
  }

  async #load() {
    const turn = (this.#loading += 1);
    await null; // attributes and properties that are set together load once
    if (turn !== this.#loading) return;
    try {
      const [module, description, scene, log] = await Promise.all(SOURCES.map((name) => read(this.source(name), name)));
      if (turn === this.#loading) await this.#begin(module, description, scene, log);
    } catch (error) {
      if (turn === this.#loading) this.#failed(error);
    }
  }

  async #begin(module, description, scene, log) {
    if (typeof WebAssembly === "undefined") throw new Error("This browser has no WebAssembly, so the game cannot be played here.");
    if (scene.format !== SCENE_FORMAT) throw new Error(`This element reads scenes of format ${SCENE_FORMAT}, not ${scene.format}: compile the game again.`);
    const game = await Game.load(module, description);
    if (scene.game !== description.game || scene.players.length !== game.players) throw new Error("The scene is of another game or of another number of players than the module.");
    [this.#game, this.#scene] = [game, scene];
    this.#log = log && choicesOf(log, description);
    const seed = BigInt(this.#log?.seed ?? this.getAttribute("seed") ?? Math.floor(Math.random() * 2 ** 48));
    this.#below = chance(seed);
    this.#states = [game.newState(seed)];
    this.#draw();
    this.#bots();
  }

  #failed(error) {
    this.#states = [];
    this.#stage.replaceChildren(h("p", { role: "alert" }, error.message));
  }

  /** Plays `n` choices on, those of the log or of bots, up to the choice of a person; a negative number takes choices back. */
  async step(n = 1) {
    if (!this.state) return;
    const [before, game] = [this.#position(), this.#game];
    if (n < 0) this.#states.splice(Math.max(1, this.#states.length + n));
    for (let done = 0; done < n && (await this.#next()); done += 1);
    if (this.state && this.#game === game) this.#show(before);
  }

  /** The next choice of the log or of a bot; false if there is none, or if the table has changed while a bot was thinking. */
  async #next() {
    const { state } = this;
    if (state.isTerminal()) return false;
    const logged = this.#log?.choices[this.#states.length - 1];
    if (this.#log) return logged ? this.#apply(...logged) : false;
    const seat = state.deciders().find((one) => !this.people.includes(one));
    if (seat === undefined) return false;
    const action = await this.#bot(state, seat);
    return this.state === state && this.#apply(seat, action);
  }

  /** Whether bots search. They do where nothing is hidden: elsewhere a search of the state would see what their seat does not. */
  get #searches() {
    return this.#scene.open && this.#game.players > 1 && this.getAttribute("bot") !== "random";
  }

  /** What a bot chooses. */
  #bot(state, seat) {
    if (this.#searches) return think(state, seat);
    const legal = state.legalActions(seat);
    return legal[this.#below(legal.length)];
  }

  #apply(seat, action) {
    const { text } = actionOf(this.#game, this.#scene, action);
    this.#states.push(this.state.clone().apply(action, seat));
    this.#picking = null;
    this.#tell("ftk-choice", { seat, action, text });
    if (this.state.isTerminal()) this.#tell("ftk-over", { ranking: this.state.ranking(), scores: this.state.scores() });
    return true;
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Lets bots play until a person is to choose. Without people, they wait for `step`. */
  async #bots() {
    if (!this.#log && this.people.length) await this.step(Infinity);
  }

  choose(seat, action) {
    const before = this.#position();
    this.#apply(seat, action);
    this.#show(before);
    this.#bots();
  }

  // drawing

  /** The seat that looks: the person to choose, else the only one; nobody's hand is open while several people share a screen. */
  get #seat() {
    const { people } = this;
    return people.length === 1 ? people[0] : this.#chooser;
  }

  get #chooser() {
    return this.#log ? undefined : this.state.deciders().find((one) => this.people.includes(one));
  }

  #position() {
    return positionOf(this.state, this.#scene, this.people.length ? (this.#seat ?? -1) : null);
  }

  #show(before) {
    const [after, drawn] = [this.#position(), this.#stage.firstElementChild];
    const was = drawn && placesOf(drawn);
    this.#draw(before);
    animate(this.#stage.firstElementChild, this.#scene, before, after, was);
  }

  #draw(since) {
    const [scene, people] = [this.#scene, this.people];
    const picking = (this.#picking ??= this.#begun());
    const words = scene.words && ((key, values = {}) => (scene.words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole));
    const atRandom = people.length && !this.#log && !this.#searches ? (words?.("at_random") ?? "plays at random") : "";
    const who = scene.players.map((_, seat) => (people.includes(seat) ? "" : atRandom));
    const drawn = drawTable(scene, this.#position(), { seat: people.length ? (this.#seat ?? null) : null, since, people: who, ...picking.given, ...(words && { words }) });
    const list = this.#entries(picking, words).map(({ text, act }) => h("li", {}, h("button", { type: "button", onclick: act, disabled: !act, "data-key": `do-${text}` }, text)));
    show(this.#stage, drawn, ...(list.length ? [h("ul", { class: "moves" }, list)] : []));
  }

  /** The choice of the person to choose, with what each action does. */
  #begun() {
    const [seat, scene, state] = [this.#chooser, this.#scene, this.state];
    const legal = seat === undefined ? [] : state.legalActions(seat);
    const actions = legal.map((action) => ({ ...actionOf(this.#game, scene, action), after: afterOf(state, scene, action, seat) }));
    return new Picking({ scene, position: this.#position(), actions, choose: (action) => this.choose(seat, action), draw: () => this.#draw() });
  }

  /** The choices as a list; of many their kinds, which narrow them down. A set is confirmed. */
  #entries(picking, words = (key, { picked, number }) => (number ? `Confirm (${picked} of ${number})` : `Confirm (${picked})`)) {
    const [left, set] = [picking.left(), picking.confirms()];
    if (set) return [{ text: words(set.least === set.most ? "confirm_of" : "confirm", { picked: set.picked, ...(set.least === set.most && { number: set.most }) }), act: set.action === null ? null : () => picking.choose(set.action) }];
    const kinds = new Map(left.map((one) => [one.kind, one]));
    if (left.length <= LISTED || kinds.size === 1) return left.map(({ text, action }) => ({ text, act: () => picking.choose(action) }));
    return [...kinds.keys()].map((kind) => ({ text: kind, act: () => picking.pick(picking.picked, kind) }));
  }
}

/** Shows elements in a place, and keeps the focus on the one with the same `data-key`. */
function show(stage, ...children) {
  const { key } = stage.getRootNode().activeElement?.dataset ?? {};
  stage.replaceChildren(...children);
  if (key) stage.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

for (const name of SOURCES) {
  Object.defineProperty(FtkTable.prototype, name, {
    get() { return this.source(name); },
    set(value) { this.give(name, value); },
  });
}

/** Whole numbers below a bound, which a seed gives (mulberry32). */
function chance(seed) {
  let state = Number(BigInt.asUintN(32, seed));
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/** What an attribute names, or a property holds: bytes, an object, the text of a log. */
async function read(source, name) {
  if (source === null || source === "") {
    if (name === "log") return null;
    throw new Error(`The element needs the attribute "${name}": the address of a file that ftk compile --target wasm has written.`);
  }
  if (typeof source !== "string" || (name === "log" && source.includes("\n"))) return source;
  const answer = await fetch(source).catch(() => null);
  if (!answer?.ok) throw new Error(`The file ${source} cannot be loaded${answer ? ` (status ${answer.status})` : ""}.`);
  const as = { module: "arrayBuffer", log: "text" }[name] ?? "json";
  return answer[as]().catch(() => { throw new Error(`The file ${source} cannot be read as the ${name} of a game.`); });
}

/** The seed and the choices of a log, as pairs of a seat and an action. */
function choicesOf(text, description) {
  const [head, ...events] = text.trim().split("\n").map((line) => JSON.parse(line));
  if (head.digest !== description.digest || head.players !== description.players) throw new Error("The log is of another version of the game or of another number of players than the module.");
  return { seed: head.seed, choices: events.filter(({ event }) => event === "choice").map(({ player, action }) => [player - 1, action]) };
}

globalThis.customElements?.define("ftk-table", FtkTable);
