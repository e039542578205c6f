// What reviewers say about a text at the desk: right, or remarks, which others can decline. See desk.py.
import { h, show } from "./elements.js";
import * as storage from "./storage.js";

/** The states of a text in its review, as words of the page. */
export const READ = { read: "review_read", changed: "review_changed", "rule-changed": "review_rule_changed", unread: "review_unread" };
const KINDS = { wrong: "review_wrong", missing: "review_missing", term: "review_term" };
const NAME = "ftk.reviewer"; // the name is kept in this browser

/** The part of the desk about the review of the text that is open; null while there is no text. */
export function reviewed(desk) {
  const { review } = desk.unit;
  return review ? new Review(desk, review).section() : null;
}

class Review {
  constructor(desk, review) {
    Object.assign(this, { desk, review, t: desk.page.t, draft: (desk.draft ??= {}) });
    if (this.draft.id !== desk.unit.entry.id) desk.draft = this.draft = { id: desk.unit.entry.id };
  }

  section() {
    const { t, review } = this;
    const title = h("h3", { id: "review-title" }, t("review_title"));
    const content = review.unusable ? h("p", { class: "note" }, review.unusable) : [this.state(), this.list(), this.answers()];
    return h("section", { class: "desk-review", "aria-labelledby": "review-title" }, [title, content]);
  }

  state() {
    const { t, review } = this;
    const rules = review.changed.length ? `: ${review.changed.join(", ")}` : "";
    return h("p", { class: "note" }, [`${t(READ[review.state])}${rules}`, review.disagreed ? h("strong", {}, ` · ${t("review_disagree")}`) : null]);
  }

  list() {
    const { said } = this.review;
    return said.length ? h("ul", { class: "review-said" }, said.map((one) => this.one(one))) : null;
  }

  one({ by, date, holds, number, remark, is_open: isOpen }) {
    const { t } = this;
    const who = [h("strong", {}, by), ` · ${date}`, holds ? "" : ` · ${t("review_past")}`, " · "];
    if (!remark) return h("li", {}, [who, t("review_is_right")]);
    const { kind, words, rule, why, declined } = remark;
    return h("li", { class: isOpen ? "open" : "" }, [
      h("p", {}, [who, t(KINDS[kind]), ": ", h("q", { lang: this.desk.view.lang }, words), " ", h("code", {}, rule)]),
      h("p", {}, why),
      declined ? h("p", { class: "note" }, t("review_declined", declined)) : null,
      isOpen && by !== this.name() ? this.declining(number) : null,
    ]);
  }

  name() {
    return (storage.read(NAME) ?? "").trim();
  }

  declining(number) {
    const { t } = this;
    const why = h("input", { "aria-label": t("desk_reason"), placeholder: t("desk_reason"), required: true });
    const onsubmit = (event) => {
      event.preventDefault();
      this.say("decline", { number, why: why.value });
    };
    return h("details", {}, [h("summary", {}, t("review_decline")), h("form", { class: "row", onsubmit }, [why, h("button", {}, t("review_decline"))])]);
  }

  /** Calls Python with the name of the reader; without a name, the field for it is shown. Shows what goes wrong. */
  async say(call, args) {
    if (!this.by.reportValidity()) return;
    show(this.wrong, await this.desk.said(call, { by: this.by.value, ...args }));
  }

  answers() {
    const { t, desk, draft } = this;
    const { id } = desk.unit.entry;
    const named = () => storage.write(NAME, this.by.value.trim());
    this.by = h("input", { id: "review-by", "data-key": "review-by", required: true, autocomplete: "name", pattern: ".*\\S.*", oninput: named });
    this.by.value = this.name();
    const option = ([kind, key]) => h("option", { value: kind, selected: draft.kind === kind }, t(key));
    const rule = (one) => h("option", { value: one.id, selected: draft.rule === one.id }, [one.id, one.title ? ` · ${one.title}` : ""]);
    const kept = (name) => (event) => (draft[name] = event.target.value);
    const words = h("input", { id: "review-words", lang: desk.view.lang, required: true, oninput: kept("words"), onfocus: () => this.select(words) });
    const why = h("input", { id: "review-why", required: true, maxlength: 600, oninput: kept("why") });
    words.value = draft.words ?? "";
    why.value = draft.why ?? "";
    const kinds = h("select", { id: "review-kind", oninput: kept("kind") }, Object.entries(KINDS).map(option));
    const rules = h("select", { id: "review-rule", oninput: kept("rule") }, this.review.rules.map(rule));
    const onsubmit = (event) => {
      event.preventDefault();
      this.say("judge", { id, kind: kinds.value, words: words.value, rule: rules.value, why: why.value });
    };
    const field = (key, input) => h("p", { class: "field" }, [h("label", { for: input.id }, t(key)), input]);
    this.wrong = h("p", { class: "wrong", role: "alert" });
    return [
      field("review_name", this.by),
      h("p", { class: "row" }, h("button", { "data-key": "review-right", onclick: () => this.say("judge", { id, kind: "right" }) }, t("review_right"))),
      h("details", { open: Boolean(draft.open), ontoggle: (event) => (draft.open = event.target.open) }, [
        h("summary", {}, t("review_remark")),
        h("form", { onsubmit }, [field("review_kind", kinds), field("review_words", words), field("review_rule", rules), field("review_why", why), h("p", { class: "row" }, h("button", {}, t("review_keep")))]),
      ]),
      this.wrong,
    ];
  }

  /** Takes the words that are selected in the text, if there are none yet. */
  select(words) {
    const { value, selectionStart, selectionEnd } = this.desk.text;
    if (words.value || selectionStart === selectionEnd) return;
    words.value = this.draft.words = value.slice(selectionStart, selectionEnd).trim();
  }
}
