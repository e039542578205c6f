// The table: values, boards, and zones with cards. What can be chosen is lit and can be clicked.
import { h, stacked } from "./elements.js";

const HUES = 8;

export function table(page, view, choice) {
  const own = (zone) => zone.owner === view.seat && zone.visible;
  const shared = view.zones.filter((zone) => zone.owner === null);
  const players = view.players.filter(({ seat }) => seat !== view.seat);
  return h("section", { class: "table", "aria-labelledby": "table-title" }, [
    h("h2", { id: "table-title" }, page.t("table")),
    view.values.boards.map((one) => board(one, choice)),
    h("div", { class: "zones" }, shared.map((one) => zone(page, one, choice))),
    seat(page, view, view.seat, choice),
    players.map((one) => seat(page, view, one.seat, choice)),
    values(page, view.values, choice),
  ]);
}

function seat(page, view, at, choice) {
  const found = view.zones.filter((zone) => zone.owner === at);
  if (!found.length || at === null) return null;
  const { name, is } = view.players[at];
  const who = at === view.seat && is === "person" ? page.t("you") : is === "person" ? "" : page.t("bot");
  return h("section", { class: at === view.next ? "seat acting" : "seat", "aria-label": name }, [
    h("h3", {}, [name, who ? h("small", {}, ` ${who}`) : null]),
    h("div", { class: "zones" }, found.map((one) => zone(page, one, choice))),
  ]);
}

function zone(page, one, choice) {
  const label = page.t("zone_cards", { zone: one.title, number: one.size });
  const hidden = one.visible ? 0 : one.size - one.known.length;
  const place = one.index.map(({ type, at }) => choice.at(type, at)).find(Boolean);
  const head = [one.title, h("small", {}, ` ${one.size}`)];
  const isPile = hidden === one.size && !place;
  return h("div", { class: isPile ? "zone pile" : "zone" }, [
    h("p", { class: "name" }, place ? h("button", { class: "lit", onclick: place.act, "data-key": `zone-${one.number}` }, head) : head),
    h("ul", { class: "cards", "aria-label": label }, [
      stacked(one.visible ? one.cards : one.known, "face").map(([card, times]) => h("li", {}, drawn(card, times, choice, place))),
      hidden ? h("li", {}, h("span", { class: "card back" }, [h("span", { class: "unseen" }, page.t("hidden_cards", { number: hidden })), h("b", { "aria-hidden": "true" }, `×${hidden}`)])) : null,
    ]),
  ]);
}

/** A card. It can be chosen itself, or for the zone that it lies in: `place`. */
function drawn(card, times, choice, place) {
  const option = choice.at("card", card.face) ?? place;
  const inside = [
    h("b", {}, card.name),
    card.fields.map(({ label, word }) => h("span", {}, [h("small", {}, label), " ", word])),
    card.does ? h("span", { class: "does" }, card.does) : null,
    times > 1 ? h("i", {}, `×${times}`) : null,
  ];
  const kind = `card hue-${hue(card.suit)}`;
  if (!option) return h("span", { class: kind }, inside);
  const does = option.text === card.name ? null : h("span", { class: "unseen" }, `${option.text}: `);
  return h("button", { class: `${kind} lit`, onclick: option.act, "data-key": `card-${card.face}` }, [does, inside]);
}

function hue(text) {
  let sum = 0;
  for (const sign of text) sum = (sum * 31 + sign.codePointAt(0)) % 997;
  return sum % HUES;
}

function board({ title, type, squares }, choice) {
  const rows = [...new Set(squares.map((one) => one.row))].sort((a, b) => b - a);
  const columns = [...new Set(squares.map((one) => one.column))].sort((a, b) => a - b);
  const at = (column, row) => squares.find((one) => one.column === column && one.row === row);
  return h("div", { class: "scroll" }, h("table", { class: "board" }, [
    h("caption", {}, title),
    h("tbody", {}, rows.map((row) => h("tr", {}, columns.map((column) => h("td", {}, square(at(column, row), type, choice)))))),
  ]));
}

function square(cell, type, choice) {
  if (!cell) return null;
  const option = choice.at(type, cell.at);
  const mark = cell.player === null ? cell.word : h("span", { class: `piece player-${cell.player}` }, [String(cell.player + 1), h("span", { class: "unseen" }, cell.word)]);
  const label = `${cell.name}${cell.word ? `: ${cell.word}` : ""}`;
  return option
    ? h("button", { class: "square lit", onclick: option.act, "data-key": `at-${type}-${cell.at}`, "aria-label": label }, mark)
    : h("span", { class: "square" }, [h("span", { class: "unseen" }, cell.word ? "" : cell.name), mark]);
}

function values(page, { single, tables }, choice) {
  if (!single.length && !tables.length) return null;
  return h("section", { class: "values", "aria-labelledby": "values-title" }, [
    h("h3", { id: "values-title" }, page.t("values")),
    single.length ? h("dl", {}, single.map(({ title, word }) => h("div", {}, [h("dt", {}, title), h("dd", {}, word)]))) : null,
    tables.map((one) => grid(one, choice)),
  ]);
}

function grid({ columns, rows, type }, choice) {
  const head = ({ at, word }) => {
    const option = choice.at(type, at);
    return h("th", { scope: "col" }, option ? h("button", { class: "lit", onclick: option.act }, word) : word);
  };
  return h("div", { class: "scroll", tabindex: 0 }, h("table", {}, [
    h("thead", {}, h("tr", {}, [h("td", {}), columns.map(head)])),
    h("tbody", {}, rows.map(({ title, words }) => h("tr", {}, [h("th", { scope: "row" }, title), words.map((one) => h("td", {}, one))]))),
  ]));
}
