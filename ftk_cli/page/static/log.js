// What happened, and how the game ended.
import { h } from "./elements.js";

export function log({ t }, lines) {
  return h("section", { class: "log", "aria-labelledby": "log-title" }, [
    h("h2", { id: "log-title" }, t("log")),
    lines.length
      ? h("ol", { tabindex: 0, "aria-labelledby": "log-title" }, lines.map(({ kind, text }) => h("li", { class: kind }, text)))
      : h("p", { class: "note" }, t("log_empty")),
  ]);
}

export function result({ t }, { result: { places, reasons }, players }) {
  return h("section", { class: "result" }, [
    h("h2", {}, t("game_over")),
    h("table", {}, [
      h("thead", {}, h("tr", {}, ["place", "who", "points"].map((key) => h("th", { scope: "col" }, t(key))))),
      h("tbody", {}, places.map(({ place, player, seat, score }) =>
        h("tr", { class: place === 1 ? "first" : false }, [
          h("td", {}, place), h("th", { scope: "row" }, `${player} (${t(players[seat].is === "person" ? "you" : "bot")})`), h("td", {}, score),
        ]))),
    ]),
    h("details", {}, [h("summary", {}, t("reasons")), h("ul", {}, reasons.map((one) => h("li", {}, one)))]),
  ]);
}
