// Works at the desk of localisers: an erratum in every language of a game, and an export. See test_desk_page.py.
// node desk.mjs MODULES CHROMIUM ADDRESS FOLDER; FOLDER gets what is saved.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { opened } from "./opened.mjs";

const [modules, chromium, address, folder] = process.argv.slice(2);
const { browser, page, seen, inspect } = await opened(modules, chromium, `${address}#desk`);
seen.wrong = {};
seen.mended = {};

await page.waitForSelector('[data-key="desk-fortheking-en"]');
seen.early = await page.evaluate(() => !document.body.dataset.ready); // the games are listed while Python loads
seen.games = await page.textContent(".desk-games");
await inspect("games");
for (const lang of ["en", "uk", "zh-Hant"]) {
  await page.click(`[data-key="desk-fortheking-${lang}"]`);
  await choose("setup.deck");
  const text = await page.inputValue("#desk-text");
  await page.fill("#desk-text", text.replace("72", "73"));
  await page.waitForSelector(".desk-finding");
  seen.wrong[lang] = await page.textContent(".desk-findings");
  await inspect(`finding ${lang}`);
  await page.fill("#desk-text", `${text.trimEnd()} `);
  await page.waitForSelector(".desk-findings > .note");
  await page.fill("#desk-heading", `${await page.inputValue("#desk-heading")} 2`);
  await page.click('[data-key="desk-confirm"]');
  await page.waitForFunction(() => document.querySelector("#status").textContent);
  await save("desk_save", `${lang}.yaml`);
  await save("desk_po", `${lang}.po`);
  page.once("dialog", (one) => one.accept());
  await page.click('[data-key="other_game"]');
}

await page.click('[data-key="desk-fortheking-uk"]');
await choose("setup.random_removal");
seen.progress = await page.textContent(".desk-progress");
seen.titles = await page.textContent('[data-key="unit-setup.deck"]');
await page.selectOption("#desk-players", "3");
await page.waitForFunction(() => document.querySelector(".desk-beside ol")?.textContent.includes("22") === false);
seen.does = await page.textContent(".desk-beside ol");
await page.click(".desk-beside details:has(> div) summary");
seen.moment = await page.textContent(".desk-beside details:has(> div) ul");
await page.selectOption(".lang select", "uk");
await page.waitForFunction(() => document.querySelector(".desk-editor label")?.textContent === "Назва");
await page.emulateMedia({ colorScheme: "dark" });
await inspect("dark");
await browser.close();
console.log(JSON.stringify(seen));

async function choose(id) {
  await page.click(`[data-key="unit-${id}"]`);
  await page.waitForFunction((wanted) => document.querySelector(".desk-editor h2 code")?.textContent === wanted, id);
}

/** Saves what a button downloads. A browser that asks for a file would wait for a person. */
async function save(key, name) {
  await page.evaluate(() => { delete window.showSaveFilePicker; });
  const download = page.waitForEvent("download");
  await page.click(`[data-key="${key}"]`);
  await (await download).saveAs(join(folder, name));
}
