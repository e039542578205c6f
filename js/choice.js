// What a player picks for an action, thing by thing: pieces, squares, cards. Nothing here draws.
import { isGrid, isTrack, moved, stepsOf } from "./squares.js";

/** A choice between actions as `action_of` has them: those that fit what is `picked`, and what a click on a thing does.
 * `choose` receives an action, `draw` draws again. */
export class Picking {
  constructor({ scene, position, actions = [], choose, draw }) {
    Object.assign(this, { choose, draw, kind: null, actions: stepped(scene, position, actions), indices: new Map() });
    this.to([]);
  }

  /** Picks these things instead of others. */
  to(picked, kind = this.kind) {
    Object.assign(this, { picked, kind, indices: new Map(), lit: new Set() });
    const [only, ...others] = picked.length ? [] : [...this.index(0).values()];
    // a piece that alone can move is chosen already
    if (only && !others.length && this.left().every((one) => one.steps[0]?.from)) this.picked = [only[0].step];
    if (!picked.length) this.least = this.picked.length;
  }

  /** The actions that fit what is picked, or the first `number` things of it. */
  left(number = this.picked.length) {
    const picked = this.picked.slice(0, number);
    return this.actions.filter((one) => (this.kind === null || one.kind === this.kind) && rest(one.steps, picked) !== null);
  }

  /** What can be picked after so many things: the actions and steps for each thing. The elements of a set come in any order. */
  index(number) {
    if (this.indices.has(number)) return this.indices.get(number);
    const found = new Map();
    for (const one of this.left(number)) {
      const steps = rest(one.steps, this.picked.slice(0, number));
      const isNext = (step) => step.name === steps.find(({ type }) => type === step.type).name && (!step.to || step === steps[0]);
      for (const step of steps.filter(isNext)) {
        const key = `${step.type}:${step.at}`;
        if (!found.has(key)) found.set(key, []);
        if (found.get(key).at(-1)?.one !== one) found.get(key).push({ one, step });
      }
    }
    return this.indices.set(number, found).get(number);
  }

  next(number, { type, at, zone }) {
    return (this.index(number).get(`${type}:${at}`) ?? []).filter(({ step }) => zone === undefined || (step.zone ?? zone) === zone);
  }

  /** What a click on a thing does, such as a square, or a card in a zone (null: a member that lies nowhere); null if it is no choice
   * now. `is` says what it is:
   * `free` to be picked, the `target` of what is picked, what is `chosen` already, or an `other` thing to be picked in its place. */
  at(type, at, zone) {
    const thing = { type, at, zone };
    const number = this.picked.length;
    const found = this.next(number, thing);
    for (const { one, step } of found) if (zone !== null || one.steps.length === 1) this.lit.add(step);
    if (found.length) return this.option(found, number);
    const held = this.picked.findLastIndex((one) => isSame(one, thing));
    if (held >= 0) return { is: "chosen", text: this.picked[held].word, act: () => this.letGo(held) };
    for (let before = number - 1; before >= 0 && !this.picked[before].set; before -= 1) {
      const instead = this.next(before, thing);
      if (instead.length) return { ...this.option(instead, before), is: "other" };
    }
    return null;
  }

  option(found, number) {
    const [{ one, step }] = found;
    const isLast = found.length === 1 && one.steps.filter((other) => other.set).length < 2; // a set is confirmed
    const act = () => (isLast ? this.choose(one.action) : this.pick([...this.picked.slice(0, number), step]));
    const takes = step.to || found.length === 1 ? [...new Set(found.flatMap((other) => other.one.takes))] : [];
    return { is: step.to && number ? "target" : "free", text: found.length === 1 ? one.text : step.word, act, takes, goesOn: !isLast, found };
  }

  pick(picked, kind) {
    this.to(picked, kind);
    this.draw();
  }

  /** Takes back a thing that is picked; what was picked after a square is taken back with it. */
  letGo(at = this.least) {
    this.pick(this.picked[at]?.set ? this.picked.toSpliced(at, 1) : this.picked.slice(0, at));
  }

  /** What drawTable needs to know of the choice. */
  get given() {
    return { at: (...thing) => this.at(...thing), release: () => this.release(), threatened: this.threatened(), lit: this.moved() };
  }

  /** The zones whose cards lie there to be moved by what is chosen as a zone. */
  moved() {
    return new Set(this.left().filter(({ steps, move }) => steps.some(({ type, at }) => type === "zone" && at === move[1])).map(({ move }) => move[0]));
  }

  /** Lets everything go that is picked. */
  release() {
    if (this.picked.length > this.least) this.pick([]);
  }

  /** The squares of a type whose pieces the picked one may take. */
  threatened() {
    return new Set(this.picked.length ? [...this.index(this.picked.length).values()].flat().flatMap(({ one, step }) => (step.to ? one.takes : [])) : []);
  }

  /** Whether a thing of an action is lit where it lies, once the table is drawn. A zone that nothing but its action leads to says too
   * little, and so does a member as one thing of several. */
  isLit({ steps }, step = rest(steps, this.picked)[0]) {
    return steps[0]?.type !== "zone" && this.lit.has(step);
  }

  /** For elements of a set: how many are picked, how many there may be, and the action if they are enough. Null without a set. */
  confirms() {
    const left = this.left();
    const sizes = left.map(({ steps }) => steps.filter(({ set }) => set).length);
    if (left.some(({ kind }) => kind !== left[0].kind) || Math.max(...sizes) < 2) return null;
    const whole = left.find(({ steps }) => rest(steps, this.picked).length === 0);
    return { picked: this.picked.filter(({ set }) => set).length, least: Math.min(...sizes), most: Math.max(...sizes), action: whole?.action ?? null };
  }
}

const isSame = (one, other) => one.type === other.type && one.at === other.at && (one.zone === undefined || other.zone === undefined || one.zone === other.zone);

/** The steps of an action without what is picked; null if it does not fit. */
export function rest(steps, picked) {
  const left = [...steps];
  for (const one of picked) {
    const name = left.find(({ type }) => type === one.type)?.name; // things of one type are picked in order
    const at = left.findIndex((step) => step.name === name && isSame(step, one));
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

/** Actions with the `steps` in which each is picked and the squares of what it `takes`. The steps of a piece that moves are the squares
 * that it goes from and to, whatever the parts of the action name: a direction needs no step then. */
function stepped(scene, position, actions) {
  const values = position?.values; // none before one of several people has taken the device
  const found = actions.map((one) => ({ ...one, ...effect(scene, values, one) }));
  const times = new Map();
  for (const way of found.flatMap(({ ways }) => ways)) times.set(way.key, (times.get(way.key) ?? 0) + 1);
  for (const one of found) one.way = one.ways.length > 1 ? one.ways.find(({ key }) => times.get(key) === 1) : one.ways[0];
  const open = new Set(found.filter(({ way }) => !way).map(({ kind }) => kind));
  const labels = new Map(actions.flatMap(({ parts }) => parts.map(({ type, label }) => [type, label])));
  return zoned(scene, onTracks(scene, found).map((one) => ({ ...one, steps: one.way && !open.has(one.kind) ? [...squares(scene, one.way, labels), ...besides(one, found)] : one.parts })));
}

/** Actions that set the marker of a track to a number, with the step of the track in place of the number: if all of their kind do. */
function onTracks({ values }, actions) {
  const tracks = values.filter(isTrack);
  const track = ({ type, at }, { after = {} }) => (type === "int" ? tracks.find(({ name }) => Object.values(after[name] ?? {}).includes(at)) : undefined);
  const others = new Set(actions.filter((one) => !one.parts.some((part) => track(part, one))).map(({ kind }) => kind));
  return actions.map((one) => {
    if (others.has(one.kind)) return one;
    const parts = one.parts.map((part) => (track(part, one) ? { ...part, type: stepsOf(track(part, one)), to: true } : part));
    return { ...one, parts: [...parts.filter(({ to }) => !to), ...parts.filter(({ to }) => to)] };
  });
}

/** Actions that pick nothing, or the same as others, with the zone that they move a card to as their last step; a card that is drawn has
 * the zone that it comes from. */
function zoned({ zones }, actions) {
  const keys = actions.map(({ steps }) => steps.map(({ type, at }) => `${type}:${at}`).sort().join());
  const zoneOf = ({ move }) => move && (zones[move[0]].owner === null && zones[move[1]].owner !== null ? move[0] : move[1]);
  return actions.map((one, number) => {
    const [zone, alike] = [zoneOf(one), actions.filter((_, at) => keys[at] === keys[number])];
    const isOne = (zone ?? null) !== null && alike.filter((other) => zoneOf(other) === zone).length === 1;
    if (!isOne || (keys[number] && alike.length === 1)) return one;
    return { ...one, steps: [...one.steps, { name: "zone", type: "zone", at: zone, word: zones[zone].title, label: zones[zone].title, to: true }] };
  });
}

function effect(scene, values, { parts, after }) {
  if (!after) return { ways: [], takes: [] };
  const boards = moved(scene, values, Object.fromEntries(Object.entries({ ...values }).map(([name, cells]) => [name, { ...cells, ...after[name] }])));
  const ways = boards.flatMap(({ type, moves }) => moves.map(({ from, to }) => ({ type, from, to, key: `${type}:${from}-${to}` })));
  const [board] = boards;
  const isNamed = boards.length !== 1 || parts.some(({ type }) => isGrid(scene, type));
  if (!ways.length && !isNamed && board.came.length === 1) ways.push({ type: board.type, to: board.came[0], key: `${board.type}:${board.came[0]}` });
  return { ways, takes: boards.flatMap(({ type, taken }) => taken.map((at) => `${type}:${at}`)) };
}

function squares({ types }, { type, from, to }, labels) {
  const step = (name, at) => ({ name, type, at, word: types[type].words[at], label: labels.get(type) ?? type, [name]: true });
  return [from === undefined ? null : step("from", from), step("to", to)].filter(Boolean);
}

/** The parts of an action that its squares leave open: actions with the same squares differ in them. */
function besides({ kind, way, parts }, actions) {
  const alike = actions.filter((one) => one.kind === kind && one.way.key === way.key);
  return parts.filter(({ name, at }) => alike.some((one) => one.parts.some((other) => other.name === name && other.at !== at)));
}
