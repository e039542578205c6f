// How the game ended: the places, who got which prize, what broke a tie, and how the points came about.
import { h } from "./elements.js";
import { colourOf } from "./table.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, EDGE] = [320, 140, 6]; // of the plot, in its own units

/** The result; `again` and `save` are what its buttons do, null for none. */
export function result(page, { result: found, players, scene }, { again, save }) {
  const { t } = page;
  const button = (key, onclick, kind) => (onclick ? h("button", { class: kind, "data-key": key, onclick }, t(key)) : null);
  return h("section", { class: "result", "aria-labelledby": "result-title" }, [
    h("h2", { id: "result-title" }, t("game_over")),
    found.decided ? h("p", { class: "decided" }, found.decided) : null,
    h("ol", { class: "ranking" }, found.places.map((one) => place(page, one, players, found.prizes))),
    rest(page, found.prizes),
    found.course.length > 1 ? course(page, found, scene) : null,
    h("p", { class: "row" }, [button("again", again, "main"), button("save_log", save, "")]),
  ]);
}

function place({ t }, { place, player, seat, score }, players, prizes) {
  const own = prizes.filter((one) => one.seat === seat);
  const who = players[seat].is === "person" ? "you" : "bot";
  return h("li", { class: place === 1 ? "first" : false }, [
    h("span", { class: "rank" }, [h("span", { class: "unseen" }, `${t("place")} `), place]),
    h("span", { class: "winner" }, [player, " ", h("small", {}, t(who))]),
    h("b", { class: "score" }, [score, h("span", { class: "unseen" }, ` ${t("points")}`)]),
    own.length ? h("details", { open: place === 1 }, [h("summary", {}, t("prizes", { number: own.length })), h("ul", {}, own.map((one) => h("li", {}, one.text)))]) : null,
  ]);
}

/** The prizes that no player got. */
function rest({ t }, prizes) {
  const none = prizes.filter(({ seat }) => seat < 0);
  return none.length ? h("details", {}, [h("summary", {}, t("not_awarded", { number: none.length })), h("ul", {}, none.map((one) => h("li", {}, one.text)))]) : null;
}

/** A line for each player: the points after the decisions from the first to the last. */
function course({ t }, { course: points, places }, scene) {
  const every = points.flat();
  const [low, high] = [Math.min(0, ...every), Math.max(1, ...every)];
  const x = (at) => EDGE + (at / (points.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value) => HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE);
  const line = (seat) => points.map((one, at) => `${x(at).toFixed(1)},${y(one[seat]).toFixed(1)}`).join(" ");
  const said = places.map(({ player, score }) => `${player}: ${score}`).join(", ");
  return h("figure", { class: "course" }, [
    h("figcaption", {}, t("course")),
    s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${t("course")}. ${said}` }, [
      s("line", { class: "zero", x1: EDGE, x2: WIDTH - EDGE, y1: y(0), y2: y(0) }),
      ...places.map(({ seat }) => s("polyline", { points: line(seat), "--colour": colourOf(scene, seat).colour })),
    ]),
    h("ul", { class: "legend" }, places.map(({ player, seat }) => h("li", { "--colour": colourOf(scene, seat).colour }, player))),
  ]);
}

function s(name, properties, children = []) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("--")) element.style.setProperty(key, value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}
