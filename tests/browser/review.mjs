// Reviews texts at the desk: two people, a remark and its decline, and the file that is saved. See test_review_page.py.
// node review.mjs MODULES CHROMIUM ADDRESS FOLDER; FOLDER gets what is saved, and pictures.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { opened } from "./opened.mjs";

const [modules, chromium, address, folder] = process.argv.slice(2);
const { browser, page, seen, inspect } = await opened(modules, chromium, `${address}#desk`);

await page.click('[data-key="desk-kingme-uk"]');
await choose("end.winner"); // the first text is open already
await choose("setup.components");
seen.before = await page.textContent(".desk-review > .note");
await page.fill("#review-by", "Olena");
await page.click(".desk-review > details > summary");
await fill("wrong", "13 лицарів", "nominate.rise", "Їх 12.");
await page.waitForFunction(() => document.querySelector(".desk-review .wrong").textContent);
seen.refused = await page.textContent(".desk-review .wrong");
await page.fill("#review-words", "");
await page.evaluate(() => {
  const text = document.querySelector("#desk-text");
  const at = text.value.indexOf("13 персонажів");
  text.focus();
  text.setSelectionRange(at, at + "13 персонажів".length);
});
await page.focus("#review-words");
seen.selected = await page.inputValue("#review-words");
await page.click(".desk-review form button");
await page.waitForSelector(".review-said li.open");
seen.remark = await page.textContent(".review-said");
seen.listed = await page.textContent('[data-key="unit-setup.components"] small:not(.source)');
seen.own = await page.locator(".review-said details").count();
await inspect("remark");

await page.fill("#review-by", "Danylo");
await page.click('[data-key="review-right"]');
await page.waitForFunction(() => document.querySelectorAll(".review-said li").length === 2);
seen.disagreed = await page.textContent(".desk-review > .note");
for (const width of [1280, 390]) {
  await page.setViewportSize({ width, height: 900 });
  await page.locator(".desk-review").scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(folder, `review-${width}.png`), fullPage: true });
}
await page.click(".review-said details summary");
await page.fill(".review-said input", "Є 13.");
await page.click(".review-said form button");
await page.waitForFunction(() => !document.querySelector(".review-said li.open"));
seen.declined = await page.textContent(".review-said");
await inspect("declined");
await choose("end.winner");
seen.unread = await page.textContent(".desk-review > .note");
await save("review_save", "uk.review.yaml");
seen.status = await page.textContent("#status");

await page.click('[data-key="other_game"]'); // nothing is unsaved, so nothing is asked
await page.waitForSelector(".desk-games");
await page.setInputFiles("input[type=file]", join(folder, "uk.review.yaml"));
await page.waitForSelector(".desk");
await choose("end.winner");
await choose("setup.components");
seen.again = await page.textContent(".review-said");
await page.fill("#desk-text", (await page.inputValue("#desk-text")).replace("13 персонажів", "13 героїв"));
await choose("end.winner");
await choose("setup.components");
seen.changed = await page.textContent(".desk-review > .note");
await browser.close();
console.log(JSON.stringify(seen));

async function choose(id) {
  await page.click(`[data-key="unit-${id}"]`);
  await page.waitForFunction((wanted) => document.querySelector(".desk-editor h2 code")?.textContent === wanted, id);
}

async function fill(kind, words, rule, why) {
  await page.selectOption("#review-kind", kind);
  await page.fill("#review-words", words);
  await page.selectOption("#review-rule", rule);
  await page.fill("#review-why", why);
  await page.click(".desk-review form button");
}

async function save(key, name) {
  await page.evaluate(() => { delete window.showSaveFilePicker; });
  const download = page.waitForEvent("download");
  await page.click(`[data-key="${key}"]`);
  await (await download).saveAs(join(folder, name));
  await page.waitForFunction((wanted) => document.querySelector("#status").textContent.includes(wanted), name);
}
