"""Closed sets of names: enums, and the options of rulings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product

from rulespec.base.diagnostics import related
from rulespec.base.messages import Message, say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model import boards
from rulespec.language.model.constants import Setting, settings
from rulespec.language.model.names import suggest
from rulespec.language.model.nodes import Broken, entries, items, mapping, scalar, text
from rulespec.language.model.reader import Reader
from rulespec.language.model.spec import Enum, Ruling, Spec
from rulespec.language.model.typed import Ruling as AnswerTo
from rulespec.language.model.typed import TExpr, walk
from rulespec.language.model.types import BOOL, enum

MOST_COMBINATIONS = 256
"""Combinations of options that are tried, at most: those of eight rulings with two options each."""

_MEMBER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LETTERS = re.compile(r"([A-Z])\.\.([A-Z])|([a-z])\.\.([a-z])")


def members(reader: Reader, node: Node) -> tuple[str, ...]:
    """The members of an enum: a list, a range of letters, the squares of a grid, or directions."""
    if boards.is_grid(node):
        return _claimed(reader, boards.squares(reader, node), mapping(node).key("grid") or node)
    if isinstance(node, MapNode) and isinstance(node.get("directions"), Scalar):
        return _claimed(reader, boards.directions(node), mapping(node).key("directions") or node)
    named = listed(node)
    if isinstance(named, MapNode):
        return _different(reader, (key for key, _ in entries(named)), say("`{name}` is listed twice."))
    if isinstance(named, Scalar):
        match = _LETTERS.fullmatch(named.text)
        if match is None:
            raise Broken
        first, last = match[1] or match[3], match[2] or match[4]
        if first > last:
            reader.refuse(
                "bad-member",
                say("No letter lies in {node}.", node=named.text),
                named,
                say("Write the earlier letter first: {last}..{first}.", last=last, first=first),
            )
        return _claimed(reader, tuple(chr(code) for code in range(ord(first), ord(last) + 1)), named)
    if not items(named):
        raise Broken
    return _different(reader, items(named), say("`{name}` is listed twice."))


def listed(node: Node) -> Node | None:
    """The part of an enum with its members: a mapping with `members` is an enum in full, another one maps members to
    their attributes."""
    if not isinstance(node, MapNode):
        return node
    full = any(node.get(key) is not None for key in ("members", "in_play", "in_a_row")) or boards.is_grid(node)
    return node.get("members") if full or not any(isinstance(each, MapNode) for _, each in entries(node)) else node


def _different(reader: Reader, nodes: Iterable[Node], twice: Message) -> tuple[str, ...]:
    """The names in a list, each once. Names that already have a meaning are reported."""
    found: dict[str, Scalar] = {}
    for node in map(scalar, nodes):
        if not _MEMBER.fullmatch(node.text):
            raise Broken
        if node.text in found:
            first = related(say("The first `{name}`.", name=node.text), node.source, found[node.text].span)
            hint = say("Delete one of the two.")
            reader.report("name-taken", say(twice, name=node.text), node, hint, related=[first])
        elif not reader.names.members_named(node.text):
            # A member may belong to several enums: the other side of a comparison decides which one is meant.
            reader.claim(node)
        found.setdefault(node.text, node)
    return tuple(found)


def _claimed(reader: Reader, made: tuple[str, ...], node: Node) -> tuple[str, ...]:
    """Members whose names nobody has written. Those that already have a meaning are reported."""
    taken = [name for name in made if not reader.names.members_named(name) and reader.names.meaning(name)]
    if taken:
        message = say("`{name}` is already {what}.", name=taken[0], what=reader.names.meaning(taken[0]))
        reader.report("name-taken", message, node, say("Rename one of the two."))
        reader.names.contested.update(taken)
    return made


def rows(reader: Reader, key: Scalar, node: MapNode) -> tuple[str, ...]:
    """The members of an enum of rows, once all boards are known."""
    return _claimed(reader, boards.rows(reader, key, node), node.key("in_a_row") or node)


def sealed(reader: Reader, key: Scalar, node: Node) -> Enum:
    """The sealed enum, once all names are known."""
    known = reader.names.enums[key.text]
    if known is None:
        raise Broken
    in_play = None
    if isinstance(node, MapNode) and node.get("in_play") is not None:
        own = {key.text: enum(key.text) if reader.names.domain(key.text) else None}
        in_play = reader.fixed(node.get("in_play"), own, BOOL, free=(key.text,))
    board = reader.names.boards.get(key.text)
    return Enum(key.text, known, in_play, key.span, board.places if board is not None else ())


def answers(reader: Reader, node: MapNode) -> tuple[str, ...]:
    """The options of a ruling, the chosen one first."""
    return _different(
        reader, (scalar(node.get("answer")), *items(node.get("or"))), say("`{name}` is listed twice as an option.")
    )


def ruling(reader: Reader, key: Scalar, node: Node, sources: Mapping[str, str]) -> Ruling:
    inner, known = mapping(node), reader.names.rulings[key.text]
    if known is None:
        raise Broken
    for item in items(inner.get("silent")):
        source_named(reader, item, sources)
    silent = tuple(text(item) for item in items(inner.get("silent")))
    return Ruling(key.text, text(inner.get("question")), known, silent, key.span)


def source_named(reader: Reader, node: Node, sources: Mapping[str, str]) -> None:
    """Reports a source that the game does not list."""
    if text(node) not in sources:
        hint = suggest(text(node), sources) or say("Add it under `game: sources:`.")
        reader.report("unknown-source", say("There is no source `{name}`.", name=text(node)), node, hint)


def check_in_play(reader: Reader, spec: Spec, nodes: Mapping[str, Node]) -> None:
    """Reports enums without a member in play: nothing could be drawn, chosen or compared among them."""
    for name, declared in spec.enums.items():
        empty = [setting for setting in _settings(spec, declared.in_play) if not setting.in_play(name)]
        if empty:
            counts = sorted({setting.players for setting in empty})
            players = say("{counts} players", counts=counts)
            if any(setting.chosen != empty[0].chosen for setting in empty):
                players = say("{players} and some options of the rulings", players=players)
            message = say("No member of `{name}` is in play with {players}.", name=name, players=players)
            reader.report("none-in-play", message, mapping(nodes[name]).get("in_play") or nodes[name])


def _settings(spec: Spec, condition: TExpr | None) -> Iterator[Setting]:
    """The settings that make a difference to a condition; none without a condition."""
    asked = sorted({node.id for node in walk(condition) if isinstance(node, AnswerTo)}) if condition else []
    answers = product(*(range(len(spec.rulings[id_].options)) for id_ in asked))
    for combination in islice(answers, MOST_COMBINATIONS) if condition else ():
        yield from settings(spec, dict(zip(asked, combination, strict=True)))
