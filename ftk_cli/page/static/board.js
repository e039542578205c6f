// The table of a view of Python's `start` or `look`, which has the scene and the position.
import { drawTable } from "./table.js";

/** What lies on the table. What can be chosen is lit and can be clicked; `since` is the position that what has changed lately differs
 * from. */
export function table(page, view, { picking }, since) {
  const people = view.players.map(({ seat, is }) => who(page, view, seat, is));
  const { scene, position, seat } = view;
  return drawTable(scene, position, { seat, people, since, words: page.t, ...picking.given });
}

function who({ t }, view, seat, is) {
  if (is !== "person") return t("bot");
  return seat === view.seat ? t("you") : "";
}
