// How fast what happens at a table is shown: chosen by the reader, and kept in this browser.
import { h } from "./elements.js";
import * as storage from "./storage.js";

const PLACE = "ftk.speed";
/** Milliseconds: that a card is under way, until the next bot moves, that a position on the way of one decision stands, and that
 * all of them stand together. */
const SPEEDS = {
  normal: { word: "speed_normal", flight: 400, pause: 700, hold: 1100, most: 3000 },
  quick: { word: "speed_quick", flight: 180, pause: 250, hold: 450, most: 1200 },
  none: { word: "speed_none", flight: 0, pause: 0, hold: 0, most: 0 },
};
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

const chosen = () => (storage.read(PLACE) in SPEEDS ? storage.read(PLACE) : isStill.matches ? "none" : "normal");

export const pace = () => SPEEDS[chosen()];

export const wait = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

/** The field in which the speed is chosen. */
export function speed({ t }) {
  const options = Object.entries(SPEEDS).map(([value, { word }]) => h("option", { value, selected: value === chosen() }, t(word)));
  return h("label", { class: "speed" }, [t("speed"), h("select", { "data-key": "speed", onchange: ({ target }) => storage.write(PLACE, target.value) }, options)]);
}
