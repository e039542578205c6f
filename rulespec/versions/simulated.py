"""Both versions of a game simulated with the same seeds, and their figures side by side for each number of players."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulespec.base.findings.catalog import text_in
from rulespec.base.messages import NOTHING, Message, counted, player_count, say, sentences
from rulespec.base.pages.sheet import Entry, Section, plain
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import BoundReachedError
from rulespec.games.api import Spec
from rulespec.language.model.spec import Spec as Model
from rulespec.play.balance.estimate import Estimate, around
from rulespec.play.balance.sentences import Format
from rulespec.play.bots.games import players as players_of
from rulespec.play.simulate.figures import Figures, Moments, proportion
from rulespec.play.simulate.run import Result, simulate
from rulespec.versions.changes.both import Both

# --- games -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Matched:
    """Both versions with the same number of players and the same rulings; a message says why one is not played."""

    players: int
    old: Game | Message
    new: Game | Message


def matched(
    old: Spec,
    new: Spec,
    players: int | None = None,
    rulings: Mapping[str, str] | None = None,
    engine: str = "auto",
) -> list[Matched]:
    """Both versions for each number of players that either has, or for the one wanted. `rulings` has answers in the
    names of the new version; one that only the old version has holds for that.

    Raises ValueError for a ruling that neither version has, and if neither has such a number of players or an answer.
    """
    answers, known = rulings or {}, {**old.model.rulings, **new.model.rulings}
    if unknown := [id_ for id_ in answers if id_ not in known]:
        raise ValueError(f"unknown ruling `{unknown[0]}`: the versions have {', '.join(known) or 'none'}")
    before = _former(old.model, new.model, answers)
    now = {id_: answer for id_, answer in answers.items() if id_ in new.model.rulings}
    found = [
        Matched(count, _game(old, count, before, engine), _game(new, count, now, engine))
        for count in ([players] if players is not None else sorted({*old.model.players, *new.model.players}))
    ]
    if all(isinstance(one.old, Message) and isinstance(one.new, Message) for one in found):
        raise ValueError(sentences(*_reasons(found[0].old, found[0].new)))
    return found


def _former(old: Model, new: Model, answers: Mapping[str, str]) -> dict[str, str]:
    """The answers under the names of the old version, without those to rulings that it does not have."""
    names, found = Both(old, new).names, {}
    for id_, ruling in old.rulings.items():
        options = {names.answer(id_, option): option for option in ruling.options}
        for wanted in ((name, answers[name]) for name, _ in options if name in answers):
            found[id_] = options.get(wanted, wanted[1])
    return found


def _game(spec: Spec, players: int, rulings: Mapping[str, str], engine: str) -> Game | Message:
    model = spec.model
    if players not in model.players:
        first, last = model.players[0], model.players[-1]
        numbers = first if first == last else say("{low} to {high}", low=first, high=last)
        return say("its number of players is {numbers}", numbers=numbers)
    for id_, answer in rulings.items():
        if answer not in model.rulings[id_].options:
            return say("it has no answer `{answer}` to `{ruling}`", answer=answer, ruling=id_)
    return spec.game(players, rulings, engine)


def play(
    pairs: Sequence[Matched],
    games: int,
    seed: int = 0,
    bots: str | None = None,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Simulation:
    """Simulates both versions: each has the figures that `simulate` has for it alone. `bots` are named as for `--bot`;
    without them players are random. `progress` is called with the number of games finished since its last call.

    Raises ValueError for bots that do not fit, and SimulationError.
    """

    def side(game: Game | Message) -> Result | Message:
        if isinstance(game, Message):
            return game
        chosen = None if bots is None else players_of(bots, game)
        try:
            return simulate(game, games, seed, workers, progress, players=chosen)
        except BoundReachedError as error:
            return say("in game {number}, {words}", number=error.number, words=error.words)

    return Simulation(games, seed, bots, tuple(Played(one.players, side(one.old), side(one.new)) for one in pairs))


# --- figures ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """A figure of both versions, and the difference with its 95 % confidence interval. `group` is wins, points,
    returns, shared or length; `seat` counts from 1, and is 0 for a figure of the whole game. `needed` is the number of
    games of each version with which the interval of such a difference would exclude 0; None if it does, or without a
    difference."""

    group: str
    seat: int
    old: float
    new: float
    difference: Estimate
    needed: int | None

    @property
    def marked(self) -> bool:
        """Whether the interval excludes 0."""
        return self.difference.low > 0 or self.difference.high < 0

    def to_dict(self) -> dict[str, Any]:
        numbers = {"old": self.old, "new": self.new, "difference": self.difference.value}
        numbers |= {"low": self.difference.low, "high": self.difference.high}
        finite = {name: value if math.isfinite(value) else None for name, value in numbers.items()}
        named = {"figure": self.group, "seat": self.seat or None}
        return {**named, **finite, "marked": self.marked, "games_needed": self.needed}


def figures(old: Figures, new: Figures) -> Iterator[Figure]:
    """The figures of both versions, each with its difference between independent games."""
    for seat, (was, now) in enumerate(zip(old.wins, new.wins, strict=True), 1):
        yield _share("wins", seat, (was / old.parts, old.games), (now / new.parts, new.games))
    for group, before, after in (("points", old.points, new.points), ("returns", old.returns, new.returns)):
        # Only one version may say what a game is worth.
        for seat, (first, second) in enumerate(zip(before, after, strict=False), 1):
            yield _mean(group, seat, first, second)
    yield _share("shared", 0, (old.shared, old.games), (new.shared, new.games))
    yield _mean("length", 0, old.decisions, new.decisions)


def _share(group: str, seat: int, old: tuple[float, int], new: tuple[float, int]) -> Figure:
    """Two proportions, and the interval of their difference: Newcombe (1998), method 10, from Wilson's intervals."""
    (was, lowest, highest), (now, low, high) = proportion(*old), proportion(*new)
    least, most = math.hypot(now - low, highest - was), math.hypot(high - now, was - lowest)
    return _figure(group, seat, was, now, Estimate(now - was, now - was - least, now - was + most), new[1])


def _mean(group: str, seat: int, old: Moments, new: Moments) -> Figure:
    """Two means, and the interval of their difference by Student's t with the degrees of freedom of Welch (1947)."""
    parts = [(one.deviation**2 / one.count if one.count else math.nan, one.count - 1) for one in (old, new)]
    error, under = sum(part for part, _ in parts), sum(part * part / n for part, n in parts if n > 0)
    freedom = error * error / under if under > 0 else parts[0][1] + parts[1][1]
    difference = around(new.mean - old.mean, math.sqrt(error), int(freedom) if math.isfinite(freedom) else 0)
    return _figure(group, seat, old.mean, new.mean, difference, new.count)


def _figure(group: str, seat: int, old: float, new: float, found: Estimate, games: int) -> Figure:
    inside, half = found.low <= 0 <= found.high, (found.high - found.low) / 2
    # Intervals narrow with the square root of the number of games.
    needed = math.ceil(games * (half / found.value) ** 2) if inside and found.value else None
    return Figure(group, seat, old, new, found, needed)


@dataclass(frozen=True)
class Played:
    """The results of both versions with a number of players; a message says why one was not played."""

    players: int
    old: Result | Message
    new: Result | Message

    @property
    def alike(self) -> bool:
        """Whether all sums over the games of both versions are the same."""
        return isinstance(self.old, Result) and isinstance(self.new, Result) and self.old.figures == self.new.figures

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures side by side; none if a version was not played."""
        if isinstance(self.old, Result) and isinstance(self.new, Result):
            return tuple(figures(self.old.figures, self.new.figures))
        return ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON: what `ftk simulate` says of each version, or the `reason` why it is not played; all figures."""
        sides = {
            name: one.to_dict() if isinstance(one, Result) else {"reason": str(one)}
            for name, one in (("old", self.old), ("new", self.new))
        }
        return {
            "players": self.players,
            **sides,
            "alike": self.alike,
            "figures": [one.to_dict() for one in self.figures],
        }


# --- the report ------------------------------------------------------------------------------------------------------

_TITLES: Mapping[str, Message] = {
    "wins": say("wins of seat {seat}, %"),
    "points": say("points of seat {seat}"),
    "returns": say("returns of seat {seat}"),
    "shared": say("shared wins, %"),
    "length": say("decisions per game"),
}
_PERCENT = ("wins", "shared")
_HEADS = (NOTHING, say("old"), say("new"), say("change"), say("95 % interval"), say("games needed"))
_NOTES = (
    say("Both versions are played with the same seeds; each interval is that of a change between independent games."),
    say("An asterisk marks an interval without 0. Where nothing has changed, one in twenty has it by chance."),
    say("“Games needed” says how many games of each version such a change takes until its interval excludes 0."),
)


@dataclass(frozen=True)
class Simulation:
    """Both versions, played so many times by bots (None: random players) with each number of players."""

    games: int
    seed: int
    bots: str | None
    settings: tuple[Played, ...]

    def to_dict(self) -> dict[str, Any]:
        """The public JSON form, version 2."""
        made = {"games": self.games, "seed": self.seed, "bots": self.bots or "random"}
        return {"version": 2, **made, "settings": [one.to_dict() for one in self.settings]}

    def sections(self, lang: str, notes: bool = True) -> Iterator[Section]:
        """The report in a language: for each number of players sentences, and a table with a row for each figure.
        `notes` is whether it says how to read them."""

        def entries(messages: Iterable[Message]) -> tuple[Entry, ...]:
            return (Entry("", tuple(plain(text_in(message, lang)) for message in messages)),)

        players = say("random players") if self.bots is None else say("{text}", text=self.bots)
        made = {"games": _games(self.games), "players": players, "seed": self.seed}
        title = say("In play: {games} of each version by {players}, seed {seed}", **made)
        yield Section(text_in(title, lang), entries(_NOTES) if notes else ())
        for one in self.settings:
            said = (*_reasons(one.old, one.new), *_verdict(one, self.games))
            table = () if one.alike else tuple(_rows(one, lang))
            yield Section(text_in(player_count(one.players), lang), entries(said), 2, table)


def _games(number: int) -> Message:
    return counted("{number:,} game", "{number:,} games", number)


def _reasons(old: object, new: object) -> Iterator[Message]:
    if isinstance(old, Message):
        yield say("The old version is not played: {reason}.", reason=old)
    if isinstance(new, Message):
        yield say("The new version is not played: {reason}.", reason=new)


def _verdict(one: Played, games: int) -> Iterator[Message]:
    if one.alike:
        yield counted(
            "Every figure is the same in {number:,} game: it shows no difference.",
            "Every figure is the same in all {number:,} games: they show no difference.",
            games,
        )
    elif one.figures:
        marked = sum(figure.marked for figure in one.figures)
        some = counted("{number} change is marked.", "{number} changes are marked.", marked)
        yield some if marked else say("No change is marked.")
        yield say(
            "With {games} of each version the intervals would be half as wide.",
            games=_games(4 * games),
        )


def _rows(one: Played, lang: str) -> Iterator[tuple[str, ...]]:
    """The table as rows of cells, the first with the headings: of both versions, or of the only one that was played."""
    played = [side.figures for side in (one.old, one.new) if isinstance(side, Result)]
    if not played:
        return
    columns = range(len(_HEADS)) if len(played) == 2 else (0, 1 if isinstance(one.old, Result) else 2)
    yield tuple(text_in(_HEADS[column], lang) for column in columns)
    for figure in figures(played[0], played[-1]):
        cells = _cells(figure, lang)
        yield tuple(cells[column] for column in columns)


def _cells(figure: Figure, lang: str) -> Sequence[str]:
    scale = 100 if figure.group in _PERCENT else 1
    half = scale * (figure.difference.high - figure.difference.low) / 2
    # As many digits as the interval needs for its first one.
    digits = min(4, max(1 if scale > 1 else 2, math.ceil(-math.log10(half)))) if half > 0 else 2

    def written(value: float, form: Format) -> str:
        return text_in(form(scale * value), lang)

    unsigned, signed = Format(digits), Format(digits, sign=True)
    ends = {"low": written(figure.difference.low, signed), "high": written(figure.difference.high, signed)}
    change = written(figure.difference.value, signed)
    return (
        text_in(say(_TITLES[figure.group], seat=figure.seat), lang),
        written(figure.old, unsigned),
        written(figure.new, unsigned),
        f"{change} *" if figure.marked else change,
        text_in(say("{low} to {high}", **ends), lang) if math.isfinite(half) else "",
        text_in(say("{number:,}", number=_rounded(figure.needed)), lang) if figure.needed is not None else "",
    )


def _rounded(number: int) -> int:
    """A number with two digits that count: more would look exact."""
    return round(number, min(0, 2 - len(str(number))))
