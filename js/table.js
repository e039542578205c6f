// A table drawn from a scene and a position: players around, boards, market and piles in the middle, the own hand nearest to its owner.
import { back, badge, card, h, inked, stacked, symbol } from "./cards.js";
import { dragging } from "./drag.js";
import { keyed } from "./keys.js";
import { changes } from "./moves.js";
import { isPawn, isTrack, moved, stepsOf } from "./squares.js";
import { zooming } from "./zoom.js";
export { h } from "./cards.js";
export { animate, changes, moves, placesOf } from "./moves.js";

const COLOURS = ["#2c4a8a", "#a03a2c", "#2c6e3a", "#6a3a92", "#8a5a00", "#1c6d78"];
const SHARED = new Set(["market", "piles", "board", "aside"]); // places that zones of players can lie at, too
const MEMBERS = new Set(["tile", "token", "row-head", "die"]); // what shows a member of an enum, and is no place on the table
const PIPS = ["", "5", "19", "159", "1379", "13579", "134679"]; // where the pips of a die are, in a square of three by three
const STEPS = 12; // steps of a track that stand side by side
const WORDS = {
  table: "On the table", values: "Where things stand", zone_cards: "{zone}, cards: {number}", hidden_cards: "face down: {number}",
  chosen: "chosen", can_go: "can go here", takes: "takes {what}", taken: "taken: {what}",
  you: "you", bot: "bot", acts: "to move", aside: "Seldom needed", nothing_on_table: "There is nothing on the table.",
};

const plainly = (key, values = {}) => (WORDS[key] ?? key).replace(/{(\w+)}/g, (whole, name) => values[name] ?? whole);

/** The table as a seat sees it. `at(type, index)` is what a click on a thing does, or null, `release` what the Escape key does, and
 * `threatened` are squares; `lit` are numbers of zones and names of values, and `people` says who sits where. What differs from the
 * position `since` is marked. */
export function drawTable(scene, position, given = {}) {
  return new Drawing(scene, position, given).table();
}

/** The colour of a seat, with that of words on it. */
export function colourOf({ seats }, seat) {
  return seats?.[seat] ?? { colour: COLOURS[seat % COLOURS.length], ink: "#fff" };
}

class Drawing {
  constructor(scene, position, { seat = null, at = () => null, release = () => {}, threatened = new Set(), lit = new Set(), since = position, words = plainly, people = [] }) {
    const changed = changes(scene, since, position);
    Object.assign(this, { scene, position, seat, at, release, threatened, lit, since, changed, words, people });
    this.moved = new Map(moved(scene, since.values, position.values).map((one) => [one.type, one]));
    const zones = new Map(position.zones.map((one) => [one.zone, one]));
    const every = scene.zones.map((one, zone) => ({ size: 0, ...zones.get(zone), ...arranged(one), zone, faces: this.sorted(zones.get(zone) ?? { zone, faces: [] }) }));
    this.zones = every.filter((one) => one.place !== "hidden" && (one.size || at("zone", one.zone))).map((one) => (one.place === "aside" && this.isLit(one) ? { ...one, place: "market", shape: "row" } : one));
    this.values = scene.values.filter((one) => position.values[one.name] && one.draw !== "hidden");
  }

  /** The faces of a zone; where the cards have no order, as they lie in a hand. */
  sorted({ zone, faces }) {
    const order = (face) => this.scene.faces[face]?.order ?? -1;
    return this.scene.zones[zone].ordered ? faces : [...faces].sort((one, other) => order(one) - order(other));
  }

  isLit({ zone, faces }) {
    return this.at("zone", zone) || faces.some((face) => this.at("card", face, zone));
  }

  table() {
    const inside = [this.others(), this.middle(), ...(this.seat === null ? [] : this.own()), this.aside()].filter(Boolean);
    const root = h("section", { class: "ftk-table", lang: this.scene.lang, "data-game": this.scene.game, "aria-label": this.words("table") }, inside.length ? inside : h("p", {}, this.words("nothing_on_table")));
    return dragging(keyed(zooming(root, this.scene.faces), this.release));
  }

  // players

  /** The other players, beginning left of the viewer. */
  others() {
    const number = this.scene.players.length;
    const first = this.seat === null ? 0 : this.seat + 1;
    const seats = Array.from({ length: number }, (_, at) => (first + at) % number).filter((one) => one !== this.seat);
    return seats.length ? h("div", { class: "others" }, seats.map((one) => this.player(one))) : null;
  }

  player(seat) {
    return this.box(seat, "player", [...this.zonesOf(seat, false), ...this.zonesOf(seat, true)], this.panel(seat));
  }

  box(seat, kind, zones, panel = null) {
    const about = { class: `${kind}${this.acts(seat) ? " acting" : ""}`, "data-seat": seat, ...inked(colourOf(this.scene, seat)) };
    const inside = [panel, zones.length ? h("div", { class: "zones" }, zones.map((one) => this.zone(one))) : null];
    return panel ? h("section", { ...about, "aria-label": this.scene.players[seat] }, inside) : h("div", about, inside);
  }

  acts(seat) {
    return this.position.next.includes(seat) && !this.position.over;
  }

  panel(seat) {
    return h("div", { class: "panel" }, [this.heading(seat), this.chipsOf(seat)]);
  }

  zonesOf(seat, isHand) {
    return this.zones.filter((one) => one.owner === seat && !SHARED.has(one.place) && (one.place === "hand") === isHand);
  }

  /** What lies before the viewer, and below it what a page may keep in sight: who that is, with the hand. */
  own() {
    const front = this.zonesOf(this.seat, false);
    return [front.length ? this.box(this.seat, "player own", front) : null, this.box(this.seat, "player own hand", this.zonesOf(this.seat, true), this.panel(this.seat))];
  }

  heading(seat) {
    const who = this.people[seat] ?? "";
    const named = [this.piece(seat), h("span", { class: "called" }, this.scene.players[seat]), who ? h("small", {}, who) : null, this.acts(seat) ? h("span", { class: "unseen" }, this.words("acts")) : null];
    return h("div", { class: "heading" }, this.clickable("player", seat, named, "who"));
  }

  piece(seat, extra = "", figure = null) {
    return h("span", { class: `piece ${extra}`, "aria-hidden": "true", ...inked(colourOf(this.scene, seat)) }, figure ?? seat + 1);
  }

  /** What a player has, and is (the own list may have to be scrolled): values with the player as an index, and values that name the player. */
  chipsOf(seat) {
    const having = this.values.filter((one) => one.draw !== "table" && one.per.some((index) => index.type === "player"));
    const being = this.values.filter((one) => !one.per.length && this.isPlayer(one) && this.content(one, 0) === seat);
    const found = [...being.map((one) => this.chip(one, one.title, "")), ...having.flatMap((one) => this.held(one, seat))].filter(Boolean);
    return found.length ? h("ul", { class: "chips", tabindex: seat === this.seat && "0" }, found.map((one) => h("li", {}, one))) : null;
  }

  held(value, seat) {
    const cells = [...this.cells(value)].filter(({ at, index }) => at[index.findIndex((one) => one.type === "player")] === seat);
    const rest = cells.map((one) => ({ ...one, label: one.words.filter((_, place) => one.index[place].type !== "player").join(" · ") }));
    if (value.per.length === 1) return rest.map((one) => (this.isSaid(value, one.content) ? this.chip(value, value.title, this.word(value.type, one.content)) : null));
    const shown = rest.filter((one) => !this.isEmpty(value, one.content));
    return shown.length ? [this.chip(value, value.title, h("span", { class: "beads" }, shown.map((one) => this.bead(value, one))))] : [];
  }

  // values

  /** The known cells of a value: where each is, in words, and its content. */
  *cells({ name, per }) {
    const known = this.position.values[name];
    for (const at of places(per)) {
      const cell = at.reduce((sum, one, place) => sum * per[place].extent + one - per[place].low, 0);
      if (cell in known) yield { at, index: per, content: known[cell], words: at.map((one, place) => this.word(per[place].type, one)) };
    }
  }

  content({ name }, cell) {
    return this.position.values[name][cell] ?? null;
  }

  isPlayer(value) {
    return this.scene.types[value.type].kind === "player";
  }

  /** Whether a cell holds nothing worth a word. */
  isEmpty(value, content) {
    return content === null || content === undefined || (content === 0 && ["bool", "int", "set"].includes(this.scene.types[value.type].kind));
  }

  /** Whether a chip says something: a number does if any of its value is not 0. */
  isSaid(value, content) {
    if (content === null || value.draw === "tokens" || !this.isEmpty(value, content)) return content !== null;
    const isNumber = this.scene.types[value.type].kind === "int";
    return isNumber && (value.name === "points" || Object.values(this.position.values[value.name]).some((one) => one));
  }

  word(type, content) {
    const { kind, words } = this.scene.types[type];
    if (content === null || content === undefined) return "–";
    if (kind === "set") return words.filter((_, at) => (content >> at) & 1).join(", ") || "–";
    if (kind === "card") return this.scene.faces[content]?.name ?? String(content);
    return words?.[content] ?? String(content);
  }

  mark(type, at) {
    return this.scene.types[type].marks?.[at] ?? null;
  }

  /** A number, a member or a player, as small as can be. */
  thing(type, content) {
    if (content === null || content === undefined) return h("span", {}, "–");
    if (this.scene.types[type].kind === "player") return [this.piece(content), h("span", { class: "unseen" }, this.word(type, content))];
    const mark = this.mark(type, content);
    return mark ? badge(this.word(type, content), mark) : h("b", {}, this.word(type, content));
  }

  chip(value, title, inside) {
    const filled = typeof inside === "string" && inside ? h("b", {}, inside) : inside;
    return h("span", { class: `chip ${this.lights(value.name)}` }, [h("span", { class: "title" }, title), filled ? [" ", filled] : null]);
  }

  bead(value, { at, index, label, content }) {
    const place = index.findIndex((one) => one.type !== "player");
    const mark = place < 0 ? null : this.mark(index[place].type, at[place]);
    const sign = symbol(mark);
    const number = this.isBool(value) ? null : h("b", {}, this.word(value.type, content));
    const name = h("span", { class: sign && number ? "unseen" : "title" }, label);
    return h("span", { class: mark ? "bead marked" : "bead", title: label, ...inked(mark) }, [sign, name, " ", number]);
  }

  isBool(value) {
    return this.scene.types[value.type].kind === "bool";
  }

  lights(name) {
    return [this.changed.has(name) && "fresh", this.lit.has(name) && "shown"].filter(Boolean).join(" ");
  }

  /** A thing of the table, as a button if it can be chosen now. */
  clickable(type, at, inside, kind) {
    const option = this.at(type, at, MEMBERS.has(kind) ? null : undefined);
    if (!option) return h("span", { class: kind }, inside);
    const target = option.is === "target" ? h("span", { class: "unseen" }, `, ${this.words("can_go")}`) : null;
    return this.picked(h("button", { type: "button", class: `${kind} lit`, onclick: option.act, "data-key": `at-${type}-${at}` }, [inside, target]), option);
  }

  /** A button of something that can be picked, with what it is to the choice. */
  picked(button, { is, goesOn }) {
    if (is) button.classList.add(is);
    if (goesOn) button.classList.add("movable");
    if (is === "chosen") button.append(h("span", { class: "unseen" }, `, ${this.words("chosen")}`));
    return button;
  }

  // the middle

  middle() {
    const shared = this.zones.filter((one) => one.owner === null || SHARED.has(one.place));
    const of = (place) => shared.filter((one) => one.place === place || (place === "market" && ["front", "hand"].includes(one.place)));
    const values = this.values.filter((one) => !one.per.some((index) => index.type === "player"));
    const parts = [this.boards(values, of("board")), this.market(of("market")), this.piles(of("piles")), this.shared(values), this.tables()].filter(Boolean);
    return parts.length ? h("div", { class: "middle" }, parts) : null;
  }

  market(zones) {
    const groups = grouped(zones, ({ name, of, owner }) => (of || owner !== null ? name : `${name} `));
    return zones.length ? h("div", { class: "zones market" }, groups.map((one) => this.together(one))) : null;
  }

  /** Zones that only differ in their place: their title stands above them all. */
  together(zones) {
    if (zones.length < 2) return zones.map((one) => this.zone(one));
    const title = h("p", { class: "name" }, zones[0].title);
    return h("div", { class: "group", role: "group", "aria-label": zones[0].title }, [title, h("div", { class: "zones" }, zones.map((one) => this.zone(one, one.of || this.scene.players[one.owner] || one.title)))]);
  }

  piles(zones) {
    return zones.length ? h("div", { class: "zones piles" }, zones.map((one) => this.zone(one))) : null;
  }

  shared(values) {
    const single = values.filter((one) => !one.per.length && !this.isPlayer(one)).filter((one) => this.isTold(one));
    const tracks = values.filter((one) => isTrack(one) && one.per.length === 1);
    const dice = values.filter((one) => one.draw === "dice");
    const members = values.filter((one) => one.per.length && !["track", "tower", "dice", "board"].includes(one.draw));
    const groups = grouped(members, ({ per }) => JSON.stringify(per));
    const drawn = [
      single.length ? h("ul", { class: "chips" }, single.map((one) => h("li", {}, this.chip(one, one.title, this.thing(one.type, this.content(one, 0)))))) : null,
      dice.map((one) => this.dice(one)),
      tracks.map((one) => this.track(one)),
      groups.map((one) => (one[0].draw === "tokens" ? one.map((value) => this.tokens(value)) : this.tiles(one))),
    ].flat(2).filter(Boolean);
    return drawn.length ? h("section", { class: "values", "aria-label": this.words("values") }, drawn) : null;
  }

  isTold(value) {
    const content = this.content(value, 0);
    return content !== null && (value.draw === "tokens" || !this.isEmpty(value, content));
  }

  /** A scale with the members at their steps, and beside it those that can be chosen and are at none. A long one has only the steps
   * that hold something. */
  track(value) {
    const { low, high } = this.scene.types[value.type];
    const cells = [...this.cells(value)];
    const isShort = high - low < STEPS;
    const steps = Array.from({ length: high - low + 1 }, (_, at) => low + at).filter((one) => isShort || cells.some(({ content }) => content === one));
    const beside = cells.filter(({ at: [at], index: [{ type }], content }) => content === null && this.at(type, at));
    if (!beside.length && cells.every(({ content }) => content === null)) return null;
    if (value.draw === "tower") steps.reverse();
    const markers = (found) => h("ul", {}, found.map((one) => h("li", {}, this.member(one))));
    const number = (step) => h("b", { class: "number" }, step);
    const step = (at) => [this.at(stepsOf(value), at) ? this.clickable(stepsOf(value), at, number(at), "onto") : number(at), markers(cells.filter(({ content }) => content === at))];
    return h("div", { class: `track ${value.draw} ${this.lights(value.name)}` }, [
      h("p", { class: "name" }, value.title),
      beside.length ? h("div", { class: "beside" }, markers(beside)) : null,
      h("ol", {}, steps.map((at) => h("li", { class: "step" }, step(at)))),
    ]);
  }

  member({ at: [at], index: [{ type }], words: [word] }) {
    const mark = this.mark(type, at);
    const inside = this.scene.types[type].kind === "player" ? this.thing(type, at) : badge(word, mark, "");
    return this.clickable(type, at, inside, "marker");
  }

  dice(value) {
    const dice = [...this.cells(value)].map((one) => h("li", {}, this.die(value, one)));
    return h("div", { class: `dice ${this.lights(value.name)}` }, [h("p", { class: "name" }, value.title), h("ul", {}, dice)]);
  }

  die(value, { at, index, words, content }) {
    const [last, type] = [at.at(-1), index.at(-1)?.type];
    const pips = [...(PIPS[content] ?? "")].map((one) => h("i", { class: `pip at-${one}` }));
    const drawn = this.clickable(type, last, [h("span", { class: "unseen" }, `${words.join(" · ")}: ${this.word(value.type, content)}`), pips], "die");
    for (const [name, set] of Object.entries(inked(type && this.mark(type, last)))) drawn.style.setProperty(name, set);
    return drawn;
  }

  /** Values of players as tables: a column for each player. */
  tables() {
    const found = this.values.filter((one) => one.draw === "table" && one.per.length === 2).map((one) => this.sheet(one)).filter(Boolean);
    return found.length ? h("div", { class: "sheets" }, found) : null;
  }

  sheet(value) {
    const rows = grouped([...this.cells(value)], (one) => this.other(one).at);
    const columns = this.scene.players.map((name, seat) => h("th", { scope: "col" }, [this.piece(seat), h("span", { class: "unseen" }, name)]));
    return h("table", { class: `sheet ${this.lights(value.name)}` }, [
      h("caption", {}, value.title),
      h("thead", {}, h("tr", {}, [h("td", {}), columns])),
      h("tbody", {}, rows.map((cells) => h("tr", {}, [this.rowHead(cells[0]), cells.map((one) => h("td", {}, this.cellOf(value, one.content)))]))),
    ]);
  }

  /** The index of a cell that is no player: its type, place and word. */
  other({ at, index, words }) {
    const place = index.findIndex((one) => one.type !== "player");
    return { type: index[place].type, at: at[place], word: words[place] };
  }

  rowHead(cell) {
    const { type, at, word } = this.other(cell);
    return h("th", { scope: "row" }, this.clickable(type, at, [symbol(this.mark(type, at)), " ", word], "row-head"));
  }

  cellOf(value, content) {
    if (this.isBool(value)) return content ? h("span", {}, ["✓", h("span", { class: "unseen" }, value.title)]) : "";
    return this.isEmpty(value, content) ? "" : this.thing(value.type, content);
  }

  /** Things that are counted, such as coins: a bead with a number for each kind. */
  tokens(value) {
    const cells = [...this.cells(value)];
    return h("div", { class: `tokens ${this.lights(value.name)}` }, [
      h("p", { class: "name" }, value.title),
      h("ul", { class: "beads" }, cells.map((one) => h("li", {}, this.token(value, one)))),
    ]);
  }

  token(value, one) {
    const [at, { type }] = [one.at.at(-1), one.index.at(-1)];
    return this.clickable(type, at, this.bead(value, { ...one, label: one.words.join(" · ") }), "token");
  }

  /** A tile for each member of an index, with what the values say about it. */
  tiles(values) {
    const found = new Map();
    for (const value of values) for (const one of this.cells(value)) {
      const key = one.at.join();
      if (!found.has(key)) found.set(key, { ...one, lines: [] });
      if (!this.isEmpty(value, one.content)) found.get(key).lines.push([value, one.content]);
    }
    const told = [...found.values()].filter((one) => one.lines.length || this.canChoose(one));
    return told.length ? h("ul", { class: "tiles" }, told.map((one) => h("li", {}, this.tile(one)))) : null;
  }

  canChoose({ at, index }) {
    return Boolean(this.at(index.at(-1).type, at.at(-1), null));
  }

  tile({ at, index, words, lines }) {
    const [last, { type }] = [at.at(-1), index.at(-1)];
    const mark = this.mark(type, last);
    const head = h("span", { class: "head" }, [symbol(mark), words.join(" · ")]);
    const rows = lines.map(([value, content]) => h("span", { class: `line ${this.lights(value.name)}` }, [h("span", { class: "title" }, value.title), " ", this.thing(value.type, content)]));
    const drawn = this.clickable(type, last, [head, rows], "tile");
    for (const [name, set] of Object.entries(inked(mark))) drawn.style.setProperty(name, set);
    return drawn;
  }

  // boards

  /** The boards: for each enum of squares one, with everything that lies on it. */
  boards(values, zones) {
    const types = new Map();
    const of = (type) => types.get(type) ?? types.set(type, { values: [], pawns: [], zones: [] }).get(type);
    for (const one of values.filter(({ draw }) => draw === "board")) of(one.per[0].type).values.push(one);
    for (const one of this.values.filter((value) => isPawn(this.scene, value))) of(one.type).pawns.push(one);
    for (const one of zones) of(one.index[0].type).zones.push(one);
    return types.size ? h("div", { class: "boards" }, [...types].map(([type, one]) => this.board(type, one))) : null;
  }

  board(type, lying) {
    const { values } = lying;
    const places = this.scene.types[type].places ?? [];
    const [columns, rows] = [0, 1].map((axis) => range(places.map((place) => place[axis])));
    const at = (column, row) => places.findIndex((place) => place[0] === column && place[1] === row);
    const isFull = places.length === columns.length * rows.length;
    const [left, low] = [columns[0], rows[0]];
    const label = values.map(({ title }) => title).join(", ") || this.words("table");
    return h("div", { class: "scroll" },
      h("table", { class: isFull ? "board full" : "board", role: "grid", "aria-label": label, "--columns": columns.length, "--rows": rows.length }, h("tbody", {}, rows.reverse().map((row) =>
        h("tr", {}, columns.map((column) => h("td", { class: [(column + row) % 2 ? "odd" : "even", ...this.tints(type, at(column, row))].join(" "), "data-at": this.edge(type, at(column, row), column === left, row === low) }, this.square(type, at(column, row), lying))))))));
  }

  /** How a square is tinted: a piece has gone from it lately, or has come to it. */
  tints(type, at) {
    const { moves = [], came = [], taken = [] } = this.moved.get(type) ?? {};
    const [was, now] = [taken.includes(at) || moves.some(({ from }) => from === at), came.includes(at) || moves.some(({ to }) => to === at)];
    return [now ? "now" : was && "was"].filter(Boolean);
  }

  /** What stands at the edge of a board: the name of a square in its first column or row, such as c3. */
  edge(type, at, isFirst, isLowest) {
    const found = at < 0 ? null : /^([a-z]+)(\d+)$/.exec(this.word(type, at));
    return found ? [isFirst && found[2], isLowest && found[1]].filter(Boolean).join(" ") || null : null;
  }

  square(type, at, lying) {
    if (at < 0) return null;
    const [filled, option] = [this.filled(at, lying), this.at(type, at)];
    const cards = lying.zones.filter(({ index }) => index[0].at === at);
    const taken = this.moved.get(type)?.taken.includes(at) ? this.filled(at, lying, this.since) : [];
    const label = [
      [this.word(type, at), ...this.says(filled), ...cards.map((one) => `${one.title}: ${one.size}`)].join(": "),
      taken.length && this.words("taken", { what: this.says(taken).join(" ") }),
      option?.is === "target" && this.words("can_go"),
      option?.takes?.length && this.words("takes", { what: option.takes.map((one) => this.lies(one, lying)).join(", ") }),
    ].filter(Boolean).join(", ");
    const drawn = [this.onSquare(filled), cards.map((one) => h("b", { class: "pile" }, one.size)), taken.length ? h("span", { class: "taken", "aria-hidden": "true" }, this.onSquare(taken)) : null];
    const about = { class: this.threatened.has(`${type}:${at}`) ? "square threatened" : "square", "data-key": `at-${type}-${at}` };
    if (!option) return h("span", { ...about, role: "img", "aria-label": label }, drawn);
    const button = h("button", { ...about, type: "button", onclick: option.act }, [h("span", { class: "unseen" }, label), h("span", { class: "on", "aria-hidden": "true" }, drawn)]);
    button.classList.add("lit");
    return this.picked(button, option);
  }

  /** The values that say something about a square, with their contents. */
  filled(at, { values, pawns }, { values: known } = this.position) {
    const of = values.map((value) => [value, known[value.name]?.[at] ?? null]).filter(([value, content]) => !this.isEmpty(value, content));
    const standing = pawns.flatMap((value) => Object.entries(known[value.name] ?? {}).filter(([, square]) => square === at).map(([seat]) => [value, Number(seat)]));
    return [...of, ...standing];
  }

  says(filled) {
    return filled.map(([value, content]) => (this.isBool(value) ? value.title : this.word(this.kindOf(value), content)));
  }

  /** What lies on a square that a key names, in words. */
  lies(key, lying) {
    const [type, at] = key.split(/:(?=\d+$)/);
    return [this.word(type, Number(at)), ...this.says(this.filled(Number(at), lying))].join(" ");
  }

  /** The type of what stands on a square: a pawn is a player's. */
  kindOf(value) {
    return isPawn(this.scene, value) ? "player" : value.type;
  }

  /** What lies on a square: one piece in the colour of its player, with a picture of what it is. What is only so or not marks it. */
  onSquare(filled) {
    const [marks, things] = [filled.filter(([value]) => this.isBool(value)), filled.filter(([value]) => !this.isBool(value))];
    if (!things.length) return marks.map(([value]) => symbol(value) ?? h("b", {}, [...value.title][0]));
    const owned = things.filter(([value]) => this.kindOf(value) === "player");
    const kinds = things.filter((one) => !owned.includes(one));
    const figure = [...kinds.map(([value, content]) => this.mark(value.type, content)), ...marks.map(([value]) => value)].map(symbol).find(Boolean);
    if (owned.length !== 1 || (kinds.length && !figure)) return [...owned.map(([, content]) => this.piece(content)), ...kinds.map(([value, content]) => this.thing(value.type, content))];
    return this.piece(owned[0][1], marks.length && !figure ? "ringed" : "", figure ?? (this.scene.players.length > 2 ? null : "")); // two colours need no number
  }

  // zones

  zone(zone, title = [zone.title, zone.of || (SHARED.has(zone.place) && this.scene.players[zone.owner])].filter(Boolean).join(" · ")) {
    const place = this.at("zone", zone.zone) ?? zone.index.map(({ type, at }) => this.at(type, at)).find(Boolean);
    const known = zone.faces.filter((one) => one !== null);
    const hidden = zone.size - known.length;
    const head = [title, " ", known.length && zone.size > 1 ? h("small", {}, zone.size) : null]; // a back has its number
    const named = place && known.length && known.every((face) => this.at("card", face, zone.zone)); // its cards are other choices
    const marks = [this.changed.has(zone.zone) && "fresh", this.lit.has(zone.zone) && "shown"].filter(Boolean).join(" ");
    return h("div", { class: `zone shape-${this.shape(zone, known)} ${marks}`, "data-zone": zone.zone, "--number": stacked(known).length + (hidden ? 1 : 0) }, [
      h("p", { class: "name" }, named ? this.picked(h("button", { type: "button", class: "lit", onclick: place.act, "data-key": `zone-${zone.zone}` }, head), place) : head),
      this.cards(zone, known, hidden, place),
    ]);
  }

  /** A stack shows its uppermost card, unless one of its cards can be chosen or nobody but the viewer sees them. One card
   * is no fan. */
  shape(zone, known) {
    if (zone.size === 1 && zone.shape === "fan") return "row";
    if (zone.shape === "stack" && known.length > 1 && zone.seen.length === 1 && zone.seen[0] === this.seat) return "fan";
    if (zone.shape !== "stack") return zone.shape;
    return known.some((face) => this.at("card", face, zone.zone)) ? "row" : "stack";
  }

  cards(zone, known, hidden, place) {
    const shape = this.shape(zone, known);
    const top = shape === "stack" && known.length ? [[known.at(-1), 1]] : stacked(known);
    const label = this.words("zone_cards", { zone: zone.title, number: zone.size });
    const list = h("ul", { class: "cards", "aria-label": label }, [
      hidden || !zone.size ? h("li", {}, this.back(zone, hidden, place)) : null,
      top.map(([face, times]) => h("li", {}, this.card(zone, face, times, place))),
    ]);
    if (shape !== "stack" || known.length < 2) return list;
    return [list, this.rest(zone, known, label)];
  }

  back({ zone, title }, hidden, place) {
    const drawn = back(hidden, hidden ? this.words("hidden_cards", { number: hidden }) : title, { option: place, key: `zone-${zone}` });
    return place ? this.picked(drawn, place) : drawn;
  }

  card(zone, face, times, place) {
    const option = this.at("card", face, zone.zone) ?? place;
    const drawn = card(this.scene.faces[face], { times, option, key: `card-${zone.zone}-${face}` });
    if (option) this.picked(drawn, option);
    drawn.dataset.face = face;
    return drawn;
  }

  /** All cards of a stack that lies face up. */
  rest(zone, known, label) {
    const summary = h("summary", { "data-key": `all-${zone.zone}`, "aria-label": label }, "⋯");
    const cards = h("ul", { class: "cards" }, stacked(known).map(([face, times]) => h("li", {}, this.card(zone, face, times, null))));
    return folded(`${this.scene.game}-${zone.id}`, "all", summary, cards);
  }

  aside() {
    const zones = this.zones.filter((one) => one.place === "aside");
    if (!zones.length) return null;
    const summary = h("summary", { "data-key": "aside" }, this.words("aside"));
    return folded(`${this.scene.game}-aside`, "aside", summary, h("div", { class: "zones" }, zones.map((one) => this.zone(one))));
  }
}

const opened = new Set(); // what the reader has unfolded stays so when the table is drawn again

function folded(key, kind, summary, inside) {
  const toggled = ({ target }) => (target.open ? opened.add(key) : opened.delete(key));
  return h("details", { class: kind, open: opened.has(key), ontoggle: toggled }, [summary, inside]);
}

/** A zone with its place and shape, if nothing says them. */
function arranged(zone) {
  const place = zone.owner === null ? "market" : "hand";
  return { place, shape: place === "hand" ? "fan" : "row", ...zone };
}

/** Every place of an index, or of several ones. */
function places(per) {
  return per.reduce((found, { at }) => found.flatMap((before) => at.map((one) => [...before, one])), [[]]);
}

const range = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);

function grouped(things, keyOf) {
  const found = new Map();
  for (const one of things) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return [...found.values()];
}
