"""A file about a game, rewritten for the id, title and players of another one. Comments and layout stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence, at
from rulespec.text.glossary.concepts import PROPERTIES
from rulespec.text.output.begun import in_words
from rulespec.text.output.exchange.yaml_patch import ScalarContext, fresh

Edit = tuple[Span, str]

_SCHEMA = re.compile(r"# yaml-language-server:[^\n]*\n")
_IN_BRACKETS = ScalarContext(flow=True, indent=0, line_break="\n")
"""A text that fits here fits outside of brackets as well."""


@dataclass(frozen=True)
class Identity:
    """What makes a copy another game. `players` is None if the numbers of players stay as they are."""

    id: str
    title: str
    players: range | None
    languages: tuple[str, ...]


def spec(source: Source, new: Identity) -> str:
    return _edited(source, _of_spec(source, new))


def scenarios(source: Source, new: Identity) -> str:
    return _edited(source, [*_game(source, new), *_of_cases(source, new.players)])


def translation(source: Source, new: Identity) -> str:
    """A text, which keeps its `source:` if the new game has that language, too."""
    titled = _put(source, ("title",), written(new.title))
    return _edited(source, [*_game(source, new), *titled, *_other_source(source, new.languages)])


def glossary(source: Source, new: Identity, without: Iterable[str] = ()) -> str:
    """A glossary with the terms of the languages of the new game.

    A comment above the concepts names the languages that it is `without` terms of.
    """
    remarks = _to_add(source, tuple(without))
    return _edited(source, [*_game(source, new), *_other_languages(source, new.languages), *remarks])


def written(title: str) -> str:
    """A title as YAML, with quotes where it needs them."""
    return fresh(title, _IN_BRACKETS, block=False)


def players_as_text(players: range) -> str:
    return f"{players[0]}..{players[-1]}" if len(players) > 1 else str(players[0])


def sheet_name(path: str, new: Identity) -> str:
    """The name of the spreadsheet with the cards of the new game, beside its spec."""
    return new.id + PurePath(path).suffix.lower()


def _edited(source: Source, edits: Iterable[Edit]) -> str:
    text = source.text
    # From the end, so that the places of the others stay right.
    for span, new in sorted(edits, reverse=True):
        text = text[: span.start] + new + text[span.end :]
    return _SCHEMA.sub("", text, count=1)  # the schema has another path from the new file, if it is there at all


def _of_spec(source: Source, new: Identity) -> Iterator[Edit]:
    yield from _put(source, ("game", "id"), new.id)
    yield from _put(source, ("game", "title"), written(new.title))
    sheet = _node(source, ("cards", "from"))
    if isinstance(sheet, Scalar):
        yield sheet.span, sheet_name(sheet.text, new)
    if new.players is not None:
        yield from _put(source, ("game", "players"), players_as_text(new.players))


def _game(source: Source, new: Identity) -> Iterator[Edit]:
    yield from _put(source, ("game",), new.id)


def _of_cases(source: Source, players: range | None) -> Iterator[Edit]:
    """Cases for too few or too many players get the nearest number."""
    cases = _node(source, ("cases",))
    for case in cases.items if isinstance(cases, Sequence) and players is not None else ():
        number = case.get("players") if isinstance(case, Mapping) else None
        if isinstance(number, Scalar) and isinstance(number.value, int) and players is not None:
            yield number.span, str(min(max(number.value, players[0]), players[-1]))


def _other_languages(source: Source, languages: tuple[str, ...]) -> Iterator[Edit]:
    concepts = _node(source, ("concepts",))
    for _, concept in concepts.entries if isinstance(concepts, Mapping) else ():
        if isinstance(concept, Mapping):
            in_brackets = source.text[concept.span.start] == "{"
            before: Node | None = None
            for key, terms in concept.entries:
                if _is_other(key, languages) and not (in_brackets and before is None):
                    whole = Span(before.span.end, terms.span.end) if in_brackets and before else None
                    yield whole or _lines(source, key, terms), ""
                before = terms


def _to_add(source: Source, languages: tuple[str, ...]) -> Iterator[Edit]:
    root, _ = parse(source)
    key = root.key("concepts") if isinstance(root, Mapping) else None
    if key is not None and languages:
        named = " and ".join(map(in_words, languages))
        at = source.line_start(source.position(key.span.start).line)
        yield (
            Span(at, at),
            f"# There are no terms in {named} yet, so the texts are checked without terms. Add one to each\n"
            f"# concept beside the others, such as `{languages[0]}: {{preferred: …}}`: then the texts must use it.\n",
        )


def _other_source(source: Source, languages: tuple[str, ...]) -> Iterator[Edit]:
    root, _ = parse(source)
    key, value = (root.key("source"), root.get("source")) if isinstance(root, Mapping) else (None, None)
    if key is not None and isinstance(value, Scalar) and value.text not in languages:
        yield _lines(source, key, value), ""


def _is_other(key: Scalar, languages: tuple[str, ...]) -> bool:
    return key.text not in PROPERTIES and key.text not in languages


def _lines(source: Source, key: Scalar, value: Node) -> Span:
    """The whole lines of an entry in block layout."""
    first, last = source.position(key.span.start).line, source.position(value.span.end - 1).line
    end = source.line_start(last + 1) if last < source.line_count else len(source.text)
    return Span(source.line_start(first), end)


def _put(source: Source, path: tuple[str, ...], text: str) -> Iterator[Edit]:
    """The edit that replaces a value; none if the file does not have it."""
    node = _node(source, path)
    if isinstance(node, Scalar):
        yield node.span, text


def _node(source: Source, path: tuple[str, ...]) -> Node | None:
    root, _ = parse(source)
    return at(root, path) if root is not None else None
