// Cards, marks and backs as elements. Text is never parsed as HTML, and styles are set by script alone, as the page's policy asks.

const SVG = "http://www.w3.org/2000/svg";
const SHORT = /^([!-~]{1,2}|\d{3}|[^!-~])$/; // what fits into a corner
const SIDES = (...rows) => rows.flatMap((row) => [[1, row], [3, row]]);
const PIPS = { // columns and rows of the pips of a playing card, three by seven
  A: [[2, 4]], 2: [[2, 1], [2, 7]], 3: [[2, 1], [2, 4], [2, 7]], 4: SIDES(1, 7), 5: [...SIDES(1, 7), [2, 4]], 6: SIDES(1, 4, 7), 7: [...SIDES(1, 4, 7), [2, 2]],
  8: [...SIDES(1, 4, 7), [2, 2], [2, 6]], 9: [...SIDES(1, 3, 5, 7), [2, 4]], 10: [...SIDES(1, 3, 5, 7), [2, 2], [2, 6]],
};

/** An element. Properties that begin with `on` are handlers, those with `--` variables of its style; false, null and
 * undefined leave one out. */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.startsWith("--")) element.style.setProperty(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The colours of a mark or a seat, as variables of a style. */
export const inked = (mark) => (mark?.colour ? { "--colour": mark.colour, "--on-colour": mark.ink } : {});

/** A mark: its picture, drawing or symbol on its colour. Null for a mark that is no more than a colour. */
export function symbol(mark) {
  if (mark?.picture) return h("img", { class: "symbol", src: mark.picture, alt: "" });
  if (mark?.path) return drawing(mark.path);
  return mark?.symbol ? h("span", { class: "symbol" }, mark.symbol) : null;
}

function drawing(path) {
  const svg = document.createElementNS(SVG, "svg");
  const line = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "symbol");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** A member of an enum in its colour: its symbol with its word, or with `number` instead where there is little room for a word of more
 * than a letter. */
export function badge(word, mark, number = null) {
  const sign = symbol(mark);
  const isSaid = (number === null || word.length === 1) && mark?.symbol !== word;
  const inside = sign ? [number, sign, h("span", { class: isSaid ? "word" : "unseen" }, word)] : word;
  return h("span", { class: mark ? "badge marked" : "badge", title: sign ? word : null, "--longest": isSaid ? longest(word) : null, ...inked(mark) }, inside);
}

/** Everything that a card says, in a line. */
export function told({ name, fields, does }) {
  const said = fields.filter((one) => !one.named).map(({ label, word }) => `${label}: ${word}`);
  return [name, ...said, ...(does ? [does.replaceAll("\n", " ")] : [])].filter(Boolean).join(", ");
}

/** The front of a card: a band that stays in sight below the next card of a fan, and what the card says. */
export function front(face) {
  if (face.svg) return picture(face);
  const index = indexOf(face);
  const corner = [index ? h("b", {}, index) : null, symbol(face.suit) ?? face.suit?.initials];
  const title = titleOf(face);
  const facts = face.fields.filter((one) => !one.named || one.parts);
  const isBare = !(index || symbol(face.suit) || facts.length || face.does || face.picture);
  const inside = isPlaying(face) ? pips(face, index) : [
    h("span", { class: "name", "--longest": longest(title) }, membersOf(face) ?? (title || "—")),
    face.picture ? h("img", { src: face.picture, alt: "" }) : null,
    large(face, index),
    h("span", { class: "facts" }, facts.map(factOf)),
    face.does ? h("span", { class: "does" }, face.does) : null,
  ];
  return [
    h("span", { class: "band", "aria-hidden": "true" }, [corner, isPlaying(face) ? null : h("span", { class: "upright" }, title)]),
    h("span", { class: isBare ? "inside bare" : "inside", "aria-hidden": "true" }, inside),
    isPlaying(face) ? h("span", { class: "corner", "aria-hidden": "true" }, [h("b", {}, index), symbol(face.suit)]) : null,
  ].filter(Boolean);
}

/** The width of the longest word, in letters of an alphabet: the words of a card shrink with it. */
const longest = (title) => Math.max(...title.split(/[\s\u00ad-]+/u).map((word) => [...word].reduce((sum, one) => sum + (one > "\u2e80" ? 2 : 1), 0)));

/** Whether a card is named by a rank with a sign and a suit with a drawing alone: it looks like a playing card. */
function isPlaying({ fields, suit, picture: drawn, does }) {
  return fields.length === 2 && fields.every((one) => one.named) && Boolean(suit?.path) && !drawn && !does && fields.some((one) => one.mark?.symbol && !one.mark.colour);
}

/** As many pips as the rank of a playing card, or its letter. */
function pips({ suit }, rank) {
  const places = PIPS[rank];
  if (!places) return h("span", { class: "court" }, [h("b", {}, rank), symbol(suit)]);
  return h("span", { class: "pips" }, places.map(([column, row]) => h("i", { class: row > 4 ? "pip turned" : "pip", "--at": `${row} / ${column}` }, symbol(suit))));
}

/** The name of a card, without its numbers and parts if these are drawn and would make it long. */
function titleOf({ name, fields }) {
  const named = fields.filter((one) => one.named);
  if (!named.some((one) => one.parts)) return name;
  return named.filter((one) => !one.parts && !one.number).map((one) => one.word).join(" ") || name;
}

/** The members of the set that alone names a card, as badges; null for other names. */
function membersOf({ fields }) {
  const [set, ...others] = fields.filter((one) => one.named);
  if (others.length || !set?.marks) return null;
  return h("span", { class: "members" }, set.words.map((word, at) => badge(word, set.marks[at], symbol(set.marks[at]) ? "" : null)));
}

const picture = (face) => h("img", { class: "whole", src: `data:image/svg+xml,${encodeURIComponent(face.svg)}`, alt: "" });

/** What stands in the corner: the number of a card, or a word or symbol that is short enough. */
function indexOf({ fields }) {
  const number = fields.find((one) => one.number && SHORT.test(one.word));
  const sign = fields.find((one) => one.named && one.mark?.symbol && !one.mark.colour);
  const short = fields.find((one) => one.named && !one.mark?.colour && SHORT.test(one.word));
  return number?.word ?? sign?.mark.symbol ?? short?.word ?? "";
}

function large({ suit }, index) {
  const sign = symbol(suit) ?? index;
  return sign ? h("span", { class: suit?.path ? "large drawn" : "large" }, sign) : null;
}

function factOf({ label, word, mark, marks, parts }) {
  const isDrawn = mark && symbol(mark) && !parts; // the drawing says what it is
  return h("span", { class: parts ? "fact counted" : "fact", title: isDrawn ? label : null }, [isDrawn ? null : h("small", {}, label), " ", content(word, mark, marks, parts)]);
}

function content(word, mark, marks, parts) {
  if (parts?.length) return parts.map((one) => [badge([one.word, one.member].filter(Boolean).join(" "), one.mark, one.word), " "]);
  if (marks?.some((one) => symbol(one))) return marks.map((one) => badge("", one, ""));
  if (!mark) return h("b", {}, word);
  return symbol(mark) ? badge(word, mark) : [h("i", { class: "dot", ...inked(mark) }), h("b", {}, word)];
}

/** A card with its face: a button if something can be done with it (`option`), else an image that can take the focus. */
export function card(face, { times = 1, option = null, key = null } = {}) {
  const told_ = told(face);
  const label = option && option.text !== face.name ? `${option.text}: ${told_}` : told_;
  const whole = times > 1 ? `${label} ×${times}` : label;
  const about = { class: `card${option ? " lit" : ""}${isPlaying(face) ? " playing" : ""}`, "data-key": key, ...inked(face.suit) };
  const inside = [front(face), times > 1 ? h("i", { class: "times", "aria-hidden": "true" }, `×${times}`) : null];
  if (option) return h("button", { ...about, type: "button", onclick: option.act }, [h("span", { class: "unseen" }, whole), inside]);
  return h("span", { ...about, role: "img", tabindex: -1, "aria-label": whole }, inside);
}

/** The back of cards with their number, or the outline of a pile without any: a button if something can be done with it. */
export function back(number, label, { option = null, key = null } = {}) {
  const about = { "data-key": key, class: `card ${number ? "back" : "empty"}${number > 1 ? " deep" : ""}${option ? " lit" : ""}`, "aria-label": option ? `${option.text}: ${label}` : label };
  const inside = number ? h("b", { "aria-hidden": "true" }, number) : null;
  return option ? h("button", { ...about, type: "button", onclick: option.act }, inside) : h("span", { ...about, role: "img" }, inside);
}

/** Cards in a row that are alike, as the first one with their number. */
export function stacked(faces) {
  const found = [];
  for (const one of faces) {
    if (found.at(-1)?.[0] === one) found.at(-1)[1] += 1;
    else found.push([one, 1]);
  }
  return found;
}
