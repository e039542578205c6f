// How long a visitor of `ftk page` waits, in milliseconds, for each game: from the address to the table, to the first legal action, and
// from a keystroke in the workbench to its finding. `node benchmarks/page.mjs MODULES CHROMIUM FOLDER GAMES [VISITS]`: MODULES has
// playwright-core, FOLDER a page, GAMES ids with commas. Each visit has a new profile. Prints the median and the slowest as JSON.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";

const [modules, executablePath, folder, games, visits = "5"] = process.argv.slice(2);
const { chromium } = createRequire(resolve(modules, "_"))("playwright-core");
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json", ".svg": "image/svg+xml" };

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

/** Opens an address with a new profile, and gives what `work` measures there. */
async function visit(hash, work) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage({ locale: "en" });
  page.setDefaultTimeout(120000);
  const began = performance.now();
  await page.goto(root + hash);
  const since = async (selector, from = began) => {
    await page.waitForSelector(selector, { state: "attached" }); // a list of choices may be folded
    return performance.now() - from;
  };
  const found = await work(page, since);
  await browser.close();
  return found;
}

const GOALS = {
  table: (game, players) => visit(played(game, players), (page, since) => since(".ftk-table")),
  action: (game, players) => visit(played(game, players), (page, since) => since(".choices .do")),
  finding: (game) => visit(`#workbench?game=${game}`, async (page, since) => {
    const item = `[role='treeitem'][data-key$='/${game}.yaml']`;
    await since(`${item}[data-checked='yes']`);
    await page.locator(".cm-content").first().click();
    await page.keyboard.press("Control+Home");
    const typed = performance.now();
    await page.keyboard.type("x");
    return since(`${item}[data-checked='yes']:not([data-report='[]'])`, typed);
  }),
};

const played = (game, players) => `#play?seed=1&game=${game}&seats=person${",random".repeat(players - 1)}&moves=`;
const rounded = (all) => ({ median: Math.round(all[Math.floor(all.length / 2)]), slowest: Math.round(all.at(-1)) });

const server = createServer(serve).listen(0, "127.0.0.1");
await new Promise((done) => server.once("listening", done));
const root = `http://127.0.0.1:${server.address().port}/index.html`;
const known = JSON.parse(await readFile(join(folder, "games.json"), "utf8"));
const found = {};
for (const game of games.split(",")) {
  found[game] = {};
  const { players } = known.find(({ id }) => id === game);
  for (const [name, goal] of Object.entries(GOALS)) {
    const times = [];
    for (let made = 0; made < Number(visits); made += 1) times.push(await goal(game, players[0]));
    found[game][name] = rounded(times.sort((a, b) => a - b));
  }
}
server.close();
console.log(JSON.stringify(found));
