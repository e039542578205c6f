// A dialog with a rule.
import { h, paragraphs } from "./elements.js";

export function rule(page, { rule: id, title, text, text_of: around, does }) {
  const ids = [...new Set([id, around].filter(Boolean))].join(" · "); // the text may be that of the rule around it
  const dialog = h("dialog", { "aria-labelledby": "rule-title" }, [
    h("h2", { id: "rule-title" }, title),
    h("p", { class: "note" }, page.t("rule_id", { rule: ids })),
    text ? paragraphs(text) : h("p", {}, page.t("no_text")),
    does.length ? h("details", { open: !text }, [h("summary", {}, page.t("does")), lines(does)]) : null,
    h("form", { method: "dialog" }, h("button", { class: "main" }, page.t("close"))),
  ]);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const lines = (does) => h("pre", {}, does.join("\n"));
