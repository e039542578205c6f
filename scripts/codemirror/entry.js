// What the workbench of the page uses of CodeMirror: `make.sh` bundles it into ftk_cli/page/static/codemirror.js.
export { EditorState, Compartment, StateEffect } from "@codemirror/state";
export { EditorView, keymap, lineNumbers, highlightActiveLine, drawSelection, hoverTooltip, rectangularSelection } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { searchKeymap, highlightSelectionMatches } from "@codemirror/search";
export { autocompletion, completionKeymap, closeBrackets } from "@codemirror/autocomplete";
export { setDiagnostics, lintGutter, lintKeymap, nextDiagnostic } from "@codemirror/lint";
export { StreamLanguage, syntaxHighlighting, HighlightStyle, foldGutter, indentOnInput, bracketMatching, indentUnit } from "@codemirror/language";
export { yaml } from "@codemirror/legacy-modes/mode/yaml";
export { tags } from "@lezer/highlight";
