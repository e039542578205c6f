"""Groups of cards for the regression: by face, or in a large deck by the first fields of the face."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulespec.engine.states.game import Game

MOST_KINDS = 30
"""A table of more rows does not fit on one screen."""

MOST_FACES = 100
"""With more faces, cards are counted by kind only. The cross products grow with the square of this number: 10,000
sums in each of 50 batches take some 20 MB."""


@dataclass(frozen=True)
class CardKind:
    """Cards that are counted together: a name, their faces, and the number of such cards in the game."""

    name: str
    faces: tuple[int, ...]
    copies: int


@dataclass(frozen=True)
class Kinds:
    """The cards of a game in one setting. `columns` are counted separately, one per face unless there are too many.
    `groups` are at most MOST_KINDS kinds, each with the columns it consists of."""

    columns: tuple[CardKind, ...]
    groups: tuple[tuple[CardKind, tuple[int, ...]], ...]

    @property
    def coarse(self) -> bool:
        """Whether a kind groups several columns."""
        return len(self.groups) < len(self.columns)


def kinds_of(game: Game) -> Kinds:
    """The kinds of cards that are in the game."""
    every = _grouped(game, len(game.spec.deck.face))
    few = _few(game, every)
    columns = every if len(every) <= MOST_FACES else few
    return Kinds(columns, tuple((kind, _within(kind, columns)) for kind in few))


def _few(game: Game, every: tuple[CardKind, ...]) -> tuple[CardKind, ...]:
    """Drops the last fields of the face until few enough kinds remain: the first fields distinguish cards most."""
    found, fields = every, len(game.spec.deck.face)
    while len(found) > MOST_KINDS:
        fields -= 1
        found = _grouped(game, fields)
    return found


def _within(kind: CardKind, columns: Iterable[CardKind]) -> tuple[int, ...]:
    return tuple(i for i, column in enumerate(columns) if set(column.faces) <= set(kind.faces))


def _grouped(game: Game, fields: int) -> tuple[CardKind, ...]:
    """The cards in the game by the first fields of their face, in the order of the manifest."""
    deck, cards = game.spec.deck, game.setting.cards
    places = [deck.column(name) for name in deck.face[:fields]]
    groups: dict[tuple[int, ...], list[int]] = {}
    for card in cards:
        groups.setdefault(tuple(deck.cards[card][place] for place in places), []).append(card)
    return tuple(_kind(game, group, fields) for group in groups.values())


def _kind(game: Game, cards: list[int], fields: int) -> CardKind:
    faces = tuple(sorted({game.program.faces[card] for card in cards}))
    whole = fields == len(game.spec.deck.face)
    name = game.names.face_names[faces[0]] if whole else _words(game, cards[0], fields)
    return CardKind(name or "card", faces, len(cards))


def _words(game: Game, card: int, fields: int) -> str:
    deck = game.spec.deck
    return " ".join(filter(None, deck.words(deck.cards[card], deck.face[:fields], game.names.word).values()))
