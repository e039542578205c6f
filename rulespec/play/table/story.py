"""The events of a game for one observer, in few lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from rulespec.base.messages import say
from rulespec.language.model.phrase import Phrase
from rulespec.play.table.changes import Change, turns_of
from rulespec.play.table.narrator import TableNarrator, message, together, with_effect
from rulespec.play.table.passing import Passing
from rulespec.play.table.words import PLAIN, Words
from rulespec.proofs.checks.viewers import hidden_rules, rules_inside

if TYPE_CHECKING:
    from rulespec.base.messages import Message
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.engine.states.state import State


class Seen(NamedTuple):
    """One event: its kind, its rule, and what was seen of it. `forced` is a choice without another."""

    kind: str
    rule: str
    said: tuple[Phrase, ...]
    forced: bool = False


class Line(NamedTuple):
    """What was seen as a text: its kind, and the seat of the player that it begins with, if it names one."""

    kind: str
    text: str
    seat: int | None


_Shown = tuple[Seen, tuple[Phrase, ...]]
"""What was seen, and its phrases."""


class Story:
    """What a player, or for None an observer of everything, sees of a game: `seen` is all of it, in any language.

    With `rules` it also has each rule that applies, else only the parts of the game. `words` are those of `news`. With
    `addressed` the player is “you”, which only fits where no other person reads along.
    """

    def __init__(
        self,
        state: State,
        player: int | None,
        rules: bool = False,
        words: Words = PLAIN,
        addressed: bool = False,
    ) -> None:
        self.game, self.player, self.rules, self.words = state.game, player, rules, words
        self.narrator = TableNarrator(state.game, player, state.position, addressed)
        self.passing = Passing(state, self.narrator.observer)
        self.seen: list[Seen] = []
        self._heard = self._shown = 0
        self._forced: deque[bool] = deque()
        # That a rule applies can say what is hidden. Then it is only named for what is seen of it.
        self._unsaid = _unsaid(state.game) if player is not None else {}
        self._rules: list[Seen] = []
        self._inside = rules_inside(state.game.spec)

    def chose(self, forced: bool) -> None:
        """Stores that the player has chosen; `forced` if there was only one choice. Shown with the event."""
        self._forced.append(forced)

    def note(self, kind: str, said: Message) -> None:
        """Adds what is no event of the game."""
        self.seen.append(Seen(kind, "", (message(said),)))

    def follow(self, state: State, between: Callable[[Passing], None] = lambda passing: None) -> None:
        """Takes in the events since the last call. `between` receives the positions between them at which cards have
        moved one way before others move another way."""
        events = state.events or []
        self.passing.rest()
        for event in events[self._heard :]:
            if self.passing.turns(event):
                between(self.passing)
            self.passing.take(event)
            said = tuple(self.narrator.said(event))
            if said or event[0] == "rule":
                self._add(self._seen(event[0], event[1], event[2:], said))
        self.narrator.look()
        self._heard = len(events)

    def _add(self, seen: Seen) -> None:
        self._rules = [rule for rule in self._rules if seen.rule in self._unsaid[rule.rule]]
        if seen.kind == "rule" and seen.rule in self._unsaid:
            self._rules.append(seen)
            return
        self.seen += [*self._rules, seen]
        self._rules = []

    def _seen(self, kind: str, rule: int, rest: tuple[int, ...], said: tuple[Phrase, ...]) -> Seen:
        forced = kind == "choice" and rest[0] == self.player and bool(self._forced) and self._forced.popleft()
        return Seen(kind, self.game.program.rules[rule] if rule >= 0 else "", said, forced)

    def news(self, state: State) -> list[str]:
        """The lines since the last call."""
        self.follow(state)
        new, self._shown = self._runs(self._shown, self.words), len(self.seen)
        return [self._line(seen, self._text(seen, said, self.words)) for seen, said in new]

    def _line(self, seen: Seen, text: str) -> str:
        if seen.kind == "rule":
            return f"  [{seen.rule}] {text}" if "." in seen.rule else f"— {text} —"
        return text if seen.kind == "choice" else f"  {text}"

    def texts(self, words: Words, first: int = 0) -> Iterator[Line]:
        """What was seen from a place on, in a language. What is alike and in a row is one text."""
        for seen, phrase in self._runs(first, words):
            yield Line(seen.kind, self._text(seen, phrase, words), self.narrator.seat(phrase))

    def _runs(self, first: int, words: Words) -> Iterator[tuple[Seen, Phrase]]:
        """What was seen from a place on, and what is said of it."""
        return _merged(list(self._phrases(first, words)))

    def _phrases(self, first: int, words: Words) -> Iterator[tuple[Seen, Phrase]]:
        """What was seen from a place on, in few phrases."""
        shown = [(seen, said) for seen in self.seen[first:] if (said := self._said(seen, words))]
        shown = shown if self.rules else self._titled(shown, first)
        for _, run in groupby(shown, lambda one: _LIKE.get(one[0].kind, one[0].kind)):
            (seen, _), *_ = some = list(run)
            phrases = (phrase for _, said in some for phrase in said)
            for phrase in together((one for one in phrases if not self._is_turn(one, words)), self.narrator):
                yield seen, phrase

    def _titled(self, shown: Sequence[_Shown], first: int) -> list[_Shown]:
        """What was seen from a place on, without titles that nothing is under, and that repeat the one before them."""
        kept = deque[_Shown]()
        for seen, said in reversed(shown):
            after = kept[0][0] if kept and kept[0][0].kind == "rule" else seen
            if seen.kind != "rule" or after.rule == seen.rule or after.rule in self._inside.get(seen.rule, ()):
                kept.appendleft((seen, said))
        title = next(
            (one.rule for one in reversed(self.seen[:first]) if one.kind == "rule" and "." not in one.rule), ""
        )
        found = list[_Shown]()
        for seen, said in kept:
            if seen.kind != "rule" or seen.rule != title:
                found.append((seen, said))
            title = seen.rule if seen.kind == "rule" else title
        return found

    def _is_turn(self, said: Phrase, words: Words) -> bool:
        """Whether a phrase says no more than whose turn it is, and the language has no sentence for that."""
        turns = turns_of(self.game.spec)
        return isinstance(said, Change) and said.cell[0] in turns and not words.has_sentence(said.cell[0])

    def _text(self, seen: Seen, said: Phrase, words: Words) -> str:
        """What was seen, in a language: titles of rules and what is no event are as they are."""
        write = words.phrase if seen.kind in ("rule", "failure") else words.sentence
        return write(self.game.spec, said)

    def _said(self, seen: Seen, words: Words) -> tuple[Phrase, ...]:
        """What was seen, as phrases; none for a rule that is not named."""
        if seen.kind == "rule":
            heading = self._heading(seen.rule, words)
            return (message(say("{text}", text=heading)),) if heading else ()
        if not seen.forced:
            return seen.said
        *before, choice = seen.said
        return *before, Phrase("only_choice", (choice,))

    def _heading(self, rule: str, words: Words) -> str:
        """The title of a rule that is named: of a part of the game, whose id has no dot, or of any."""
        known = self.game.spec.rules.get(rule)
        return words.title(rule, known.title) if known is not None and (self.rules or "." not in rule) else ""


def _merged(lines: list[tuple[Seen, Phrase]]) -> Iterator[tuple[Seen, Phrase]]:
    """Lines in which a choice and what it does at once are one, with the titles between them if more follows."""
    while lines:
        seen, said = lines.pop(0)
        at = next((at for at, (one, _) in enumerate(lines) if one.kind != "rule"), None)
        if seen.kind == "choice" and at is not None and (both := with_effect(said, lines[at][1])) is not None:
            del lines[at]
            if at == len(lines) or lines[at][0].kind in ("choice", "rule"):
                del lines[:at]
            said = both
        yield seen, said


_LIKE = {"move_all": "move", "random": "set"}
"""Kinds of events that are reported together with another kind."""


@lru_cache(maxsize=64)
def _unsaid(game: Ruleset) -> Mapping[str, frozenset[str]]:
    """The rules of which something hidden says that they apply, each with itself and the rules inside it."""
    unsaid = game.spec.rules if game.program.unnoticed else hidden_rules(game.spec)
    return {rule: inside for rule, inside in rules_inside(game.spec).items() if rule in unsaid}
