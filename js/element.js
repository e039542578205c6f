// <ftk-table>: a game as an element of a page, drawn from the three files of `ftk compile GAME --target wasm`. js/README.md describes it.
import { animate, changes, drawTable, h, placesOf } from "./table.js";
import { Game } from "./game.js";
import { actionOf, positionOf } from "./view.js";

const SCENE_FORMAT = 1;
const SOURCES = ["module", "description", "scene", "log"];
const SETTINGS = ["seat", "seed"];
const LISTED = 24; // so many choices are listed at once; of more their kinds
const STYLE = ":host { display: block; } .moves { display: flex; flex-wrap: wrap; gap: .35rem; margin: .75rem 0 0; padding: 0; list-style: none; } .moves button { font: inherit; padding: .25rem .7rem; }";

/** A table with people and random players on its seats, or with the choices of a log. */
export class FtkTable extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = [...SOURCES, ...SETTINGS];
  #given = {};
  #game = null;
  #scene = null;
  #log = null;
  #states = [];
  #below = null;
  #picked = null;
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

  /** The seats that people play, from 0: those of the attribute `seat`, such as "0" or "0 2". Chance plays all others. */
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

  /** Plays `n` choices on, those of the log or of chance, up to the choice of a person; a negative number takes choices back. */
  step(n = 1) {
    if (!this.state) return;
    const before = this.#position();
    if (n < 0) this.#states.splice(Math.max(1, this.#states.length + n));
    for (let done = 0; done < n && this.#next(); done += 1);
    this.#show(before);
  }

  /** The next choice of the log or of chance; false if there is none. */
  #next() {
    const { state } = this;
    if (state.isTerminal()) return false;
    const logged = this.#log?.choices[this.#states.length - 1];
    if (this.#log) return logged ? this.#apply(...logged) : false;
    const seat = state.deciders().find((one) => !this.people.includes(one));
    if (seat === undefined) return false;
    const legal = state.legalActions(seat);
    return this.#apply(seat, legal[this.#below(legal.length)]);
  }

  #apply(seat, action) {
    const { text } = actionOf(this.#game, this.#scene, action);
    this.#states.push(this.state.clone().apply(action, seat));
    this.#picked = null;
    this.#tell("ftk-choice", { seat, action, text });
    if (this.state.isTerminal()) this.#tell("ftk-over", { ranking: this.state.ranking(), scores: this.state.scores() });
    return true;
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Lets chance play until a person is to choose. Without people, it waits for `step`. */
  #bots() {
    if (this.#log || !this.people.length) return;
    const before = this.#position();
    while (this.#next());
    this.#show(before);
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
    this.#draw(changes(this.#scene, before, after));
    animate(this.#stage.firstElementChild, this.#scene, before, after, was);
  }

  #draw(changed = new Set()) {
    const [scene, people] = [this.#scene, this.people];
    const legal = this.#legal();
    const words = scene.words && ((key, values = {}) => (scene.words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole));
    const drawn = drawTable(scene, this.#position(), { seat: people.length ? (this.#seat ?? null) : null, at: (type, index) => this.#at(legal, type, index), changed, ...(words && { words }) });
    const list = this.#entries(legal).map(({ text, act }) => h("li", {}, h("button", { type: "button", onclick: act }, text)));
    this.#stage.replaceChildren(drawn, ...(list.length ? [h("ul", { class: "moves" }, list)] : []));
  }

  /** What the person to choose may do, with what each choice does. */
  #legal() {
    const seat = this.#chooser;
    if (seat === undefined) return [];
    const all = this.state.legalActions(seat).map((action) => ({ ...actionOf(this.#game, this.#scene, action), act: () => this.choose(seat, action) }));
    return this.#picked ? all.filter(this.#picked) : all;
  }

  /** The choices as a list; of many their kinds, which narrow them down. */
  #entries(legal) {
    const kinds = new Map(legal.map((one) => [one.kind, one]));
    if (legal.length <= LISTED || kinds.size === 1) return legal;
    return [...kinds.keys()].map((kind) => ({ text: kind, act: () => this.#narrow((one) => one.kind === kind) }));
  }

  /** What a click on a thing of the table does: the one choice with it, or those with it. */
  #at(legal, type, index) {
    const has = ({ parts }) => parts.some((one) => one.type === type && one.at === index);
    const found = legal.filter(has);
    if (!found.length) return null;
    return { text: found[0].text, act: found.length === 1 ? found[0].act : () => this.#narrow(has) };
  }

  #narrow(filter) {
    this.#picked = filter;
    this.#draw();
  }
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
