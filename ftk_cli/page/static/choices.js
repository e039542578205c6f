// What the player to act can do. A choice of many is asked part by part: first its kind, then each thing that is picked.
import { h } from "./elements.js";

const FEW = 12; // so many actions are listed at once
const SHORT = 3; // characters of a choice such as a number
const SEARCHED = 16; // from so many choices on there is a field to search them

export class Choice {
  /** `choose` receives an action, `why` an action whose rule is asked for, `draw` draws the page again. */
  constructor(page, { choose, why, draw }) {
    Object.assign(this, { page, choose, why, draw, view: null, kind: null, picked: [], typed: "" });
  }

  of(view) {
    Object.assign(this, { view, kind: null, picked: [], typed: "" });
  }

  /** The actions that fit everything chosen so far. */
  left() {
    const fits = (one) => (this.kind === null || one.kind === this.kind) && includes(one.parts, this.picked);
    return this.view.actions.filter(fits);
  }

  /** What can be chosen next: actions, or else kinds or parts that narrow them down. `asked` is what a part stands for. */
  options() {
    const left = this.left();
    this.asked = "";
    const kinds = [...new Map(left.map((one) => [one.kind, one])).values()];
    if (left.length <= FEW && (!this.picked.length || kinds.length > 1)) return left.map((one) => this.entry(one));
    if (kinds.length > 1) return kinds.map((one) => this.ofKind(one, left));
    return this.parts(left);
  }

  ofKind(one, left) {
    const same = left.filter((other) => other.kind === one.kind);
    if (same.length === 1) return this.entry(same[0]);
    const next = () => this.narrow({ kind: one.kind });
    return { text: one.kind, note: this.page.t("many", { number: same.length }), rule: one, act: next };
  }

  /** The next part: the first one that the actions left differ in. */
  parts(left) {
    const { name, label } = left.flatMap((one) => rest(one.parts, this.picked))[0];
    this.asked = label;
    const found = new Map();
    for (const one of left) {
      for (const part of rest(one.parts, this.picked).filter((other) => other.name === name)) found.set(`${part.at}`, part);
    }
    const whole = left.filter((one) => rest(one.parts, this.picked).length === 0);
    const done = whole.map((one) => ({ ...this.entry(one), text: this.page.t("done") }));
    return [...done, ...[...found.values()].map((part) => this.ofPart(part, left))];
  }

  ofPart(part, left) {
    const picked = [...this.picked, part];
    const same = left.filter((one) => includes(one.parts, picked));
    const act = same.length === 1 ? () => this.choose(same[0].action) : () => this.narrow({ picked });
    return { text: part.word, rule: same[0], act, part, note: same.length > 1 ? this.page.t("many", { number: same.length }) : "" };
  }

  entry(one) {
    return { text: one.text, rule: one, act: () => this.choose(one.action), part: one.parts.length === 1 ? one.parts[0] : null };
  }

  narrow(change) {
    Object.assign(this, { kind: this.kind, typed: "" }, change);
    this.draw();
    document.querySelector(".choices button")?.focus({ preventScroll: true });
    document.querySelector(".choose")?.scrollIntoView({ block: "nearest" }); // a reader who has scrolled on to the log
  }

  back() {
    if (this.picked.length) this.picked = this.picked.slice(0, -1);
    else this.kind = null;
    this.typed = "";
    this.draw();
  }

  /** What a click on a thing does, such as a square, or a card in a zone: it picks the first part of that type, in any
   * order of parts. Null if it is no choice now. */
  at(type, at, zone) {
    const lies = (part) => zone === undefined || (part.zone ?? zone) === zone;
    const of = (one) => {
      const left = rest(one.parts, this.picked).filter((part) => part.type === type && lies(part));
      return left.find((part) => part.name === left[0].name && part.at === at); // the elements of a set have one name
    };
    const found = this.left().filter(of);
    if (!found.length) return null;
    const part = of(found[0]);
    const act = found.length === 1 ? () => this.choose(found[0].action) : () => this.narrow({ picked: [...this.picked, part] });
    return { text: found.length === 1 ? found[0].text : part.word, act };
  }

  panel(player) {
    const { t } = this.page;
    const every = this.options();
    const kinds = new Set(this.view.actions.map((one) => one.title));
    const { rule } = every[0];
    const isShort = every.length > FEW / 2 && every.every((one) => one.text.length <= SHORT && one.rule?.rule === rule?.rule);
    const list = h("ul", { class: isShort ? "choices short" : "choices", "aria-label": this.asked || null });
    const fill = () => list.replaceChildren(...every.filter(({ text }) => matches(text, this.typed)).map((one) => this.item(one, kinds.size > 1, isShort)));
    fill();
    const search = h("input", { type: "search", class: "search", "aria-label": t("filter"), placeholder: t("filter"), value: this.typed,
      oninput: (event) => { this.typed = event.target.value; fill(); } });
    const chosen = [this.kind && this.picked.length === 0 ? this.kind : "", this.kind && this.picked.length ? this.kind : "", ...this.picked.map((part) => part.word)].filter(Boolean);
    return h("section", { class: "choose", "aria-labelledby": "choose-title" }, [
      h("h2", { id: "choose-title" }, t("your_turn", { player })),
      kinds.size === 1 ? h("p", { class: "of" }, [...kinds][0]) : null,
      chosen.length ? h("p", { class: "row" }, [h("span", {}, t("so_far", { what: chosen.join(" · ") })), h("button", { "data-key": "back", onclick: () => this.back() }, t("back"))]) : null,
      this.asked ? h("p", { class: "of" }, t("choose_part", { part: this.asked })) : null,
      every.length > SEARCHED && !isShort ? search : null,
      list,
      isShort && rule ? h("p", {}, this.behind({ text: rule.title, rule }, t("why"))) : null,
    ]);
  }

  /** One choice; `isShort` if it is one of many numbers or letters, which have their rule in common. */
  item({ text, act, rule, note }, titled, isShort) {
    if (isShort) return h("li", {}, h("button", { class: "do", onclick: act, "data-key": `do-${text}` }, text));
    const title = titled && rule && !text.toLocaleLowerCase().includes(rule.title.toLocaleLowerCase()) ? h("small", {}, rule.title) : null;
    return h("li", {}, [
      h("button", { class: "do", onclick: act, "data-key": `do-${text}` }, [h("span", {}, text), title, note ? h("small", {}, note) : null]),
      rule ? this.behind({ text, rule }) : null,
    ]);
  }

  behind({ text, rule }, shown = "?") {
    const { t } = this.page;
    return h("button", { class: "why", "aria-label": t("why_label", { what: text }), title: t("why"), onclick: () => this.why(rule) }, shown);
  }
}

const matches = (text, typed) => typed.toLowerCase().split(/\s+/).every((word) => text.toLowerCase().includes(word));

/** Whether parts include others; equal ones count as often as they occur. */
function includes(parts, others) {
  return others.every((other) => count(parts, other) >= count(others, other));
}

const count = (parts, one) => parts.filter((part) => part.name === one.name && part.at === one.at).length;

/** Parts without others. */
function rest(parts, others) {
  const left = [...parts];
  for (const one of others) {
    const at = left.findIndex((part) => part.name === one.name && part.at === one.at);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
