// The tab of a rulebook, for one language and number of players. Its address is #rules?game=ID.
import { games, range, spoken } from "./door.js";
import { h, show } from "./elements.js";
import { begin } from "./living.js";

export function start(place, page) {
  const rules = new Rules(place, page);
  rules.open();
  return { translate: () => rules.open(), navigate: () => rules.open(), stop: () => rules.stop() };
}

class Rules {
  #place; #page; #turn = 0;

  constructor(place, page) {
    this.#place = place;
    this.#page = page;
  }

  stop() {
    this.#turn += 1; // answers to calls of an earlier turn are dropped
  }

  async open(chosen = {}) {
    const name = new URLSearchParams(location.hash.split("?")[1] ?? "").get("game");
    const { t, remote, lang, ready } = this.#page;
    if (!name) return void (location.hash = "#door");
    const turn = ++this.#turn;
    show(this.#place, [h("h1", {}, t("read_rules")), h("p", { id: "loading", class: "loading" }, ready ? "" : t("loading_python")), h("p", { class: "loading" }, t("loading_game"))]);
    try {
      const [book, every] = await Promise.all([remote.call("rules", { name, lang: lang(), ...chosen }), games()]);
      if (turn === this.#turn) this.#draw(book, every.find(({ id }) => id === name));
    } catch (error) {
      if (turn === this.#turn) this.#page.fail(error);
    }
  }

  #draw(book, game) {
    const { t } = this.#page;
    const choice = (key, label, all, chosen, as, names = all) =>
      h("select", { "data-key": key, "aria-label": t(label), onchange: (event) => this.open({ lang: book.lang, players: book.players, [key]: as(event.target.value) }) },
        all.map((one, at) => h("option", { value: one, selected: one === chosen }, names[at])));
    const numbers = book.numbers.map((number) => t("for_players", { number }));
    const page = h("article", { class: "rulebook", lang: book.lang });
    begin(bound(page, book.html), book.data);
    show(this.#place, [
      h("div", { class: "row book-bar" }, [
        choice("lang", "language_of_rules", book.languages, book.lang, String, spoken(book.languages, this.#page.lang())),
        h("a", { class: "button main", href: `#play?choose=${book.name}` }, t("way_play")),
        book.numbers.length > 1 ? choice("players", "number_of_players", book.numbers, book.players, Number, numbers) : null,
        game ? h("span", { class: "door-facts" }, [t("for_players", { number: range(game.players) }), " · ", t("takes_minutes", { number: game.minutes })]) : null,
      ]),
      page,
    ]);
  }
}

const STYLE = /<style>(.*?)<\/style>/gs;

/** Puts an HTML page of Python's own into an element, with styles that touch nothing else; the root of its content. */
function bound(place, html) {
  // Styles in the text itself are against the policy of this page, and these are for the whole of a page, whose main
  // part is inside of that of this page.
  const { documentElement: root, body } = new DOMParser().parseFromString(html.replace(STYLE, "").replace(/<(\/?)main\b/g, "<$1section"), "text/html");
  const text = [...html.matchAll(STYLE)].map(([, one]) => one).join("\n");
  const styles = new CSSStyleSheet();
  styles.replaceSync(text.replace(/:root(\S*?)(?=\s*[,{])/g, (_, more) => (more ? `:host(${more})` : ":host")).replace(/(^|[\s,}])(?:html|body)(?=\s*[,{])/g, "$1:host").replace(/\bmain(?=\s*[,{>])/g, "section"));
  for (const { name, value } of root.attributes) place.setAttribute(name, value);
  const shadow = place.attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = [styles];
  shadow.append(...body.childNodes);
  shadow.addEventListener("click", (event) => follow(event, shadow));
  return shadow;
}

/** Follows a link within the rulebook: the part of the address after # names the tab. */
function follow(event, shadow) {
  const address = event.target.closest?.("a")?.getAttribute("href") ?? "";
  if (!address.startsWith("#")) return;
  event.preventDefault();
  shadow.getElementById(decodeURIComponent(address.slice(1)))?.scrollIntoView();
}
