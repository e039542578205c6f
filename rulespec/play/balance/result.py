"""A balance report as data. Shares are from 0 to 1; worths and points are in points, lengths in decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulespec.play.balance.estimate import Estimate, Test

MEASURES = ("advantage", "points", "decisions", "shared")
"""The measures that are compared between options of a ruling: the largest share of wins by seat minus the smallest;
mean points per player; decisions per game; the share of games with several winners."""


@dataclass(frozen=True)
class Seat:
    """The figures of one seat. `differs` is 1 if it wins significantly more often than the mean, -1 if less often, else
    0."""

    wins: Estimate
    points: Estimate
    least: int
    most: int
    differs: int

    def to_dict(self) -> dict[str, Any]:
        found = {"wins": self.wins.to_dict(), "points": self.points.to_dict()}
        return found | {"least": self.least, "most": self.most, "differs": self.differs}


@dataclass(frozen=True)
class Seats:
    """The seats, and the tests whether they differ. A test is None if the seats never differ within a game."""

    seats: tuple[Seat, ...]
    wins: Test | None
    points: Test | None
    advantage: float
    shared: Estimate
    decisions: Estimate

    def to_dict(self) -> dict[str, Any]:
        return {
            "seats": [seat.to_dict() for seat in self.seats],
            "wins_test": self.wins.to_dict() if self.wins else None,
            "points_test": self.points.to_dict() if self.points else None,
            "advantage": self.advantage,
            "shared_wins": self.shared.to_dict(),
            "decisions": self.decisions.to_dict(),
        }


@dataclass(frozen=True)
class Prize:
    """A prize. `given` is the number of times per game that a player gets it, `nobody` the share of awards that no
    player gets, `worth` its mean worth when given, `adds` the mean points it adds per player and game, `part` its share
    of all points; these three are None if the spec states no worth. `seats` are the shares of the seats in the times
    given; `wins` is the mean part of the win of its holders."""

    title: str
    subject: str
    given: Estimate
    nobody: Estimate
    worth: Estimate | None
    adds: Estimate | None
    part: float | None
    seats: tuple[Estimate, ...]
    wins: Estimate

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "subject": self.subject,
            "given": self.given.to_dict(),
            "nobody": self.nobody.to_dict(),
            "worth": self.worth.to_dict() if self.worth else None,
            "adds": self.adds.to_dict() if self.adds else None,
            "part_of_points": self.part,
            "seats": [seat.to_dict() for seat in self.seats],
            "holder_wins": self.wins.to_dict(),
        }


@dataclass(frozen=True)
class Prizes:
    """All prizes. `all_points` says whether, in every game, the points of each player equal the worth of the player's
    prizes."""

    prizes: tuple[Prize, ...]
    all_points: bool

    def to_dict(self) -> dict[str, Any]:
        return {"all_points": self.all_points, "prizes": [prize.to_dict() for prize in self.prizes]}


@dataclass(frozen=True)
class Card:
    """A kind of card: the number in the game, the mean number that a player holds at the end, and the regression
    coefficient of points. Without one, `why` is `never` (held), `always` (the same number) or `follows` (collinear with
    other cards)."""

    name: str
    copies: int
    held: float
    effect: Estimate | None
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        effect = self.effect.to_dict() if self.effect else None
        return {"name": self.name, "copies": self.copies, "held": self.held, "effect": effect, "why": self.why}


@dataclass(frozen=True)
class Regression:
    """The regression of points on cards held, for one grouping of cards. `explained` is R²."""

    cards: tuple[Card, ...]
    explained: float

    def to_dict(self) -> dict[str, Any]:
        return {"explained": self.explained, "cards": [card.to_dict() for card in self.cards]}


@dataclass(frozen=True)
class Cards:
    """The regressions by kind and, if they are more but not too many, by face, over `results` player results in
    `batches` independent batches of games."""

    kinds: Regression
    faces: Regression | None
    results: int
    batches: int

    def to_dict(self) -> dict[str, Any]:
        faces = self.faces.to_dict() if self.faces else None
        return {"results": self.results, "batches": self.batches, "kinds": self.kinds.to_dict(), "faces": faces}


@dataclass(frozen=True)
class Change:
    """One measure with the chosen option and with another. `shows` says whether the difference is significant after
    correction for multiple tests; `size` is then the difference in standard deviations between games, else 0."""

    before: float
    after: float
    difference: Estimate
    shows: bool
    size: float

    def to_dict(self) -> dict[str, Any]:
        found = {"before": self.before, "after": self.after, "difference": self.difference.to_dict()}
        return found | {"shows": self.shows, "size": self.size}


@dataclass(frozen=True)
class Alternative:
    """Another option of a ruling. `differing` games end differently; `changes` are by measure. There are none if the
    program stays identical, or if the game cannot be set up with the option, for the reason `failed`."""

    ruling: str
    question: str
    taken: str
    answer: str
    differing: int
    changes: Mapping[str, Change]
    failed: str = ""

    @property
    def shows(self) -> bool:
        """Whether any change is significant."""
        return any(change.shows for change in self.changes.values())

    @property
    def size(self) -> float:
        """The largest significant change, in standard deviations."""
        return max((change.size for change in self.changes.values()), default=0.0)

    def to_dict(self) -> dict[str, Any]:
        return {
            "ruling": self.ruling,
            "question": self.question,
            "taken": self.taken,
            "answer": self.answer,
            "differing_games": self.differing,
            "shows": self.shows,
            "size": self.size,
            "changes": {name: change.to_dict() for name, change in self.changes.items()},
            "failed": self.failed,
        }


@dataclass(frozen=True)
class Balance:
    """A balance report. `bots` are the bots that played, by seat, or one name for all. `answers` are the chosen options
    of all rulings, `chosen` those of them that are not the default. `points` is the title of the first criterion of the
    ranking, and `high` whether more of it is better;
    `better` is a bot that plays better, if nearly all games of random players end in a tie: "" if none was found.
    A section is None if the game has none of its subject, or if rulings were not compared."""

    game: str
    title: str
    version: str
    players: int
    bots: tuple[str, ...]
    answers: Mapping[str, str]
    chosen: Mapping[str, str]
    games: int
    seed: int
    engine: str
    seconds: float
    points: str
    high: bool
    better: str | None
    seats: Seats
    prizes: Prizes | None
    cards: Cards | None
    rulings: tuple[Alternative, ...] | None

    def to_dict(self) -> dict[str, Any]:
        """The report in plain values, for JSON. Figures that do not exist are NaN."""
        return {
            "game": self.game,
            "title": self.title,
            "version": self.version,
            "players": self.players,
            "bots": list(self.bots),
            "rulings_taken": dict(self.answers),
            "games": self.games,
            "seed": self.seed,
            "engine": self.engine,
            "seconds": self.seconds,
            "points_are": self.points,
            "more_is_better": self.high,
            "seats": self.seats.to_dict(),
            "prizes": self.prizes.to_dict() if self.prizes else None,
            "cards": self.cards.to_dict() if self.cards else None,
            "rulings": [one.to_dict() for one in self.rulings] if self.rulings is not None else None,
        }
