// A dialog with a rule.
import { h, paragraphs } from "./elements.js";

export function rule(page, { rule: id, title, text_of: around, ...found }) {
  const ids = [...new Set([id, around].filter(Boolean))].join(" · "); // the text may be that of the rule around it
  const dialog = h("dialog", { "aria-labelledby": "rule-title" }, [
    h("h2", { id: "rule-title" }, title),
    h("p", { class: "note" }, page.t("rule_id", { rule: ids })),
    content(page, found),
    h("form", { method: "dialog" }, h("button", { class: "main" }, page.t("close"))),
  ]);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** What a rule says: its text, or what its steps do where it has none. */
export function content(page, { text, does }) {
  if (text) return [paragraphs(text), does.length ? h("details", {}, [h("summary", {}, page.t("does")), lines(does)]) : null];
  return does.length ? lines(does) : h("p", {}, page.t("no_text"));
}

/** Lines of a list, which are indented by level, as lists within lists. */
function lines(does) {
  const lists = [h("ul", { class: "does" }, [])];
  for (const line of does) {
    const level = line.search(/\S/) >> 1;
    while (lists.length > level + 1) lists.pop();
    while (lists.length <= level) {
      lists.push(h("ul", {}, []));
      (lists.at(-2).lastElementChild ?? lists.at(-2)).append(lists.at(-1));
    }
    lists.at(-1).append(h("li", {}, line.trim().replace(/^- /, "")));
  }
  return lists[0];
}
