"""The other options of rulings, each as a game of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from rulespec.engine.states.game import Game


class Answer(NamedTuple):
    """An option of a ruling: the id of the ruling, and the index of the option."""

    ruling: str
    number: int


@dataclass(frozen=True)
class Asked:
    """The other options: those to play; those with an identical program, which are not played; and those that the game
    cannot be set up with, with the reason."""

    played: tuple[Answer, ...] = ()
    same: tuple[Answer, ...] = ()
    failed: tuple[tuple[Answer, str], ...] = ()

    @classmethod
    def of(cls, game: Game) -> Asked:
        """All options but the chosen ones."""
        played, same, failed = list[Answer](), list[Answer](), list[tuple[Answer, str]]()
        for answer in others(game):
            try:
                (same if under(game, answer).program == game.program else played).append(answer)
            except ValueError as error:
                failed.append((answer, str(error)))
        return cls(tuple(played), tuple(same), tuple(failed))


def others(game: Game) -> Iterator[Answer]:
    """All options but the chosen ones, in the order of the spec."""
    for id_, ruling in game.spec.rulings.items():
        for number in range(len(ruling.options)):
            if number != game.setting.chosen[id_]:
                yield Answer(id_, number)


@lru_cache(maxsize=256)
def under(game: Game, answer: Answer) -> Game:
    """The same game with one other option, on the same engine. Raises ValueError if it cannot be set up."""
    answers = {**game.setting.chosen, answer.ruling: answer.number}
    return Game(replace(game.setting, chosen=answers), engine=game.engine)
