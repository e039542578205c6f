// What changed in a game: the changes that `ftk diff` lists, and the lines of the file that is open.
import { h } from "./elements.js";

/** The elements of the answer to `changes`; `go` leads to a place in the spec, which may have errors by now. */
export function changes({ t }, { lang, old, release, head, hasErrors, changes: every }, lines, { go, open }) {
  return [
    h("h2", {}, t("what_changed")),
    old ? h("p", { class: "note" }, t(release ? "since_release" : "since_opened", { version: old.version })) : null,
    hasErrors ? h("p", { class: "note" }, t(old ? "changes_before_errors" : "changes_after_errors")) : null,
    old ? h("p", { lang }, head) : null,
    h("ul", { lang }, every.map((one) => h("li", {}, change(one, go)))),
    h("details", { open: open || !old }, [
      h("summary", {}, t("changed_lines")),
      h("pre", { class: "changed", tabindex: "0" }, lines.join("\n") || t("nothing_changed")),
    ]),
  ];
}

function change({ title, name, says, effect, before, after, examples, new: place }, go) {
  return [
    h("h3", {}, title === name ? title : [title, " ", h("code", {}, name)]),
    h("p", { class: "note" }, `${says} · ${effect}`),
    before.map((line) => h("p", {}, h("del", {}, line))),
    after.map((line) => h("p", {}, h("ins", {}, line))),
    examples.map((line) => h("p", { class: "note" }, line)),
    place && !place.path ? h("button", { onclick: () => go(place) }, `${place.line}:${place.column}`) : null,
  ];
}
