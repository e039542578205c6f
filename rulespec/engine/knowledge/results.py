"""How a game ended, in words: every award, the final ranking, and the criterion that broke each tie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulespec.base.messages import Message, all_of, counted, say
from rulespec.engine.backend.runtime.digest import UNDISCLOSED, bits_of
from rulespec.engine.interpreter.running import Event
from rulespec.engine.program import ir
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.rules.viewers import Visibility
from rulespec.language.model.spec import Spec, StoredValue, Zone
from rulespec.language.model.typed import Repeated
from rulespec.language.model.types import LIMIT, NONE


def explain_result(rules: Ruleset, events: Iterable[Event]) -> list[Message]:
    """Every award, then the ranking with the criterion that decided between the leaders: one text per line."""
    found = list(events)
    lines = [award_words(rules, event) for event in found if event[0] == "award"]
    lines += [line for event in found if event[0] == "rank" for line in ranking_lines(rules, event)]
    return lines + [bound_words(rules, event) for event in found if event[0] == "stopped"]


def bound_words(rules: Ruleset, event: Event) -> Message:
    """Which loop has had all its rounds, which zone is full, or which value would leave the bounds of its type, so that
    the game ends without a ranking."""
    _, rule, number, thing = event
    why = _out_of_bounds(bounded(rules.spec, thing), number) if thing >= 0 else _endless(rules, rule, number)
    return say("the game stops without a ranking: {why}", why=why)


def _endless(rules: Ruleset, rule: int, number: int) -> Message:
    loop = f"`{rules.program.rules[rule]}`" if rule > 0 else say("a loop")
    return counted("{loop} does not end in {number} round", "{loop} does not end in {number} rounds", number, loop=loop)


def _out_of_bounds(declared: Zone | StoredValue, number: int) -> Message:
    name = declared.name
    if isinstance(declared, StoredValue) and isinstance(declared.definition, Repeated):
        return counted(
            "`{name}` cannot remember more than {number} position",
            "`{name}` cannot remember more than {number} positions",
            declared.definition.most,
            name=name,
        )
    if isinstance(declared, StoredValue):
        low, high = declared.type.low, declared.type.high
        return say("`{name}` would be {number}, not {low} to {high}", name=name, number=number, low=low, high=high)
    return counted(
        "`{name}` cannot hold more than {number} card",
        "`{name}` cannot hold more than {number} cards",
        number,
        name=name,
    )


def bounded(spec: Spec, thing: int) -> Zone | StoredValue:
    """The zone or value that a bound is about, by its number in the event."""
    return list(spec.with_bounds.values())[thing]


def award_words(rules: Ruleset, event: Event, visible: Visibility | None = None) -> Message:
    """Who took a prize, with how much, and what broke a tie. With `visible`, only figures that a player sees."""
    _, _, place, subject, winner, decided, worth, *rest = event
    note = rules.program.code[place]
    assert isinstance(note, ir.Note) and isinstance(note.report, ir.Award)
    award = note.report
    stood = [p for p in range(rules.players) if rest[p]]
    table = _KeyTable(rules, award.keys, rest[rules.players :], visible)
    head = _prize(say(rules.names.word(award.type, subject)), say(award.title), worth)
    if winner == NONE:
        if len(stood) < 2 or not (compared := table.compare(0, stood)):
            return say("{award}: not awarded", award=head)
        return say("{award}: not awarded, {compared} is tied", award=head, compared=compared)
    compared = table.compare(0, [winner, *(p for p in stood if p != winner)])
    words = say("{award}: {player}, {compared}", award=head, player=player_words(winner), compared=compared)
    if decided <= 0:
        return words
    tied = table.tied(winner, stood, decided)
    by = table.compare(decided, [winner, *tied])
    return say(
        "{award}; tied with {players}, decided by {compared}", award=words, players=players_words(tied), compared=by
    )


def _prize(subject: Message, title: Message, worth: int) -> Message:
    if worth == NONE:
        return say("{subject}, {prize}", subject=subject, prize=title)
    return say("{subject}, {prize} ({worth})", subject=subject, prize=title, worth=worth)


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


def ranking_lines(rules: Ruleset, event: Event) -> list[Message]:
    """The final ranking, a line for each player, and how the first place was decided."""
    _, _, place, decided, *rest = event
    note = rules.program.code[place]
    assert isinstance(note, ir.Note) and isinstance(note.report, ir.Ranking)
    ranks, table = rest[: rules.players], _KeyTable(rules, note.report.keys, rest[rules.players :])
    order = [p for p, _ in ranked(ranks)]
    lines = [_place(ranks[p], p, table) for p in order]
    return [*lines, _decision([p for p in order if ranks[p] == 1], order, decided, table)]


def _place(rank: int, player: int, table: _KeyTable) -> Message:
    named = {"player": player_words(player), "compared": table.compare(0, [player])}
    return say("{place}: {player}, {compared}", place=_PLACES.get(rank) or say("place {number}", number=rank), **named)


_PLACES = {1: say("place 1"), 2: say("place 2"), 3: say("place 3"), 7: say("place 7"), 8: say("place 8")}
"""The places whose ordinals languages write in forms of their own, such as 1st, 2nd and 3rd."""


def _decision(winners: list[int], order: list[int], decided: int, table: _KeyTable) -> Message:
    if len(winners) > 1:
        return say("{players} are tied in every criterion and share the win", players=players_words(winners))
    winner = player_words(winners[0])
    if decided <= 0:
        return say("{player} wins", player=winner)
    tied = table.tied(winners[0], order, decided)
    compared = table.compare(decided, [winners[0], *tied])
    return say(
        "{player} wins the tie with {players}: {compared}",
        player=winner,
        players=players_words(tied),
        compared=compared,
    )


def ranked(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """Players and their ranks, best first."""
    return sorted(enumerate(ranks), key=lambda pair: pair[1])


def player_words(player: int) -> Message:
    """A player in words, by the seat from 0."""
    return say("player {number}", number=player + 1)


def players_words(players: Iterable[int]) -> str:
    """Players in a sentence: `player 1, player 2 and player 3`."""
    return all_of([player_words(player) for player in players]) or say("nobody")


class _KeyTable:
    """The values of a chain of criteria, by criterion and player."""

    def __init__(
        self, rules: Ruleset, keys: tuple[ir.Key, ...], values: Sequence[int], visible: Visibility | None = None
    ) -> None:
        self._rules, self._keys, self._values, self._visible = rules, keys, values, visible

    def _at(self, key: int, player: int) -> int:
        return self._values[key * self._rules.players + player]

    def _word(self, key: int, player: int) -> Message:
        found, value = self._keys[key], self._at(key, player)
        if self._visible is not None and not self._visible.covers(found.reads[player]):
            return say("?")
        return say("none" if value in (NONE, LIMIT) else self._rules.names.word(found.type, value))

    def number(self, key: int, player: int) -> int:
        """The value of a criterion for a player; UNDISCLOSED if it is not visible."""
        visible = self._visible is None or self._visible.covers(self._keys[key].reads[player])
        return self._at(key, player) if visible else UNDISCLOSED

    def compare(self, key: int, players: Sequence[int]) -> Message:
        """The first player's value and those of the others: `influence 7 (player 2: 5, player 3: 2)`."""
        found = self._keys[key]
        title = say(found.title)
        title = say("{value} ({index})", value=title, index=[say(found.of)]) if found.of else title
        if not players:
            return title
        is_number = self._keys[key].type.kind == "int"
        joint = say("{criterion} {value}") if is_number else say("{criterion}: {value}")
        first = say(joint, criterion=title, value=self._word(key, players[0]))
        others = [say("{player}: {value}", player=player_words(p), value=self._word(key, p)) for p in players[1:]]
        return say("{value} ({others})", value=first, others=others) if others else first

    def tied(self, winner: int, stood: Iterable[int], decided: int) -> list[int]:
        """The players tied with the winner in every criterion before the deciding one."""
        equal = [p for p in stood if all(self._at(k, p) == self._at(k, winner) for k in range(decided))]
        return [p for p in equal if p != winner]
