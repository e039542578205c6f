// What happened, part by part of the game. The newest line is always in sight.
import { h } from "./elements.js";

const WIDE = matchMedia("(min-width: 60rem)"); // beside the table, so that it need not be folded
let open = null; // as the reader has left it

export function log({ t }, lines) {
  const newest = lines.findLast((one) => one.kind !== "rule");
  const heading = [h("h2", { id: "log-title" }, t("log")), newest ? h("span", { class: `newest ${newest.kind}` }, newest.text) : null];
  return h("details", { class: "log", open: open ?? WIDE.matches, ontoggle: (event) => { open = chosen(event.target.open); } }, [
    h("summary", { "data-key": "log" }, heading),
    lines.length
      ? h("ol", { tabindex: 0, "aria-labelledby": "log-title" }, parts(lines).map(part))
      : h("p", { class: "note" }, t("log_empty")),
  ]);
}

/** Whether the log is open, null if it is as the width of the screen has it. */
const chosen = (isOpen) => (isOpen === WIDE.matches ? null : isOpen);

/** The lines below the heading of each part of the game in which something happened, and the part that it is in now. */
function parts(lines) {
  const found = [];
  for (const one of lines) {
    if (one.kind === "rule" || !found.length) found.push({ title: one.kind === "rule" ? one.text : "", lines: [] });
    if (one.kind !== "rule") found.at(-1).lines.push(one);
  }
  return found.filter((one, at) => one.lines.length || at === found.length - 1);
}

function part({ title, lines }) {
  const inside = h("ol", {}, lines.map(({ kind, text }) => h("li", { class: kind }, text)));
  return h("li", {}, [title ? h("b", { class: "rule" }, title) : null, lines.length ? inside : null]);
}
