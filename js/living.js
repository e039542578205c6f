// The rulebook that plays: recorded positions step by step, and other moves from each decision, played by WebAssembly.
import { animate, drawTable, h, placesOf } from "./table.js";
import { Game, State } from "./game.js";
import { actionOf, positionOf } from "./view.js";

const bytesOf = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

/** Lets the places of a rulebook play. `root` is its document or shadow root, `data` what Python has recorded. */
export async function begin(root, data) {
  const book = new Book(data, await hosted(data));
  for (const place of root.querySelectorAll("[data-recording]")) new Replay(book, place, data.recordings[place.dataset.recording]);
  root.addEventListener("click", ({ target }) => target.closest(".definition a") && target.closest(".definition").hidePopover());
}

/** The game in WebAssembly; null where there is none, which leaves the steps. */
async function hosted({ module, description }) {
  if (!module || typeof WebAssembly === "undefined") return null;
  return Game.load(bytesOf(module), description).catch(() => null);
}

/** What all recordings of a rulebook share. */
class Book {
  constructor({ scene, words: own }, game) {
    const known = { ...scene.words, ...own };
    const words = (key, values = {}) => (known[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
    Object.assign(this, { scene, words, game });
  }

  /** A table among several of one page: only the page itself has landmarks. */
  table(position, given) {
    const drawn = drawTable(this.scene, position, { ...given, words: this.words });
    for (const part of [drawn, ...drawn.querySelectorAll("section")]) part.setAttribute("role", "group");
    return drawn;
  }
}

/** One recording: where the reader is in it, and the moves of their own since they left it. */
class Replay {
  constructor(book, root, recording) {
    const { scene, words, game } = book;
    Object.assign(this, { scene, words, game, root, recording, table: (...given) => book.table(...given), at: 0, own: [], picked: null });
    this.stage = h("div", { class: "stage" });
    this.caption = h("div", { class: "caption", "aria-live": "polite" });
    this.where = h("span", { class: "at" });
    this.buttons = Object.fromEntries([["first", "|◀"], ["back", "◀"], ["next", "▶"], ["last", "▶|"]].map(([key, sign]) => [key, this.button(key, sign)]));
    this.leave = h("button", { type: "button", onclick: () => this.leaveOwn() }, this.words("return"));
    this.controls = h("div", { class: "controls", onkeydown: (event) => this.key(event) }, [Object.values(this.buttons), this.where, this.leave]);
    this.instead = h("details", { class: "instead", ontoggle: () => this.draw() }, h("summary", {}, this.words("instead")));
    this.stills = h("div", { class: "stills" });
    root.replaceChildren(this.controls, this.caption, this.stage, this.instead, this.stills);
    this.draw();
    addEventListener("beforeprint", () => this.print());
    addEventListener("afterprint", () => this.stills.replaceChildren());
  }

  button(key, sign) {
    const act = (event) => event.currentTarget.ariaDisabled !== "true" && this[key]();
    return h("button", { type: "button", "aria-label": this.words(key), title: this.words(key), onclick: act }, sign);
  }

  get end() {
    return this.recording.steps.length - 1;
  }

  first() {
    this.go(0);
  }

  back() {
    if (this.own.length) this.show(() => this.own.pop());
    else this.go(this.at - 1);
  }

  next() {
    this.go(this.at + 1);
  }

  last() {
    this.go(this.end);
  }

  /** Goes to a step of the recording, and gives up own moves. */
  go(step) {
    if (step < 0 || step > this.end) return;
    this.show(() => Object.assign(this, { at: step, own: [] }));
  }

  leaveOwn() {
    this.go(this.at);
    this.buttons.next.focus({ preventScroll: true });
  }

  key(event) {
    const act = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (!act || (act === "next" && this.own.length)) return;
    event.preventDefault();
    this[act]();
  }

  get position() {
    return this.own.at(-1)?.position ?? this.recording.steps[this.at].position;
  }

  /** The seat that looks: that of the recording, of own moves the one that decides. None looks where hands are open. */
  get seat() {
    const { seat } = this.recording;
    return seat === null || !this.own.length ? seat : (this.position.next[0] ?? seat);
  }

  /** Changes where the reader is, and shows what changed. */
  show(change, before = this.position) {
    const was = placesOf(this.stage.firstElementChild);
    change();
    this.picked = null;
    this.draw(before);
    animate(this.stage.firstElementChild, this.scene, before, this.position, was);
  }

  draw(since) {
    const { own, at, end, seat, position } = this;
    const step = this.recording.steps[at];
    this.stage.replaceChildren(this.table(position, { seat, since, at: (type, index) => this.choice(type, index) }));
    this.caption.replaceChildren(...(own.length ? [this.told("", own.at(-1).said)] : [this.told(step.title || (at ? "" : this.words(this.begins)), step.said)]));
    this.where.textContent = own.length ? this.words("left", { n: own.length }) : this.words("step", { n: at + 1, steps: end + 1 });
    this.leave.hidden = !own.length;
    for (const [key, off] of [["first", !at && !own.length], ["back", !at && !own.length], ["next", at === end || own.length > 0], ["last", at === end && !own.length]]) {
      this.buttons[key].ariaDisabled = String(off);
    }
    this.list();
  }

  get begins() {
    return this.root.dataset.recording === "set-up" ? "start_of_set_up" : "start";
  }

  told(title, said) {
    return h("div", {}, [title ? h("p", { class: "title" }, title) : null, said.length === 1 ? h("p", {}, said[0]) : h("ul", {}, said.map((one) => h("li", {}, one)))]);
  }

  // other moves

  /** The state here; null if the game cannot go on from this step. */
  state() {
    if (this.own.length) return this.own.at(-1).state;
    const { choices, start, steps } = this.recording;
    const { position, choices: done } = steps[this.at];
    if (!this.game || !start || !position.next.length) return null;
    const state = new State(this.game, bytesOf(start));
    for (const [seat, action] of choices.slice(0, done)) state.apply(action, seat);
    return state;
  }

  /** The legal actions here of the seat to act. */
  legal() {
    const state = this.state();
    const seat = state?.deciders()[0];
    return seat === undefined ? [] : state.legalActions(seat).map((action) => actionOf(this.game, this.scene, action));
  }

  list() {
    const legal = this.legal();
    this.instead.hidden = !legal.length && !this.own.length;
    this.instead.querySelector(".choosing")?.remove();
    if (!this.instead.open || this.instead.hidden) return;
    const shown = this.picked ? legal.filter((one) => has(one, ...this.picked)) : legal;
    const moves = shown.map((one) => h("li", {}, h("button", { type: "button", onclick: () => this.play(one) }, one.text)));
    this.instead.append(h("div", { class: "choosing" }, moves.length ? [h("p", {}, this.words("moves", { player: this.scene.players[this.state().deciders()[0]] })), h("ul", { class: "moves" }, moves)] : this.result()));
  }

  /** What a click on a thing of the table does while moves are listed: plays the one move with it, or lists those. */
  choice(type, index) {
    if (!this.instead.open) return null;
    const found = this.legal().filter((one) => has(one, type, index));
    if (!found.length) return null;
    if (found.length === 1) return { text: found[0].text, act: () => this.play(found[0]) };
    return { text: found[0].title, act: () => { this.picked = [type, index]; this.list(); } };
  }

  play({ action, text }) {
    const state = this.state().clone();
    const [seat] = state.deciders();
    const seen = (looks) => positionOf(state, this.scene, this.recording.seat === null ? null : looks);
    // What is derived is not in the memory, so positions of the module are compared with each other.
    const before = seen(seat);
    state.apply(action, seat);
    const own = { state, position: seen(state.deciders()[0] ?? seat), said: [`${this.scene.players[seat]}: ${text}`] };
    this.show(() => this.own.push(own), before);
    this.buttons.back.focus({ preventScroll: true });
  }

  result() {
    const places = this.state()?.ranking() ?? [];
    const rows = places.map((place, seat) => h("li", {}, this.words("placed", { player: this.scene.players[seat], place })));
    return [h("p", {}, this.words("over")), h("ul", {}, rows)];
  }

  /** The first and the last position, for paper. */
  print() {
    const { steps, seat } = this.recording;
    const still = (step) => h("div", { class: "still" }, [this.told(step.title, step.said), this.table(step.position, { seat })]);
    this.stills.replaceChildren(still({ ...steps[0], title: this.words(this.begins) }), ...(this.end ? [still(steps[this.end])] : []));
  }
}

const has = ({ parts }, type, index) => parts.some((one) => one.type === type && one.at === index);
