// The effect of changes on play: the worker plays both versions, some pairs of games in each call.
import { h, show } from "./elements.js";
import { plotted } from "./plot.js";

const PAIRS = [20, 100, 500];
/** Groups of figures, each with its words and a factor. */
const GROUPS = [
  ["wins", "effect_wins", 100],
  ["points", "effect_points", 1],
  ["length", "effect_length", 1],
  ["given", "effect_given", 1],
  ["worth", "effect_worth", 1],
  ["rules", "effect_rules", 1],
];
const ALWAYS = ["wins", "points", "length"]; // groups that are shown whole as soon as one figure differs
const MOST = 12; // rules and prizes that are shown

export class Effect {
  #page; #game; #players; #fail; #result = null; #runs = false; #round = 0;
  #figures = h("div", {});
  element = h("section", { class: "effect" });

  constructor(page, game, players, fail) {
    [this.#page, this.#game, this.#players, this.#fail] = [page, game, players, fail];
    this.#draw();
  }

  /** Draws everything in the language. */
  async translate() {
    this.#draw();
    if (this.#result && !this.#runs) await this.#follow(++this.#round);
  }

  stop() {
    this.#round += 1; // answers to calls of an earlier round are dropped
    this.#runs = false;
  }

  #draw() {
    const { t } = this.#page;
    const select = (id, values) => h("select", { id, "data-key": id }, values.map((one) => h("option", { value: one }, one)));
    show(this.element, h("h2", {}, t("effect")), h("p", { class: "note" }, t("effect_note")),
      h("form", { class: "row", onsubmit: (event) => this.#begin(event) }, [
        h("label", { class: "row" }, [t("number_of_players"), select("effect-players", this.#players)]),
        h("label", { class: "row" }, [t("effect_pairs"), select("effect-pairs", PAIRS)]),
        h("button", { type: "submit", "data-key": "effect-start" }, t("effect_start")),
      ]), this.#figures);
    if (this.#result) this.#show();
  }

  async #begin(event) {
    event.preventDefault();
    const [players, pairs] = [...event.target.querySelectorAll("select")].map((one) => Number(one.value));
    const round = ++this.#round;
    this.#runs = true;
    show(this.#figures, h("p", { class: "loading" }, this.#page.t("effect_loading")));
    if (await this.#call(round, "effect", { game: this.#game, players, pairs })) await this.#follow(round);
  }

  /** Asks for more until all pairs are played or the reader stops. */
  async #follow(round) {
    let goesOn = true;
    while (goesOn && this.element.isConnected) goesOn = (await this.#call(round, "more", {})) && this.#runs;
  }

  /** Makes a call and shows what it answers. Whether the round goes on. */
  async #call(round, name, args) {
    try {
      const result = await this.#page.remote.call(name, { ...args, lang: this.#page.lang() });
      if (round !== this.#round) return false;
      const said = this.#runs && result.pairs === result.wanted;
      this.#runs &&= !said;
      this.#result = result;
      this.#show();
      if (said) this.#page.say(this.#verdict());
      return true;
    } catch (error) {
      if (round !== this.#round) return false;
      this.stop();
      show(this.#figures);
      this.#fail(error);
      return false;
    }
  }

  #verdict() {
    const { differing, other_moves: moves, pairs } = this.#result;
    return this.#page.t(differing ? "effect_differing" : "effect_same", { differing, moves, pairs });
  }

  #show() {
    const { t } = this.#page;
    const { pairs, wanted, behind } = this.#result;
    const running = this.#runs ? [
      h("progress", { max: wanted, value: pairs, "aria-label": t("effect_pairs") }), ` ${pairs} / ${wanted} `,
      h("button", { "data-key": "effect-stop", onclick: () => this.#stopHere() }, t("effect_stop")),
    ] : [];
    show(this.#figures, h("p", { class: "row" }, running), h("p", {}, this.#verdict()),
      behind ? h("p", {}, t("effect_behind", { rule: behind })) : null, GROUPS.map((group) => this.#table(...group)));
    this.#figures.dataset.pairs = this.#runs ? "" : pairs;
  }

  #stopHere() {
    this.stop();
    this.#show();
    this.element.querySelector("[data-key='effect-start']").focus();
  }

  #table(group, words, scale) {
    const every = this.#result.figures.filter((one) => one.figure === group);
    const differing = every.filter((one) => one.pairs_differing);
    if (!differing.length) return null;
    const largest = [...differing].sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference)).slice(0, MOST);
    const rows = ALWAYS.includes(group) ? every : differing.filter((one) => largest.includes(one));
    return plotted(this.#page, this.#page.t(words), rows.map((one) => ({ ...one, title: this.#title(one) })), scale);
  }

  #title({ figure, name, title }) {
    const seat = ["wins", "points"].includes(figure) ? /\d+/.exec(name) : null;
    return seat ? this.#page.t("player", { number: seat[0] }) : title;
  }
}
