// Plays at tables of the page by clicks, drags and keys: `node picked.mjs MODULES CHROMIUM ADDRESS CASES`; each of CASES, as JSON, is a game,
// who plays it, and steps: "click KEY", "drag KEY KEY", "focus KEY" or "press NAME", where a key is the `data-key` of an element. It writes
// down what is chosen and where it can go before the last step, as screen readers have it, and the choices that are logged afterwards.
import { opened } from "./opened.mjs";

const [modules, chromium, address, cases] = process.argv.slice(2);
const { browser, page, seen, inspect } = await opened(modules, chromium, address);
page.setDefaultTimeout(60000);
await page.setViewportSize({ width: 1280, height: 900 });
page.on("dialog", (one) => one.accept()); // a game is given up for the next one
const at = (key) => `.game [data-key="${key}"]`;
const labels = (which) => page.$$eval(`.table .${which}`, (found) => found.map((one) => [...one.querySelectorAll(".unseen")].map(({ textContent }) => textContent).join("")));
const DO = {
  click: (key) => page.click(at(key), { position: { x: 9, y: 9 } }),
  drag: (from, to) => page.dragAndDrop(at(from), at(to)),
  focus: (key) => page.focus(at(key)),
  press: (name) => page.keyboard.press(name),
};
seen.games = [];
for (const [game, seats, steps] of JSON.parse(cases)) {
  await page.evaluate((hash) => { location.hash = hash; }, `#play?game=${game}&seed=2&seats=${seats}&moves=`);
  await page.waitForSelector(`[data-game="${game}"] .lit`);
  const found = {};
  for (const [number, step] of steps.entries()) {
    if (number === steps.length - 1) Object.assign(found, { chosen: await labels("chosen"), targets: await labels("target") });
    const [name, ...keys] = step.split(" ");
    await DO[name](...keys);
  }
  if (seen.games.length < 2) await inspect(game);
  await page.setViewportSize({ width: 1280, height: 900 });
  found.log = await page.waitForSelector(".log .choice", { state: "attached", timeout: 5000 }).then(() => page.$$eval(".log .choice", (found) => found.at(-1).textContent), () => "");
  await page.click('[data-key="other_game"]');
  seen.games.push(found);
}
await browser.close();
console.log(JSON.stringify(seen));
