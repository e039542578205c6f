// Help at the table: the rule behind a decision, a hint, and a first game, whose set-up and rules are explained.
import { h } from "./elements.js";
import { content } from "./rule.js";

const FEW = 10; // games from which on their result says something

export class Help {
  /** `draw` draws the page again, `moves` after a step of the set-up, `why` shows the rule behind the decision, `goesOn` goes on
   * with the game after its set-up. */
  constructor(page, { draw, moves, why, goesOn }) {
    Object.assign(this, { page, draw, moves, why, goesOn });
    this.begin(false);
  }

  /** Begins with a game, which is explained or not. */
  begin(explains) {
    Object.assign(this, { explains, steps: null, at: 0, known: new Set(), lesson: null, hint: null });
  }

  /** Whether the set-up is still to be read. */
  get setsUp() {
    return this.explains && (!this.steps || this.at < this.steps.length);
  }

  /** The rule of the set-up that is explained now. */
  get step() {
    return (this.explains && this.steps?.[this.at]) || null;
  }

  async ask(call, args = {}) {
    try {
      return await this.page.remote.call(call, { lang: this.page.lang(), ...args });
    } catch (error) {
      this.page.fail(error);
      return null;
    }
  }

  /** Reads the set-up, as a seat sees it. */
  async setUp(seat) {
    this.steps = (await this.ask("set_up", { seat })) ?? [];
    this.goTo(this.at);
  }

  goTo(at) {
    const before = this.step?.position;
    this.at = at;
    if (this.setsUp) this.moves(before, this.step.position);
    else this.goesOn();
  }

  /** The position before the step that is explained now: what it has changed is marked. */
  get before() {
    return this.steps?.[this.at - 1]?.position ?? undefined;
  }

  /** Takes in a position: what was said of the one before is gone. A rule that decides for the first time is explained. */
  async of(view) {
    Object.assign(this, { view, lesson: null, hint: null });
    if (!this.explains || this.setsUp || view.actions.length < 2) return;
    const found = await this.ask("why");
    if (this.view !== view || !found || this.known.has(found.rule)) return;
    this.known.add(found.rule);
    this.lesson = found;
    this.draw();
  }

  async asksHint() {
    const { view } = this;
    this.hint = { waits: true };
    this.draw();
    const found = await this.ask("hint");
    if (this.view !== view) return;
    this.hint = found;
    if (found) this.page.say(this.reason().join(" "));
    this.draw();
  }

  /** What a bot would do, and why, in sentences. */
  reason() {
    const { t, lang } = this.page;
    const { moves: [best, next], counts } = this.hint;
    if (!best) return [t("hint_none")];
    if (counts === "lead") return [t("hint_is", { move: best.text }), t("hint_lead", { games: best.games })];
    const result = (one) => new Intl.NumberFormat(lang(), counts === "wins" ? { style: "percent" } : {}).format(counts === "wins" ? one.result / 100 : one.result);
    return [
      t("hint_is", { move: best.text }),
      t(counts === "wins" ? "hint_wins" : "hint_mean", { games: best.games, result: result(best) }),
      ...(next ? [t("hint_next", { move: next.text, result: result(next) })] : []),
      ...(best.games < FEW ? [t("hint_guess")] : []),
    ];
  }

  /** The panel of a rule of the set-up. */
  setUpPanel() {
    const { t } = this.page;
    const { step, steps, at } = this;
    if (!step) return h("p", { class: "loading" }, t("loading_game"));
    const button = (key, onclick, kind = "") => h("button", { class: kind, "data-key": key, onclick }, t(key));
    return h("section", { class: "lesson", "aria-labelledby": "step-title" }, [
      h("p", { class: "of" }, t("set_up_step", { number: at + 1, all: steps.length })),
      h("h2", { id: "step-title" }, step.title),
      h("p", { class: "row" }, [
        button("next", () => this.goTo(at + 1), "main"),
        at ? button("back", () => this.goTo(at - 1)) : null,
        button("skip_set_up", () => this.goTo(steps.length)),
      ]),
      h("div", { class: "lesson-text", tabindex: 0 }, content(this.page, step)),
    ]);
  }

  /** What helps with a decision: the rule of a first game, and buttons for the rule and for a hint. */
  panel() {
    const { t } = this.page;
    const { lesson, hint } = this;
    const stop = () => {
      this.begin(false);
      this.draw();
    };
    return [
      lesson && !hint?.moves
        ? h("section", { class: "lesson", "aria-labelledby": "lesson-title" }, [
            h("h2", { id: "lesson-title" }, lesson.title),
            h("div", { class: "lesson-text", tabindex: 0 }, content(this.page, lesson)),
          ])
        : null,
      h("p", { class: "row help" }, [
        lesson ? h("button", { "data-key": "stop_explaining", onclick: stop }, t("stop_explaining")) : h("button", { "data-key": "rule", onclick: () => this.why() }, t("rule_now")),
        this.view.actions.length > 1 ? h("button", { "data-key": "hint", disabled: Boolean(hint?.waits), onclick: () => this.asksHint() }, t(hint?.waits ? "hint_waits" : "hint")) : null,
      ]),
      hint?.moves ? h("p", { class: "hint" }, this.reason().map((one) => h("span", {}, [one, " "]))) : null,
    ];
  }
}
