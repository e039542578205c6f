"""How a game ended, in words: every award, the final ranking, and the criterion that broke each tie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulespec.engine import ir
from rulespec.engine.digest import UNDISCLOSED, bits_of
from rulespec.engine.observers import Visibility
from rulespec.engine.ruleset import Ruleset
from rulespec.engine.running import Event
from rulespec.model.spec import Spec, StoredValue, Zone
from rulespec.model.types import LIMIT, NONE


def explain_result(rules: Ruleset, events: Iterable[Event]) -> list[str]:
    """Every award, then the ranking with the criterion that decided between the leaders: one text per line."""
    found = list(events)
    lines = [award_words(rules, event) for event in found if event[0] == "award"]
    lines += [line for event in found if event[0] == "rank" for line in ranking_lines(rules, event)]
    return lines + [bound_words(rules, event) for event in found if event[0] == "stopped"]


def bound_words(rules: Ruleset, event: Event) -> str:
    """Which loop has had all its rounds, which zone is full, or which value would leave the bounds of its type, so that
    the game ends without a ranking."""
    _, rule, number, thing = event
    loop = f"`{rules.program.rules[rule]}`" if rule > 0 else "a loop"
    why = f"{loop} does not end in {number} round{'s' * (number != 1)}"
    if thing >= 0:
        declared = bounded(rules.spec, thing)
        why = f"`{declared.name}` cannot hold more than {number} card{'s' * (number != 1)}"
        if isinstance(declared, StoredValue):
            why = f"`{declared.name}` would be {number}, not {declared.type.low} to {declared.type.high}"
    return f"the game stops without a ranking: {why}"


def bounded(spec: Spec, thing: int) -> Zone | StoredValue:
    """The zone or value that a bound is about, by its number in the event."""
    return list(spec.with_bounds.values())[thing]


def award_words(rules: Ruleset, event: Event, visible: Visibility | None = None) -> str:
    """Who took a prize, with how much, and what broke a tie. With `visible`, only figures that a player sees."""
    _, _, place, subject, winner, decided, worth, *rest = event
    note = rules.program.code[place]
    assert isinstance(note, ir.Note) and isinstance(note.report, ir.Award)
    award = note.report
    stood = [p for p in range(rules.players) if rest[p]]
    table = _KeyTable(rules, award.keys, rest[rules.players :], visible)
    head = f"{rules.names.word(award.type, subject)}, {award.title}"
    head += f" ({worth})" if worth != NONE else ""
    if winner == NONE:
        return f"{head}: not awarded" + (f", {table.compare(0, stood)} is tied" if len(stood) > 1 else "")
    words = f"{head}: player {winner + 1}, {table.compare(0, [winner, *(p for p in stood if p != winner)])}"
    if decided > 0:
        tied = table.tied(winner, stood, decided)
        words += f"; tied with {players_words(tied)}, decided by {table.compare(decided, [winner, *tied])}"
    return words


def award_numbers(rules: Ruleset, event: Event, visible: Visibility | None = None) -> Iterator[int]:
    """The numbers that the words of an award are made of. With `visible`, UNDISCLOSED in place of other figures."""
    _, _, place, subject, winner, decided, worth, *rest = event
    note, players = rules.program.code[place], range(rules.players)
    assert isinstance(note, ir.Note) and isinstance(note.report, ir.Award)
    table = _KeyTable(rules, note.report.keys, rest[rules.players :], visible)
    stood = [p for p in players if rest[p]]
    by = decided if winner != NONE and decided > 0 else 0
    yield from (place, subject, winner, by, worth, bits_of(stood))
    yield from (table.number(0, p) if p in stood else UNDISCLOSED for p in players)
    if by:
        tied = [winner, *table.tied(winner, stood, decided)]
        yield bits_of(tied)
        yield from (table.number(decided, p) if p in tied else UNDISCLOSED for p in players)


def ranking_lines(rules: Ruleset, event: Event) -> list[str]:
    """The final ranking, a line for each player, and how the first place was decided."""
    _, _, place, decided, *rest = event
    note = rules.program.code[place]
    assert isinstance(note, ir.Note) and isinstance(note.report, ir.Ranking)
    ranks, table = rest[: rules.players], _KeyTable(rules, note.report.keys, rest[rules.players :])
    order = [p for p, _ in ranked(ranks)]
    lines = [f"place {ranks[p]}: player {p + 1}, {table.compare(0, [p])}" for p in order]
    return [*lines, _decision([p for p in order if ranks[p] == 1], order, decided, table)]


def _decision(winners: list[int], order: list[int], decided: int, table: _KeyTable) -> str:
    if len(winners) > 1:
        return f"{players_words(winners)} are tied in every criterion and share the win"
    if decided <= 0:
        return f"player {winners[0] + 1} wins"
    tied = table.tied(winners[0], order, decided)
    compared = table.compare(decided, [winners[0], *tied])
    return f"player {winners[0] + 1} wins the tie with {players_words(tied)}: {compared}"


def ranked(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """Players and their ranks, best first."""
    return sorted(enumerate(ranks), key=lambda pair: pair[1])


def players_words(players: Iterable[int]) -> str:
    """Players in a sentence: `player 1 and player 3`."""
    return " and ".join(f"player {p + 1}" for p in players) or "nobody"


class _KeyTable:
    """The values of a chain of criteria, by criterion and player."""

    def __init__(
        self, rules: Ruleset, keys: tuple[ir.Key, ...], values: Sequence[int], visible: Visibility | None = None
    ) -> None:
        self._rules, self._keys, self._values, self._visible = rules, keys, values, visible

    def _at(self, key: int, player: int) -> int:
        return self._values[key * self._rules.players + player]

    def _title(self, key: int) -> str:
        found = self._keys[key]
        return f"{found.title} ({found.of})" if found.of else found.title

    def _word(self, key: int, player: int) -> str:
        found, value = self._keys[key], self._at(key, player)
        if self._visible is not None and not self._visible.covers(found.reads[player]):
            return "?"
        return "none" if value in (NONE, LIMIT) else self._rules.names.word(found.type, value)

    def number(self, key: int, player: int) -> int:
        """The value of a criterion for a player; UNDISCLOSED if it is not visible."""
        visible = self._visible is None or self._visible.covers(self._keys[key].reads[player])
        return self._at(key, player) if visible else UNDISCLOSED

    def compare(self, key: int, players: Sequence[int]) -> str:
        """The first player's value and those of the others: `influence 7 (player 2: 5, player 3: 2)`."""
        if not players:
            return self._title(key)
        others = ", ".join(f"player {p + 1}: {self._word(key, p)}" for p in players[1:])
        joint = " " if self._keys[key].type.kind == "int" else ": "
        return f"{self._title(key)}{joint}{self._word(key, players[0])}" + (f" ({others})" if others else "")

    def tied(self, winner: int, stood: Iterable[int], decided: int) -> list[int]:
        """The players tied with the winner in every criterion before the deciding one."""
        equal = [p for p in stood if all(self._at(k, p) == self._at(k, winner) for k in range(decided))]
        return [p for p in equal if p != winner]
