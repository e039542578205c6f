// Edits a spec in the workbench: `node workbench.mjs MODULES CHROMIUM ADDRESS`. Prints the findings as JSON.
import { opened } from "./opened.mjs";

const [modules, chromium, address] = process.argv.slice(2);
const { browser, page, seen, inspect } = await opened(modules, chromium, `${address}#workbench`);
await page.waitForSelector(".findings[data-checked]");
await page.locator("main select").selectOption("kingme");
await page.waitForSelector(".findings[data-checked='specs/kingme.yaml']");
await page.locator(".cm-content").click();
await page.keyboard.press("Control+Home");
await page.keyboard.type("zonse: 1\n");
await page.waitForFunction(() => JSON.parse(document.querySelector(".findings").dataset.report).length > 0);
seen.report = await page.locator(".findings").getAttribute("data-report");
await inspect("findings");

// An edit is kept by another game, another language and another tab that are chosen at once.
const first = () => page.locator(".cm-line").first().textContent();
const kept = async (go) => {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# x\n");
  await go();
  seen.kept.push(`${await page.locator("main select").inputValue()} ${await first()}`);
};
const shown = (game) => page.waitForSelector(`.findings[data-checked='specs/${game}.yaml']`);
seen.kept = [];
await kept(async () => {
  await page.locator("main select").selectOption("fortheking");
  await shown("fortheking");
  await page.locator("main select").selectOption("kingme");
  await shown("kingme");
});
await kept(async () => {
  const title = await page.locator("h1").textContent();
  await page.locator("header select").selectOption("uk");
  await page.waitForFunction((before) => document.querySelector("h1").textContent !== before, title);
});
await kept(async () => {
  await page.evaluate(() => (location.hash = "#play"));
  await page.locator(".bench").waitFor({ state: "detached" });
  await page.evaluate(() => (location.hash = "#workbench"));
  await page.waitForSelector(".findings[data-checked]");
  await page.locator("main select").selectOption("kingme");
  await shown("kingme");
});
await browser.close();
console.log(JSON.stringify(seen));
