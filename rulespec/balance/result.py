"""A report on balance as data. Shares are from 0 to 1, worths and points are points, lengths are decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulespec.balance.estimate import Estimate, Test

MEASURES = ("advantage", "points", "decisions", "shared")
"""What another answer may change: the largest share of wins by seat less the smallest; the mean points of a player; the
decisions in a game; the share of games that several win together."""


@dataclass(frozen=True)
class Seat:
    """What one seat came to. `differs` is 1 where it wins more often than an equal share by more than chance explains,
    -1 where less often."""

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
    """The seats, and whether they differ by more than chance. A test is None where nothing ever differs within a
    game."""

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
    """What an award gives about one subject. `given` is how often in a game, `nobody` the share of its awards that
    nobody got, `worth` what it is worth when given, `adds` what it adds to the points of a player in a game, `part`
    which share that is of all points; these three are None where the spec states no worth. `seats` are the shares of
    the seats in how often it was given; `wins` is the part of the win that comes to who was given it."""

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
    """All prizes; `all_points` where the points of every player of every game were exactly what their prizes are
    worth."""

    prizes: tuple[Prize, ...]
    all_points: bool

    def to_dict(self) -> dict[str, Any]:
        return {"all_points": self.all_points, "prizes": [prize.to_dict() for prize in self.prizes]}


@dataclass(frozen=True)
class Card:
    """A kind of card: how many are in the game, how many a player holds at the end on average, and how many points more
    players have for each they hold more. Without an effect, `why` is `never` held, `always` as many, or `follows` from
    the number of the others."""

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
    """Points on cards held, by one way of counting cards as alike. `explained` is the share of the differences in
    points that goes with the cards (R²)."""

    cards: tuple[Card, ...]
    explained: float

    def to_dict(self) -> dict[str, Any]:
        return {"explained": self.explained, "cards": [card.to_dict() for card in self.cards]}


@dataclass(frozen=True)
class Cards:
    """What cards go with, by kind, and by face where these are more and not too many; `results` of how many players in
    how many independent `batches` of games."""

    kinds: Regression
    faces: Regression | None
    results: int
    batches: int

    def to_dict(self) -> dict[str, Any]:
        faces = self.faces.to_dict() if self.faces else None
        return {"results": self.results, "batches": self.batches, "kinds": self.kinds.to_dict(), "faces": faces}


@dataclass(frozen=True)
class Change:
    """One measure as it is and under another answer. `shows` where the difference is more than chance explains,
    counting how many were looked at; `size` is then the difference in standard deviations from game to game, else 0."""

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
    """Another answer to a ruling. `differing` of the games come out differently; `changes` by measure, none where the
    answer leaves the program as it is, or where no game can be made of it, for the reason `failed`."""

    ruling: str
    question: str
    taken: str
    answer: str
    differing: int
    changes: Mapping[str, Change]
    failed: str = ""

    @property
    def shows(self) -> bool:
        """Whether it changes anything by more than chance."""
        return any(change.shows for change in self.changes.values())

    @property
    def size(self) -> float:
        """How much it changes play: the largest of its changes that show."""
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
    """How balanced a game is, in random play. `answers` are those taken to every ruling, `chosen` those of them that
    are not the usual ones. `points` is what the ranking goes by first, in its own words, and `high` whether more of it
    is better; a section is None where there is nothing to say: no points, prizes, cards or rulings, or where rulings
    were not asked about."""

    game: str
    title: str
    version: str
    players: int
    answers: Mapping[str, str]
    chosen: Mapping[str, str]
    games: int
    seed: int
    engine: str
    seconds: float
    points: str
    high: bool
    seats: Seats
    prizes: Prizes | None
    cards: Cards | None
    rulings: tuple[Alternative, ...] | None

    def to_dict(self) -> dict[str, Any]:
        """All of it in plain values, for JSON. Figures that do not exist are NaN."""
        return {
            "game": self.game,
            "title": self.title,
            "version": self.version,
            "players": self.players,
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
