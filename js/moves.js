// What moved between two positions of a table, and how it is shown.

const FLIGHT = 260; // milliseconds that a card is under way
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

/** Lets cards fly from where they lay to where they lie now, on a table that is drawn already. */
export async function animate(root, scene, before, after) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const flights = moves(scene, before, after).map((one) => flight(root, scene, one)).filter(Boolean);
  await Promise.all(flights);
}

function flight(root, scene, { from, to, faces }) {
  const [start, end] = [placeOf(root, scene, from), placeOf(root, scene, to)];
  if (!start || !end) return null;
  const ghosts = faces.slice(0, MOST).map((face, at) => fly(root, ghost(root, face), start, end, at));
  return Promise.all(ghosts);
}

/** Where a zone is drawn: its last card, or else its owner's panel. */
function placeOf(root, scene, number) {
  const zone = root.querySelector(`[data-zone="${number}"]`);
  const owner = root.querySelector(`[data-seat="${scene.zones[number].owner}"]`);
  const found = zone?.querySelector("li:last-child .card") ?? zone ?? owner;
  return found?.getBoundingClientRect();
}

function ghost(root, face) {
  const drawn = face === null ? null : root.querySelector(`.card[data-face="${face}"]`);
  const copy = (drawn ?? root.querySelector(".card.back") ?? root.querySelector(".card"))?.cloneNode(true);
  copy?.removeAttribute("data-key");
  return copy;
}

async function fly(root, copy, start, end, at) {
  if (!copy) return;
  const inside = root.getBoundingClientRect();
  copy.classList.remove("lit");
  copy.classList.add("ghost");
  copy.inert = true;
  root.append(copy);
  const place = ({ left, top, width }) => `translate(${left - inside.left}px, ${top - inside.top}px) scale(${Math.max(0.3, width / copy.offsetWidth)})`;
  const frames = [{ transform: place(start) }, { transform: place(end) }];
  await copy.animate(frames, { duration: FLIGHT, delay: at * 15, easing: "ease-in-out", fill: "both" }).finished.catch(() => null);
  copy.remove();
}
