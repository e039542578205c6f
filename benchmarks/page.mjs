// How long a visitor of `ftk page` waits: milliseconds to the first legal action of a table, the first finding, rulebook and text.
// `node benchmarks/page.mjs MODULES CHROMIUM FOLDER [ROUNDS]`; FOLDER holds a page, MODULES playwright-core.
// cold: a new profile of the browser. warm: the second visit with the same profile. Prints the median of each as JSON.
import { createServer } from "node:http";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";

const [modules, executablePath, folder, rounds = "3"] = process.argv.slice(2);
const { chromium } = createRequire(resolve(modules, "_"))("playwright-core");
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json", ".svg": "image/svg+xml" };
const GOALS = {
  table: ["#play?seed=1&seats=person,random,random&game=fortheking&moves=", ".choices .do"],
  finding: ["#workbench", ".findings[data-checked]"],
  rulebook: ["#rules?game=kingme", ".rulebook"],
  text: ["#desk", ".desk-editor textarea", "[data-key='desk-kingme-en']"],
};

async function serve(request, response) {
  const name = new URL(request.url, "http://localhost").pathname.replace(/\/$/, "/index.html");
  try {
    const content = await readFile(join(folder, name));
    response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream", "Cache-Control": "no-cache" });
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
}

/** One visit: milliseconds from the address to what is waited for. */
async function visit(profile, root, [hash, goal, ...clicks]) {
  const browser = await chromium.launchPersistentContext(profile, { executablePath, args: ["--no-sandbox", "--disable-gpu"], locale: "en" });
  const page = browser.pages()[0] ?? await browser.newPage();
  page.setDefaultTimeout(120000);
  const began = performance.now();
  await page.goto(root + hash);
  for (const one of clicks) await page.click(one);
  await page.waitForSelector(goal);
  const took = Math.round(performance.now() - began);
  await page.waitForTimeout(2000); // what the page keeps for the next visit
  await browser.close();
  return took;
}

const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];

const server = createServer(serve).listen(0, "127.0.0.1");
await new Promise((done) => server.once("listening", done));
const root = `http://127.0.0.1:${server.address().port}/index.html`;
const found = {};
for (const [name, goal] of Object.entries(GOALS)) {
  const times = { cold: [], warm: [] };
  for (let round = 0; round < Number(rounds); round += 1) {
    const profile = await mkdtemp(join(tmpdir(), "ftk-page-"));
    for (const visited of ["cold", "warm"]) times[visited].push(await visit(profile, root, goal));
    await rm(profile, { recursive: true, force: true });
  }
  found[name] = { cold: median(times.cold), warm: median(times.warm) };
}
server.close();
console.log(JSON.stringify(found));
