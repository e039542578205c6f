// Elements made by function calls: h("button", { onclick }, "text"). Text is never parsed as HTML.

import { h } from "./cards.js";
export { h };

/** Replaces the content of a place, and keeps the focus on the element with the same `data-key`. */
export function show(place, ...children) {
  const key = document.activeElement?.dataset?.key;
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (key) place.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** Text as paragraphs and lists: the little Markdown that rule texts have. */
export function paragraphs(text) {
  return text.split(/\n\s*\n/).flatMap((part) => blocks(part.split("\n")));
}

/** The lines before a list, the list, and what follows it. */
function blocks(lines) {
  const from = lines.findIndex((line) => /^\s*[-*] /.test(line));
  if (from) return [h("p", {}, strong(lines.slice(0, from < 0 ? lines.length : from).join("\n"))), from < 0 ? [] : blocks(lines.slice(from))].flat();
  const after = lines.findIndex((line) => !/^\s*[-*] |^\s+/.test(line));
  const listed = after < 0 ? lines : lines.slice(0, after);
  return [h("ul", {}, items(listed).map((one) => h("li", {}, strong(one)))), after < 0 ? [] : blocks(lines.slice(after))].flat();
}

function items(lines) {
  const found = [];
  for (const line of lines) {
    if (/^\s*[-*] /.test(line)) found.push(line.replace(/^\s*[-*] /, ""));
    else if (found.length) found[found.length - 1] += ` ${line.trim()}`;
    else found.push(line.trim());
  }
  return found;
}

function strong(text) {
  return text.split(/\*\*(.+?)\*\*/).map((part, at) => (at % 2 ? h("strong", {}, part) : part));
}

/** Asks the browser to save a text as a file. */
export function download(name, text) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
