// The row above a table, which stays in sight: the title, the score of each player and who is to move, and what can be done with the game.
import { h, inked } from "./cards.js";
import { colourOf } from "./table.js";

export const head = (page, view, things) =>
  h("div", { class: "bar topbar" }, [h("h1", {}, view.title), view.position ? scores(page.t, view) : null, menu(page, things)]);

/** The buttons and fields of a menu; where there is room they stand in the row themselves. */
export const menu = ({ t }, things) => [
  h("button", { class: "dots", popovertarget: "menu", "data-key": "menu", "aria-label": t("menu"), title: t("menu") }, "⋮"),
  h("div", { id: "menu", class: "menu", popover: "auto", onclick: closes }, things),
];

const closes = ({ currentTarget, target }) => target.closest("button, a") && currentTarget.hidePopover();

function scores(t, { scene, players, position: { scores: known = [], next, over }, seat: own }) {
  const one = ({ seat, name }) => {
    const acts = next.includes(seat) && !over;
    return h("li", { class: [seat === own && "own", acts && "acts"].filter(Boolean).join(" "), ...inked(colourOf(scene, seat)) }, [
      h("span", { class: "piece", "aria-hidden": "true" }, seat + 1),
      h("span", { class: "unseen" }, `${name} `),
      seat === own ? h("small", {}, t("you")) : null,
      known.length ? h("b", {}, ` ${known[seat] ?? "?"}`) : null,
      acts ? h("span", { class: "unseen" }, ` (${t("acts")})`) : null,
    ]);
  };
  return h("ul", { class: "scores", "aria-label": t("scores") }, players.map(one));
}
