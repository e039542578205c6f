// Edits a spec in the workbench: `node workbench.mjs MODULES CHROMIUM ADDRESS TEXT [PICTURES]`, TEXT
// that of a spec. Prints the findings as JSON.
import { opened } from "./opened.mjs";

const [modules, chromium, address, text, pictures] = process.argv.slice(2);
const { browser, page, seen, inspect } = await opened(modules, chromium, `${address}#workbench`);
await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
await page.waitForSelector(".findings[data-checked]");
await page.locator("[data-key='game']").selectOption("kingme");
await page.waitForSelector(".findings[data-checked='specs/kingme.yaml']");
await page.locator(".cm-content").first().click();
await page.keyboard.press("Control+Home");
await page.keyboard.type("zonse: 1\n");
await page.waitForFunction(() => JSON.parse(document.querySelector(".findings").dataset.report).length > 0);
seen.report = await page.locator(".findings").first().getAttribute("data-report");
await inspect("findings");

// What changed, from the keyboard; then the tabs of the files, by their keys.
const name = "specs/kingme.yaml";
const put = async (change) => {
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("Control+a");
  await page.evaluate((given) => navigator.clipboard.writeText(given), change(text));
  await page.keyboard.press("Control+v");
};
const tab = () => page.locator("[role='tab'][aria-selected='true']");
await put((text) => text.replace(" 1: 1, 2: 2,", " 1: 0, 2: 2,"));
await page.locator("[data-key='compare']").press("Enter");
await page.waitForSelector(".compared ins");
seen.changed = await page.locator(".compared ins").allTextContents();
seen.left = await page.locator(".findings").first().getAttribute("data-report");
await page.locator("[data-key='effect-pairs']").selectOption("100");
await page.locator("[data-key='effect-start']").press("Enter");
await page.locator("[data-key='effect-stop']").press("Enter"); // the page answers while the worker plays
seen.stopped = await page.evaluate(() => document.activeElement.dataset.key);
await page.locator("[data-key='effect-pairs']").selectOption("20");
await page.locator("[data-key='effect-start']").press("Enter");
await page.waitForSelector(".effect [data-pairs='20']");
seen.effect = await page.locator(".effect tbody tr").allTextContents();
await inspect("changes");
if (pictures) {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${pictures}/effect-${width}.png`, fullPage: true });
  }
}

// A text beside the spec.
await page.locator("[data-key='beside']").selectOption("specs/translations/kingme/uk.yaml");
seen.beside = await page.locator(".editor").nth(1).locator(".cm-content").getAttribute("aria-label");
await inspect("beside");
if (pictures) await page.screenshot({ path: `${pictures}/beside.png` });
// The text contradicts the changed spec, agrees with the old one, and is wrong once it is edited itself.
const uk = seen.beside;
const beside = page.locator(`.findings[data-checked='${uk}']`);
const foundThere = async (are) => {
  await page.waitForFunction(([name, wanted]) => {
    const { report } = document.querySelector(`.findings[data-checked='${name}']`)?.dataset ?? {};
    return report && JSON.parse(report).length > 0 === wanted;
  }, [uk, are]);
  seen.both.push(JSON.parse(await beside.getAttribute("data-report")).map(({ code, path }) => `${code} ${path}`));
};
seen.both = [];
await foundThere(true);
await put((text) => text);
await foundThere(false);

// What changed follows both files, and waits while the spec has errors.
const followed = async (test, ...given) => {
  await page.waitForFunction(test, given);
  seen.followed.push(await page.locator(".compared ins").count());
};
seen.followed = [];
await followed(() => !document.querySelector(".compared ins"));
await put((text) => text.replace(" 1: 1, 2: 2,", " 1: 0, 2: 2,"));
await followed(() => document.querySelector(".compared ins"));
await page.locator(".compared summary").click();
const hasErrors = await page.evaluate(async () => (await (await fetch("words/en.json")).json()).changes_before_errors);
await put((text) => text.replace(" 1: 1, 2: 2,", " 1: 0, 2: 2,").replace("zones:", "zonse:"));
await followed(([note]) => document.querySelector(".compared").textContent.includes(note), hasErrors);
await inspect("errors");
if (pictures) await page.screenshot({ path: `${pictures}/errors.png` });
await put((text) => text);
await followed(([note]) => !document.querySelector(".compared").textContent.includes(note) && !document.querySelector(".compared ins"), hasErrors);
await page.locator(".editor").nth(1).locator(".cm-content").click();
await page.keyboard.press("Control+f");
await page.keyboard.type("Після 3");
await page.keyboard.press("Enter");
await page.keyboard.press("Escape");
await page.keyboard.type("Після 4");
await foundThere(true);
await page.waitForFunction(() => document.querySelector(".compared details[open] pre").textContent.includes("Після 4"));
await inspect("both");
if (pictures) await page.screenshot({ path: `${pictures}/both.png` });
await page.keyboard.press("Control+z");
await foundThere(false);
await page.locator("[data-key='beside']").selectOption("");

// An overlay, with a scenario of its variant beside it.
const overlay = "specs/variants/kingme/ground_floor.yaml";
const count = (file, number) => page.waitForFunction(([name, wanted]) => {
  const { report } = document.querySelector(`.findings[data-checked='${name}']`)?.dataset ?? {};
  return report && JSON.parse(report).length > 0 === wanted;
}, [file, number]);
await page.locator(`[data-key='${overlay}']`).click();
await page.locator("[data-key='beside']").selectOption("specs/scenarios/kingme/ground_floor/place.yaml");
await count(overlay, false);
await count("specs/scenarios/kingme/ground_floor/place.yaml", false);
await page.locator(".cm-content").first().click();
await page.keyboard.press("Control+f");
await page.keyboard.type("f: 0..4}");
await page.keyboard.press("Enter");
await page.keyboard.press("Escape");
await page.keyboard.type("f: 1..4}");
await count("specs/scenarios/kingme/ground_floor/place.yaml", true);
await inspect("overlay");
if (pictures) {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${pictures}/overlay-${width}.png` });
  }
}
await page.locator(".cm-content").first().click();
await page.keyboard.press("Control+z");
await count("specs/scenarios/kingme/ground_floor/place.yaml", false);
await page.locator("[data-key='beside']").selectOption("");
await page.locator(`[data-key='${name}']`).click();
await page.waitForSelector(`.findings[data-checked='${name}']`);

await tab().focus();
seen.tabs = [];
for (const key of ["ArrowRight", "End", "ArrowRight"]) {
  await page.keyboard.press(key);
  seen.tabs.push(await page.evaluate(() => document.activeElement.dataset.key));
}
await page.waitForSelector(`.findings[data-checked='${name}']`);

// Play from a rule that the search of the editor has found, and back.
await page.locator(".cm-content").first().click();
await page.keyboard.press("Control+f");
await page.keyboard.type("id: election.vote");
await page.keyboard.press("Enter");
await page.keyboard.press("Escape");
await page.locator("[data-key='play-from']").press("Enter");
await page.waitForSelector(".choices button");
seen.played = await page.locator("h1").textContent();
await page.evaluate(() => (location.hash = "#workbench"));
await page.waitForSelector(".findings[data-checked]");
await page.locator("[data-key='game']").selectOption("kingme");
await page.waitForSelector(`.findings[data-checked='${name}']`);

// An edit is kept by another game, another language and another tab that are chosen at once.
const first = () => page.locator(".cm-line").first().textContent();
const kept = async (go) => {
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# x\n");
  await go();
  seen.kept.push(`${await page.locator("[data-key='game']").inputValue()} ${await first()}`);
};
const shown = (game) => page.waitForSelector(`.findings[data-checked='specs/${game}.yaml']`);
seen.kept = [];
await kept(async () => {
  await page.locator("[data-key='game']").selectOption("fortheking");
  await shown("fortheking");
  await page.locator("[data-key='game']").selectOption("kingme");
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
  await page.locator("[data-key='game']").selectOption("kingme");
  await shown("kingme");
});
await browser.close();
console.log(JSON.stringify(seen));
