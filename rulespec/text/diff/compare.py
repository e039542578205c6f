"""Language against language: every text of a rule beside the others, and what it says and does not say."""

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
from rulespec.text.diff.result import Column, Diff, Figure, Judgement, Lack, Placed, RuleDiff, Said, Side
from rulespec.text.evidence import Verdict, judge
from rulespec.text.facts import Fact
from rulespec.text.glossary import Glossary
from rulespec.text.justified import is_justified
from rulespec.text.quantity import Kind, Quantity
from rulespec.text.reading import Reading
from rulespec.text.translation import Passage, Translation

_AMOUNTS = (Kind.CARDINAL, Kind.ARTICLE, Kind.SIGNED, Kind.RANGE, Kind.FRACTION, Kind.NOTHING)


@dataclass(frozen=True)
class Told:
    """A text to compare, what it is called beside the others, and what the checker finds in it."""

    label: str
    translation: Translation
    findings: tuple[Finding, ...] = ()


def diff(spec: Spec, glossary: Glossary | None, told: Sequence[Told]) -> Diff:
    """The texts of a game beside each other, rule by rule in the order of the spec, then its rulings.

    Without a glossary only numbers are compared.
    """
    book = Book(spec, glossary if glossary is not None else Glossary(spec.id, {}, spec.source))
    titles = {id_: rule.title for id_, rule in spec.rules.items()}
    titles |= {id_: ruling.question for id_, ruling in spec.rulings.items()}
    rules = [
        RuleDiff(id_, title, facts.of_rule(spec, id_), tuple(_sides(id_, told, book)), id_ in spec.rulings)
        for id_, title in titles.items()
    ]
    columns = tuple(Column(one.label, one.translation.lang) for one in told)
    general = (found for one in told for found in one.findings if found.rule not in titles)
    unread = tuple(one.label for one in told if one.translation.lang not in book.glossary.languages())
    return Diff(spec.id, spec.title, spec.version, columns, tuple(rules), len(rules), tuple(general), unread)


def _sides(id_: str, told: Sequence[Told], book: Book) -> list[Side]:
    sides = [_side(id_, one, book) for one in told]
    passages = {one.label: (p, one.translation.lang) for one in told if (p := one.translation.passages.get(id_))}
    return _with_numbers(_with_concepts(sides, passages, book))


def _side(id_: str, told: Told, book: Book) -> Side:
    column = Column(told.label, told.translation.lang)
    passage = told.translation.passages.get(id_)
    found = [one for one in told.findings if one.rule == id_]
    if passage is None:
        return Side(column, "", None, findings=tuple(map(Placed, found)))
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


def _said(reading: Reading) -> Iterator[Said]:
    for mention in reading.mentions:
        for concept in (mention.concept, *mention.also):
            yield Said(concept, mention.start, mention.end, reading.text[mention.start : mention.end])


def _figure(quantity: Quantity, stated: tuple[Fact, ...], reading: Reading) -> Figure:
    text = reading.text[quantity.start : quantity.end]
    accounted = is_justified(quantity, stated, reading)
    return Figure(quantity.start, quantity.end, text, quantity.kind, quantity.value, quantity.high, accounted)


def _placed(found: Iterable[Finding], passage: Passage) -> Iterator[Placed]:
    """Findings where they stand in the text of a passage, which its file may write otherwise (quoted, indented)."""
    text = passage.text
    starts = [text.value_span(i, i).start for i in range(len(text.text) + 1)]
    mapped = starts[0] < starts[-1]  # text folded with ">" does not know its places
    for one in found:
        start, end = _offset(text.source, one.start), _offset(text.source, one.end)
        if mapped and one.path == text.source.path and text.span.start <= start and start < text.span.end:
            first = min(max(0, bisect_left(starts, start)), len(text.text))
            yield Placed(one, first, max(first, min(bisect_left(starts, end), len(text.text))))
        else:
            yield Placed(one)


def _offset(source: Source, place: Position) -> int:
    return source.line_start(place.line) + place.column - 1 if place.line <= source.line_count else len(source.text)


def standing_out(says: Collection[str], lacks: Collection[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Of those who say a thing and those who do not: the fewer, or both where they are as many.

    So of two texts each is held against the other, and of more the odd one out is named.
    """
    if not says or not lacks:
        return frozenset(), frozenset()
    few = frozenset(says) if len(says) <= len(lacks) else frozenset[str]()
    return few, frozenset(lacks) if len(lacks) <= len(says) else frozenset()


def _with_concepts(sides: list[Side], passages: Mapping[str, tuple[Passage, str]], book: Book) -> list[Side]:
    """The sides with the things of the game by which they differ."""
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
    """A side that says where it speaks of what others lack."""
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
    """The sides with the numbers by which they differ: those that no fact accounts for, by value and how often."""
    here = [side for side in sides if side.text is not None]
    beyond = {side.column.label: _values(side, lambda figure: not figure.accounted) for side in here}
    read = {side.column.label: _values(side, lambda figure: True) for side in here}
    for value in sorted({value for told in beyond.values() for value in told}, key=str):
        for nth in range(1, max(told[value] for told in beyond.values()) + 1):
            says = [label for label, told in beyond.items() if told[value] >= nth]
            lacks = [label for label, told in read.items() if told[value] < nth]
            odd, lacking = standing_out(says, lacks)
            marked = [
                _nth_marked(side, value, nth, tuple(lacks), side.column.label in odd) if lacks else side
                for side in sides
            ]
            shown = str(value[0]) if value[1] is None else f"{value[0]}–{value[1]}"
            sides = _lacking(marked, lacking, Lack(shown, tuple(says), number=True))
    return sides


def _values(side: Side, wanted: Callable[[Figure], bool]) -> Counter[_Value]:
    counting = (figure for figure in side.numbers if figure.kind in _AMOUNTS and wanted(figure))
    return Counter((figure.value, figure.high) for figure in counting)


def _nth_marked(side: Side, value: _Value, nth: int, lacks: tuple[str, ...], odd: bool) -> Side:
    same = [i for i, one in enumerate(side.numbers) if (one.value, one.high) == value and not one.accounted]
    if len(same) < nth:
        return side
    at = same[nth - 1]
    changed = replace(side.numbers[at], not_in=lacks, odd=odd)
    return replace(side, numbers=(*side.numbers[:at], changed, *side.numbers[at + 1 :]))
