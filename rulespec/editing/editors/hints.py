"""What an editor shows between the words of a file: derived types, numbers of cards, titles of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulespec.base.source import Source
from rulespec.editing.editors.names import spec_source
from rulespec.editing.file_kinds import kind_of
from rulespec.games.api import model_of
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, at, key_at
from rulespec.language.model.constants import settings
from rulespec.language.model.spec import Deck, Spec


@dataclass(frozen=True)
class Hint:
    """A short text after an offset, and what it means."""

    offset: int
    text: str
    means: str


def hints(source: Source, spec: Source | None = None) -> tuple[Hint, ...]:
    """The hints of a file, in order. `spec` is the spec of a text (default: that of the file on disk)."""
    kind, root = kind_of(source), parse(source)[0]
    hint = _HINTS.get(kind.name) if kind is not None else None
    declaring = spec or spec_source(source)
    if hint is None or declaring is None or not isinstance(root, Mapping):
        return ()
    model = model_of(declaring)[0]
    return tuple(sorted(hint(root, model), key=lambda one: one.offset)) if model is not None else ()


def _of_spec(root: Mapping, model: Spec) -> Iterator[Hint]:
    for value in model.values.values():
        if value.definition is not None:
            yield Hint(_after(root, "values", value.name), f": {value.type}", "The type that follows from `is`.")
    if model.deck.cards:
        numbers = {setting.players: len(setting.cards) for setting in settings(model)}
        yield Hint(_after(root, "cards"), _deck(model.deck, numbers), "The cards of the game by the number of players.")
        for row in model.deck.rows:
            if model.source == root.source and len(row.cards) > 1:
                yield Hint(row.span.end, f" {len(row.cards)} cards", "The number of cards that this row stands for.")


def _deck(deck: Deck, numbers: dict[int, int]) -> str:
    """`108 cards`, or the numbers of those that are not left out: `60 cards with 2 players, 72 with 3`."""
    if len(Counter(numbers.values())) == 1:
        return f" {len(deck.cards)} cards"
    listed = ", ".join(f"{number} with {players}" for players, number in numbers.items())
    return f" {len(deck.cards)} cards: {listed}"


def _of_translation(root: Mapping, model: Spec) -> Iterator[Hint]:
    """The titles of rules in the spec, and the questions of rulings, at their ids."""
    titles = {rule.id: rule.title for rule in model.rules.values()}
    questions = {ruling.id: ruling.question for ruling in model.rulings.values()}
    for section, known in (("rules", titles), ("rulings", questions)):
        for id_ in _keys(at(root, (section,))) if root.get(section) is not None else ():
            if known.get(id_):
                yield Hint(_after(root, section, id_), f" {known[id_]}", "What the spec calls it.")


def _keys(node: Node) -> list[str]:
    return [key.text for key, _ in node.entries] if isinstance(node, Mapping) else []


def _after(root: Mapping, *path: str) -> int:
    """The offset behind the colon of a key."""
    key = key_at(root, path)
    return key.span.end + 1 if isinstance(key, Scalar) else key.span.end


_HINTS: dict[str, Callable[[Mapping, Spec], Iterator[Hint]]] = {"spec": _of_spec, "translation": _of_translation}
"""The hints of each kind of file that has some."""
