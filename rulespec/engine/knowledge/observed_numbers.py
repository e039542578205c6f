"""What a player observes of an event as numbers, for the digest of all that they have observed (see observed.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulespec.engine.backend.digest import Kind, headed, together
from rulespec.engine.rules.ruleset import Ruleset


def numbers_of(game: Ruleset, observed: tuple[Any, ...]) -> Iterable[int]:
    """The numbers that stand for what is observed."""
    return _NUMBERS[observed[0]](game, *observed[1:])


def _choice(game: Ruleset, player: int, action: int) -> Iterable[int]:
    return headed(Kind.CHOICE, player, 0), action


def _kind(game: Ruleset, player: int, title: str) -> Iterable[int]:
    return headed(Kind.KIND, player, 0), game.actions.titles.index(title)


def _move(game: Ruleset, face: int, source: int, target: int) -> Iterable[int]:
    return (headed(Kind.MOVE, face, source, target),)


def _move_all(game: Ruleset, source: int, target: int, count: int, *faces: int) -> Iterable[int]:
    return headed(Kind.MOVE_ALL, count, source, target), *_listed(game, source, faces)


def _show(game: Ruleset, face: int, zone: int, place: int, to: int) -> Iterable[int]:
    return headed(Kind.SHOW, face, zone, place + 1), to


def _shuffle(game: Ruleset, zone: int, *faces: int) -> Iterable[int]:
    return headed(Kind.SHUFFLE, -1, zone), *faces


def _set(game: Ruleset, value: str, cell: int, content: int) -> Iterable[int]:
    return headed(Kind.SET, -1, 0, game.program.value_base[value] + cell), content


def _random(game: Ruleset, place: int, content: int) -> Iterable[int]:
    return headed(Kind.RANDOM, -1, 0, place), content


def _unseen(game: Ruleset, place: int) -> Iterable[int]:
    return headed(Kind.UNSEEN, -1, 0, place), 0


def _award(game: Ruleset, words: str, place: int, *numbers: int) -> Iterable[int]:
    return headed(Kind.AWARD, -1, 0, place), *numbers


def _rank(game: Ruleset, *ranks: int) -> Iterable[int]:
    return headed(Kind.RANK, -1, 0), *ranks


def _stopped(game: Ruleset, words: str, *numbers: int) -> Iterable[int]:
    return headed(Kind.STOPPED, -1, 0), *numbers


def _broken(game: Ruleset, invariant: int) -> Iterable[int]:
    return headed(Kind.BROKEN, -1, 0), invariant


def _zone(game: Ruleset, zone: int, *faces: int) -> Iterable[int]:
    return headed(Kind.ZONE, len(faces), zone), *_listed(game, zone, faces)


def _value(game: Ruleset, value: str, cell: int, content: int) -> Iterable[int]:
    return headed(Kind.VALUE, -1, 0, game.program.value_base[value] + cell), content


def _listed(game: Ruleset, zone: int, faces: tuple[int, ...]) -> Iterable[int]:
    """The faces of cards in a zone, as one number if their order is hidden."""
    return faces if game.ordered[zone] or not faces else (together(faces),)


_NUMBERS: dict[str, Callable[..., Iterable[int]]] = {
    "choice": _choice,
    "kind": _kind,
    "move": _move,
    "move_all": _move_all,
    "show": _show,
    "shuffle": _shuffle,
    "set": _set,
    "random": _random,
    "unseen": _unseen,
    "award": _award,
    "rank": _rank,
    "stopped": _stopped,
    "broken": _broken,
    "zone": _zone,
    "value": _value,
}
"""The numbers of what is observed, by its kind in observed.py."""
