// Plays a compiled game and prints what a table shows of each position: `node view_node.mjs MODULE SCENE SEED MOST`.
import { readFile } from "node:fs/promises";
import { Game } from "../js/game.js";
import { actionOf, positionOf } from "../js/view.js";

const [module, scenePath, seed, most] = process.argv.slice(2);
const json = async (path) => JSON.parse(await readFile(path, "utf8"));
const [game, scene] = [await Game.load(await readFile(module), await json(module.replace(/\.wasm$/, ".json"))), await json(scenePath)];
const state = game.newState(BigInt(seed));
const seen = [];
for (let n = 0; n < Number(most) && !state.isTerminal(); n++) {
  const [seat] = state.deciders();
  const legal = state.legalActions(seat);
  const seats = Array.from({ length: game.players }, (_, one) => positionOf(state, scene, one));
  seen.push({ all: positionOf(state, scene), seats, actions: legal.map((action) => actionOf(game, scene, action)) });
  state.apply(legal[(n * 7) % legal.length], seat);
}
console.log(JSON.stringify(seen));
