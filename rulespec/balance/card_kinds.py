"""Which cards count as alike: by their faces, and in a large deck by as much of the face as leaves few enough kinds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulespec.engine.game import Game

MOST_KINDS = 30
"""So many kinds of cards can still be looked through."""

MOST_FACES = 100
"""Above it, cards are counted by their kinds only: what is kept grows with the square of their number."""


@dataclass(frozen=True)
class CardKind:
    """Cards that count as alike: a name for people, the faces they have, and how many are in the game."""

    name: str
    faces: tuple[int, ...]
    copies: int


@dataclass(frozen=True)
class Kinds:
    """The cards of a game in this setting. `columns` are what is counted, face by face where there are not too many;
    `groups` are kinds, few enough to look through, each with the columns it is made of."""

    columns: tuple[CardKind, ...]
    groups: tuple[tuple[CardKind, tuple[int, ...]], ...]

    @property
    def coarse(self) -> bool:
        """Whether the kinds are anything else than the columns themselves."""
        return len(self.groups) < len(self.columns)


def kinds_of(game: Game) -> Kinds:
    """The kinds of cards that are in the game."""
    every = _alike(game, len(game.spec.deck.face))
    few = _few(game, every)
    columns = every if len(every) <= MOST_FACES else few
    return Kinds(columns, tuple((kind, _within(kind, columns)) for kind in few))


def _few(game: Game, every: tuple[CardKind, ...]) -> tuple[CardKind, ...]:
    """By as many fields of the face as leave few kinds, for its first fields say most; by none they are all alike."""
    found, fields = every, len(game.spec.deck.face)
    while len(found) > MOST_KINDS:
        fields -= 1
        found = _alike(game, fields)
    return found


def _within(kind: CardKind, columns: Iterable[CardKind]) -> tuple[int, ...]:
    return tuple(i for i, column in enumerate(columns) if set(column.faces) <= set(kind.faces))


def _alike(game: Game, fields: int) -> tuple[CardKind, ...]:
    """The cards in the game by the first fields of their face, in the order of the manifest."""
    deck, cards = game.spec.deck, game.setting.cards()
    places = [deck.column(name) for name in deck.face[:fields]]
    alike: dict[tuple[int, ...], list[int]] = {}
    for card in cards:
        alike.setdefault(tuple(deck.cards[card][place] for place in places), []).append(card)
    return tuple(_kind(game, group, fields) for group in alike.values())


def _kind(game: Game, cards: list[int], fields: int) -> CardKind:
    faces = tuple(sorted({game.program.faces[card] for card in cards}))
    whole = fields == len(game.spec.deck.face)
    name = game.names.face_names[faces[0]] if whole else _words(game, cards[0], fields)
    return CardKind(name or "card", faces, len(cards))


def _words(game: Game, card: int, fields: int) -> str:
    deck = game.spec.deck
    contents = [(deck.fields[name], deck.cards[card][deck.column(name)]) for name in deck.face[:fields]]
    return " ".join(filter(None, (game.names.word(type_, value) for type_, value in contents)))
