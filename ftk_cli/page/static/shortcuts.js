// The keys of the workbench: one table, which the dialog lists and the workbench listens to.
import { h } from "./elements.js";

/** What a key does, as words of the page; with `act`, a function of the workbench: the other keys belong to the editor and to lists. */
export const SHORTCUTS = [
  { keys: "Ctrl+Shift+F", does: "keys_search", act: "search" },
  { keys: "Ctrl+S", does: "save_file", act: "save" },
  { keys: "Alt+1", to: "Alt+9", does: "keys_tab", act: "tab" },
  { keys: "Alt+W", does: "close_file", act: "close" },
  { keys: "Alt+B", does: "keys_beside", act: "beside" },
  { keys: "Alt+T", does: "keys_tree", act: "tree" },
  { keys: "Alt+P", does: "keys_problems", act: "problems" },
  { keys: "Alt+G", does: "game_beside", act: "game" },
  { keys: "F1", does: "keys_help", act: "help" },
  { keys: "Ctrl+F", does: "keys_find" },
  { keys: "F8", does: "keys_next" },
  { keys: "Ctrl+Space", does: "keys_complete" },
  { keys: "Ctrl+Z", to: "Ctrl+Shift+Z", does: "keys_undo" },
  { keys: "Tab", does: "keys_leave" },
  { keys: "Delete", does: "keys_delete" },
  { keys: "Alt+Enter", does: "keys_enter" },
];

/** The row of a key that the workbench acts on, if there is one; a digit stands for all. */
export function shortcut(event) {
  const key = /^(Key|Digit)/.test(event.code) ? event.code.replace(/^(Key|Digit)/, "") : event.key;
  const pressed = [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : "", event.shiftKey ? "Shift" : "", /^[1-9]$/.test(key) ? "1" : key];
  return SHORTCUTS.find((one) => one.act && one.keys === pressed.filter(Boolean).join("+"));
}

/** Shows the keys. */
export function listed({ t }) {
  const keys = (one) => one.split("+").flatMap((key, at) => [at ? "+" : "", h("kbd", {}, key)]);
  const row = ({ keys: first, to, does }) => h("tr", {}, [h("td", {}, [keys(first), to ? [" … ", keys(to)] : ""]), h("td", {}, t(does))]);
  const dialog = h("dialog", { class: "keys", "aria-labelledby": "keys-title" }, [
    h("h2", { id: "keys-title" }, t("keys")),
    h("table", {}, [h("thead", { class: "unseen" }, h("tr", {}, [h("th", {}, t("key")), h("th", {}, t("does_what"))])), h("tbody", {}, SHORTCUTS.map(row))]),
    h("form", { method: "dialog" }, h("button", { class: "main" }, t("close"))),
  ]);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
