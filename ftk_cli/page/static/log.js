// What happened, part by part of the game and decision by decision. The newest stands on top.
import { h, inked } from "./cards.js";
import { colourOf } from "./table.js";

const WIDE = matchMedia("(min-width: 60rem)"); // beside the table, so that it need not be folded
let open = null; // as the reader has left it
const toggled = new Map(); // whether what followed from the decision at a line is open, as the reader has left it

/** `lines` of what a view says; what happened since the last decision of its seat is unfolded. */
export function log({ t }, lines, { scene, seat }) {
  if (!lines.length) toggled.clear();
  const happened = decisions(lines);
  const own = happened.findLast(({ lines: [one] }) => one.kind === "choice" && one.seat === seat);
  const newest = happened.at(-1)?.lines[0];
  const heading = [h("h2", { id: "log-title" }, t("log")), newest ? h("span", { class: "newest" }, said(scene, newest)) : null];
  return h("details", { class: "log", open: open ?? WIDE.matches, ontoggle: ({ target }) => { open = target.open === WIDE.matches ? null : target.open; } }, [
    h("summary", { "data-key": "log" }, heading),
    happened.length
      ? h("ol", { tabindex: 0, reversed: true, "aria-labelledby": "log-title" }, parts(happened.toReversed()).map((part) => drawn(scene, part, own?.at ?? Infinity)))
      : h("p", { class: "note" }, t("log_empty")),
  ]);
}

/** Each decision with what followed from it, and the title of the part of the game that it is in; the same for what happens before
 * any decision of a part. */
function decisions(lines) {
  const found = [];
  let title = "";
  lines.forEach((line, at) => {
    if (line.kind === "rule") title = line.text;
    else if (line.kind === "choice" || found.at(-1)?.title !== title) found.push({ title, at, lines: [line] });
    else found.at(-1).lines.push(line);
  });
  return found;
}

/** Decisions in a row that are in the same part of the game. */
function parts(happened) {
  const found = [];
  for (const one of happened) {
    if (found.at(-1)?.title !== one.title) found.push({ title: one.title, inside: [] });
    found.at(-1).inside.push(one);
  }
  return found;
}

function drawn(scene, { title, inside }, since) {
  const heading = title ? h("b", { class: "rule" }, title) : null;
  const [{ lines }, ...others] = inside;
  if (heading && !others.length && lines.length > 1 && lines[0].kind !== "choice") return h("li", {}, folded(scene, inside[0], heading, lines, since));
  const each = inside.map((one) => h("li", {}, folded(scene, one, said(scene, one.lines[0]), one.lines.slice(1), since)));
  return h("li", {}, [heading, h("ol", { reversed: true }, each)]);
}

/** What stands in sight, and what is folded below it unless it is new. */
function folded(scene, { at }, summary, lines, since) {
  if (!lines.length) return summary;
  return h("details", { open: toggled.get(at) ?? at >= since }, [
    h("summary", { "data-key": `log-${at}`, onclick: ({ currentTarget }) => toggled.set(at, !currentTarget.parentElement.open) }, summary),
    h("ol", {}, lines.map((one) => h("li", {}, said(scene, one)))),
  ]);
}

function said(scene, { kind, text, seat }) {
  return h("span", { class: kind }, [seat === null ? null : h("i", { class: "dot", "aria-hidden": "true", ...inked(colourOf(scene, seat)) }), text]);
}
