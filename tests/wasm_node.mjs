// Plays a compiled game with the wrapper: one line of JSON in, [what, ...arguments], one line out.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Game } from "../js/game.js";

const [path] = process.argv.slice(2);
const description = JSON.parse(await readFile(path.replace(/\.wasm$/, ".json"), "utf8"));
const game = await Game.load(await readFile(path), description);

function playGames(seed, first, count) {
  game.playGames(seed, first, 1); // so that the memory and the code are there
  const before = process.cpuUsage();
  const columns = game.playGames(seed, first, count);
  const used = process.cpuUsage(before);
  const hash = createHash("sha256");
  for (const column of Object.values(columns)) hash.update(column);
  return [hash.digest("hex"), (used.user + used.system) / 1e6];
}

function position(state) {
  const asked = state.deciders().map((seat) => [seat, state.legalActions(seat)]);
  const zones = Object.keys(description.zones).map((name) => state.zone(name));
  const values = Object.keys(description.values).map((name) => state.value(name));
  return { asked, zones, values, ranking: state.ranking(), scores: state.scores(), returns: state.returns() };
}

function trace(seed, step, most) {
  let state = game.newState(BigInt(seed));
  const positions = [position(state)];
  for (let n = 0; n < most && !state.isTerminal(); n++) {
    const before = state;
    state = state.clone(); // the state before must stay as it is
    const [seat, legal] = positions.at(-1).asked[0];
    state.apply(legal[(n * step) % legal.length], seat);
    positions.push(position(state));
    if (before.isTerminal()) throw new Error("the state before has changed");
  }
  return positions;
}

const says = (actions) => actions.map((action) => game.actionToString(action));
const commands = { playGames: (seed, ...rest) => playGames(BigInt(seed), ...rest), trace, says };
for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...rest] = JSON.parse(line);
  console.log(JSON.stringify(commands[what](...rest)));
}
