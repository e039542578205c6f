"""A game as steps: every event, and every decision with its legal actions, in names that both versions share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rulespec.engine.interpreter.running import Event
from rulespec.engine.knowledge.events import Narrator
from rulespec.engine.named_chance.game import NamedGame, NamedState
from rulespec.engine.program import ir
from rulespec.engine.states.log import lines
from rulespec.language.model.types import NONE, Type
from rulespec.versions.paired.games import Choice, decisions
from rulespec.versions.paired.pair import Pair
from rulespec.versions.paired.players import Bot


class Offer(NamedTuple):
    """A legal action: its words, and the rule that offers it."""

    words: str
    rule: str


@dataclass(frozen=True)
class Decision:
    """The seat that decides (from 0), the legal actions by label, and the label of the chosen one."""

    player: int
    legal: Mapping[int, Offer]
    chosen: int


@dataclass(frozen=True)
class Step:
    """An event or a decision: the rule that it belongs to, and its words. `key` is the same in both versions if the
    step is."""

    key: Hashable
    rule: str
    words: str
    decision: Decision | None = None


def played(pair: Pair, game: NamedGame, bot: Bot, seed: int, number: int) -> tuple[list[Step], tuple[str, ...]]:
    """The steps of a game, and its log."""
    steps: list[Step] = []
    writer, seen = _Writer(pair, game), 0
    for state, choice in decisions(game, bot, seed, number):
        events = state.events or []
        steps += writer.steps(events[seen:])
        seen = len(events)
        if choice is not None:
            steps.append(writer.decision(state, choice))
    return steps, tuple(lines(state))


class _Writer:
    """Writes steps of one version."""

    def __init__(self, pair: Pair, game: NamedGame) -> None:
        self.pair, self.game, self.labels = pair, game, game.labels
        self.narrator = Narrator(game, None)

    def steps(self, events: Sequence[Event]) -> Iterator[Step]:
        for event in events:
            words = self.narrator.narrate(event)
            content = self._content(event)
            if content is not None:
                rule = self.pair.rule(self.game, event[1])
                words += f" ({len(event) - 3} cards)" if event[0] == "shuffle" else ""
                yield Step((event[0], rule, content), rule, words or f"the rule {rule} applies")

    def decision(self, state: NamedState, choice: Choice) -> Step:
        player, action, legal = choice
        asking = self.pair.rule(self.game, self.game.program.code[state.pc].rule)
        offers = {self.labels.action(one): self._offer(one) for one in legal}
        chosen = self.labels.action(action)
        words = f"player {player + 1}: {offers[chosen].words}"
        key = ("decision", player, frozenset(offers), chosen)
        return Step(key, asking, words, Decision(player, offers, chosen))

    def _offer(self, action: int) -> Offer:
        rule = self.labels.aliases.of("rule", self.game.rule_of_action(action))
        return Offer(self.game.action_to_string(action), rule)

    # what an event is about, in names of both versions

    def _content(self, event: Event) -> Hashable | None:
        content = _CONTENT.get(event[0])
        return content(self, event) if content is not None else None

    def zone(self, number: int) -> Hashable:
        name, indices = self.game.program.zones[number]
        per = self.game.spec.zones[name].per
        words = (self.labels.word(type_, at) for type_, at in zip(per, indices, strict=True))
        return self.labels.aliases.of("zone", name), *words

    def face(self, card: int) -> int:
        return self.labels.faces[self.labels.card_faces[card]]

    def word(self, type_: Type, value: int) -> Hashable:
        if value == NONE:
            return None
        return self.face(value) if type_.kind == "card" else self.labels.word(type_, value)

    def cell(self, value: str, offset: int) -> Hashable:
        return tuple(self.word(type_, index) for type_, index in self.game.names.indices(value, offset))


def _set(w: _Writer, event: Event) -> Hashable:
    _, _, value, cell, content = event
    return w.labels.aliases.of("value", value), w.cell(value, cell), w.word(w.game.spec.values[value].type, content)


def _random(w: _Writer, event: Event) -> Hashable:
    draw = w.game.program.code[event[2]]
    assert isinstance(draw, ir.Draw)
    return w.word(draw.type, event[3])


def _award(w: _Writer, event: Event) -> Hashable:
    _, _, place, subject, winner, decided, worth, *rest = event
    note = w.game.program.code[place]
    assert isinstance(note, ir.Note) and isinstance(note.report, ir.Award)
    entered, keys = rest[: w.game.players], rest[w.game.players :]
    read = keys[: w.game.players * (1 + max(0, decided))]
    return w.word(note.report.type, subject), winner, worth, tuple(map(bool, entered)), tuple(read)


def _rank(w: _Writer, event: Event) -> Hashable:
    decided, players = event[3], w.game.players
    return event[4 : 4 + players], event[4 + players : 4 + players * (2 + max(0, decided))]


_CONTENT: Mapping[str, Callable[[_Writer, Event], Hashable]] = {
    "rule": lambda w, e: (),
    "move": lambda w, e: (w.face(e[2]), w.zone(e[3]), w.zone(e[5])),
    "move_all": lambda w, e: (w.zone(e[2]), w.zone(e[3]), tuple(sorted(map(w.face, e[4:])))),
    "show": lambda w, e: (w.face(e[2]), w.zone(e[3]), e[5]),
    "shuffle": lambda w, e: (w.zone(e[2]), tuple(map(w.face, e[3:]))),
    "sink": lambda w, e: (w.zone(e[2]), e[3]),
    "set": _set,
    "random": _random,
    "award": _award,
    "rank": _rank,
}
"""What each kind of event is about. Choices are decisions, and the others are about the description only."""
