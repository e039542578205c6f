// Looks at the tables of games in the page: `node tables.mjs MODULES CHROMIUM ADDRESS GAMES`; each of GAMES, as JSON, is a game, who plays
// it, and the number of decisions before the look.
import { opened } from "./opened.mjs";

const [modules, chromium, address, games] = process.argv.slice(2);
const { browser, page, seen, inspect } = await opened(modules, chromium, address);
page.on("dialog", (one) => one.accept()); // a game is given up for the next one
for (const [game, seats, decisions] of JSON.parse(games)) {
  await page.emulateMedia({ reducedMotion: "reduce" }); // nothing moves that a click would wait for
  await page.evaluate((hash) => { location.hash = hash; }, `#play?game=${game}&seed=3&seats=${seats}&moves=`);
  await page.waitForSelector(`[data-game="${game}"], [data-key="take"]`);
  if (await page.$('[data-key="take"]')) await page.click('[data-key="take"]');
  for (let made = 0; made < decisions; made++) await page.click(".table .lit:not(.chosen, .other):visible, .choose .do:visible", { timeout: 20000 }).catch(() => null);
  await page.waitForSelector(`[data-game="${game}"]`);
  await page.waitForSelector(".choose, .result");
  await inspect(game);
  await page.emulateMedia({ colorScheme: "dark" });
  await inspect(`${game}, dark`);
  await page.emulateMedia({ colorScheme: "light" });
  await lookAtPhone(game);
  if (game === "hearts") await lookAtCards();
  if (game === "hearts") await lookAtMoves();
}
await browser.close();
console.log(JSON.stringify(seen));

/** The keyboard goes from card to card of a hand, and each is shown large until Escape. */
async function lookAtCards() {
  const large = () => page.evaluate(() => document.querySelector(".zoom:popover-open")?.textContent ?? "");
  await page.focus(".player.own .card[tabindex='0'], .player.own button.card");
  await page.keyboard.press("End");
  seen.enlarged = await large();
  await page.keyboard.press("Home");
  const next = await large();
  seen.stepped = next && next !== seen.enlarged;
  await page.keyboard.press("Escape");
  seen.closed = await large();
}

/** On a phone the head is two rows, the hand and what is asked are less than half of the screen, and neither lies over the other. The menu
 * opens by key. */
async function lookAtPhone(game) {
  await page.setViewportSize({ width: 390, height: 844 });
  const faults = await page.evaluate(() => {
    const [header, bar, turn, hand] = ["header", ".topbar", ".turn", ".hand"].map((one) => document.querySelector(one)?.getBoundingClientRect());
    const found = [header.height + bar.height > 120 && "high head", hand && hand.bottom > turn.top + 1 && !document.querySelector(".result") && "hidden hand",
      hand && hand.height + turn.height > 0.46 * innerHeight && !document.querySelector(".result") && "high hand"];
    return found.filter(Boolean);
  });
  await page.focus(".dots");
  await page.keyboard.press("Enter");
  if (!(await page.isVisible("#menu [data-key='other_game']"))) faults.push("no menu");
  if (game === "hearts") await inspect("menu");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press("Escape");
  if (await page.$("#menu:popover-open")) faults.push("open menu");
  seen.phone = [...(seen.phone ?? []), ...faults.map((one) => `${game}: ${one}`)];
}

/** A card that is played flies, and is never larger than a card of the table; under a mouse that rests nothing is enlarged. */
async function lookAtMoves() {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const press = (one) => page.evaluate((found) => document.querySelector(found)?.click(), one);
  while (await page.$(".confirm:disabled")) await press(".hand .card.lit:not(.chosen)");
  await press(".confirm");
  await page.waitForSelector(".confirm", { state: "detached", timeout: 20000 });
  const card = page.locator(".hand .card.lit").first();
  await card.waitFor({ timeout: 20000 });
  const flown = page.evaluate(async () => {
    const widest = (selector) => Math.max(0, ...[...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect().width));
    const found = [0, 0];
    for (const end = performance.now() + 3000; performance.now() < end; await new Promise(requestAnimationFrame)) {
      [".ghost", ".card:not(.ghost)"].forEach((one, at) => { found[at] = Math.max(found[at], widest(one)); });
    }
    return found;
  });
  await card.click({ position: { x: 8, y: 8 } });
  seen.flown = await flown;
  seen.rested = await page.evaluate(() => document.querySelector(".zoom:popover-open")?.textContent ?? "");
}
