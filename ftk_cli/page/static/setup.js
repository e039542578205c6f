// Choosing a game, and who plays it.
import { h, show } from "./elements.js";
import { PERSON, last } from "./kept.js";
import { games } from "./door.js";

const BOTS = [["easy", "bot_easy"], ["medium", "bot_medium"], ["hard", "bot_hard"], ["random", "bot_random"]];
const USUAL = "medium"; // that of rulespec/play/bots/table.py

/** Shows the choice of a game; `begin` receives what to start. `chosen` is the id of a game that is chosen already. */
export function setup(place, page, begin, chosen = "") {
  const waiting = h("p", { id: "loading", class: "loading" }, page.ready ? "" : page.t("loading_python"));
  const own = h("div", {});
  const form = h("div", {});
  let opened = ""; // the spec that the reader has opened
  const draw = (...rest) => show(place, [h("h1", {}, page.t("app")), waiting, page.ready ? null : note(page), ...rest]);
  draw(own, form);
  if (chosen) return void choose(chosen);
  page.remote.call("games", { lang: page.lang() }).then(
    (found) => {
      if (!own.isConnected) return;
      waiting.textContent = "";
      draw(opener(page, choose, load, begin), listed(page, found, choose, own), form);
    },
    (error) => page.fail(error),
  );

  async function choose(id, text = "") {
    show(form, [h("p", { class: "loading" }, page.t("loading_game"))]);
    try {
      const args = { name: id, lang: page.lang() };
      const game = await page.remote.call(text ? "opened" : "game", text ? { ...args, text } : args);
      opened = text || opened;
      waiting.textContent = "";
      const { idle = [] } = (text ? null : (await games()).find((one) => one.id === id)) ?? {};
      fill(settings(page, { ...game, idle }, id, text, begin));
    } catch (error) {
      show(form);
      page.fail(error);
    }
  }

  /** Asks who goes on with a saved game. */
  async function load(file) {
    try {
      const found = await page.remote.call("openedLog", { text: await file.text(), lang: page.lang(), own: opened });
      if (found.unknown) page.fail({ message: page.t("open_spec_first", { game: found.unknown }) });
      else fill(continued(page, found, begin));
    } catch (error) {
      page.fail(error);
    }
  }

  function fill(content) {
    show(form, content);
    form.querySelector("h2").focus();
    form.scrollIntoView({ block: "start" });
  }
}

const note = (page) => h("p", { class: "note" }, page.t("loading_note"));

function listed(page, found, choose, place) {
  const of = (own) => found.filter((one) => one.own === own);
  const group = (key, games) =>
    games.length
      ? [h("h2", {}, page.t(key)), h("ul", { class: "games" }, games.map((one) => h("li", {}, button(one))))]
      : null;
  const button = ({ id, title }) =>
    h("button", { "data-key": `game-${id}`, onclick: () => choose(id) }, title);
  show(place, [group("your_games", of(true)), group("other_games", of(false))]);
  return place;
}

function opener(page, choose, load, begin) {
  const before = last();
  return h("div", { class: "row open" }, [
    before ? h("button", { class: "main", "data-key": "resume", onclick: () => begin(before) }, page.t("resume")) : null,
    file(page.t("open_spec"), ".yaml,.yml", async (one) => choose(one.name, await one.text())),
    file(page.t("open_log"), ".jsonl,.log,.txt", load),
  ]);
}

function file(label, accept, take) {
  const onchange = (event) => event.target.files[0] && take(event.target.files[0]);
  return h("label", { class: "file" }, [h("span", {}, label), h("input", { type: "file", accept, onchange })]);
}

/** A field for each seat, in which its player is chosen; none for the seats that decide nothing. */
function seating({ t }, number, idle = []) {
  const options = (seat) => [[PERSON, "person"], ...BOTS].map(([value, key]) =>
    h("option", { value, selected: value === (seat ? USUAL : PERSON) }, t(key)));
  return Array.from({ length: number }, (_, seat) =>
    idle.includes(seat) ? h("input", { type: "hidden", value: "random" }) : row(t("player", { number: seat + 1 }), `seat-${seat}`, h("select", { id: `seat-${seat}` }, options(seat))));
}

const chosenIn = (seats) => [...seats.querySelectorAll("select, input")].map((one) => one.value);

/** The form for a saved game: all but who goes on with it is in its log. */
function continued({ t }, { title, players, ...given }, begin) {
  const seats = h("fieldset", {}, [h("legend", {}, t("seats")), seating({ t }, players)]);
  const submit = (event) => {
    event.preventDefault();
    begin({ ...given, seats: chosenIn(seats) });
  };
  return h("form", { class: "settings", onsubmit: submit }, [
    h("h2", { tabindex: -1 }, title),
    seats,
    h("button", { class: "main", type: "submit", "data-key": "start" }, t("run")),
  ]);
}

/** The form for one game. */
function settings(page, game, id, text, begin) {
  const { t } = page;
  const seats = h("div", { class: "seats" });
  const drawSeats = () => show(seats, seating(page, Number(number.value), game.idle));
  const number = h("select", { id: "players", onchange: drawSeats }, game.players.map((n) => h("option", { value: n }, n - game.idle.length)));
  const variant = h("select", { id: "variant" }, [
    h("option", { value: "" }, t("no_variant")), game.variants.map(({ id, title }) => h("option", { value: id }, title)),
  ]);
  const seed = h("input", { id: "seed", type: "number", min: 0, max: 2 ** 32 - 1, value: crypto.getRandomValues(new Uint32Array(1))[0] });

  drawSeats();

  const submit = (event) => {
    event.preventDefault();
    const chosen = [...event.target.querySelectorAll("select[data-ruling]")].filter((one) => one.selectedIndex > 0);
    begin({
      name: id,
      text: text || null, // as it is edited now
      variant: variant.value,
      rulings: Object.fromEntries(chosen.map((one) => [one.dataset.ruling, one.value])),
      seats: chosenIn(seats),
      seed: Number(seed.value),
      explains: event.submitter?.value === "explains",
    });
  };
  return h("form", { class: "settings", onsubmit: submit }, [
    h("h2", { tabindex: -1 }, `${game.title} ${game.version}`),
    game.players.length > 1 ? row(t("number_of_players"), "players", number) : null,
    h("fieldset", {}, [h("legend", {}, t("seats")), seats]),
    game.variants.length ? row(t("variant"), "variant", variant) : null,
    game.rulings.length ? rulings(page, game.rulings) : null,
    h("details", {}, [h("summary", { "data-key": "more" }, t("more_settings")), row(t("seed"), "seed", seed, t("seed_note"))]),
    h("p", { class: "row" }, [
      h("button", { class: "main", type: "submit", "data-key": "start" }, t("start")),
      h("button", { type: "submit", value: "explains", "data-key": "first_game" }, t("first_game")),
    ]),
  ]);
}

const row = (label, id, control, note = "") =>
  h("p", { class: "field" }, [h("label", { for: id }, label), control, note ? h("small", {}, note) : null]);

function rulings(page, found) {
  return h("details", {}, [
    h("summary", {}, `${page.t("rulings")} (${found.length})`),
    found.map(({ id, question, options, text }) =>
      h("p", { class: "field ruling" }, [
        h("label", { for: `ruling-${id}` }, question),
        h("select", { id: `ruling-${id}`, "data-ruling": id }, options.map(({ id: option, title }, at) =>
          h("option", { value: option }, at ? title : page.t("default_answer", { answer: title })))),
        text ? h("small", {}, text) : null,
      ])),
  ]);
}
