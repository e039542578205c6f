"""The propositions of a rule as sentences in a nested list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile

from rulespec.base.characters import capital
from rulespec.language.model.phrase import Around, Gate, Phrase, Proposition
from rulespec.language.model.spec import Spec
from rulespec.text.rules.describe.grammar import Slot
from rulespec.text.rules.describe.linearise import Linearizer
from rulespec.text.rules.describe.naming import Style
from rulespec.text.rules.describe.plain import conditions as each_of
from rulespec.text.rules.describe.plain import together


@dataclass(frozen=True)
class Line:
    """A list item of a description: a sentence, or the head of the items below it, which are deeper.

    `proposition` is what the sentence says; None for a head that only gives a condition or a choice, and for an aside.
    """

    text: str
    depth: int
    proposition: Proposition | None = None


@dataclass(frozen=True)
class _Item:
    """A proposition and what is around it, outermost first: an answer of a ruling, then conditions, loops, choices."""

    around: tuple[Around | tuple[str, str], ...]
    proposition: Proposition

    def inner(self, number: int = 1) -> _Item:
        return _Item(self.around[number:], self.proposition)

    @property
    def outermost(self) -> object:
        """What items must share to stand under one head: conditions in the same words do."""
        first = self.around[0] if self.around else None
        if isinstance(first, Around) and first.gate in (Gate.CONDITION, Gate.LOOP):
            return first.gate, first.phrase
        return first

    def condition(self) -> Around | None:
        first = self.around[0] if self.around else None
        return first if isinstance(first, Around) and first.gate is Gate.CONDITION else None

    def is_alternative_to(self, other: _Item) -> bool:
        """Whether it stands in the other branch of an `if`, around both of them."""
        here, there = self.condition(), other.condition()
        branches = here is not None and there is not None and here.step is not None and here.step == there.step
        return branches and self.outermost != other.outermost


def lines_of(stated: Sequence[Proposition], say: Style, spec: Spec) -> Iterator[Line]:
    """The propositions as a nested list: what they have around them in common stands once, above them."""
    heads = {ruling: _heads(stated, ruling) for ruling in {one.ruling for one in stated}}
    yield from _Writer(say, spec).lines([_Item(tuple(_around(one, heads[one.ruling])), one) for one in stated], 0)


def _heads(stated: Sequence[Proposition], ruling: tuple[str, str] | None) -> set[object]:
    """What stands above other sentences: the loops that begin among them, and the choices with several options."""
    own = [one for one in stated if one.ruling == ruling]
    pairs = {pair for one in own for pair in pairwise(one.around) if pair[0].gate is Gate.CHOICE}
    several = {choice for choice, number in Counter(choice for choice, _ in pairs).items() if number > 1}
    return {one.act for one in own} | several | {option for choice, option in pairs if choice in several}


def _around(one: Proposition, heads: Collection[object]) -> Iterator[Around | tuple[str, str]]:
    """An answer of a ruling, then what is around an act and stands above it."""
    if one.ruling is not None:
        yield one.ruling
    for around in one.around:
        loop = around.gate is Gate.LOOP
        named = around.phrase in heads or around.phrase.constructor == "procedure_is" if loop else around in heads
        if named or around.gate is Gate.CONDITION:
            yield around


@dataclass(frozen=True)
class _Writer:
    say: Style
    spec: Spec

    def lines(self, items: Sequence[_Item], depth: int) -> Iterator[Line]:
        last: _Item | None = None
        while items:
            run = self._alike(items, last)
            left = items[len(run) :]
            first = run[0].around[0] if run[0].around else None
            if first is None:
                yield from (self._line(item, depth, sentence(self.say, item.proposition.act)) for item in run)
            elif not isinstance(first, Around):
                yield Line(ruling_text(self.say.linearizer, self.spec, "ruling_head", *first), depth)
                yield from self.lines([item.inner() for item in run], depth + 1)
            elif first.gate is Gate.CONDITION:
                otherwise = last is not None and run[0].is_alternative_to(last)
                branch = otherwise or (bool(left) and left[0].is_alternative_to(run[-1]))
                yield from self._under_conditions(run, depth, otherwise, branch)
            elif first.gate is Gate.CHOICE:
                yield from self._choice(run, depth)
            else:
                yield from self.lines([item.inner() for item in run], depth + 1)
            items, last = left, run[-1]

    def _alike(self, items: Sequence[_Item], last: _Item | None) -> Sequence[_Item]:
        """The first items that have the same outermost surroundings; the branches of an `if` stand alone."""
        run = list(takewhile(lambda item: item.outermost == items[0].outermost, items))
        branches = [item.around[:1] for item in run]
        if last is not None and items[0].is_alternative_to(last):
            return run[: len(list(takewhile(lambda branch: branch == branches[0], branches)))]
        if len(run) < len(items) and items[len(run)].is_alternative_to(run[-1]):
            return run[: branches.index(branches[-1]) or len(run)]
        return run

    def _under_conditions(self, run: Sequence[_Item], depth: int, otherwise: bool, branch: bool) -> Iterator[Line]:
        """Items under the same outermost condition. A branch of an `if` with another one beside it has it alone."""
        conditions = list(takewhile(lambda one: isinstance(one, Around) and one.gate is Gate.CONDITION, run[0].around))
        act = run[0].proposition.act
        if len(run) == 1 and len(conditions) == len(run[0].around) and not (branch and len(conditions) > 1):
            text = sentence(self.say, act, _phrases(conditions))
            yield self._line(run[0], depth, _framed(self.say, "otherwise", (), act) if otherwise else text)
            return
        shared = 1 if branch else self._shared(run)
        head = "otherwise_head" if otherwise else "condition_head"
        yield Line(_framed(self.say, head, _phrases(conditions[:shared])), depth)
        yield from self.lines([item.inner(shared) for item in run], depth + 1)

    def _choice(self, run: Sequence[_Item], depth: int) -> Iterator[Line]:
        """The options of a choice, with what they do below each."""
        head = run[0].around[0]
        assert isinstance(head, Around)
        yield Line(sentence(self.say, head.phrase), depth)
        for _, (first, *others) in groupby(run, key=lambda item: item.around[1]):
            act = _in_list(first.proposition.act)
            yield self._line(first, depth + 1, sentence(self.say, act, _phrases(first.around[2:])))
            yield from self.lines([_taken(item.inner(2)) for item in others], depth + 2)

    def _line(self, item: _Item, depth: int, text: str) -> Line:
        return Line(text, depth, None if item.proposition.aside else item.proposition)

    def _shared(self, run: Sequence[_Item]) -> int:
        """The number of conditions that all items of a run have in common."""
        depth = 0
        while all(item.inner(depth).condition() for item in run) and len({i.inner(depth).outermost for i in run}) == 1:
            depth += 1
        return depth


def _in_list(act: Phrase) -> Phrase:
    """An option in a list of options, without the player who chooses."""
    verb, _, kind = act.constructor.partition("_")
    return Phrase(kind, act.parts[1:]) if verb in ("may", "must") else act


def _taken(item: _Item) -> _Item:
    """An item below its option, without the condition that the option is taken."""
    condition = item.condition()
    return item.inner() if condition is not None and condition.phrase.constructor == "taken" else item


def sentence(say: Style, act: Phrase, conditions: Sequence[Phrase] = ()) -> str:
    """An act under conditions as a sentence."""
    return _framed(say, "conditional" if conditions else "sentence", conditions, act)


def _phrases(around: Iterable[Around | tuple[str, str]]) -> list[Phrase]:
    return [one.phrase for one in around if isinstance(one, Around)]


def _framed(say: Style, name: str, conditions: Sequence[Phrase], act: Phrase | None = None) -> str:
    return say.linearizer.written(lambda one: _in_frame(Style(one, say.naming), name, conditions, act))


def _in_frame(say: Style, name: str, conditions: Sequence[Phrase], act: Phrase | None) -> str:
    def show(slot: Slot) -> str | None:
        if slot.part == "act":
            return say(act, slot.case) if act is not None else None
        (all_of_them,) = together(each_of(conditions))
        return say(all_of_them, slot.case)

    return capital(say.linearizer.grammar.frames[name].fill(show) or "")


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
