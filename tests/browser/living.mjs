// Plays rulebooks that play, opened as files: `node living.mjs MODULES BROWSER PAGE…`, and with SHOTS a folder for pictures. For each page
// it writes down as JSON what went wrong, how many recordings were gone through, and how many own moves were played.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, browser, ...pages] = process.argv.slice(2);
const required = createRequire(`${modules}/`);
const axe = readFileSync(required.resolve("axe-core/axe.min.js"), "utf8");
const { chromium } = required("playwright-core");
const WIDTHS = [390, 1280];

async function opened(context, path) {
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error}`));
  page.on("request", (request) => !/^(?:file|data|blob):/.test(request.url()) && wrong.push(`request: ${request.url()}`));
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => document.querySelectorAll("[data-recording] .controls").length === document.querySelectorAll("[data-recording]").length);
  return { page, wrong };
}

/** Goes through a recording to its end and back with the keyboard, and plays another move where the first decision is open. */
async function played(replay, wrong) {
  const at = () => replay.locator(".at").textContent();
  const table = () => replay.locator(".stage").textContent();
  const [start, first] = [await at(), await table()];
  const steps = Number(start.match(/\d+/g).at(-1));
  await replay.locator(".controls button").nth(1).focus();
  let moved = 0;
  for (let step = 1; step < steps; step += 1) {
    await replay.page().keyboard.press("ArrowRight");
    moved += await other(replay, wrong, moved);
    if (!(await replay.locator(".caption").textContent())) wrong.push(`no caption at step ${step}`);
  }
  if ((await replay.locator(".controls button").nth(2).getAttribute("aria-disabled")) !== "true") wrong.push(`${steps} steps are not the end`);
  await replay.locator(".controls button").nth(1).focus();
  for (let step = 1; step < steps; step += 1) await replay.page().keyboard.press("ArrowLeft");
  if ((await at()) !== start || (await table()) !== first) wrong.push("the way back leads elsewhere");
  return moved;
}

async function other(replay, wrong, before) {
  const instead = replay.locator("details.instead");
  if (before || !(await instead.isVisible())) return 0;
  await instead.locator("summary").click();
  const move = instead.locator(".moves button").last();
  const text = await move.textContent();
  await move.click();
  if (!(await replay.locator(".caption").textContent()).includes(text)) wrong.push(`the move ${text} is not told`);
  await replay.locator(".controls button").last().click();
  await instead.locator("summary").click();
  await replay.locator(".controls button").nth(2).focus();
  return 1;
}

async function troubles(page) {
  await page.evaluate(axe); // not a script of the page, so its content security policy does not forbid it
  const { violations } = await page.evaluate(() => axe.run());
  const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth);
  return [...violations.map(({ id, nodes }) => `${id}: ${nodes.length} × ${nodes[0].target} ${nodes[0].failureSummary}`), ...(wide > 0 ? [`${wide} px too wide`] : [])];
}

const running = await chromium.launch({ executablePath: browser });
const found = {};
for (const path of pages) {
  const report = { wrong: [], recordings: 0, moves: 0, terms: 0 };
  for (const width of WIDTHS) {
    for (const colorScheme of ["light", "dark"]) {
      const context = await running.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce" });
      const { page, wrong } = await opened(context, path);
      if (width === WIDTHS[0] && colorScheme === "light") {
        for (const replay of await page.locator("[data-recording]").all()) {
          report.moves += await played(replay, wrong);
          report.recordings += 1;
        }
        const term = page.locator(".term").first();
        await term.focus();
        await page.keyboard.press("Enter");
        report.terms += await page.locator(".definition:popover-open").count();
      }
      report.wrong.push(...[...wrong, ...(await troubles(page))].map((one) => `${width} ${colorScheme}: ${one}`));
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${basename(path, ".html")}-${width}-${colorScheme}.png`, fullPage: true });
      await context.close();
    }
  }
  found[basename(path)] = report;
}
await running.close();
console.log(JSON.stringify(found));
