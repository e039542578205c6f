// The door: a card for each game, drawn from games.json before Python is there.
import { h, show } from "./elements.js";

const KINDS = { errors: "about_errors", no_cards: "about_no_cards", open_cards: "about_open_cards", hidden_cards: "about_hidden_cards", hidden_values: "about_hidden_values" };

const words = (text) => text.toLowerCase().normalize("NFKD").split(/\s+/).filter(Boolean);

export function start(place, page) {
  const door = new Door(place, page);
  door.open();
  return { translate: () => door.draw(), stop: () => door.stop() };
}

class Door {
  #place; #page; #games = []; #stopped = false;
  #words = h("input", { id: "door-words", type: "search", "data-key": "words", oninput: () => this.#filter() });
  #number = h("select", { id: "door-players", "data-key": "number", onchange: () => this.#filter() });
  #count = h("p", { class: "note" });

  constructor(place, page) {
    this.#place = place;
    this.#page = page;
  }

  async open() {
    try {
      const found = await fetch(new URL("games.json", import.meta.url));
      this.#games = await found.json();
      if (!this.#stopped) this.draw();
    } catch (error) {
      if (!this.#stopped) this.#page.fail(error);
    }
  }

  stop() {
    this.#stopped = true;
  }

  draw() {
    const { t } = this.#page;
    this.#offer();
    show(this.#place, [
      h("h1", {}, t("app")),
      h("p", { class: "note" }, t("loading_note")),
      h("form", { class: "row door-filter", role: "search", onsubmit: (event) => event.preventDefault() }, [
        h("label", { for: "door-words" }, t("filter_games")), this.#words,
        h("label", { for: "door-players" }, t("number_of_players")), this.#number,
      ]),
      this.#count,
      this.#group("your_games", true),
      this.#group("other_games", false),
    ]);
    this.#filter();
  }

  /** Offers every number of players that some game has; the chosen one stays. */
  #offer() {
    const numbers = [...new Set(this.#games.flatMap(({ players }) => players))].sort((one, other) => one - other);
    const chosen = this.#number.value;
    show(this.#number, [
      h("option", { value: "" }, this.#page.t("any_number")),
      numbers.map((one) => h("option", { value: one, selected: String(one) === chosen }, one)),
    ]);
  }

  #group(title, own) {
    const games = this.#games.filter((one) => one.own === own);
    return games.length
      ? h("section", { class: "door-group" }, [h("h2", {}, this.#page.t(title)), h("ul", { class: "door" }, games.map((one) => this.#card(one)))])
      : null;
  }

  #card(game) {
    const { t } = this.#page;
    const title = titled(game, this.#page.lang());
    const about = game.about[this.#page.lang()] ?? t(KINDS[game.kind]);
    const link = (key, address, text, main = false) =>
      h("a", { class: main ? "button main" : "button", href: address, "data-key": `${key}-${game.id}`, "aria-label": `${t(text)}: ${title}` }, t(text));
    const playable = game.players.length > 0;
    return h("li", { class: "door-card", "data-players": game.players.join(" "), "data-words": words(`${title} ${game.id} ${about}`).join(" ") }, [
      playable ? h("img", { src: `pictures/${game.id}.svg`, alt: "", width: 160, height: 90, loading: "lazy" }) : null,
      h("h3", {}, title),
      h("p", {}, about),
      playable ? h("p", { class: "door-facts" }, [t("for_players", { number: range(game.players) }), t("takes_minutes", { number: game.minutes }), spoken(game.languages, this.#page.lang()).join(", ")]
        .filter(Boolean).map((one) => h("span", {}, one))) : null,
      h("p", { class: "row" }, [
        playable ? link("game", `#play?choose=${game.id}`, "tab_play", true) : null,
        game.languages.length ? link("rules", `#rules?game=${game.id}`, "read_rules") : null,
        link("change", `#workbench?game=${game.id}`, "change_game"),
      ]),
    ]);
  }

  /** Hides the cards that lack a word or the number of players. */
  #filter() {
    const wanted = words(this.#words.value);
    const cards = [...this.#place.querySelectorAll(".door-card")];
    for (const card of cards) {
      const has = wanted.every((one) => card.dataset.words.includes(one));
      const fits = !this.#number.value || card.dataset.players.split(" ").includes(this.#number.value);
      card.hidden = !(has && fits);
    }
    for (const group of this.#place.querySelectorAll(".door-group")) group.hidden = !group.querySelector(".door-card:not([hidden])");
    const number = cards.filter((one) => !one.hidden).length;
    this.#count.textContent = this.#page.t("games_shown", { number });
    if (wanted.length || this.#number.value) this.#page.say(this.#count.textContent);
  }
}

export const titled = (game, lang) => game.titles[lang] ?? game.titles.en ?? game.id;

const range = (numbers) => (numbers.length > 1 ? `${numbers[0]}–${numbers.at(-1)}` : String(numbers[0]));

/** The names of languages in the language of the page. */
export function spoken(tags, lang) {
  const names = new Intl.DisplayNames([lang], { type: "language" });
  return tags.map((tag) => names.of(tag));
}
