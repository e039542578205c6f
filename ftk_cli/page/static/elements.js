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
  return text.split(/\n\s*\n/).map((part) => {
    const lines = part.split("\n");
    const listed = lines.every((line) => /^\s*[-*] |^\s+/.test(line));
    return listed ? h("ul", {}, items(lines).map((one) => h("li", {}, strong(one)))) : h("p", {}, strong(part));
  });
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
