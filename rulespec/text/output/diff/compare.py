"""Compares the texts of every rule: which facts, contrasts and numbers each language states."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rulespec.base.diagnostics import Finding, Position
from rulespec.base.source import Source
from rulespec.language.model.spec import Spec
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.judging.contradictions import COMPARED
from rulespec.text.judging.justified import is_justified
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.output.diff.result import (
    Column,
    ConceptMention,
    Detail,
    Diff,
    Judgement,
    NumberMention,
    PlacedFinding,
    RuleDiff,
    Side,
)
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules import content, facts
from rulespec.text.rules.book import Book
from rulespec.text.rules.claims import claims
from rulespec.text.rules.content import Fact
from rulespec.text.rules.evidence import Verdict, judge

_AMOUNTS = (Kind.CARDINAL, Kind.ARTICLE, Kind.SIGNED, Kind.RANGE, Kind.FRACTION, Kind.NOTHING)


@dataclass(frozen=True)
class LabelledText:
    """A text to compare, with its label and its findings."""

    label: str
    translation: Translation
    findings: tuple[Finding, ...] = ()


def diff(spec: Spec, glossary: Glossary | None, labelled: Sequence[LabelledText]) -> Diff:
    """Compares texts rule by rule, in the order of the spec, rulings last.

    Without a glossary only numbers are compared.
    """
    book = Book(spec, glossary if glossary is not None else Glossary(spec.id, {}, spec.source))
    titles = {id_: rule.title for id_, rule in spec.rules.items()}
    titles |= {id_: ruling.question for id_, ruling in spec.rulings.items()}
    rules = []
    for id_, title in titles.items():
        sides = _with_numbers(_with_details([_side(id_, one, book) for one in labelled], id_, book))
        rules.append(RuleDiff(id_, title, facts.of_rule(spec, id_), tuple(sides), id_ in spec.rulings))
    columns = tuple(Column(one.label, one.translation.lang) for one in labelled)
    general = (found for one in labelled for found in one.findings if found.rule not in titles)
    unread = tuple(one.label for one in labelled if one.translation.lang not in book.glossary.languages())
    return Diff(spec.id, spec.title, spec.version, columns, tuple(rules), len(rules), tuple(general), unread)


def _side(id_: str, labelled: LabelledText, book: Book) -> Side:
    column = Column(labelled.label, labelled.translation.lang)
    passage = labelled.translation.passages.get(id_)
    found = [one for one in labelled.findings if one.rule == id_]
    if passage is None:
        return Side(column, "", None, findings=tuple(map(PlacedFinding, found)))
    stated = facts.of_rule(book.spec, id_)
    reading = book.read(passage.text.text, column.lang)
    return Side(
        column,
        passage.title,
        passage.text.text,
        tuple(_judgement(judge(fact, reading, book.concepts)) for fact in stated),
        tuple(ConceptMention(concept, m.start, m.end) for m in reading.mentions for concept in (m.concept, *m.also)),
        tuple(_figure(quantity, stated, reading) for quantity in reading.quantities),
        findings=tuple(_placed(found, passage)),
    )


def _judgement(verdict: Verdict) -> Judgement:
    if verdict.wrong:
        return Judgement.CONTRADICTED
    if verdict.stated:
        return Judgement.STATED
    return Judgement.SILENT if verdict.fact.optional else Judgement.LACKING


def _figure(quantity: Quantity, stated: tuple[Fact, ...], reading: Reading) -> NumberMention:
    text = reading.text[quantity.start : quantity.end]
    accounted = is_justified(quantity, stated, reading)
    return NumberMention(quantity.start, quantity.end, text, quantity.kind, quantity.value, quantity.high, accounted)


def _placed(found: Iterable[Finding], passage: Passage) -> Iterator[PlacedFinding]:
    """Findings with their offsets in the text of a passage. The file may quote or indent the text."""
    text = passage.text
    starts = [text.value_span(i, i).start for i in range(len(text.text) + 1)]
    mapped = starts[0] < starts[-1]  # offsets in text folded with ">" are unknown
    for one in found:
        start, end = _offset(text.source, one.start), _offset(text.source, one.end)
        if mapped and one.path == text.source.path and text.span.start <= start and start < text.span.end:
            first = min(max(0, bisect_left(starts, start)), len(text.text))
            yield PlacedFinding(one, first, max(first, min(bisect_left(starts, end), len(text.text))))
        else:
            yield PlacedFinding(one)


def _offset(source: Source, place: Position) -> int:
    return source.line_start(place.line) + place.column - 1 if place.line <= source.line_count else len(source.text)


def standing_out(says: Collection[str], lacks: Collection[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The minority among the texts that mention something and those that do not; both if they are equally many.

    Of two texts both are reported; of more texts the exceptions.
    """
    if not says or not lacks:
        return frozenset(), frozenset()
    few = frozenset(says) if len(says) <= len(lacks) else frozenset[str]()
    return few, frozenset(lacks) if len(lacks) <= len(says) else frozenset()


def _with_details(sides: list[Side], id_: str, book: Book) -> list[Side]:
    """Adds to each side the facts and contrasts of the rule in which it stands out."""
    read = [side for side in sides if side.text is not None and side.lang in book.glossary.languages()]
    for what, says in (*_facts(id_, read, book), *_contrasts(id_, read, book)):
        lacks = tuple(side.column.label for side in read if side.column.label not in says)
        odd, lacking = standing_out(says, lacks)
        sides = [_with_detail(side, what, odd, lacking, says, lacks) for side in sides]
    return sides


def _with_detail(
    side: Side, what: str, odd: Collection[str], lacking: Collection[str], says: tuple[str, ...], lacks: tuple[str, ...]
) -> Side:
    label = side.column.label
    if label in odd:
        return replace(side, adds=(*side.adds, Detail(what, lacks)))
    return replace(side, lacks=(*side.lacks, Detail(what, says))) if label in lacking else side


Stated = tuple[str, tuple[str, ...]]
"""A detail in words, and the labels of the texts that state it."""


def _facts(id_: str, read: Sequence[Side], book: Book) -> Iterator[Stated]:
    """The facts whose presence is a difference: numbers that a text must state, and whole tables, orders and ranges."""
    for i, fact in enumerate(facts.of_rule(book.spec, id_)):
        if fact.derived and fact.optional:
            continue
        if isinstance(fact.content, _WHOLE) or (not fact.optional and isinstance(fact.content, content.Number)):
            yield str(fact.content), tuple(side.column.label for side in read if side.judged[i] == Judgement.STATED)


_WHOLE = (content.ByPlayers, content.ByKey, content.Extent, content.Sequence, content.Faces)
"""Contents that are never said in passing, unlike single numbers and names."""


def _contrasts(id_: str, read: Sequence[Side], book: Book) -> Iterator[Stated]:
    """The contrasts that the rule itself states, such as the side of a neighbour or the face of a card."""
    own = [claim for claim in claims(book.spec, id_) if claim.own and claim.stated and not claim.proposition.ruling]
    stated = dict.fromkeys((claim.family, claim.value) for claim in own if claim.family in COMPARED - {"comparison"})
    said = {side.column.label: _values(book.read(side.text or "", side.lang)) for side in read}
    for pair in stated:
        means = {pair, *_ALSO.get(pair, ())}
        yield ": ".join(pair).replace("_", " "), tuple(label for label in said if said[label] & means)


_ALSO = {
    ("face", "up"): [("sight", "open")],
    ("face", "down"): [("sight", "secret")],
    ("sight", "open"): [("face", "up")],
    ("sight", "secret"): [("face", "down")],
    ("extreme", "most"): [("comparison", "more")],
    ("extreme", "fewest"): [("comparison", "less")],
}
"""Values that say the same to a player: who shows a card to everybody lays it face up."""


def _values(reading: Reading) -> frozenset[tuple[str, str]]:
    return frozenset((one.family, one.value) for one in reading.contrasts if not one.negated)


_Amount = tuple[Fraction, Fraction | None]


def _with_numbers(sides: list[Side]) -> list[Side]:
    """Adds to each side the numbers in which the sides differ: unjustified numbers, by value and count."""
    here = [side for side in sides if side.text is not None]
    beyond = {side.column.label: _amounts(side, lambda figure: not figure.accounted) for side in here}
    read = {side.column.label: _amounts(side, lambda figure: True) for side in here}
    for value in sorted({value for counts in beyond.values() for value in counts}, key=str):
        for nth in range(1, max(counts[value] for counts in beyond.values()) + 1):
            says = [label for label, counts in beyond.items() if counts[value] >= nth]
            lacks = [label for label, counts in read.items() if counts[value] < nth]
            odd, lacking = standing_out(says, lacks)
            marked = [
                _nth_marked(side, value, nth, tuple(lacks), side.column.label in odd) if lacks else side
                for side in sides
            ]
            shown = str(value[0]) if value[1] is None else f"{value[0]}–{value[1]}"
            detail = Detail(shown, tuple(says), number=True)
            sides = [
                replace(side, lacks=(*side.lacks, detail)) if side.column.label in lacking else side for side in marked
            ]
    return sides


def _amounts(side: Side, wanted: Callable[[NumberMention], bool]) -> Counter[_Amount]:
    counting = (figure for figure in side.numbers if figure.kind in _AMOUNTS and wanted(figure))
    return Counter((figure.value, figure.high) for figure in counting)


def _nth_marked(side: Side, value: _Amount, nth: int, lacks: tuple[str, ...], odd: bool) -> Side:
    same = [i for i, one in enumerate(side.numbers) if (one.value, one.high) == value and not one.accounted]
    if len(same) < nth:
        return side
    at = same[nth - 1]
    changed = replace(side.numbers[at], not_in=lacks, odd=odd)
    return replace(side, numbers=(*side.numbers[:at], changed, *side.numbers[at + 1 :]))
