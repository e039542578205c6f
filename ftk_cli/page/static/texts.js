// The texts at the desk: each with its title in its language and in that of its source, how far it is, and how far all of them are.
import { h } from "./elements.js";
import { READ } from "./review.js";

/** The states of texts, in the order of the bar, with their words. */
const STATES = {
  confirmed: "desk_confirmed_state",
  unconfirmed: "desk_unconfirmed",
  draft: "desk_draft",
  edited: "desk_edited",
  "source edited": "desk_source_edited",
  stale: "desk_stale",
  missing: "desk_missing",
};

/** The list of a desk: those in the state that is chosen, and the text that is open. */
export function texts(desk) {
  const { t } = desk.page;
  const { entries } = desk.view;
  const here = desk.unit.entry.id;
  const shown = entries.filter(({ id, state }) => !desk.state || state === desk.state || id === here);
  return h("nav", { class: "desk-list", "aria-label": t("desk_texts") }, [progress(desk), filter(desk), h("ol", {}, shown.map((one) => text(desk, one)))]);
}

function text(desk, { id, title, source_title: source, state, review }) {
  const { t } = desk.page;
  const says = [t(STATES[state]), review && review !== "unread" ? ` · ${t(READ[review])}` : ""];
  const isOpen = id === desk.unit.entry.id;
  return h("li", {}, h("button", { class: kind(state), "data-key": `unit-${id}`, "aria-current": isOpen ? "true" : false, onclick: () => desk.open(id) }, [
    h("span", { lang: desk.view.lang }, title), source && source !== title ? h("small", { class: "source", lang: desk.view.source }, source) : null, h("small", {}, says),
  ]));
}

const kind = (state) => `state-${state.replace(" ", "-")}`;
const number = (entries, state) => entries.filter((one) => one.state === state).length;

/** How many texts are confirmed, and how many are in each other state. */
function progress(desk) {
  const { t } = desk.page;
  const { entries } = desk.view;
  const rest = ["stale", "source edited", "edited", "missing"].filter((state) => number(entries, state));
  const words = [t("desk_progress", { number: number(entries, "confirmed"), all: entries.length }), ...rest.map((state) => `${t(STATES[state])}: ${number(entries, state)}`)];
  return h("div", { class: "desk-progress" }, [bar(entries), h("p", { class: "note" }, words.join(" · "))]);
}

/** The bar: a cell for each text, so that no style has to be computed. */
function bar(entries) {
  const sorted = Object.keys(STATES).flatMap((state) => entries.filter((one) => one.state === state));
  return h("div", { class: "cells", "aria-hidden": "true" }, sorted.map(({ state }) => h("i", { class: kind(state) })));
}

/** Which texts are listed: all, or those of a state, each with their number. */
function filter(desk) {
  const { t } = desk.page;
  const { entries } = desk.view;
  const onchange = (event) => {
    desk.state = event.target.value;
    desk.draw();
  };
  const option = (value, words) => h("option", { value, selected: (desk.state ?? "") === value }, words);
  const there = Object.keys(STATES).filter((state) => number(entries, state) || state === desk.state);
  return h("p", { class: "field" }, [
    h("label", { for: "desk-state" }, t("desk_state")),
    h("select", { id: "desk-state", "data-key": "desk-state", onchange }, [
      option("", `${t("desk_all")} (${entries.length})`),
      there.map((state) => option(state, `${t(STATES[state])} (${number(entries, state)})`)),
    ]),
  ]);
}
