"""The propositions of a rule as sentences in a nested list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rulespec.base.characters import capital
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning import Phrase, Proposition
from rulespec.text.rules.describe.grammar import Slot
from rulespec.text.rules.describe.linearise import Linearizer


@dataclass(frozen=True)
class Line:
    """A list item of a description: a sentence, or the head of the items below it, which are deeper.

    `proposition` is what the sentence says; None for a head that only gives a condition.
    """

    text: str
    depth: int
    proposition: Proposition | None = None


@dataclass(frozen=True)
class _Around:
    """One thing around an act: an answer of a ruling, a loop, or a condition."""

    kind: str
    phrase: Phrase | None = None
    ruling: tuple[str, str] | None = None


@dataclass(frozen=True)
class _Item:
    """A proposition and what is around it, outermost first."""

    around: tuple[_Around, ...]
    proposition: Proposition

    def inner(self, number: int) -> _Item:
        return _Item(self.around[number:], self.proposition)


def lines_of(stated: Sequence[Proposition], say: Linearizer, spec: Spec) -> Iterator[Line]:
    """The propositions as a nested list: what they have around them in common stands once, above them."""
    items = [_Item(tuple(_around(one, stated)), one) for one in stated]
    yield from _Writer(say, spec).lines(items, 0)


def _around(one: Proposition, stated: Sequence[Proposition]) -> Iterator[_Around]:
    """An answer of a ruling, then conditions and loops from the outside inwards."""
    if one.ruling is not None:
        yield _Around("ruling", ruling=one.ruling)
    shown = 0
    for loop in one.within:
        head = next((other for other in stated if other.act == loop), None)
        outer = len(head.conditions) if head is not None else shown
        yield from (_Around("condition", phrase) for phrase in one.conditions[shown:outer])
        shown = max(shown, outer)
        if head is not None or loop.constructor == "procedure_is":
            yield _Around("loop", loop)
    yield from (_Around("condition", phrase) for phrase in one.conditions[shown:])


def _alike(items: Sequence[_Item]) -> list[_Item]:
    """The first items that have the same outermost surroundings."""
    outermost = items[0].around[:1]
    return list(takewhile(lambda item: item.around[:1] == outermost, items))


@dataclass(frozen=True)
class _Writer:
    say: Linearizer
    spec: Spec

    def lines(self, items: Sequence[_Item], depth: int) -> Iterator[Line]:
        while items:
            first = items[0]
            if not first.around:
                yield Line(sentence(self.say, first.proposition.act), depth, first.proposition)
                items = items[1:]
                continue
            run = _alike(items)
            yield from self._run(run, depth)
            items = items[len(run) :]

    def _run(self, run: Sequence[_Item], depth: int) -> Iterator[Line]:
        """Items with the same outermost surroundings."""
        first = run[0].around[0]
        conditions = run[0].around
        if first.kind == "ruling":
            yield Line(self._ruling(first), depth)
            yield from self.lines([item.inner(1) for item in run], depth + 1)
        elif first.kind == "loop":
            yield from self.lines([item.inner(1) for item in run], depth + 1)
        elif len(run) == 1 and all(one.kind == "condition" for one in conditions):
            yield Line(sentence(self.say, run[0].proposition.act, _phrases(conditions)), depth, run[0].proposition)
        else:
            shared = self._shared(run)
            yield Line(_framed(self.say, "condition_head", _phrases(conditions[:shared])), depth)
            yield from self.lines([item.inner(shared) for item in run], depth + 1)

    def _shared(self, run: Sequence[_Item]) -> int:
        """The number of conditions that all items of a run have in common."""
        columns = zip(*(item.around for item in run), strict=False)
        return len(list(takewhile(lambda one: one[0].kind == "condition" and len(set(one)) == 1, columns)))

    def _ruling(self, around: _Around) -> str:
        assert around.ruling is not None
        id_, option = around.ruling
        return ruling_text(self.say, self.spec, "ruling_head", id_, option)


def sentence(say: Linearizer, act: Phrase, conditions: Sequence[Phrase] = ()) -> str:
    """An act under conditions as a sentence."""
    return _framed(say, "conditional" if conditions else "sentence", conditions, act)


def _phrases(around: Sequence[_Around]) -> list[Phrase]:
    return [one.phrase for one in around if one.phrase is not None]


def _framed(say: Linearizer, name: str, conditions: Sequence[Phrase], act: Phrase | None = None) -> str:
    def show(slot: Slot) -> str | None:
        if slot.part == "act":
            return say(act) if act is not None else None
        return say.grammar.joined([say(phrase) for phrase in conditions], slot.style)

    return capital(say.grammar.frames[name].fill(show) or "")


def ruling_text(say: Linearizer, spec: Spec, frame: str, id_: str, option: str, text: str = "") -> str:
    """A ruling with one of its answers, in a frame; `text` is its text in the language."""
    shown = {
        "id": id_,
        "option": option,
        "question": spec.rulings[id_].question,
        "answer": option.replace("_", " "),
        "text": text,
    }
    return capital(say.grammar.frames[frame].fill(lambda slot: shown[slot.part]) or "")
