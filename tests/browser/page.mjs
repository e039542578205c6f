// Plays in the page like a newcomer, and writes what was seen as JSON.
// node page.mjs MODULES CHROMIUM ADDRESS FOLDER; MODULES holds playwright-core and axe-core, FOLDER gets what is saved.
import { join } from "node:path";
import { opened } from "./opened.mjs";

const [modules, chromium, address, folder] = process.argv.slice(2);
const began = Date.now();
const { browser, page, seen, inspect } = await opened(modules, chromium, address);
await page.waitForSelector(".door-card");
await inspect("door");
await page.fill("#door-words", "tic");
await page.selectOption("#door-players", "2");
seen.filtered = await page.$$eval(".door-card:not([hidden]) h3", (found) => found.map((one) => one.textContent));
await choose("tic_tac_toe");
await page.click('[data-key="start"]');
await page.waitForSelector(".square.lit");
seen.times = { action: Date.now() - began };
await inspect("table");
seen.aim = await page.textContent(".aim");
await page.click('[data-key="hint"]');
seen.hint = await page.textContent(".hint");
await page.click('[data-key="rule"]');
await inspect("rule");
await page.keyboard.press("Escape");
while (!(await page.$(".result"))) {
  // The game may end, or a bot may move, between a look and a click.
  await page.click(".square.lit", { timeout: 1500 }).catch(() => null);
}
seen.result = await page.textContent(".result");
const download = page.waitForEvent("download");
await page.click('[data-key="save"]');
await (await download).saveAs(join(folder, "saved.jsonl"));

await page.click('[data-key="other_game"]');
await page.setInputFiles('input[accept^=".jsonl"]', join(folder, "saved.jsonl"));
await page.waitForSelector("#seat-1");
await inspect("continued");
await page.selectOption("#seat-1", "person");
await page.click('[data-key="start"]');
await page.waitForSelector(".result");
seen.continued = await page.textContent(".result");
await page.click('[data-key="other_game"]');
await choose("hearts");
await inspect("settings");
await page.click('[data-key="more"]');
await page.fill("#seed", "7");
await page.selectOption("#seat-1", "person");
await page.click('[data-key="start"]');
await page.waitForSelector('[data-key="take"]');
seen.before = await page.textContent("main");
await page.click('[data-key="take"]');
await page.waitForSelector("button.card");
const named = (selector) => page.$$eval(selector, (found) => found.map((one) => one.getAttribute("aria-label") ?? one.querySelector(".unseen").textContent));
seen.hand = await named(".player.own .card");
for (let part = 0; part < 3; part++) {
  await page.focus(".player.own .card.lit:not(.chosen)");
  await page.keyboard.press("Enter");
}
await page.focus(".confirm");
await page.keyboard.press("Enter");
await page.waitForSelector('[data-key="take"]');
seen.between = await page.innerHTML("body");
await inspect("giving");
await page.click('[data-key="take"]');
await page.waitForSelector("button.card");
seen.other = await named(".card[data-face]");
await page.emulateMedia({ colorScheme: "dark" });
await inspect("dark");

await page.selectOption(".lang select", "uk");
await page.waitForFunction(() => document.documentElement.lang === "uk" && document.querySelector(".log h2")?.textContent === "Перебіг гри");
seen.uk = await page.textContent(".log");

// The rules of the game, and back to where it was left.
await page.click('[data-key="tab-door"]');
await page.waitForSelector(".door-card");
await page.click('[data-key="tab-play"]');
await page.waitForSelector('[data-key="take"]');

// A link to a game of several people, in which a bot moves first, while another game is not finished.
page.on("dialog", (one) => { seen.question = one.message(); one.accept(); });
await page.evaluate(() => {
  const look = () => seen.push(main.querySelectorAll(".card, .log").length);
  const [main, seen] = [document.getElementById("main"), (globalThis.shown = [])];
  new MutationObserver(look).observe(main, { childList: true });
  location.hash = "#play?game=hearts&seed=8&seats=random,person,person,random&moves=";
});
await page.waitForSelector(".thinks");
await page.waitForSelector('[data-key="take"]');
seen.early = await page.evaluate(() => globalThis.shown);
seen.address = page.url();

// A second visit without a network, once everything is kept.
await page.evaluate(() => navigator.serviceWorker.ready);
await page.context().setOffline(true);
await page.goto(address);
await page.click('[data-key="rules-kingme"]');
await page.waitForSelector(".rulebook h1");
seen.offline = await page.textContent(".rulebook h1");
await browser.close();
console.log(JSON.stringify(seen));

async function choose(game) {
  await page.click(`[data-key="game-${game}"]`);
  await page.waitForSelector('[data-key="start"]');
}
