// What leads to a position: the game, its settings, who plays, the seed and the choices. It fits into an address.
import * as storage from "./storage.js";

export const PERSON = "person";
const PLACE = "ftk.game";
const FORMAT = 1; // `page` in rulespec/language/formats/table.py

/** Keeps the game in this browser, so that it can be continued. */
export function kept(view, text) {
  storage.write(PLACE, view.over ? null : JSON.stringify(given(view.kept, text)));
}

/** The game that was kept, null if there is none, or one of a newer page. The first pages wrote no format. */
export function last() {
  try {
    const { page = 1, ...game } = JSON.parse(storage.read(PLACE)) ?? {};
    return page > FORMAT || !game.name ? null : game;
  } catch {
    return null; // something else has written there
  }
}

/** Whether another game is kept that has been begun, and that these choices do not continue. */
export function loses({ name, seed, text, choices = [] }) {
  const before = last();
  if (!before?.choices?.length) return false;
  const goesOn = before.choices.every((one, at) => String(one) === String(choices[at]));
  return !(before.name === name && before.seed === seed && before.text === text && goesOn);
}

/** `text` is that of the spec, "" for a game as the page has it: it may be edited when the game is continued. */
function given({ name, variant, rulings, seats, seed, choices, case: from }, text) {
  return { page: FORMAT, name, variant, rulings, seats, seed, choices, case: from, text };
}

/** The address of a position. */
export function link(found) {
  const { name, variant, rulings, seats, seed, choices } = found;
  const parts = new URLSearchParams({ game: name, seed, seats: seats.join(","), moves: choices.map((one) => one.join("-")).join(".") });
  if (variant) parts.set("variant", variant);
  for (const [id, answer] of Object.entries(rulings)) parts.append("ruling", `${id}=${answer}`);
  return new URL(`#play?${parts}`, location.href).href;
}

/** What the part of an address after # says, null if it is no position. */
export function linked(hash) {
  const parts = new URLSearchParams(hash.split("?")[1] ?? "");
  if (!parts.get("game")) return null;
  const seats = parts.get("seats");
  return {
    name: parts.get("game"),
    variant: parts.get("variant") ?? "",
    rulings: Object.fromEntries(parts.getAll("ruling").map((one) => one.split("="))),
    seats: seats ? seats.split(",") : [],
    seed: Number(parts.get("seed") ?? 0),
    text: "",
    choices: (parts.get("moves") ?? "").split(".").filter(Boolean).map((one) => one.split("-").map(Number)),
  };
}
