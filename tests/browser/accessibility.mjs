// Opens pages in Chromium, in sizes and colour schemes, and writes down as JSON what hinders their readers:
// `node accessibility.mjs MODULES BROWSER ADDRESS PAGE…`, where MODULES is a folder with playwright-core and axe-core. PAGE is a place below
// ADDRESS, or a list as JSON: such a place, then what is clicked there one after the other, and last what shows that the page is complete.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, browser, root, ...pages] = process.argv.slice(2);
const places = pages.map((page) => (page.startsWith("[") ? JSON.parse(page) : [page]));
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
    const below = (tree) => [...tree.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? below(node.shadowRoot) : [])]);
    const usable = "a[href], button, input, select, textarea, summary, [tabindex='0'], [role='button'], [contenteditable='true']";
    const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.disabled && node.tabIndex >= 0;
    const nodes = below(document).filter((node) => node.matches(usable) && seen(node));
    nodes.forEach((node, at) => { node.dataset.audit = at; });
    const start = document.body; // Tab begins there, whatever had the focus before
    start.tabIndex = -1;
    start.focus();
    start.removeAttribute("tabindex");
    return nodes.map((node) => node.outerHTML.slice(0, 90));
  });
  const reached = new Set();
  const unmarked = [];
  for (let step = 0; step <= wanted.length; step += 1) {
    await page.keyboard.press("Tab");
    const [at, marked] = await page.evaluate(() => {
      let { activeElement: node } = document;
      while (node.shadowRoot?.activeElement) { node = node.shadowRoot.activeElement; }
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

async function audited(page, width, colorScheme) {
  await page.setViewportSize({ width, height: 900 });
  const keyboard = colorScheme === "light" ? await unreached(page) : [];
  return [...await troubles(page), ...await violations(page), ...keyboard].map((what) => `${width} px, ${colorScheme}: ${what}`);
}

const opened = await chromium.launch({ executablePath: browser, args: ["--no-sandbox", "--disable-gpu"] });
const found = [];
for (const [place, ...steps] of places) {
  for (const colorScheme of SCHEMES) {
    const viewport = { width: WIDTHS.at(-1), height: 900 };
    const context = await opened.newContext({ viewport, colorScheme, reducedMotion: "reduce", locale: "en" });
    const page = await context.newPage();
    page.setDefaultTimeout(120000);
    page.on("console", (message) => { if (message.type() === "error") { found.push(message.text()); } });
    page.on("pageerror", (error) => found.push(String(error)));
    await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 })); // browsers ask for it by themselves
    await page.goto(new URL(place, root).href, { waitUntil: "load" });
    for (const step of steps.slice(0, -1)) { await page.locator(step).first().click(); }
    if (steps.length) { await page.waitForSelector(steps.at(-1)); }
    for (const width of WIDTHS) { found.push(...await audited(page, width, colorScheme)); }
    await context.close();
  }
}
await opened.close();
console.log(JSON.stringify(found));
