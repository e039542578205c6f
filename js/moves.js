// What moved between two positions of a table, and how it is shown.
import { back, card } from "./cards.js";

const FLIGHT = 400; // milliseconds that a card is under way
const APART = 40; // milliseconds between cards that fly the same way
const MOST = 6; // cards of one move that fly

/** The cards that went from zone to zone: a list of `{ from, to, faces }`, with null for a face that is not known. */
export function moves(scene, before, after) {
  const [lost, gained] = differences(before, after);
  const found = new Map();
  for (const alike of [(a, b) => a !== null && a === b, (a, b) => a === null || b === null]) {
    for (const to of gained) for (const from of lost) if (from.zone !== to.zone) match(found, from, to, alike);
  }
  return [...found.values()];
}

/** What each zone lost and gained. */
function differences(before, after) {
  const zones = new Map();
  const of = (number) => zones.get(number) ?? zones.set(number, { was: [], is: [] }).get(number);
  for (const { zone, faces } of before.zones) of(zone).was = faces;
  for (const { zone, faces } of after.zones) of(zone).is = faces;
  const every = [...zones].map(([zone, { was, is }]) => ({ zone, ...exchanged(less(was, is), less(is, was)) }));
  const having = (what) => every.filter((one) => one[what].length).map((one) => ({ zone: one.zone, faces: one[what] }));
  return [having("lost"), having("gained")];
}

/** Faces without others. */
function less(faces, others) {
  const left = [...faces];
  for (const one of others) {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** What a zone lost and gained, without cards that have only been turned: their faces became known, or unknown. */
function exchanged(lost, gained) {
  const hidden = (faces) => faces.filter((one) => one === null).length;
  const down = Math.min(hidden(gained), lost.length);
  const up = Math.min(hidden(lost), gained.length);
  const rest = (faces, nulls, seen) => [...faces.filter((one) => one !== null).slice(seen), ...faces.filter((one) => one === null).slice(nulls)];
  return { lost: rest(lost, up, down), gained: rest(gained, down, up) };
}

function match(found, from, to, alike) {
  for (const face of [...to.faces]) {
    const other = from.faces.findIndex((one) => alike(one, face));
    if (other < 0) continue;
    const [was] = from.faces.splice(other, 1);
    to.faces.splice(to.faces.indexOf(face), 1);
    const key = `${from.zone}-${to.zone}`;
    if (!found.has(key)) found.set(key, { from: from.zone, to: to.zone, faces: [] });
    found.get(key).faces.push(face ?? was);
  }
}

/** The numbers of zones and the names of values that differ between two positions. */
export function changes(scene, before, after) {
  const zones = moves(scene, before, after).flatMap(({ from, to }) => [from, to]);
  const names = Object.keys({ ...before.values, ...after.values });
  const differ = (name) => JSON.stringify(before.values[name] ?? null) !== JSON.stringify(after.values[name] ?? null);
  return new Set([...zones, ...names.filter(differ)]);
}

/** Where the zones of a table and their cards are, by numbers of zones, and where its players are, by "seat 0" and so on. */
export function placesOf(root) {
  const [found, corner] = [new Map(), root.getBoundingClientRect()];
  for (const zone of root.querySelectorAll("[data-zone]")) {
    const cards = [...zone.querySelectorAll(".card")].map((one) => placed(one, corner)).filter(({ width }) => width);
    found.set(Number(zone.dataset.zone), { ...placed(zone, corner), cards });
  }
  for (const seat of root.querySelectorAll(".player[data-seat]")) found.set(`seat ${seat.dataset.seat}`, { ...placed(seat, corner), cards: [] });
  return found;
}

/** The middle of an element, from the corner of the table, and its size. */
function placed(element, corner) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { element, face: element.dataset.face, x: left + width / 2 - corner.left, y: top + height / 2 - corner.top, width, height };
}

/** Lets cards fly from where they lay to where they lie now, on a table that is drawn already. `was` is what `placesOf` found
 * on the table before. */
export async function animate(root, scene, before, after, was = null, duration = FLIGHT) {
  if (!duration || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const now = placesOf(root);
  const flights = moves(scene, before, after).flatMap(({ from, to, faces }) => faces.slice(0, MOST).map((face, at) => {
    const [start, end] = [place(was ?? now, scene, from, face), place(now, scene, to, face)];
    return start && end && fly(root, face === null ? back(1, "") : card(scene.faces[face]), start, end, duration, at * APART);
  }));
  await Promise.all(flights);
}

/** Where a card is in a zone: its own place, that of the last card there, the middle of the zone, or else that of its owner. */
function place(places, scene, number, face) {
  const zone = places.get(number);
  if (!zone?.width) return places.get(`seat ${scene.zones[number].owner}`);
  const last = zone.cards.at(-1);
  return zone.cards.find((one) => one.face === String(face)) ?? (last ? { ...last, face: "" } : zone);
}

/** Lets a card fly, never larger than it is where it lies: where no card lies, it has the size of the other end. */
async function fly(root, copy, start, end, duration, delay) {
  copy.classList.add("ghost");
  copy.inert = true;
  root.append(copy);
  const fits = ({ width, height }) => Math.min(width / copy.offsetWidth, height / copy.offsetHeight);
  const sizes = [start, end].filter((one) => !one.cards).map(fits);
  const at = (one) => `translate(${one.x}px, ${one.y}px) translate(-50%, -50%) scale(${one.cards ? Math.min(...sizes, 1) : fits(one)})`;
  const arriving = end.face && !end.element.closest(".shape-stack") ? end.element : null; // on a stack the card below would be missed
  arriving?.classList.add("arriving");
  const options = { duration, delay, easing: "ease-in-out", fill: "both" };
  await copy.animate([{ transform: at(start) }, { transform: at(end) }], options).finished.catch(() => null);
  arriving?.classList.remove("arriving");
  copy.remove();
}
