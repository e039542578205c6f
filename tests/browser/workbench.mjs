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
await browser.close();
console.log(JSON.stringify(seen));
