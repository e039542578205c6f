"""Play step by step: the positions of a case, or of the set-up, with what happens between them in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulespec.base.messages import counted
from rulespec.engine.interpreter.running import Event, StartPosition
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.games.scenario.cases import Case, Choice
from rulespec.games.scenario.claims import said
from rulespec.play.table.scene import position_of
from rulespec.play.table.story import Story
from rulespec.play.table.words import Words

LINES = 4
"""So many lines end a step."""

MOST = 8
"""The most lines of a step that are shown."""


@dataclass(frozen=True)
class Step:
    """A position, the title of the rule that led to it ("" for a choice), what happened in words, and how many choices
    were made before it."""

    title: str
    said: tuple[str, ...]
    position: Mapping[str, Any]
    choices: int


@dataclass(frozen=True)
class Recording:
    """What is played step by step, as a seat sees it; for None hands are open, and only what lies face down for
    everybody is hidden. `start` is the state at the first decision, or at the end if there is none."""

    seat: int | None
    steps: tuple[Step, ...]
    choices: tuple[tuple[int, int], ...]
    start: State


class _Recorded(State):
    """A state that keeps a copy of itself after every instruction that something is reported of."""

    __slots__ = ("moments",)

    def _set_up(self, cards: tuple[int, ...], position: StartPosition | None) -> None:
        super()._set_up(cards, position)
        self.moments: list[State] = [self._still()]

    def go_on(self, place: int) -> None:
        run = self.code.run
        while place >= 0:
            place = run[place](self)
            if len(self._events) > len(self.moments[-1].events or ()):
                self.moments.append(self._between_decisions())
        if self.moments[-1].events == self.events:
            self.moments.pop()
        self.moments.append(self._still())

    @property
    def _events(self) -> list[Event]:
        assert self.events is not None
        return self.events

    def _still(self) -> State:
        """A copy that keeps no further copies."""
        copy = self._blank(0)
        self._copy_to(copy)
        return copy

    def _between_decisions(self) -> State:
        copy = self._still()
        copy.legal, copy.asked = [], {}
        return copy


def of_case(case: Case, words: Words) -> Recording:
    """A case, from its position or its deal to its last choice."""
    state = _Recorded(case.vocabulary.game, case.seed, True, case.position)
    start = state.moments[-1]
    for step in case.steps:
        if isinstance(step, Choice):
            number = said(state, step.player).index(step.action.text)
            state.apply_action(state.legal_actions(step.player)[number], step.player)
    return Recording(None, tuple(_Steps(state.moments, None, words)), tuple(state.choices), start)


def moments_of_set_up(game: Game, seed: int) -> list[State]:
    """The states of a game up to the first decision, one after every instruction that something is reported of."""
    return _Recorded(game, seed, True).moments


def of_set_up(game: Game, seed: int, words: Words) -> Recording:
    """The set-up of a game up to the first decision, as the first player sees it."""
    moments = moments_of_set_up(game, seed)
    return Recording(0, tuple(_Steps(moments, 0, words)), (), moments[-1])


class _Steps:
    """The steps of moments: one for each choice, and for each rule that something is seen of."""

    def __init__(self, moments: Sequence[State], seat: int | None, words: Words) -> None:
        self.moments, self.seat, self.words = moments, seat, words

    def __iter__(self) -> Iterator[Step]:
        story = Story(self.moments[0], self.seat, rules=True)
        title, ahead, lines, before, first = "", "", list[str](), self.moments[0], True
        for moment in self.moments:
            heard = len(story.seen)
            story.follow(moment)
            new = list(story.texts(self.words, heard))
            chosen, seen = any(one.kind == "choice" for one in new), [one.text for one in new if one.kind != "rule"]
            ahead = "" if chosen else next((one.text for one in reversed(new) if one.kind == "rule"), ahead)
            if seen and (first or chosen or ahead != title or len(lines) >= LINES):
                yield self._step(title, lines, before)
                title, lines, first = ahead, [], False
            lines, before = lines + seen, moment
        yield self._step(title, lines, before)

    def _step(self, title: str, lines: Sequence[str], state: State) -> Step:
        shown = lines if len(lines) <= MOST else [*lines[: MOST - 1], self._more(len(lines) - MOST + 1)]
        position = open_position(state) if self.seat is None else position_of(state, self.seat)
        return Step(title, tuple(shown), position, len(state.choices))

    def _more(self, number: int) -> str:
        return self.words.of(counted("and {number} more", "and {number} more", number))


def open_position(state: State) -> dict[str, Any]:
    """A position with all hands open; only what no player may look into lies face down."""
    position, seen = position_of(state, None), state.game.viewers.of_zone
    looked = {number for number, by in enumerate(seen) if by.always or by.sometimes}
    zones = [one if one["zone"] in looked else _face_down(one) for one in position["zones"]]
    return {**position, "zones": zones}


def _face_down(zone: Mapping[str, Any]) -> dict[str, Any]:
    return {**zone, "faces": [None] * zone["size"], "seen": False}
