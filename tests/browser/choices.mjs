// What clicks on a table pick, by js/choice.js, for the cases of a JSON file: `node choices.mjs MODULE FILE`. After each click of a case, a list of a type
// and a number, it writes what each thing of the types is to the choice, in the words of the scene, and the action that was chosen.
import { readFileSync } from "node:fs";

const [module, file] = process.argv.slice(2);
const { Picking } = await import(module);
console.log(JSON.stringify(JSON.parse(readFileSync(file, "utf8")).map(played)));

function played({ scene, position, actions, clicks }) {
  let chosen = null;
  const picking = new Picking({ scene, position, actions, choose: (action) => { chosen = actions.find((one) => one.action === action).text; }, draw: () => null });
  const seen = [told(scene, picking)];
  for (const [type, at] of clicks) {
    if (!type) picking.choose(picking.confirms().action);
    else picking.at(type, at).act();
    seen.push(chosen ?? told(scene, picking));
  }
  return seen;
}

function told(scene, picking) {
  const found = {};
  const words = (type) => (type === "card" ? scene.faces.map(({ name }) => name) : scene.types[type].words);
  for (const type of ["card", ...Object.keys(scene.types).filter((key) => scene.types[key].places)]) words(type).forEach((word, at) => {
    const thing = picking.at(type, at);
    if (thing) (found[thing.is] ??= []).push(thing.takes?.length ? `${word} takes ${thing.takes.map((key) => words(type)[key.split(":")[1]])}` : word);
  });
  const set = picking.confirms();
  return set ? { ...found, confirm: `${set.picked} of ${set.most}${set.action === null ? "" : ", enough"}` } : found;
}
