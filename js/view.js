// What js/table.js draws, of a state that a module of WebAssembly holds: the same data as `position_of` and `action_of` in Python.
// `scene` is the file GAME-N.scene.json of `ftk compile --target wasm`.

/** A position as a seat may know it; null sees all but what lies face down for everybody. A seat sees the zones and values that
 * it always sees: what it remembers, and what it sees only at times, is left out. Values that are derived are unknown. */
export function positionOf(state, scene, seat = null) {
  return {
    zones: scene.zones.map((zone, number) => zoneOf(state, zone, number, seat)).filter(({ size }) => size),
    values: Object.fromEntries(scene.values.filter(({ register }) => register !== null).map((value) => [value.name, cellsOf(state, value, seat)])),
    next: state.deciders(),
    over: state.isTerminal(),
  };
}

function zoneOf(state, zone, number, seat) {
  const seen = seat === null ? zone.looked : zone.seen.includes(seat);
  const cards = state.zone(zone.id);
  const faces = seen ? cards.map((card) => state.game.description.cards[card]) : cards.map(() => null);
  if (!zone.ordered) faces.sort((one, other) => one - other);
  return { zone: number, size: cards.length, faces, seen };
}

function cellsOf(state, { register, per, hidden }, seat) {
  const known = cells(per).filter((cell) => seat === null || !(cell in hidden) || hidden[cell].includes(seat));
  return Object.fromEntries(known.map((cell) => [cell, contentOf(state, register + cell)]));
}

function contentOf(state, register) {
  const content = state.cell("registers", register);
  return content === state.game.description.numbers.absent ? null : content;
}

/** The numbers of the cells of a value with these indices. */
function cells(per) {
  return per.reduce((found, { extent, low, at }) => found.flatMap((cell) => at.map((one) => cell * extent + one - low)), [0]);
}

/** The values after an action, if nothing is hidden in the game and no chance is drawn; else undefined. */
export function afterOf(state, scene, action, seat) {
  if (!scene.open || state.deciders().length > 1) return undefined;
  const next = state.clone().apply(action, seat);
  const { random } = state.game.description.state;
  return next.view.getBigInt64(random) === state.view.getBigInt64(random) ? positionOf(next, scene).values : undefined;
}

/** An action in the words of the scene, with its parts, which lie on the table. */
export function actionOf(game, scene, action) {
  const option = scene.actions.options.findLast(({ first }) => first <= action);
  const picked = digitsOf(option, action - option.first);
  const words = (pick, digit) => scene.actions.words[pick.words][digit];
  const said = (pick, digit) => scene.actions.words[pick.said ?? pick.words][digit];
  const named = Object.fromEntries(option.picks.map((pick) => [pick.name, listed(scene, picked.get(pick).map((digit) => said(pick, digit)))]));
  return {
    action,
    text: filled(option.says, named),
    kind: filled(option.says, Object.fromEntries(Object.keys(named).map((name) => [name, "…"]))),
    title: option.title,
    rule: option.rule,
    parts: option.picks.flatMap((pick) => picked.get(pick).map((digit) => ({ name: pick.name, type: pick.type, at: digit + pick.least, word: words(pick, digit).replaceAll("_", " "), label: pick.label, ...(pick.ranks && { set: true }) })).reverse()),
  };
}

/** What each pick stands for: one digit, or those of the elements of a set, the lowest first. */
function digitsOf({ picks }, number) {
  const found = new Map();
  for (const pick of [...picks].reverse()) {
    let digit = number % pick.size;
    number = Math.floor(number / pick.size);
    found.set(pick, pick.ranks ? pick.ranks.map((ranks) => { const at = ranks.findLastIndex((rank) => rank <= digit); digit -= ranks[at]; return at; }).reverse() : [digit]);
  }
  return found;
}

/** Words as a list, equal ones once with their number. */
function listed({ actions }, words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([name, number]) => (number === 1 ? name : filled(actions.times, { name, number }))).join(actions.comma);
}

/** A template with its values, and with spaces between Chinese and Latin characters as messages have them. */
function filled(template, values) {
  const parts = template.split(/\{(\w+)\}/).map((part, at) => (at % 2 ? String(values[part] ?? `{${part}}`) : part));
  return parts.reduce((made, part) => made + (APART.test(`${made.slice(-2)}|${part.slice(0, 2)}`) ? " " : "") + part, "");
}

// A letter alone stands without spaces: 把A放到第1層.
const APART = /[\u4e00-\u9fff]\|(?:[A-Za-z]{2}|[a-z`])|(?:[A-Za-z]{2}|[a-z`])\|[\u4e00-\u9fff]/;
