"""What can be written at a place: keys, words of the format, and names of the game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.base.diagnostics import Span
from rulespec.base.project import playable_games
from rulespec.base.source import Source
from rulespec.editing.editors.cells import COLUMNS, is_of_sheet, words_of_sheet
from rulespec.editing.editors.functions import FUNCTIONS
from rulespec.editing.editors.names import PROSE, spec_source
from rulespec.editing.editors.pieces import keys_around, piece_at, readable
from rulespec.editing.editors.places import Place, node_at, place_at
from rulespec.editing.editors.schemas import choices_at, definitions_at, keys_beside, may_be_text, names_at, schema_of
from rulespec.editing.renaming.targets import rules_of_members, targets
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, at
from rulespec.language.model.steps.fields import variables
from rulespec.language.model.steps.table import OPERATIONS, PARTS

_STAND_IN = "zz_here"
_WORD = re.compile(r"[\w.]*\Z")
_LINE = re.compile(r"[^\r\n]*")
_PARTS = re.compile(
    r"""(?:^|(?<=[\s\[{,:]))(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z))|(?:^|(?<=\s))#.*|[\[\]{}]""", re.MULTILINE
)
"""The quoted texts of a text, its comments and its brackets."""


@dataclass(frozen=True)
class Proposal:
    """A text that fits at a place: a key, a choice, a name or a function, with what it is."""

    text: str
    kind: str
    detail: str = ""


@dataclass(frozen=True)
class _Cursor:
    """A place in the piece of a file around it, with a stand-in for the word that is typed.

    `before` is the name in front of a dot before it, None if there is no dot.
    """

    source: Source
    root: Node
    place: Place
    schema: str
    spec: Source | None
    before: str | None


def proposals(source: Source, offset: int, spec: Source | None = None) -> tuple[Proposal, ...]:
    """What fits at an offset. `spec` is the spec that the names come from (default: that of the file on disk).

    The word around the offset is left out. The rest of its entry need only be YAML once open quotes and brackets are
    closed; other entries are not read.
    """
    schema = schema_of(source)
    cursors = _cursors(source, offset, schema, spec or spec_source(source)) if schema else iter(())
    return next((found for found in map(_proposals, cursors) if found), ())


def typed_before(source: Source, offset: int, proposed: Proposal) -> Span:
    """What a proposal replaces: the word before the offset, with the names in front of its dots if it has some, too."""
    word = _WORD.findall(_line_before(source.text, offset))[0]
    return Span(offset - len(word if "." in proposed.text else word.rpartition(".")[2]), offset)


def _line_before(text: str, offset: int) -> str:
    return text[text.rfind("\n", 0, offset) + 1 : offset]


def _proposals(at: _Cursor) -> tuple[Proposal, ...]:
    if is_of_sheet(at.place) or at.place.around == COLUMNS:
        return tuple(
            Proposal(word if re.fullmatch(r"[^\W\d][\w.-]*", word) else json.dumps(word, ensure_ascii=False), "word")
            for word in words_of_sheet(at.source, at.place)
        )
    return tuple({one.text: one for one in (_keys if at.place.is_key else _values)(at)}.values())


def _cursors(source: Source, offset: int, schema: str, spec: Source | None) -> Iterator[_Cursor]:
    """The places of a stand-in for the word at an offset, as a key and as a value, where that is YAML."""
    piece = piece_at(source, offset).text
    before = _line_before(piece, offset)
    start = offset - len(_WORD.findall(before)[0])
    end = offset + len(re.match(r"[\w.]*", piece[offset:])[0])  # type: ignore[index]
    dotted = _DOTTED.search(before)
    line, rest = _LINE.match(piece, end)[0], piece[end:]  # type: ignore[index]
    # What closes the quotes and brackets that are open at the end of a text
    opened: list[str] = []
    for part in _PARTS.finditer(piece[:end] + line):
        sign = part[0]
        if sign[0] in "\"'":
            opened += [sign[0]] if len(sign) == 1 or sign[-1] != sign[0] else []
        elif sign in "{[":
            opened.append("}]"["{[".index(sign)])
        elif opened and sign == opened[-1]:
            opened.pop()
    closing = "".join(reversed(opened))
    found: Place | None = None
    for after in dict.fromkeys((rest, line + closing + rest[len(line) :], line + closing, closing)):
        for stand_in in (f"{_STAND_IN}: 0", _STAND_IN):
            is_key = stand_in != _STAND_IN
            if is_key and piece[start - 1 : start] == ":":
                continue
            left = re.sub(r"\A[ \t]*:[^\n]*", closing, after) if is_key else after
            root = parse(Source(source.path, piece[:start] + stand_in + left))[0]
            place = place_at(root, start + 1) if root is not None else None
            is_new = place is not None and (found is None or place.node.text == _STAND_IN)
            if root is not None and place is not None and _STAND_IN in place.node.text and is_new:
                found = place
                yield _Cursor(source, root, place, schema, spec, dotted[1] if dotted is not None else None)


def _keys(at: _Cursor) -> Iterator[Proposal]:
    mapping = node_at(at.root, at.place.around)
    given = {key for key, _ in mapping.items()} if isinstance(mapping, Mapping) else set()
    if (depth := len(at.place.around)) < 2:
        given |= keys_around(at.source, at.place.node.span.start, depth)
    yield from (Proposal(key, "key", means) for key, means in keys_beside(at.schema, at.place.around, given).items())
    yield from (one for one in _names(at, frozenset()) if one.text not in given)


def _values(at: _Cursor) -> Iterator[Proposal]:
    if at.place.key == "says" and at.place.node.text.partition(_STAND_IN)[0].endswith("{"):
        yield from (Proposal(name, "variable") for name in _variables(at, ("pick",)))
    choices = choices_at(at.schema, at.place.path)
    yield from (Proposal(choice, "choice") for choice in choices)
    if at.place.path in (("game",), ("extends",)):
        yield from (Proposal(game, "choice") for game in playable_games())
    elif not choices and at.place.key not in PROSE and may_be_text(at.schema, at.place.path):
        yield from _names(at, definitions_at(at.schema, at.place.path))


def _names(at: _Cursor, definitions: frozenset[str]) -> Iterator[Proposal]:
    """The names that the game declares, and those of the language; under `rulings` of a case the options of the ruling.

    After a dot these are fields of cards, or the members of an enum.
    """
    own = at.spec is not None and at.spec.path == at.source.path
    declared = readable(at.spec) if at.spec is not None else None
    names = (*targets(declared), *rules_of_members(declared)) if declared is not None else ()
    kinds = names_at(at.schema, at.place.path, at.place.is_key)
    if not own and not at.place.is_key:  # texts of any kind
        kinds = kinds or _EXPRESSION
    owner = _enum_of_field(declared, at.place) if declared is not None else ""
    if kinds in _OWNED:
        owner = str(at.place.around[-1] if at.place.is_key else at.place.key)
    if at.before is not None and own and "value" in kinds:
        enum = any(one.kind == "enum" and one.name == at.before for one in names)
        owner, kinds = (at.before, frozenset()) if enum else ("", frozenset({"field"}))
    else:
        words = (word for one in definitions for word in _WORDS.get(one, ()))
        yield from (Proposal(one, "function" if one in FUNCTIONS else "word", FUNCTIONS.get(one, "")) for one in words)
        yield from (Proposal(name, "variable") for name in _variables(at) if "value" in kinds)
    for target in names:
        if target.owner == owner if owner else target.kind in kinds:
            written = target.full if target.kind == "member" and "rule" in kinds else target.name
            yield Proposal(written, target.kind, target.owner)


_DOTTED = re.compile(r"(\w*)\]?\.\w*$")
_EXPRESSION = frozenset({"value", "zone", "table", "enum", "member", "ruling", "answer", "parameter"})
_OWNED = (frozenset({"member"}), frozenset({"answer"}))
"""Kinds of names of which only those of the enum or ruling around a place fit."""

_WORDS = {
    "expression": ("players", "true", "false", "none", "the", *FUNCTIONS),
    "type": ("player", "bool"),
    **dict.fromkeys(("domain", "picked"), ("player",)),
}
"""The words of the language that such a value may hold. Functions of expressions are words, too."""

_BINDING = [key for construct in (*OPERATIONS.values(), *PARTS.values()) for key in variables(construct)]
_WORD_BINDS = {key.name for key in _BINDING if key.schema == {"$ref": "#/$defs/name"}}
_VARIABLES = (*dict.fromkeys(key.name for key in _BINDING), "with", "per", "for", "for_all")
"""The keys that name variables, for all that stands in the same mapping: in a mapping, or as a word."""


def _variables(at: _Cursor, keys: tuple[str, ...] = _VARIABLES) -> Iterator[str]:
    """The variables that are known at a place: of the mappings around it."""
    for depth in range(len(at.place.path)):
        around = node_at(at.root, at.place.path[:depth])
        for key, named in [(key, around.get(key)) for key in keys] if isinstance(around, Mapping) else ():
            if isinstance(named, Mapping):
                yield from (name for name, _ in named.items())
            elif isinstance(named, Scalar) and key in _WORD_BINDS:
                yield named.text


def _enum_of_field(root: Node, place: Place) -> str:
    """The enum of whose members a value in the manifest or in a deck is one, or a key there; "" elsewhere."""
    section, row = place.path[0], place.path[1:2]
    of_spec, totals = row in (("manifest",), ("totals",)), row == ("totals",)
    names = [step for step in place.path if isinstance(step, str)][2 if of_spec else 1 :]
    is_row = section == "replaces" or (section == "cards" and (of_spec or isinstance(row[0], int)))
    if not is_row or len(names) != (2 if place.is_key else 1):
        return ""
    type_ = at(root, ["cards", "fields", names[0], *(["per"] if place.is_key and not totals else [])])
    return type_.text.removesuffix("?") if isinstance(type_, Scalar) else ""
