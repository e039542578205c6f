// Looks at the tables of games in the page: `node tables.mjs MODULES CHROMIUM ADDRESS GAMES`; each of GAMES, as JSON, is a game, who plays
// it, and the number of decisions before the look.
import { opened } from "./opened.mjs";

const [modules, chromium, address, games] = process.argv.slice(2);
const { browser, page, seen, inspect } = await opened(modules, chromium, address);
page.on("dialog", (one) => one.accept()); // a game is given up for the next one
for (const [game, seats, decisions] of JSON.parse(games)) {
  await page.evaluate((hash) => { location.hash = hash; }, `#play?game=${game}&seed=3&seats=${seats}&moves=`);
  await page.waitForSelector(`[data-game="${game}"], [data-key="take"]`);
  if (await page.$('[data-key="take"]')) await page.click('[data-key="take"]');
  for (let made = 0; made < decisions; made++) await page.click(".table .lit:not(.chosen, .other), .choose .do", { timeout: 20000 }).catch(() => null);
  await page.waitForSelector(`[data-game="${game}"]`);
  await page.waitForSelector(".choose, .result");
  await inspect(game);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await inspect(`${game}, dark`);
  await page.emulateMedia({ colorScheme: "light" });
  if (game === "hearts") await lookAtCards();
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
