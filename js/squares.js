// What lies on the squares of boards and the steps of tracks, and what a move does to it.

/** Whether the members of a type are squares of a grid. */
export const isGrid = ({ types }, type) => Boolean(types[type]?.places);

/** Whether the numbers of a value are steps that its markers stand at. */
export const isTrack = ({ draw }) => ["track", "tower"].includes(draw);

/** The type of the steps of a track, as squares have that of their board. */
export const stepsOf = ({ name }) => `steps-${name}`;

/** A value that says where each player's piece stands, such as a pawn: it lies on the board of its type. */
export const isPawn = (scene, { per, type }) => isGrid(scene, type) && per.length === 1 && per[0].type === "player";

/** What a move does, between the values of two positions: for each board whose squares have changed, the pieces that went `from` a
 * square `to` another one, the squares on which others `came`, and those on which pieces were `taken`. */
export function moved(scene, before, after) {
  const names = scene.values.filter(({ name }) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const [was, is] = [before, after].map((values) => standing(scene, names, values));
  return [...new Set([...was.keys(), ...is.keys()])].map((type) => ({ type, ...between(was.get(type) ?? new Map(), is.get(type) ?? new Map()) }));
}

/** The pieces on the squares of each type: what they are, and whose. Numbers, and what is only so or not, are no pieces. */
function standing(scene, values, contents) {
  const found = new Map();
  const add = (type, at, what, owner) => {
    const squares = found.get(type) ?? found.set(type, new Map()).get(type);
    const { what: others = "", owner: other = owner } = squares.get(at) ?? {};
    squares.set(at, { what: `${others} ${what}`, owner: other ?? owner });
  };
  for (const value of values) {
    const { kind } = scene.types[value.type];
    for (const [cell, content] of Object.entries(contents[value.name] ?? {})) {
      if (content === null) continue;
      if (isPawn(scene, value)) add(value.type, content, `${value.name}-${cell}`, Number(cell));
      else if (value.draw === "board" && ["player", "enum"].includes(kind)) add(value.per[0].type, Number(cell), `${value.name}=${content}`, kind === "player" ? content : undefined);
    }
  }
  return found;
}

function between(was, is) {
  const differ = (one, others) => [...one].filter(([at, { what }]) => others.get(at)?.what !== what).map(([at, piece]) => ({ at, ...piece }));
  const [left, came] = [differ(was, is), differ(is, was)];
  const moves = [];
  const same = (one, other) => one.at !== other.at && one.what === other.what;
  const becomes = (one, other) => one.at !== other.at && one.owner !== undefined && one.owner === other.owner && !is.has(one.at);
  for (const alike of [same, becomes]) {
    for (const to of [...came]) {
      const from = left.find((one) => alike(one, to));
      if (!from) continue;
      left.splice(left.indexOf(from), 1);
      came.splice(came.indexOf(to), 1);
      moves.push({ from: from.at, to: to.at });
    }
  }
  const taken = left.filter(({ at }) => !came.some((one) => one.at === at)); // others have only been turned into something else
  return { moves, came: came.map(({ at }) => at), taken: taken.map(({ at }) => at) };
}
