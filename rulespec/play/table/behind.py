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
    spec, id_ = state.game.spec, state.why(action)
    rule = spec.rules.get(id_)
    if rule is None:
        return Why(id_, "", "", 0, "", "")
    # The rules around it, the smallest first; their ids need not begin with the same word.
    around = [one for one in spec.rules.values() if one.span.start <= rule.span.start and rule.span.end <= one.span.end]
    around.sort(key=lambda one: one.span.end - one.span.start)
    said = next(((words.text(one.id), one.id) for one in around if words.text(one.id)), ("", ""))
    line = spec.source.position(rule.span.start).line
    return Why(id_, words.title(id_, rule.title), spec.source.path, line, *said)
