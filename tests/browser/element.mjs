// Plays `<ftk-table>`: `node element.mjs MODULES BROWSER ADDRESS`, where the folder that is served has js/ and the files of King Me! in
// `site`. It writes down as JSON what was seen.
import { createRequire } from "node:module";

const [modules, browser, root] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/`)("playwright-core");
const running = await chromium.launch({ executablePath: browser });
const page = await running.newPage({ viewport: { width: 390, height: 900 }, reducedMotion: "reduce" });
const seen = { wrong: [] };
page.on("pageerror", (error) => seen.wrong.push(String(error)));
page.on("console", (message) => message.type() === "error" && !/404/.test(message.text()) && seen.wrong.push(message.text()));

await page.goto(`${root}example.html`);
await page.locator("ftk-table .moves button").first().waitFor();
seen.seed = await page.evaluate(() => document.querySelector("ftk-table").state.zone("goals").length);
await page.locator("ftk-table .moves button").first().click();
await page.locator("ftk-table .moves button").first().click();
seen.said = await page.locator("#said").textContent();
seen.own = await page.evaluate(() => document.querySelector("ftk-table").state.deciders());
seen.wide = await page.evaluate(() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth);

seen.log = await page.evaluate(async () => {
  const table = document.querySelector("ftk-table");
  const over = new Promise((resolve) => { table.addEventListener("ftk-over", ({ detail }) => resolve(detail), { once: true }); });
  table.removeAttribute("seat");
  table.setAttribute("log", "site/game.jsonl");
  await new Promise((resolve) => { setTimeout(resolve, 500); });
  table.step(10000);
  return over;
});
seen.bot = await page.evaluate(async () => {
  const table = document.createElement("ftk-table");
  for (const [name, file] of [["module", "wasm"], ["description", "json"], ["scene", "scene.json"]]) table.setAttribute(name, `site/connect_four-2.${file}`);
  table.setAttribute("seat", "0");
  document.body.append(table);
  const until = async (done) => { while (!done()) await new Promise((resolve) => { setTimeout(resolve, 5); }); };
  await until(() => table.state);
  const own = () => table.state.deciders()[0] === 0;
  const [begun, choose] = [performance.now(), () => table.choose(0, table.state.legalActions(0)[0])];
  choose();
  let ticks = 0;
  await until(() => (ticks += 1) && own());
  const took = performance.now() - begun;
  table.setAttribute("bot", "random");
  await until(() => own() && table.state.legalActions(0).length === 7);
  choose();
  await until(own);
  const said = table.shadowRoot.textContent.split("plays at random").length - 1;
  table.remove();
  return { thinks: took >= 200, free: ticks > 5, random: said };
});
const failure = async (name, value) => {
  await page.evaluate(([key, set]) => document.querySelector("ftk-table").setAttribute(key, set), [name, value]);
  await page.locator("ftk-table [role=alert]").waitFor();
  const said = await page.locator("ftk-table [role=alert]").textContent();
  await page.evaluate(([key]) => document.querySelector("ftk-table").setAttribute(key, { module: "site/kingme-3.wasm", scene: "site/kingme-3.scene.json" }[key]), [name]);
  await page.locator("ftk-table .ftk-table").waitFor();
  return said;
};
seen.missing = await failure("module", "site/none.wasm");
seen.format = await failure("scene", "site/kingme-3.json");
await running.close();
console.log(JSON.stringify(seen));
