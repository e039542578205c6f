// Opens pages in Chromium, in sizes and colour schemes, and writes down as JSON what hinders their readers:
// `node accessibility.mjs MODULES BROWSER ADDRESS PAGE…`, PAGE below ADDRESS, where MODULES is a folder with playwright-core and axe-core.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, browser, root, ...pages] = process.argv.slice(2);
const addresses = pages.map((page) => new URL(page, root).href);
const required = createRequire(`${modules}/`);
const axe = readFileSync(required.resolve("axe-core/axe.min.js"), "utf8");
const { chromium } = required("playwright-core");
const WIDTHS = [360, 768, 1440];
const SCHEMES = ["light", "dark"];

async function violations(page) {
  await page.evaluate(axe); // not a script of the page, so its content security policy does not forbid it
  const { violations } = await page.evaluate(() => axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.length} × ${nodes[0].target} ${nodes[0].failureSummary}`);
}

// Everything that a mouse can use, in the order of the Tab key; focus must come to it, be seen, and leave it.
async function unreached(page) {
  const wanted = await page.evaluate(() => {
    const usable = "a[href], button, input, select, textarea, summary, [tabindex='0'], [role='button']";
    const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.disabled && node.tabIndex >= 0;
    const nodes = [...document.querySelectorAll(usable)].filter(seen);
    nodes.forEach((node, at) => { node.dataset.audit = at; });
    document.activeElement.blur();
    return nodes.map((node) => node.outerHTML.slice(0, 90));
  });
  const reached = new Set();
  const unmarked = [];
  for (let step = 0; step <= wanted.length; step += 1) {
    await page.keyboard.press("Tab");
    const [at, marked] = await page.evaluate(() => {
      const { activeElement: node } = document;
      const { outlineStyle, boxShadow } = getComputedStyle(node);
      return [Number(node.dataset.audit ?? -1), outlineStyle !== "none" || boxShadow !== "none"];
    });
    if (at < 0) { break; }
    reached.add(at);
    if (!marked) { unmarked.push(wanted[at]); }
  }
  const radio = (html) => /type="radio"/.test(html); // one of a group is enough
  const missed = wanted.filter((html, at) => !reached.has(at) && !radio(html));
  return [...missed.map((html) => `no Tab comes to ${html}`), ...unmarked.map((html) => `no outline around ${html}`)];
}

function troubles(page) {
  return page.evaluate(() => {
    const root = document.scrollingElement;
    const policy = document.querySelector("meta[http-equiv='Content-Security-Policy']")?.content ?? "";
    const scripts = /script-src[^;]*'unsafe-(?:inline|eval)'/.test(policy) || !/default-src 'none'|script-src/.test(policy);
    const handlers = [...document.querySelectorAll("*")].filter((node) => [...node.attributes].some(({ name }) => /^on/.test(name)));
    return [
      ...(root.scrollWidth > root.clientWidth ? [`wider than the screen: ${root.scrollWidth} > ${root.clientWidth}`] : []),
      ...(scripts ? [`the policy lets any script run: “${policy}”`] : []),
      ...handlers.map((node) => `a script in an attribute: ${node.outerHTML.slice(0, 90)}`),
      ...(document.getAnimations().length ? ["something moves, although the reader wants no motion"] : []),
    ];
  });
}

const opened = await chromium.launch({ executablePath: browser, args: ["--no-sandbox", "--disable-gpu"] });
const found = [];
for (const address of addresses) {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const context = await opened.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce" });
      const page = await context.newPage();
      const errors = [];
      page.on("console", (message) => { if (message.type() === "error") { errors.push(message.text()); } });
      page.on("pageerror", (error) => errors.push(String(error)));
      await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 })); // browsers ask for it by themselves
      await page.goto(address, { waitUntil: "load" });
      const keyboard = colorScheme === "light" ? await unreached(page) : [];
      const all = [...errors, ...await troubles(page), ...await violations(page), ...keyboard];
      found.push(...all.map((what) => `${width} px, ${colorScheme}: ${what}`));
      await context.close();
    }
  }
}
await opened.close();
console.log(JSON.stringify(found));
