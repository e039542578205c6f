// What clicks on a table pick, by js/choice.js, for the cases of a JSON file: `node choices.mjs MODULE FILE`. The `things` of a case are named by
// words, each a list of a type and a number. After each click on one of them, it writes what each is to the choice, or the action that was chosen.
import { readFileSync } from "node:fs";

const [module, file] = process.argv.slice(2);
const { Picking } = await import(module);
console.log(JSON.stringify(JSON.parse(readFileSync(file, "utf8")).map(played)));

function played({ scene, position, actions, things, clicks }) {
  let chosen = null;
  const picking = new Picking({ scene, position, actions, choose: (action) => { chosen = actions.find((one) => one.action === action).text; }, draw: () => null });
  const seen = [told(scene, picking, things)];
  for (const click of clicks) {
    if (click === "confirm") picking.choose(picking.confirms().action);
    else picking.at(...things[click]).act();
    seen.push(chosen ?? told(scene, picking, things));
  }
  return seen;
}

function told(scene, picking, things) {
  const found = {};
  const word = (key) => scene.types[key.split(":")[0]].words[key.split(":")[1]];
  for (const [name, thing] of Object.entries(things)) {
    const is = picking.at(...thing);
    if (is) (found[is.is] ??= []).push(is.takes?.length ? `${name} takes ${is.takes.map(word)}` : name);
  }
  const set = picking.confirms();
  return set ? { ...found, confirm: `${set.picked} of ${set.most}${set.action === null ? "" : ", enough"}` } : found;
}
