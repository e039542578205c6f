// Plays in the page like a newcomer, and writes what was seen as JSON.
// node page.mjs MODULES CHROMIUM ADDRESS FOLDER; MODULES holds playwright-core and axe-core, FOLDER gets what is saved.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [modules, executablePath, address, folder] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "/"))("playwright-core");
const axe = readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8");
const args = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
const browser = await chromium.launch({ executablePath, args });
const page = await (await browser.newContext({ acceptDownloads: true, locale: "en" })).newPage();
page.setDefaultTimeout(90000);
const seen = { complaints: [], asked: [], violations: [], wide: [], times: {} };
page.on("console", (one) => one.type() === "error" && seen.complaints.push(one.text()));
page.on("pageerror", (one) => seen.complaints.push(one.message));
page.on("request", (one) => seen.asked.push(new URL(one.url()).host));

const began = Date.now();
await page.goto(address);
await choose("tic_tac_toe");
await page.click('[data-key="start"]');
await page.waitForSelector(".choices .do");
seen.times.action = Date.now() - began;
await inspect("table");
await page.click(".choices .why");
await inspect("rule");
await page.keyboard.press("Escape");
while (!(await page.$(".result"))) {
  // The game may end, or a bot may move, between a look and a click.
  await page.click(".square.lit, .choices .do", { timeout: 1500 }).catch(() => null);
}
seen.result = await page.textContent(".result");
const download = page.waitForEvent("download");
await page.click('[data-key="save"]');
await (await download).saveAs(join(folder, "saved.jsonl"));

await page.click('[data-key="other_game"]');
await choose("hearts");
await inspect("settings");
await page.fill("#seed", "7");
await page.selectOption("#seat-1", "person");
await page.click('[data-key="start"]');
await page.waitForSelector('[data-key="take"]');
seen.before = await page.textContent("main");
await page.click('[data-key="take"]');
await page.waitForSelector("button.card");
seen.hand = await page.$$eval(".seat.acting .card b", (found) => found.map((one) => one.textContent));
for (let part = 0; part < 3; part++) {
  await page.keyboard.press("Tab");
  await page.focus(".choices .do");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(100);
}
await page.waitForSelector('[data-key="take"]');
seen.between = await page.innerHTML("body");
await inspect("giving");
await page.click('[data-key="take"]');
await page.waitForSelector("button.card");
seen.other = await page.$$eval(".card b", (found) => found.map((one) => one.textContent));
await page.emulateMedia({ colorScheme: "dark" });
await inspect("dark");

await page.selectOption(".lang select", "uk");
await page.waitForFunction(() => document.documentElement.lang === "uk" && document.querySelector(".log h2")?.textContent === "Перебіг гри");
seen.uk = await page.textContent(".log");
await browser.close();
console.log(JSON.stringify(seen));

async function choose(game) {
  await page.click(`[data-key="game-${game}"]`);
  await page.waitForSelector('[data-key="start"]');
}

/** Looks for faults that users of screen readers and of phones would meet. */
async function inspect(name) {
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document));
    seen.violations.push(...violations.map(({ id, nodes }) => `${name} ${width}: ${id} ${nodes[0].html.slice(0, 120)}`));
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) seen.wide.push(`${name} ${width}`);
  }
}
