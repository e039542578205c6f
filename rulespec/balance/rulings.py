"""The other answers to what a rulebook leaves open, each as a game of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from rulespec.engine.game import Game


class Answer(NamedTuple):
    """An answer to a ruling: its id, and the number of the answer among all that the ruling has."""

    ruling: str
    number: int


@dataclass(frozen=True)
class Asked:
    """Other answers: those to play, those that come to the very same program and need not be, and those that no game
    can be made of, with the reason."""

    played: tuple[Answer, ...] = ()
    same: tuple[Answer, ...] = ()
    failed: tuple[tuple[Answer, str], ...] = ()

    @classmethod
    def of(cls, game: Game) -> Asked:
        """Every answer but those the game is played with."""
        played, same, failed = list[Answer](), list[Answer](), list[tuple[Answer, str]]()
        for answer in others(game):
            try:
                (same if under(game, answer).program == game.program else played).append(answer)
            except ValueError as error:
                failed.append((answer, str(error)))
        return cls(tuple(played), tuple(same), tuple(failed))


def others(game: Game) -> Iterator[Answer]:
    """Every answer but those the game is played with, in the order of the spec."""
    for id_, ruling in game.spec.rulings.items():
        for number in range(len(ruling.options)):
            if number != game.setting.chosen[id_]:
                yield Answer(id_, number)


@lru_cache(maxsize=256)
def under(game: Game, answer: Answer) -> Game:
    """The same game with one other answer, on the same engine. Raises ValueError where it cannot be made."""
    answers = {**game.setting.chosen, answer.ruling: answer.number}
    return Game(replace(game.setting, chosen=answers), engine=game.engine)
