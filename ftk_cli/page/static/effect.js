// The effect of changes on play: the worker plays both versions, some games in each call.
import { h, show } from "./elements.js";
import { plotted } from "./plot.js";

const GAMES = [20, 100, 500];
/** Groups of figures, each with its words and a factor. */
const GROUPS = [
  ["wins", "effect_wins", 100],
  ["points", "effect_points", 1],
  ["returns", "effect_returns", 1],
  ["shared", "effect_shared", 100],
  ["length", "effect_length", 1],
];

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
        h("label", { class: "row" }, [t("effect_games"), select("effect-games", GAMES)]),
        h("button", { type: "submit", "data-key": "effect-start" }, t("effect_start")),
      ]), this.#figures);
    if (this.#result) this.#show();
  }

  async #begin(event) {
    event.preventDefault();
    const [players, games] = [...event.target.querySelectorAll("select")].map((one) => Number(one.value));
    const round = ++this.#round;
    this.#runs = true;
    show(this.#figures, h("p", { class: "loading" }, this.#page.t("effect_loading")));
    if (await this.#call(round, "effect", { game: this.#game, players, games })) await this.#follow(round);
  }

  /** Asks for more until all games are played or the reader stops. */
  async #follow(round) {
    let goesOn = true;
    while (goesOn && this.element.isConnected) goesOn = (await this.#call(round, "more", {})) && this.#runs;
  }

  /** Makes a call and shows what it answers. Whether the round goes on. */
  async #call(round, name, args) {
    try {
      const result = await this.#page.remote.call(name, { ...args, lang: this.#page.lang() });
      if (round !== this.#round) return false;
      const said = this.#runs && result.games === result.wanted;
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
    const { alike, figures, games } = this.#result;
    return this.#page.t(alike ? "effect_alike" : "effect_marked", { marked: figures.filter((one) => one.marked).length, games });
  }

  #show() {
    const { t } = this.#page;
    const { alike, games, wanted } = this.#result;
    const running = this.#runs ? [
      h("progress", { max: wanted, value: games, "aria-label": t("effect_games") }), ` ${games} / ${wanted} `,
      h("button", { "data-key": "effect-stop", onclick: () => this.#stopHere() }, t("effect_stop")),
    ] : [];
    show(this.#figures, h("p", { class: "row" }, running), h("p", {}, this.#verdict()),
      alike ? null : GROUPS.map((group) => this.#table(...group)));
    this.#figures.dataset.games = this.#runs ? "" : games;
  }

  #stopHere() {
    this.stop();
    this.#show();
    this.element.querySelector("[data-key='effect-start']").focus();
  }

  #table(group, words, scale) {
    const { t } = this.#page;
    const title = ({ seat }) => (seat ? t("player", { number: seat }) : t(words));
    const rows = this.#result.figures.filter((one) => one.figure === group).map((one) => ({ ...one, title: title(one) }));
    return rows.length ? plotted(this.#page, t(words), rows, scale) : null;
  }
}
