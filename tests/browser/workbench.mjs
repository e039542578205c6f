// Edits a spec in the workbench: `node workbench.mjs MODULES CHROMIUM ADDRESS TEXT [PICTURES]`, TEXT
// that of a spec. Prints the findings as JSON.
import { opened } from "./opened.mjs";

const [modules, chromium, address, text, pictures] = process.argv.slice(2);
const { browser, page, seen, inspect } = await opened(modules, chromium, `${address}#workbench`);
await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
const item = (name) => page.locator(`[role='treeitem'][data-key='${name}']`);
const report = (name) => item(name).getAttribute("data-report");
/** Waits until a file is checked, and has findings or none if that is given. */
const checked = (name, are = null) => page.waitForFunction(([file, wanted]) => {
  const { checked, report } = document.querySelector(`[role='treeitem'][data-key='${file}']`)?.dataset ?? {};
  return checked === "yes" && (wanted === null || JSON.parse(report).length > 0 === wanted);
}, [name, are]);
const beside = (name) => item(name).click({ modifiers: ["Alt"] });
const closeBeside = () => page.locator("[data-key='close-beside']").click();
await page.waitForSelector(".findings[data-checked]");
await page.locator("[data-key='game']").selectOption("kingme");
await checked("specs/kingme.yaml");
await page.locator(".cm-content").first().click();
await page.keyboard.press("Control+Home");
await page.keyboard.type("zonse: 1\n");
await checked("specs/kingme.yaml", true);
seen.report = await report("specs/kingme.yaml");
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
seen.left = await report(name);
await page.locator("[data-key='effect-games']").selectOption("100");
await page.locator("[data-key='effect-start']").press("Enter");
await page.locator("[data-key='effect-stop']").press("Enter"); // the page answers while the worker plays
seen.stopped = await page.evaluate(() => document.activeElement.dataset.key);
await page.locator("[data-key='effect-games']").selectOption("20");
await page.locator("[data-key='effect-start']").press("Enter");
await page.waitForSelector(".effect [data-games='20']");
seen.effect = await page.locator(".effect tbody tr").allTextContents();
await inspect("changes");
if (pictures) {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${pictures}/effect-${width}.png`, fullPage: true });
  }
}

// A text beside the spec.
await beside("specs/translations/kingme/uk.yaml");
seen.beside = await page.locator(".editor").nth(1).locator(".cm-content").getAttribute("aria-label");
await inspect("beside");
if (pictures) await page.screenshot({ path: `${pictures}/beside.png` });
// The text contradicts the changed spec, agrees with the old one, and is wrong once it is edited itself.
const uk = seen.beside;
const foundThere = async (are) => {
  await checked(uk, are);
  seen.both.push(JSON.parse(await report(uk)).map(({ code, path }) => `${code} ${path}`));
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
await closeBeside();

// An overlay, with a scenario of its variant beside it.
const overlay = "specs/variants/kingme/ground_floor.yaml";
await item(overlay).click();
await beside("specs/scenarios/kingme/ground_floor/place.yaml");
await checked(overlay, false);
await checked("specs/scenarios/kingme/ground_floor/place.yaml", false);
await page.locator(".cm-content").first().click();
await page.keyboard.press("Control+f");
await page.keyboard.type("f: 0..4}");
await page.keyboard.press("Enter");
await page.keyboard.press("Escape");
await page.keyboard.type("f: 1..4}");
await checked("specs/scenarios/kingme/ground_floor/place.yaml", true);
await inspect("overlay");
if (pictures) {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${pictures}/overlay-${width}.png` });
  }
}
await page.locator(".cm-content").first().click();
await page.keyboard.press("Control+z");
await checked("specs/scenarios/kingme/ground_floor/place.yaml", false);
await closeBeside();
await item(name).click();
await checked(name);

// The tabs, by their keys, by number and by a middle click; then the tree.
const focused = () => page.evaluate(() => document.activeElement.dataset.key);
const pressed = async (keys) => {
  const found = [];
  for (const key of keys) {
    await page.keyboard.press(key);
    found.push(await focused());
  }
  return found;
};
await item("specs/scenarios/kingme/score.yaml").click();
await tab().focus();
seen.tabs = await pressed(["ArrowRight", "End", "Home", "Delete"]);
await page.keyboard.press("Alt+2");
seen.second = await tab().getAttribute("data-key");
await tab().click({ button: "middle" });
await item(name).click();
seen.left_open = await page.locator("[role='tab']").count();
await page.keyboard.press("Alt+t");
seen.tree = await pressed(["Home", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowLeft", "v", "End"]);
await page.waitForFunction(() => document.querySelectorAll("[role='treeitem'][data-checked='yes']").length > 18); // all files, one by one

// A search over all files, and its places by their keys.
await page.keyboard.press("Control+Shift+f");
await page.keyboard.type("ELECTION.VOTE");
await page.waitForSelector(".places button");
seen.places = await page.locator(".places button").allTextContents();
await inspect("search");
await page.keyboard.press("ArrowDown");
await page.keyboard.press("ArrowDown");
await page.keyboard.press("Enter");
seen.place = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
await page.keyboard.press("Control+Shift+f");
await page.keyboard.type("(");
await page.locator(".search-files [type='checkbox']").check();
seen.expression = await page.locator(".search-files .note").textContent();
await page.locator(".search-files [type='checkbox']").uncheck();
await page.locator("[data-key='search-files']").press("Escape");

// The game beside the spec follows an edit, and stays as it is while the spec has errors.
const drawn = (wanted) => page.waitForSelector(`.trial[data-drawn='${wanted}']`);
await item(name).click();
await page.locator(".cm-content").first().press("Control+Home");
await page.keyboard.press("Alt+g");
await drawn("0 / 0");
for (const at of [0, 1]) await page.locator(".trial .do").nth(at).evaluate((one) => one.click()); // the list may be folded
await drawn("1 / 1");
await put((text) => text.replace(" 1: 1, 2: 2,", " 1: 0, 2: 2,").replace("zones:", "zonse:"));
await drawn("");
await checked(name, true);
await inspect("game beside");
if (pictures) await page.screenshot({ path: `${pictures}/game.png` });
seen.listed = [await page.locator(".findings li").count()];
await page.locator("[data-key='problems-words']").fill("RS201 zonse");
seen.listed.push(await page.locator(".findings li").count());
await page.locator("[data-key='problems-words']").fill("");
await page.locator(".findings li button", { hasText: "RS201" }).first().click();
seen.line = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
await put((text) => text.replace(" 1: 1, 2: 2,", " 1: 0, 2: 2,"));
await drawn("1 / 1");
await page.locator("[data-key='trial-close']").click();

// A large file is checked when that is asked for, and a file that cannot be saved is not lost.
await put((text) => `${text}${"# a comment\n".repeat(50000)}`);
await page.waitForSelector(".findings .large");
await page.evaluate(() => { window.showSaveFilePicker = async () => { throw new DOMException("no space left", "QuotaExceededError"); }; });
await page.keyboard.press("Control+s");
seen.full = await page.locator(".failure").textContent();
await page.locator(".failure button").click();
await put((text) => text);
await page.locator(".findings .large").waitFor({ state: "detached" });
await page.keyboard.press("F1");
seen.keys = await page.locator("dialog tbody tr").count();
await inspect("keys");
await page.keyboard.press("Escape");
await checked(name, false);

// Play from a rule that the search of the editor has found, and back.
await page.locator(".cm-content").first().click();
await page.keyboard.press("Control+f");
await page.keyboard.type("id: election.vote");
await page.keyboard.press("Enter");
await page.keyboard.press("Escape");
await page.locator("[data-key='play-from']").press("Enter");
await page.waitForSelector(".choose");
seen.played = await page.locator("h1").textContent();
await page.evaluate(() => (location.hash = "#workbench"));
await page.waitForSelector(".findings[data-checked]");
await page.locator("[data-key='game']").selectOption("kingme");
await checked(name);

// An edit is kept by another game, another language and another tab that are chosen at once.
const first = () => page.locator(".cm-line").first().textContent();
const kept = async (go) => {
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# x\n");
  await go();
  seen.kept.push(`${await page.locator("[data-key='game']").inputValue()} ${await first()}`);
};
const shown = (game) => checked(`specs/${game}.yaml`);
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
