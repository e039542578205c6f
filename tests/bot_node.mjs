// Plays a compiled game by bots, in turn on each seat, against random players: `node bot_node.mjs MODULE GAMES MILLISECONDS`. It prints
// the wins of the bots (a tie is a half), and the longest time of a choice.
import { readFile } from "node:fs/promises";
import { think } from "../js/bot.js";
import { Game } from "../js/game.js";

const [module, games, time] = process.argv.slice(2);
const game = await Game.load(await readFile(module), JSON.parse(await readFile(module.replace(/\.wasm$/, ".json"), "utf8")));
let [wins, longest] = [0, 0];
for (let number = 0; number < Number(games); number++) {
  const own = number % game.players;
  const state = game.newState(number);
  while (!state.isTerminal()) {
    const [seat] = state.deciders();
    const legal = state.legalActions(seat);
    const begun = performance.now();
    const action = seat === own ? await think(state, seat, Number(time)) : legal[Math.floor(Math.random() * legal.length)];
    longest = Math.max(longest, performance.now() - begun);
    state.apply(action, seat);
  }
  const places = state.ranking();
  wins += places[own] === 1 ? 1 / places.filter((place) => place === 1).length : 0;
}
console.log(JSON.stringify([wins, longest]));
