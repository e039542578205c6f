"""Compares the texts of every rule: which facts, concepts and numbers each language states."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rulespec.diagnostics import Finding, Position
from rulespec.model.spec import Spec
from rulespec.source import Source
from rulespec.text import compare, facts
from rulespec.text.book import Book
from rulespec.text.diff.result import (
    Column,
    ConceptMention,
    Diff,
    Judgement,
    Lack,
    NumberMention,
    PlacedFinding,
    RuleDiff,
    Side,
)
from rulespec.text.evidence import Verdict, judge
from rulespec.text.facts import Fact
from rulespec.text.glossary import Glossary
from rulespec.text.justified import is_justified
from rulespec.text.quantity import Kind, Quantity
from rulespec.text.reading import Reading
from rulespec.text.translation import Passage, Translation

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
    rules = [
        RuleDiff(id_, title, facts.of_rule(spec, id_), tuple(_sides(id_, labelled, book)), id_ in spec.rulings)
        for id_, title in titles.items()
    ]
    columns = tuple(Column(one.label, one.translation.lang) for one in labelled)
    general = (found for one in labelled for found in one.findings if found.rule not in titles)
    unread = tuple(one.label for one in labelled if one.translation.lang not in book.glossary.languages())
    return Diff(spec.id, spec.title, spec.version, columns, tuple(rules), len(rules), tuple(general), unread)


def _sides(id_: str, labelled: Sequence[LabelledText], book: Book) -> list[Side]:
    sides = [_side(id_, one, book) for one in labelled]
    passages = {one.label: (p, one.translation.lang) for one in labelled if (p := one.translation.passages.get(id_))}
    return _with_numbers(_with_concepts(sides, passages, book))


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
        tuple(_said(reading)),
        tuple(_figure(quantity, stated, reading) for quantity in reading.quantities),
        findings=tuple(_placed(found, passage)),
    )


def _judgement(verdict: Verdict) -> Judgement:
    if verdict.wrong:
        return Judgement.CONTRADICTED
    if verdict.stated:
        return Judgement.STATED
    return Judgement.SILENT if verdict.fact.optional else Judgement.LACKING


def _said(reading: Reading) -> Iterator[ConceptMention]:
    for mention in reading.mentions:
        for concept in (mention.concept, *mention.also):
            yield ConceptMention(concept, mention.start, mention.end, reading.text[mention.start : mention.end])


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


def _with_concepts(sides: list[Side], passages: Mapping[str, tuple[Passage, str]], book: Book) -> list[Side]:
    """Adds to each side the concepts in which the sides differ."""
    read = {label: text for label, text in passages.items() if text[1] in book.glossary.languages()}
    spoken = {label: compare.concepts_of(*text, book) for label, text in read.items()}
    grasped = {label: compare.understood(*text, book) for label, text in read.items()}
    for concept in sorted({concept for said in spoken.values() for concept in said}):
        says = tuple(label for label in read if concept in spoken[label])
        lacks = tuple(label for label in read if concept not in grasped[label])
        odd, lacking = standing_out(says, lacks)
        if lacks:
            places = {label: spoken[label][concept] for label in says}
            marked = [_marked(side, concept, places.get(side.column.label), lacks, odd) for side in sides]
            sides = _lacking(marked, lacking, Lack(concept, says))
    return sides


def _marked(
    side: Side, concept: str, place: tuple[int, int] | None, lacks: tuple[str, ...], odd: frozenset[str]
) -> Side:
    """Marks the mention of a concept that other sides lack."""
    said = tuple(
        replace(one, not_in=lacks, odd=side.column.label in odd)
        if one.concept == concept and (one.start, one.end) == place
        else one
        for one in side.said
    )
    return replace(side, said=said)


def _lacking(sides: list[Side], labels: frozenset[str], lack: Lack) -> list[Side]:
    return [replace(side, lacks=(*side.lacks, lack)) if side.column.label in labels else side for side in sides]


_Value = tuple[Fraction, Fraction | None]


def _with_numbers(sides: list[Side]) -> list[Side]:
    """Adds to each side the numbers in which the sides differ: unjustified numbers, by value and count."""
    here = [side for side in sides if side.text is not None]
    beyond = {side.column.label: _values(side, lambda figure: not figure.accounted) for side in here}
    read = {side.column.label: _values(side, lambda figure: True) for side in here}
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
            sides = _lacking(marked, lacking, Lack(shown, tuple(says), number=True))
    return sides


def _values(side: Side, wanted: Callable[[NumberMention], bool]) -> Counter[_Value]:
    counting = (figure for figure in side.numbers if figure.kind in _AMOUNTS and wanted(figure))
    return Counter((figure.value, figure.high) for figure in counting)


def _nth_marked(side: Side, value: _Value, nth: int, lacks: tuple[str, ...], odd: bool) -> Side:
    same = [i for i, one in enumerate(side.numbers) if (one.value, one.high) == value and not one.accounted]
    if len(same) < nth:
        return side
    at = same[nth - 1]
    changed = replace(side.numbers[at], not_in=lacks, odd=odd)
    return replace(side, numbers=(*side.numbers[:at], changed, *side.numbers[at + 1 :]))
