// What the player to act can do. A choice of many is asked part by part: first its kind, then each thing that is picked.
import { badge } from "./cards.js";
import { h } from "./elements.js";
import { Picking, rest } from "./choice.js";

const FEW = 12; // so many actions are listed at once
const MANY = 8; // a choice between more numbers in a row is one control
const SHORT = 3; // characters of a choice such as a number
const SEARCHED = 16; // from so many choices on there is a field to search them

let isListed = false; // whether the reader has unfolded the list of what is picked on the table

export class Choice {
  /** `choose` receives an action, `why` an action whose rule is asked for, `draw` draws the page again. */
  constructor(page, { choose, why, draw }) {
    Object.assign(this, { page, choose, why, draw: () => this.redraw(draw), typed: "", amount: 0 });
  }

  of(view) {
    Object.assign(this, { view, amount: 0 });
    this.picking = new Picking({ ...view, choose: this.choose, draw: this.draw });
    this.isMixed = new Set(view.actions.map(({ rule }) => rule)).size > 1; // else the rule of the decision is that of each choice
  }

  /** What can be chosen next: actions, or else kinds or parts that narrow them down. `asked` is what a part stands for. */
  options() {
    const left = this.picking.left();
    this.asked = "";
    const kinds = [...new Map(left.map((one) => [one.kind, one])).values()];
    if (left.length <= FEW && (!this.picking.picked.length || kinds.length > 1)) return left.map((one) => this.entry(one));
    if (kinds.length > 1) return kinds.map((one) => this.ofKind(one, left));
    return this.parts(left);
  }

  ofKind(one, left) {
    const same = left.filter((other) => other.kind === one.kind);
    if (same.length === 1) return this.entry(same[0]);
    const next = () => this.picking.pick(this.picking.picked, one.kind);
    return { text: one.kind, rule: one, act: next, lies: same.every((other) => this.picking.isLit(other)) };
  }

  /** The next part: the first one that the actions left differ in, a number after what it is the number of. */
  parts(left) {
    const open = left.map((one) => [one, rest(one.steps, this.picking.picked)]);
    const steps = open.flatMap(([, others]) => others).sort((one, other) => isNumber(one) - isNumber(other));
    const first = steps.find((one) => steps.some((other) => other.name === one.name && other.at !== one.at)) ?? steps[0];
    this.asked = first?.label ?? "";
    const found = new Map(steps.filter((one) => one.name === first.name).map((one) => [one.at, one]));
    const whole = this.picking.confirms() ? [] : open.filter(([, others]) => !others.length).map(([one]) => ({ ...this.entry(one), text: this.page.t("done") }));
    return [...whole, ...[...found.values()].map((step) => this.ofStep(step))];
  }

  ofStep(step) {
    const { act, text, found } = this.picking.option(this.picking.next(this.picking.picked.length, step));
    const mark = this.view.scene.types[step.type]?.marks?.[step.at];
    return { text: step.word, mark, number: isNumber(step) ? step.at : null, whole: text, rule: found[0].one, act, lies: found.every((other) => this.picking.isLit(other.one, other.step)) };
  }

  entry(one) {
    return { text: one.text, rule: one, act: () => this.choose(one.action), lies: this.picking.isLit(one) };
  }

  /** Draws what is left of the choice. A reader of the list goes on in it, also one who has scrolled on to the log. */
  redraw(draw) {
    const isInList = document.activeElement?.closest(".choose");
    this.typed = "";
    draw();
    if (!isInList) return;
    if (!document.activeElement?.closest(".choose")) document.querySelector(".choices button, .confirm")?.focus({ preventScroll: true });
    document.querySelector(".choose")?.scrollIntoView({ block: "nearest" });
  }

  back() {
    if (this.picking.picked.length > this.picking.least) this.picking.letGo(this.picking.picked.length - 1);
    else this.picking.pick([], null);
  }

  panel(player) {
    const { t } = this.page;
    const every = this.options();
    const kinds = new Set(this.view.actions.map((one) => one.title));
    const [lying, others] = [every.filter(({ lies }) => lies), every.filter(({ lies }) => !lies)];
    const { kind, picked, least } = this.picking;
    const chosen = [kind, ...(picked.length > least ? picked : []).map(({ word }) => word)].filter(Boolean);
    const escaped = ({ key }) => key === "Escape" && this.picking.release();
    return h("section", { class: "choose", "aria-labelledby": "choose-title", onkeydown: escaped }, [
      h("h2", { id: "choose-title" }, t("your_turn", { player })),
      kinds.size === 1 ? h("p", { class: "of" }, [...kinds][0]) : null,
      chosen.length ? h("p", { class: "row" }, [h("span", {}, t("so_far", { what: chosen.join(" · ") })), h("button", { "data-key": "back", onclick: () => this.back() }, t("back"))]) : null,
      this.asks(others),
      this.confirm(),
      isAmount(others) ? this.amounts(others) : others.length ? this.list(others, kinds.size > 1) : null,
      lying.length ? this.folded(lying, kinds.size > 1) : null,
    ]);
  }

  /** Choices as a list, with a field to search many of them. */
  list(every, titled) {
    const { t } = this.page;
    const isShort = every.length > FEW / 2 && every.every(({ text, rule }) => text.length <= SHORT && rule?.rule === every[0].rule?.rule);
    const list = h("ul", { class: isShort ? "choices short" : "choices", "aria-label": this.asked || null });
    const fill = () => list.replaceChildren(...every.filter(({ text }) => matches(text, this.typed)).map((one) => this.item(one, titled, isShort)));
    fill();
    const search = h("input", { type: "search", class: "search", "aria-label": t("filter"), placeholder: t("filter"), value: this.typed,
      oninput: (event) => { this.typed = event.target.value; fill(); } });
    return [every.length > SEARCHED && !isShort ? search : null, list];
  }

  /** A number out of many in a row, the lowest first: stepped, slid or typed, and confirmed. */
  amounts(every) {
    const { t } = this.page;
    const numbers = every.sort((one, other) => one.number - other.number);
    const [min, max] = [numbers[0].number, numbers.at(-1).number];
    const put = ({ target: { valueAsNumber: number }, type }) => (type === "change" || (number >= min && number <= max)) && to(Number.isNaN(number) ? this.amount : number);
    const about = { min, max, "aria-label": this.asked, oninput: put, onchange: put }; // a number is out of range while it is typed
    const step = (by, sign) => h("button", { type: "button", "aria-label": t(by < 0 ? "less" : "more_one"), "data-key": `by${by}`, onclick: () => to(this.amount + by) }, sign);
    const [typed, slid] = [h("input", { type: "number", ...about, "data-key": "amount" }), h("input", { type: "range", ...about, "data-key": "slider" })];
    const take = h("button", { class: "main do confirm", "data-key": "confirm" });
    const to = (number) => {
      this.amount = Math.min(Math.max(Math.round(number), min), max);
      for (const one of [typed, slid]) if (one.valueAsNumber !== this.amount) one.value = this.amount;
      take.textContent = numbers[this.amount - min].whole;
    };
    to(this.amount);
    const taken = (event) => { event.preventDefault(); numbers[this.amount - min].act(); };
    return h("form", { class: "choices amounts", onsubmit: taken }, [step(-1, "−"), typed, step(1, "+"), h("span", { class: "scale" }, [min, slid, max]), take]);
  }

  /** Choices that are picked on the table as well. */
  folded(every, titled) {
    const summary = h("summary", { "data-key": "listed" }, this.page.t("as_list", { number: every.length }));
    return h("details", { class: "listed", open: isListed, ontoggle: ({ target }) => { isListed = target.open; } }, [summary, this.list(every, titled)]);
  }

  /** What is asked, if it is not to be chosen among a few actions. */
  asks(others) {
    const { t } = this.page;
    const part = others.length && this.asked && !isAmount(others) ? t("choose_part", { part: this.asked }) : "";
    const lit = this.picking.lit.size ? t(others.length ? "or_lit" : "choose_lit") : "";
    return part || (lit && !others.length) ? h("p", { class: "of" }, `${part} ${lit}`) : null;
  }

  /** The button that ends the choice of a set. */
  confirm() {
    const set = this.picking.confirms();
    if (!set) return null;
    const { picked, least, most, action } = set;
    const text = least === most ? this.page.t("confirm_of", { picked, number: most }) : this.page.t("confirm", { picked });
    return h("button", { class: "main confirm", disabled: action === null, "data-key": "confirm", onclick: () => this.choose(action) }, text);
  }

  /** One choice; `isShort` if it is one of many numbers or letters, which have their rule in common. */
  item({ text, mark, act, rule }, titled, isShort) {
    const isTitle = titled && rule?.title.toLocaleLowerCase().includes(text.toLocaleLowerCase()); // “use” is “Use a tile”
    const shown = mark ? badge(text, mark) : h("span", {}, isTitle ? rule.title : text);
    if (isShort) return h("li", {}, h("button", { class: "do", onclick: act, "data-key": `do-${text}` }, shown));
    return h("li", {}, [
      h("button", { class: "do", onclick: act, "data-key": `do-${text}` }, shown),
      rule && this.isMixed ? this.behind({ text, rule }) : null,
    ]);
  }

  behind({ text, rule }) {
    const { t } = this.page;
    return h("button", { class: "why", "aria-label": t("why_label", { what: text }), title: t("why"), onclick: () => this.why(rule) }, "?");
  }
}

const matches = (text, typed) => typed.toLowerCase().split(/\s+/).every((word) => text.toLowerCase().includes(word));

const isNumber = ({ type }) => type === "int";

/** Whether the choices are more numbers in a row than fit side by side. */
function isAmount(every) {
  const numbers = new Set(every.map(({ number }) => number ?? NaN));
  return every.length > MANY && numbers.size === every.length && Math.max(...numbers) - Math.min(...numbers) === every.length - 1;
}
