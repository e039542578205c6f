"""The scope of negation: which contrasts a negator negates."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, takewhile
from operator import attrgetter

from rulespec.base.diagnostics import Span
from rulespec.proofs.meaning.constructors import NEGATED, NEGATIVE, REACHED, STATES
from rulespec.text.glossary.tokens import Joint, Token
from rulespec.text.languages.record import Language
from rulespec.text.reading.clauses import Clause
from rulespec.text.reading.contrasts.lexicon import AFFIRMED, DENIED, MODALS, PREDICATES, Lexicon, Role

_LONGEST_OPENING = 30
"""The most characters before an offset in which a conjunction with the spaces after it may stand."""
_LONGEST_CLAUSE = 12
"""The most words between a comparison that begins a clause and the negation of that clause."""

_LONGEST_SUBJECT = 2
"""The most words between a relative and the negation of its clause: “that you do not use”."""


DENIAL = "not "
"""Begins the label of a value that the words deny."""


@dataclass(frozen=True)
class Contrast:
    """A value of a family at `text[start:end]`, after negation.

    `negated`: the words deny `value` and state no other. `negator` is the place of the word that negates them; a value
    that negation turned into another has one too. `within` is the concept whose term contains the words.

    A predicate has its `clause`. It is not `certain` in one with an exception or a question, since its value may hold
    for a part only. It is `conditional` if it states a case in which something happens, not what happens.
    """

    family: str
    value: str
    start: int
    end: int
    negated: bool = False
    negator: Span | None = None
    within: str = ""
    clause: Clause | None = None
    certain: bool = True
    conditional: bool = False

    @property
    def label(self) -> str:
        """The value, or its denial: who does not take does not lose either."""
        return f"{DENIAL}{self.value}" if self.negated else self.value

    @property
    def words(self) -> Span:
        """The words with their negator."""
        if self.negator is None:
            return Span(self.start, self.end)
        return Span(min(self.start, self.negator.start), max(self.end, self.negator.end))


@dataclass(frozen=True)
class Negator:
    """A word that negates what follows it, or what precedes it."""

    start: int
    end: int
    role: Role


@dataclass(frozen=True, eq=False)
class Scope:
    """Where negation holds: a text with its words. Negation ends at the boundaries of clauses."""

    text: str
    language: Language
    lexicon: Lexicon
    words: Sequence[Token]
    starts: Sequence[int]

    def reaches(self, start: int, end: int) -> bool:
        """Whether a negation goes on from one offset to another."""
        return self.joins(start, end, self.lexicon.reach)

    def joins(self, start: int, end: int, reach: int) -> bool:
        """Whether at most `reach` words of one clause, or of clauses joined by a conjunction of `over`, are between."""
        if not self.is_near(start, end, reach) or self.lexicon.stops.search(self.text, start, end):
            return False
        boundaries = self.language.clause.finditer(self.text, start, end)
        return all(boundary[0].strip() in self.lexicon.over for boundary in boundaries)

    def is_near(self, start: int, end: int, reach: int) -> bool:
        """Whether at most `reach` words of one sentence are between two offsets."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return last - first <= reach and all(word.joint != Joint.END for word in self.words[first : last + 1])

    def concurs(self, nobody: Contrast, other: Denial) -> bool:
        """Whether a “nobody” and another denial in its clause are one negation."""
        low, high = min(nobody.end, other.end), max(nobody.start, other.start)
        return self.lexicon.concord > 0 and self.joins(low, high, self.lexicon.concord)

    def links(self, start: int, end: int) -> bool:
        """Whether there are only copulas between two offsets."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return not any(self.lexicon.copulas.isdisjoint(word.keys) for word in self.words[first:last])

    def opens(self, at: int) -> bool:
        """Whether a clause begins at an offset, so that the first thing there may be its subject."""
        return self.lexicon.opening.search(self.text[max(0, at - _LONGEST_OPENING) : at]) is not None

    def begins(self, at: int) -> bool:
        """Whether an offset is at the start of a clause that is no condition."""
        return self.lexicon.beginning.search(self.text[max(0, at - _LONGEST_OPENING) : at]) is not None

    def coordinates(self, start: int, end: int) -> bool:
        """Whether a conjunction of `over` is between two offsets."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return any(word.raw in self.lexicon.over for word in self.words[first:last])


def resolved(contrasts: Sequence[Contrast], negators: Iterable[Negator], scope: Scope) -> Iterator[Contrast]:
    """The values after negation. A negator that negates none of them is a contrast of its own, of family `truth`."""
    starts = [contrast.start for contrast in contrasts]
    found: dict[int, list[Span]] = defaultdict(list)
    taken: list[Span] = []
    # “Not A but B” first: its “not” denies A, and is no negator of what follows.
    for place, span in _denied(contrasts, starts, scope):
        found[place].append(span)
        taken.append(span)
    denied = {place for span in taken for place in range(span.start, span.end)}
    negators = [negator for negator in negators if negator.start not in denied]
    begun = dict(_begun(contrasts, negators, scope))
    for negator in negators:
        places = list(_negated_by(negator, contrasts, starts, scope))
        if _repeats(negator, contrasts, starts, scope):
            places = [place for place in places if (contrasts[place].family, contrasts[place].value) in _BY_NOBODY]
        elif not places and all(negator.start != span.start for span in begun.values()):
            yield Contrast("truth", "not", negator.start, negator.end)
        for place in places:
            found[place].append(Span(negator.start, negator.end))
    # “Nobody” comes last: where negation is repeated, it negates only what nothing else does.
    for contrast in sorted(contrasts, key=_is_nobody):
        for place in _negated_by_value(contrast, contrasts, starts, scope):
            if not (found[place] and scope.lexicon.concord and _is_nobody(contrast)):
                found[place].append(Span(contrast.start, contrast.end))
    # Last: “more than 4 may never stand there” has two negators and denies once.
    found.update((place, [span]) for place, span in begun.items())
    for place, contrast in enumerate(contrasts):
        yield _after(contrast, found[place])


@dataclass(frozen=True)
class Denial:
    """Words that negate predicates. Those of a value may also stand behind one; a “nobody” reaches every modal."""

    start: int
    end: int
    of_value: bool = False
    of_nobody: bool = False


def polar(
    contrasts: Sequence[Contrast], negators: Iterable[Negator], relatives: Sequence[int], scope: Scope
) -> Iterator[Contrast]:
    """The predicates among contrasts after negation, by negators and by the values of `DENYING`.

    No predicate is negated twice. In a relative clause only the first one is: “tiles that you do not use stay”.
    `relatives` are the offsets after the words that begin such clauses.
    """
    predicates = [one for one in contrasts if one.family in PREDICATES]
    starts = [one.start for one in predicates]
    found: dict[int, list[Span]] = {}
    for denial in _denials([one for one in contrasts if one.family not in PREDICATES], negators, scope):
        places = _denied_by(denial, predicates, starts, scope)
        before = (relative for relative in relatives if relative <= denial.start)
        relates = any(scope.is_near(relative, denial.start, _LONGEST_SUBJECT) for relative in before)
        for place in places[:1] if relates else places:
            found.setdefault(place, [Span(denial.start, denial.end)])
    for place, predicate in enumerate(predicates):
        yield _after(predicate, found.get(place, ()))


DENYING = frozenset({("quantity", "none"), ("modality", "may_not"), ("truth", "not")})
"""The values whose words negate predicates."""


def _denials(values: Sequence[Contrast], negators: Iterable[Negator], scope: Scope) -> Sequence[Denial]:
    """All that negates predicates. Where negation is repeated, a “nobody” beside another negation does not."""
    found = [Denial(one.start, one.end) for one in negators]
    found += (Denial(one.start, one.end, of_value=True) for one in values if not _is_nobody(one))
    nobodies = [one for one in values if _is_nobody(one) and not any(scope.concurs(one, other) for other in found)]
    return [*found, *(Denial(one.start, one.end, of_value=True, of_nobody=True) for one in nobodies)]


def _denied_by(denial: Denial, predicates: Sequence[Contrast], starts: Sequence[int], scope: Scope) -> Sequence[int]:
    """The places of the predicates that a denial negates: those after it, or the one before it.

    “Nothing” may be the object of the predicate before it, and what is “not allowed” may stand before that.
    """
    after = list(_denied_after(denial, predicates, starts, scope))
    at = bisect_left(starts, denial.start) - 1
    if not denial.of_value or at < 0 or predicates[at].family in MODALS:
        return after
    is_object = denial.of_nobody and after and denial.start - predicates[at].end < starts[after[0]] - denial.end
    if (after and not is_object) or not scope.reaches(predicates[at].end, denial.start):
        return after
    return range(bisect_left(starts, starts[at]), at + 1)


def _denied_after(denial: Denial, predicates: Sequence[Contrast], starts: Sequence[int], scope: Scope) -> Iterator[int]:
    """The places of the predicates after a denial, each in reach of the one before. A modal that is not right behind
    the denial ends negation: “who cannot go on has to pass”."""
    end, last = denial.end, -1
    for place in range(bisect_left(starts, denial.end), len(predicates)):
        one = predicates[place]
        is_near = one.start - denial.end <= 1
        far_modal = one.family in MODALS and not is_near and not denial.of_nobody
        if one.start != last and (far_modal or not scope.reaches(end, one.start)):
            return
        end, last = one.end, one.start
        # “No other use at the end” does not say that there is one at once.
        if is_near or one.family != "promptness":
            yield place


def _denied(contrasts: Sequence[Contrast], starts: Sequence[int], scope: Scope) -> Iterator[tuple[int, Span]]:
    """The contrasts in A of “not A but B”, each with the place of the words before A."""
    for pattern in scope.lexicon.instead:
        for match in pattern.finditer(scope.text):
            low, high = match.span("false")
            for place in range(bisect_left(starts, low), bisect_left(starts, high)):
                if contrasts[place].end <= high:
                    yield place, Span(match.start(), low)


_NOBODY = ("quantity", "none")
_BY_NOBODY = NEGATIVE[_NOBODY]


def _is_nobody(contrast: Contrast) -> bool:
    return (contrast.family, contrast.value) == _NOBODY


def _repeats(negator: Negator, contrasts: Sequence[Contrast], starts: Sequence[int], scope: Scope) -> bool:
    """Whether a negator repeats the negation of a “nobody” in its clause, before it or after it."""
    concord = scope.lexicon.concord
    at = bisect_left(starts, negator.start)
    before = reversed(contrasts[max(at - concord, 0) : at])
    near = chain(
        takewhile(lambda one: scope.joins(one.end, negator.start, concord), before),
        takewhile(lambda one: scope.joins(negator.end, one.start, concord), contrasts[at : at + concord]),
    )
    return any(map(_is_nobody, near))


def _negated_by(negator: Negator, contrasts: Sequence[Contrast], starts: Sequence[int], scope: Scope) -> Iterator[int]:
    """The places of the contrasts that a negator negates."""
    if negator.role is Role.NEGATES_NEXT:
        yield from _following(contrasts, bisect_left(starts, negator.end), negator.end, REACHED, scope, nearest=True)
        return
    at = bisect_left(starts, negator.start) - 1
    if at >= 0 and scope.reaches(contrasts[at].end, negator.start):
        # One wording may have values of several families, which start at one place.
        yield from range(bisect_left(starts, starts[at]), at + 1)


def _begun(contrasts: Sequence[Contrast], negators: Iterable[Negator], scope: Scope) -> Iterator[tuple[int, Span]]:
    """The comparisons that begin a clause which is negated after them, each with the negation: “more than 4 do not fit”
    is at most 4."""
    denials = [Span(one.start, one.end) for one in negators]
    negative = {*NEGATIVE, ("truth", "not")}
    denials += (Span(one.start, one.end) for one in contrasts if (one.family, one.value) in negative)
    denials.sort(key=attrgetter("start"))
    for place, contrast in enumerate(contrasts):
        if contrast.family == "comparison" and (contrast.family, contrast.value) in REACHED:
            later = next((span for span in denials if span.start >= contrast.end), None)
            if later and scope.begins(contrast.start) and scope.joins(contrast.end, later.start, _LONGEST_CLAUSE):
                yield place, later


def _negated_by_value(
    contrast: Contrast, contrasts: Sequence[Contrast], starts: Sequence[int], scope: Scope
) -> Iterator[int]:
    """The places of the contrasts that the value of a contrast negates."""
    negates = NEGATIVE.get((contrast.family, contrast.value), frozenset())
    at = bisect_left(starts, contrast.end)
    if negates and at < len(contrasts) and contrasts[at].family in STATES and scope.links(contrast.end, starts[at]):
        negates |= {(contrasts[at].family, contrasts[at].value)}
    if not scope.opens(contrast.start):
        # “Nobody may” forbids; “a player with no cards may” does not.
        negates -= {("modality", "may"), ("duty", "optional")}
    if negates:
        places = list(_following(contrasts, at, contrast.end, negates, scope, nearest=False))
        bounded = any(contrasts[place].family == "comparison" for place in places)
        # “May not rise above 6” denies the bound, “may not rise” the rise.
        yield from (place for place in places if not (bounded and contrasts[place].family == "change"))


def _following(
    contrasts: Sequence[Contrast],
    at: int,
    start: int,
    negates: frozenset[tuple[str, str]],
    scope: Scope,
    *,
    nearest: bool,
) -> Iterator[int]:
    """The places of the contrasts from `at` on that a negation at `start` negates.

    These are the nearest one, if `nearest`, the nearest of each family among the values `negates`, and the same again
    after a conjunction such as “or”.
    """
    end, last, first, families = start, -1, nearest, set[str]()
    for place in range(at, len(contrasts)):
        contrast = contrasts[place]
        same_words = contrast.start == last
        if not same_words and not scope.reaches(end, contrast.start):
            return
        if not same_words and families and scope.coordinates(end, contrast.start):
            first, families = nearest, set()
        named = (contrast.family, contrast.value) in negates and contrast.family not in families
        next_ = first and scope.joins(end, contrast.start, scope.lexicon.nearest)
        if next_ or named or same_words:
            end, last, first = contrast.end, contrast.start, False
            families.add(contrast.family)
            yield place


def _after(contrast: Contrast, negators: Sequence[Span]) -> Contrast:
    """A contrast after its negators. Two negators cancel each other."""
    if not len(negators) % 2:
        return contrast
    if contrast.family in PREDICATES:
        return replace(contrast, value=DENIED if contrast.value == AFFIRMED else AFFIRMED, negator=negators[0])
    value = NEGATED.get((contrast.family, contrast.value))
    return replace(contrast, value=value or contrast.value, negated=value is None, negator=negators[0])
