"""Why an action is legal: the rule that offers it, with its text in a language."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rulespec.play.table.words import PLAIN, Words

if TYPE_CHECKING:
    from rulespec.engine.states.state import State


@dataclass(frozen=True)
class Why:
    """The rule behind an action: its id and title, and where the spec defines it.

    `text` is the text of the rule itself, else of the nearest rule around it with a text, whose id is `text_of`.
    """

    rule: str
    title: str
    path: str
    line: int
    text: str
    text_of: str

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return asdict(self)


def why(state: State, action: int, words: Words = PLAIN) -> Why:
    """The rule behind a legal action."""
    return _why(state, state.why(action), words)


def why_now(state: State, seat: int, words: Words = PLAIN) -> Why:
    """The rule behind the decision of a seat: the innermost one around all its legal actions."""
    around = [rules_around(state, state.why(action)) for action in state.legal_actions(seat)]
    common = (rule for rule in around[0] if all(rule in others for others in around))
    return _why(state, next(common, around[0][0] if around[0] else ""), words)


def _why(state: State, id_: str, words: Words) -> Why:
    spec, around = state.game.spec, rules_around(state, id_)
    if not around:
        return Why(id_, "", "", 0, "", "")
    said = next(((words.text(one), one) for one in around if words.text(one)), ("", ""))
    rule = spec.rules[id_]
    line = spec.source.position(rule.span.start).line
    return Why(id_, words.title(id_, rule.title), spec.source.path, line, *said)


def rules_around(state: State, id_: str) -> list[str]:
    """A rule and the rules around it, the smallest first; their ids need not begin with the same word."""
    rules = state.game.spec.rules
    rule = rules.get(id_)
    if rule is None:
        return []
    around = [one for one in rules.values() if one.span.start <= rule.span.start and rule.span.end <= one.span.end]
    return [one.id for one in sorted(around, key=lambda one: one.span.end - one.span.start)]
