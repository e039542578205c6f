// The door: what this is, where to begin, and a card for each game, drawn from games.json before Python is there.
import { h, show } from "./elements.js";

/** Groups of games, in order: each game is in the first one that fits. */
const GROUPS = [
  { title: "your_games", has: ({ own }) => own },
  { title: "games_with_rules", has: ({ languages }) => languages.length > 0 },
  { title: "other_games", has: () => true },
];
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
      this.#games = await games();
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
    this.#words.placeholder = t("filter_games");
    this.#words.setAttribute("aria-label", t("filter_games"));
    this.#number.setAttribute("aria-label", t("number_of_players"));
    show(this.#place, [
      h("h1", {}, t("app")),
      h("p", { class: "lead" }, t("door_what")),
      this.#ways(),
      h("form", { class: "row door-filter", role: "search", onsubmit: (event) => event.preventDefault() }, [
        this.#words, this.#number,
      ]),
      this.#count,
      GROUPS.map((one) => this.#group(one)),
    ]);
    this.#filter();
  }

  /** Offers every number of players that some game has; the chosen one stays. */
  #offer() {
    const numbers = [...new Set(this.#games.flatMap(({ players }) => players))].sort((one, other) => one - other);
    const chosen = this.#number.value;
    show(this.#number, [
      h("option", { value: "" }, this.#page.t("any_number")),
      numbers.map((one) => h("option", { value: one, selected: String(one) === chosen }, this.#page.t("for_players", { number: one }))),
    ]);
  }

  /** Where to begin: playing, writing and translating, with the shortest game that has rules in the language of the page. */
  #ways() {
    const { t, lang } = this.#page;
    const spoken = ({ languages }) => languages.some((one) => one.split("-")[0] === lang().split("-")[0]);
    const playable = this.#sorted().filter(({ players }) => players.length);
    const short = playable.filter(spoken).sort((one, other) => one.minutes - other.minutes);
    const first = short[0] ?? playable[0] ?? { id: "", titles: {}, minutes: 0 };
    const ways = [
      [`#play?choose=${first.id}`, "way_play", "way_play_note"],
      [`#workbench?game=${first.id}`, "way_write", "way_write_note"],
      ["#desk", "way_translate", "way_translate_note"],
    ];
    const values = { game: titled(first, lang()), number: first.minutes };
    return h("ul", { class: "ways" }, ways.map(([href, way, note]) =>
      h("li", {}, h("a", { href, "data-key": way.replace("_", "-") }, [h("b", {}, t(way)), h("span", {}, t(note, values))]))));
  }

  /** The games in the order of their groups, and of their titles in a group. */
  #sorted() {
    const group = (game) => GROUPS.findIndex(({ has }) => has(game));
    const title = (game) => titled(game, this.#page.lang());
    const order = new Intl.Collator(this.#page.lang());
    return [...this.#games].sort((one, other) => group(one) - group(other) || order.compare(title(one), title(other)));
  }

  #group(group) {
    const games = this.#sorted().filter((one) => GROUPS.find(({ has }) => has(one)) === group);
    return games.length
      ? h("section", { class: "door-group" }, [h("h2", {}, this.#page.t(group.title)), h("ul", { class: "door" }, games.map((one) => this.#card(one)))])
      : null;
  }

  #card(game) {
    const { t, lang } = this.#page;
    const title = titled(game, lang());
    const about = aim(game, this.#page);
    const link = (key, address, text, look = "") =>
      h("a", { href: address, class: look, "data-key": `${key}-${game.id}`, "aria-label": `${t(text)}: ${title}` }, t(text));
    const playable = game.players.length > 0;
    const facts = [t("for_players", { number: range(game.players) }), t("takes_minutes", { number: game.minutes }), t("has_rules", { number: game.rules })];
    return h("li", { class: "door-card", "data-players": game.players.join(" "), "data-words": words(`${title} ${game.id} ${about}`).join(" ") }, [
      playable ? h("img", { src: `pictures/${game.id}.svg`, alt: "", width: 320, height: 180, loading: "lazy" }) : null,
      h("h3", {}, playable ? h("a", { href: `#play?choose=${game.id}`, "data-key": `game-${game.id}` }, title) : title),
      h("p", { class: "door-about", title: about }, about),
      playable ? h("p", { class: "door-facts" }, facts.map((one) => h("span", {}, one))) : null,
      game.languages.length ? h("p", { class: "door-facts door-languages" }, spoken(game.languages, lang()).join(", ")) : null,
      h("p", { class: "door-do" }, [
        playable ? link("play", `#play?choose=${game.id}`, "way_play", "button main") : null,
        game.languages.length ? link("rules", `#rules?game=${game.id}`, "door_rules") : null,
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
    const filtered = wanted.length || this.#number.value;
    const number = cards.filter((one) => !one.hidden).length;
    this.#count.textContent = filtered ? this.#page.t("games_shown", { number }) : "";
    if (filtered) this.#page.say(this.#count.textContent);
  }
}

let known = null;

/** What the page knows of its games, read once. */
export const games = () => (known ??= fetch(new URL("games.json", import.meta.url)).then((found) => found.json()));

/** What a game is about, in a sentence: that of its text, or of the titles of its rules. */
export function aim({ about, kind }, { t, lang }) {
  const found = about[lang()];
  if (typeof found === "string") return found;
  const [play, best] = found ?? ["", ""];
  const what = play ? `${play}${t("full_stop")}` : t(KINDS[kind]);
  return best ? `${what} ${t("about_best", { best: lower(best) })}` : what;
}

/** A title within a sentence. */
const lower = (text) => text[0].toLowerCase() + text.slice(1);

export const titled = (game, lang) => game.titles[lang] ?? game.titles.en ?? game.id;

export const range = (numbers) => (numbers.length > 1 ? `${numbers[0]}–${numbers.at(-1)}` : String(numbers[0]));

/** The names of languages in the language of the page. */
export function spoken(tags, lang) {
  const names = new Intl.DisplayNames([lang], { type: "language" });
  return tags.map((tag) => names.of(tag));
}
