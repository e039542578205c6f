// The game beside the spec: drawn anew, with the same seed and decisions, while a rule is edited. See beside.py.
import { table } from "./board.js";
import { Choice } from "./choices.js";
import { h, show } from "./elements.js";
import { log } from "./log.js";
import { result } from "./result.js";
import { rule } from "./rule.js";

export class Trial {
  #page; #close; #view = null; #waits = false; #note = ""; #choice; #turn = 0;
  rules = ""; // the text of the rules that it was last drawn with, or tried to be
  element = h("section", { class: "trial", "aria-labelledby": "trial-title" });

  /** `close` is called by the button that puts the game away. */
  constructor(page, close) {
    [this.#page, this.#close] = [page, close];
    this.#choice = new Choice(page, { choose: (action) => this.#ask("act", { action }), why: (one) => this.#why(one), draw: () => this.#draw() });
    this.#draw();
  }

  /** Begins a game of `name`, or the one that `given` leads to; `note` says where it begins. */
  begin(name, given, note) {
    this.#note = note;
    return this.#ask("begin", { name, given });
  }

  /** Plays the game again with the rules as they are now. */
  again() {
    return this.#ask("again");
  }

  translate() {
    return this.#view ? this.#ask("look") : this.#draw();
  }

  /** The spec has errors: the last game stays. */
  wait() {
    this.#waits = true;
    this.#draw();
  }

  stop() {
    this.#turn += 1; // answers to earlier calls are dropped
    this.element.remove();
  }

  async #ask(call, args = {}) {
    const turn = ++this.#turn;
    try {
      const view = await this.#page.remote.call(`beside.${call}`, { ...args, lang: this.#page.lang() });
      if (turn === this.#turn) this.#took(view);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#page.fail(error);
      this.wait();
    }
  }

  #took(view) {
    this.#view = view;
    this.#waits = false;
    this.#choice.of(view);
    this.#draw();
  }

  async #why(one) {
    try {
      rule(this.#page, await this.#page.remote.call("why", { action: one?.action ?? null, lang: this.#page.lang(), place: "beside" }));
    } catch (error) {
      this.#page.fail(error);
    }
  }

  #draw() {
    const { t } = this.#page;
    const view = this.#view;
    const button = (key, onclick) => h("button", { "data-key": `trial-${key}`, onclick }, t(key));
    show(this.element, h("div", { class: "bar" }, [
      h("h2", { id: "trial-title" }, t("game_beside")),
      h("p", { class: "row" }, [view?.wanted ? button("undo", () => this.#ask("back")) : null, view?.actions.length ? button("rule_now", () => this.#why()) : null, button("close", () => this.#close())]),
    ]), this.#said(), view ? h("div", { class: this.#waits ? "waits" : "" }, this.#position(view)) : h("p", { class: "loading" }, t("loading_game")));
    this.element.dataset.drawn = view && !this.#waits ? `${view.decisions} / ${view.wanted}` : "";
  }

  /** How far the game shown is that of the rules as they are edited. */
  #said() {
    const { t } = this.#page;
    const { decisions, wanted } = this.#view ?? {};
    const words = [this.#note, decisions < wanted ? t("trial_left", { decisions, wanted }) : "", this.#waits ? t("trial_waits") : ""];
    return h("p", { class: this.#waits ? "note wrong" : "note", role: "status" }, words.filter(Boolean).join(" "));
  }

  #position(view) {
    const drawn = table(this.#page, view, this.#choice); // lights what the panel need not list
    const turn = view.over ? result(this.#page, view, {}) : view.actions.length ? this.#choice.panel(view.players[view.next].name) : null;
    return [h("div", { class: "turn" }, turn), drawn, log(this.#page, view.log, view)];
  }
}
