// The page of `ftk page` in Chromium, with every host but 127.0.0.1 out of reach.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ARGS = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];

/** Opens an address. `seen` is what goes wrong, what is asked for, and the faults that `inspect` finds. */
export async function opened(modules, executablePath, address) {
  const { chromium } = createRequire(join(modules, "/"))("playwright-core");
  const axe = readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8");
  const browser = await chromium.launch({ executablePath, args: ARGS });
  const page = await (await browser.newContext({ acceptDownloads: true, locale: "en" })).newPage();
  page.setDefaultTimeout(180000);
  const seen = { complaints: [], asked: [], violations: [], wide: [] };
  page.on("console", (one) => one.type() === "error" && seen.complaints.push(one.text()));
  page.on("pageerror", (one) => seen.complaints.push(one.message));
  page.on("request", (one) => seen.asked.push(new URL(one.url()).host));
  await page.goto(address);

  /** Looks for faults that users of screen readers and of phones would meet. */
  async function inspect(name) {
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.evaluate(axe); // not a script of the page, so its content security policy does not forbid it
      const { violations } = await page.evaluate(() => globalThis.axe.run(document));
      seen.violations.push(...violations.map(({ id, nodes }) => `${name} ${width}: ${id} ${nodes[0].html.slice(0, 120)}`));
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) seen.wide.push(`${name} ${width}`);
    }
  }

  return { browser, page, seen, inspect };
}
