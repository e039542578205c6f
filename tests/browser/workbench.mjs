// Edits a spec in the workbench: `node workbench.mjs FOLDER-OF-PACKAGES BROWSER ADDRESS`. Prints the findings as JSON,
// the text that they are about, and what the page asked other hosts for.
import path from "node:path";
import { pathToFileURL } from "node:url";

const [packages, executablePath, address] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(path.join(packages, "playwright-core", "index.mjs")));
const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath, args });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const problems = [];
page.on("pageerror", (error) => problems.push(error.message));
page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
await page.route((url) => !url.href.startsWith(new URL("/", address).href), (route) => {
  problems.push(route.request().url());
  return route.abort();
});
await page.goto(`${address}#workbench`);
await page.waitForSelector(".findings[data-checked]", { timeout: 180_000 });
await page.locator("main select").selectOption("kingme");
await page.waitForSelector(".findings[data-checked='specs/kingme.yaml']", { timeout: 180_000 });
await page.locator(".cm-content").click();
await page.keyboard.press("Control+Home");
await page.keyboard.type("zonse: 1\n");
const reported = () => JSON.parse(document.querySelector(".findings").dataset.report).length > 0;
await page.waitForFunction(reported, null, { timeout: 180_000 });
const report = await page.locator(".findings").getAttribute("data-report");
const wide = [];
for (const width of [360, 768, 1440]) {
  await page.setViewportSize({ width, height: 800 });
  if (await page.evaluate(() => document.scrollingElement.scrollWidth > innerWidth)) wide.push(width);
}
console.log(JSON.stringify({ report, problems, wide }));
await browser.close();
