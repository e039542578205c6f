"""Texts that came back, written into the file of a translation: nothing but what changed is touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import normalize

from rulespec.diagnostics import Finding, Span, finding
from rulespec.document import Mapping, Node, Scalar, at, parse
from rulespec.model.spec import Spec
from rulespec.source import Source
from rulespec.text.exchange.scalars import Place, fresh, rewritten
from rulespec.text.exchange.units import STATUSES, TRANSLATED, Entries, Entry, keys, path_of, statuses, texts
from rulespec.text.translation import Translation, read

# What tools write where a script is meant, by the region they know it from.
_SCRIPTS = {"zh-tw": "zh-hant", "zh-hk": "zh-hant", "zh-mo": "zh-hant", "zh-cn": "zh-hans", "zh-sg": "zh-hans"}


_PARTS = ("title", "text", "status")


@dataclass(frozen=True)
class _Edit:
    span: Span
    text: str


def apply(source: Source, entries: Entries, spec: Spec) -> tuple[str, list[Finding]]:
    """The text of a translation file with what came back written into it, and what could not be. Never raises.

    Texts are compared in NFC and written as they are; comments, order and everything unchanged stay as they were.
    Rules without a text yet are added at the end of `rules:`. An empty text deletes nothing. A status is written where
    one stood, and where a text came back as a draft or reviewed.
    """
    translation, unreadable = read(source)
    if translation is None:
        return source.text, unreadable
    wrong = list(_elsewhere(entries, translation))
    if wrong:
        return source.text, wrong
    known = _content(translation)
    found: list[Finding] = []
    first = dict(_first_of_each(entries, spec, known, found))
    changed = {id_: entry.text for id_, entry in _changed(entries, first, known, found)}
    changed |= _new_statuses(first, known, changed)
    result = _written(source, known, changed)
    again, _ = read(Source(source.path, result))
    if again is None or _content(again) != known | changed:
        return source.text, [*found, _unwritable(source)]
    return result, found


def _content(translation: Translation) -> dict[str, str]:
    return texts(translation) | {f"{passage}/status": status for passage, status in statuses(translation).items()}


def _unwritable(source: Source) -> Finding:
    message = "The texts cannot be written into this file without changing others."
    hint = "Write its texts as blocks that begin with |-, then import again."
    return finding("exchange-unwritable", message, source, Span(0, 0), hint)


# --- what came back ---------------------------------------------------------------------------------------------------


def _elsewhere(entries: Entries, translation: Translation) -> Iterator[Finding]:
    game, lang = translation.game, translation.lang
    if entries.game != game:
        message = f"The file holds texts of {entries.game}, not of {game}."
        yield finding("exchange-other-game", message, entries.source, Span(0, 0), "Import it into its own game.")
    elif not _same_language(entries.lang, lang):
        message = f"The file holds texts in {entries.lang}, not in {lang}."
        hint = "Import it into its own language."
        yield finding("exchange-other-language", message, entries.source, Span(0, 0), hint, lang=lang)


def _same_language(said: str, lang: str) -> bool:
    said, lang = said.casefold(), lang.casefold()
    return said == lang or said.startswith(lang + "-") or _SCRIPTS.get(said) == lang


def _changed(
    entries: Entries, first: dict[str, Entry], known: dict[str, str], found: list[Finding]
) -> Iterator[tuple[str, Entry]]:
    """The entries to write, by the id of their unit."""
    for id_, entry in first.items():
        empty, before = not entry.text.strip(), known.get(id_, "")
        if empty and before.strip():
            hint = "To change a text, write the new one; to delete a rule, delete it in the spec."
            message = f"{id_} came back empty; what stood there stays."
            found.append(_say("exchange-emptied", message, entries, entry, hint))
        elif empty or normalize("NFC", entry.text) == normalize("NFC", before):
            continue
        elif id_ not in known and not _whole(id_, first):
            hint = "Translate both."
            message = f"{id_} is new and needs a title and a text."
            found.append(_say("exchange-incomplete", message, entries, entry, hint))
        else:
            yield id_, entry


def _first_of_each(
    entries: Entries, spec: Spec, known: dict[str, str], found: list[Finding]
) -> Iterator[tuple[str, Entry]]:
    seen: set[str] = set()
    for entry in entries.items:
        id_ = entry.id
        if not _is_known(id_, spec, known):
            what = f"There is no {id_} in this game." if id_ else "This text does not say which rule it belongs to."
            hint = "Leave the ids as they were exported; was the rule renamed since?"
            found.append(_say("exchange-unknown-unit", what, entries, entry, hint))
        elif id_ in seen:
            message = f"{id_} stands in the file a second time; the first one counts."
            found.append(_say("exchange-duplicate-unit", message, entries, entry, "Delete one of the two."))
        else:
            seen.add(id_)
            yield id_, entry


def _is_known(id_: str, spec: Spec, known: dict[str, str]) -> bool:
    path = path_of(id_)
    if path is None or id_ in known:
        return path is not None
    return path[1] in (spec.rules if path[0] == "rules" else spec.rulings)


def _whole(id_: str, entries: dict[str, Entry]) -> bool:
    """Whether every part of a new rule came back."""
    block, _, rest = id_.partition("/")
    parts = ("title", "text") if block == "rules" else ("text",)
    ids = [f"{block}/{rest.rpartition('/')[0]}/{part}" for part in parts]
    return all(id_ in entries and entries[id_].text.strip() for id_ in ids)


def _new_statuses(first: dict[str, Entry], known: dict[str, str], changed: dict[str, str]) -> dict[str, str]:
    """The statuses to write, each the lowest among the parts of a passage."""
    came: dict[str, str] = {}
    for id_, entry in first.items():
        passage = id_.rpartition("/")[0]
        if passage and entry.status and (id_ in known or id_ in changed):
            came[passage] = min(came.get(passage, entry.status), entry.status, key=STATUSES.index)
    # A file cannot tell "translated" from a text of which nobody has said anything.
    before = {passage: known.get(f"{passage}/status", TRANSLATED) for passage in came}
    return {f"{passage}/status": status for passage, status in came.items() if status != before[passage]}


def _say(name: str, message: str, entries: Entries, entry: Entry, hint: str) -> Finding:
    path = path_of(entry.id) or ("",)
    return finding(name, message, entries.source, entry.span, hint, path[1] if path[1:] else "", entries.lang)


# --- where it goes ----------------------------------------------------------------------------------------------------


def _written(source: Source, known: dict[str, str], changed: dict[str, str]) -> str:
    root, _ = parse(source)
    assert isinstance(root, Mapping), "a translation has been read from it"
    edits = [_change(source, root, keys(id_), text) for id_, text in changed.items() if id_ in known]
    new = {keys(id_): text for id_, text in changed.items() if id_ not in known}
    there = [path for path in new if "/".join([*path[:2], "text"]) in known]
    edits += [_status(source, root, path, new.pop(path)) for path in there]
    edits += [_addition(source, root, block, new) for block in ("rules", "rulings") if any(p[0] == block for p in new)]
    text = source.text
    # From the end, so that the places before stay where they are; rulings are added after rules at the same place.
    for edit in sorted(reversed(edits), key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _change(source: Source, root: Mapping, path: tuple[str, ...], text: str) -> _Edit:
    parents = [at(root, path[:depth]) for depth in range(len(path))]
    old, parent = at(root, path), parents[-1]
    assert isinstance(old, Scalar) and isinstance(parent, Mapping)
    flow = any(_is_flow(source, node) for node in parents)
    after = source.text[old.span.end : old.span.end + 1] and "\n"
    place = Place(flow, _indent(source, old, parent, path[-1]), _line_break(source), after)
    return _Edit(old.span, rewritten(old, text, place))


def _indent(source: Source, old: Scalar, parent: Mapping, name: str) -> int:
    """How deep the lines of a block stand: as they did, or two deeper than its key."""
    first = next((i for i, sign in enumerate(old.text) if sign != "\n"), 0)
    key = parent.key(name)
    assert key is not None
    deeper = _column(source, key) + 2
    column = source.position(old.offset(first)).column - 1
    return column if old.style == "|" and old.offset(first) > old.span.start and column else deeper


def _status(source: Source, root: Mapping, path: tuple[str, ...], status: str) -> _Edit:
    """A first status for a passage that is there."""
    passage = at(root, path[:2])
    assert isinstance(passage, Mapping)
    if any(_is_flow(source, at(root, path[:depth])) for depth in range(3)):
        return _Edit(_before_bracket(passage), f"{_comma(source, passage)}status: {status}")
    line = " " * _column(source, passage.entries[0][0]) + f"status: {status}"
    return _Edit(_after(source, passage), _line_break(source) + line)


def _addition(source: Source, root: Mapping, block: str, new: dict[tuple[str, ...], str]) -> _Edit:
    """Passages that are new in a block, or the whole block where the file has none."""
    passages: dict[str, dict[str, str]] = {}
    for path, text in new.items():
        if path[0] == block:
            passages.setdefault(path[1], {})[path[2]] = text
    there = root.get(block)
    node = there if isinstance(there, Mapping) else root
    if _is_flow(source, root) or _is_flow(source, node):
        return _in_brackets(source, node, "" if node is there else block, passages)
    lines = [] if node is there else ["", f"{block}:"]
    depth = _column(source, node.entries[0][0]) + (0 if node is there else 2)
    for id_, parts in passages.items():
        lines += [""] if node is there and _is_airy(source, node) else []
        lines += _passage(source, id_, parts, depth)
    return _Edit(_after(source, node), "".join(_line_break(source) + line for line in lines))


def _passage(source: Source, id_: str, parts: dict[str, str], depth: int) -> Iterator[str]:
    place = Place(False, depth + 4, _line_break(source))
    yield " " * depth + fresh(id_, place, block=False) + ":"
    for part in sorted(parts, key=_PARTS.index):
        yield " " * (depth + 2) + f"{part}: " + fresh(parts[part], place, block=part == "text")


def _in_brackets(source: Source, node: Mapping, block: str, passages: dict[str, dict[str, str]]) -> _Edit:
    place = Place(True, 0, _line_break(source))
    written = ", ".join(
        f"{fresh(id_, place, block=False)}: {{"
        + ", ".join(f"{part}: {fresh(parts[part], place, block=False)}" for part in _PARTS if part in parts)
        + "}"
        for id_, parts in passages.items()
    )
    return _Edit(_before_bracket(node), _comma(source, node) + (f"{block}: {{{written}}}" if block else written))


def _before_bracket(node: Mapping) -> Span:
    return Span(node.span.end - 1, node.span.end - 1)


def _comma(source: Source, node: Mapping) -> str:
    return "" if source.text[: node.span.end - 1].rstrip().endswith(("{", ",")) else ", "


def _after(source: Source, node: Mapping) -> Span:
    """The end of the line on which a mapping ends, behind a comment there."""
    number = source.position(node.entries[-1][1].span.end).line
    spot = source.line_start(number) + len(source.line(number))
    return Span(spot, spot)


def _is_flow(source: Source, node: Node) -> bool:
    return source.text[node.span.start] == "{"


def _is_airy(source: Source, node: Mapping) -> bool:
    """Whether a blank line stands before the last entry of a block."""
    line = source.position(node.entries[-1][0].span.start).line
    return len(node.entries) > 1 and not source.line(line - 1).strip()


def _column(source: Source, key: Scalar) -> int:
    return source.position(key.span.start).column - 1


def _line_break(source: Source) -> str:
    return "\r\n" if "\r\n" in source.text else "\n"
