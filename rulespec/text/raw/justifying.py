"""Whether the rules that a sentence of a raw text may state have its number, where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from rulespec.base.diagnostics import Span
from rulespec.text.judging.incidental import is_incidental
from rulespec.text.judging.justified import is_justified
from rulespec.text.judging.stated_numbers import is_stated
from rulespec.text.languages.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.slots import FEW, beside, counted, in_figures, is_counted, is_like_a_slot, ranges
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book
from rulespec.text.rules.content import ByKey, ByPlayers, Choices, Content, Counts, Extent, Faces, Fact, Number, Share
from rulespec.text.rules.evidence import counts_of, ends_of, in_row_of, line_at
from rulespec.text.rules.facts import of_rule
from rulespec.text.rules.subjects import around, within


def is_known(quantity: Quantity, rules: Sequence[str], part: Reading, alignment: Alignment) -> bool:
    """Whether one of some rules has a number of a sentence, or it is no number of the rules."""
    return (
        _counts_players(quantity, alignment)
        or _numbers_row(quantity, part)
        or _is_small_talk(quantity, rules, part, alignment)
        or _is_part(quantity, rules, alignment)
        or _counts_thing(quantity, rules, part, alignment)
        or _is_stock(quantity, part, alignment)
        or _is_number_of_kinds(quantity, part, alignment)
        or _is_number_of_rows(quantity, alignment)
        or any(_justifies(rule, quantity, part, alignment) for rule in rules)
        or is_like_a_slot(quantity, alignment)
        or _is_reckoned(quantity, part, alignment)
        or _adds_up(quantity, part, alignment)
    )


_CALCULATION = re.compile(r"\d++(?:\s*+[-+−–×x*÷/:]\s*+\d++)++\s*+=\s*+\d++")


def _is_reckoned(quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether a number is in a calculation, 1 + 3 + 1 = 5, which says nothing but itself."""
    key = ("calculations", part.start, part.end)
    spans = once(alignment.reading, key, lambda: list(_calculations(part)))
    return any(one.start <= quantity.start and quantity.end <= one.end for one in spans)


def _calculations(part: Reading) -> Iterator[Span]:
    return (Span(*one.span()) for one in _CALCULATION.finditer(part.text, part.start, part.end))


SUMMANDS, BACK = 3, 4
"""How many numbers an account has at least, and in how many sentences before it the total may stand."""


def _adds_up(quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether a number is one of those of its sentence that make a total which the text has stated: ten, fifteen and
    eight are 33."""
    amounts = [one for one in part.quantities if one.kind == Kind.CARDINAL and one.start not in part.counts]
    # All combinations are tried, whose number doubles with each amount.
    if quantity not in amounts or len(amounts) > LONG:
        return False
    before = alignment.segments[max(0, alignment.index_at(part.start) - BACK)].start
    totals = {one.value for one in alignment.reading.quantities_from(before, part.end) if one.value > SEVERAL}
    others = [one.value for one in amounts if one is not quantity]
    sizes = range(SUMMANDS - 1, len(others) + 1)
    return any(quantity.value + sum(some) in totals for size in sizes for some in combinations(others, size))


LONG = 10
"""From more numbers on a sentence is a list, no account."""


def is_counted_by(rule: str, quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether a rule has a number as an amount, although the word after it may be one for players: six people."""
    facts = (fact for fact in of_rule(alignment.book.spec, rule) if isinstance(fact.content, Number))
    # At -1 no number of players starts, so the number is judged as an amount.
    return any(is_justified(replace(quantity, start=-1), (fact,), part, strict=False) for fact in facts)


def other_players(quantity: Quantity, rules: Sequence[str], part: Reading, alignment: Alignment) -> str:
    """The number of players for which a rule of a sentence differs, if the sentence has one for which none does."""
    facts = [fact for rule in rules for fact in of_rule(alignment.book.spec, rule)]
    counts = [fact.content for fact in facts if isinstance(fact.content, Counts)]
    tables = (fact for fact in facts if isinstance(fact.content, ByPlayers | Choices) and not fact.derived)
    said = counts_of(part).get(quantity.start, frozenset())
    if not said or not counts or any(tables):
        return ""
    if any(said in (content.inside, content.outside) for content in counts):
        return ""
    alone = [n for content in counts[:1] for some in (content.inside, content.outside) if len(some) == 1 for n in some]
    return f"{alone[0]} players" if len(alone) == 1 and len(said) == 1 else ""


def _justifies(rule: str, quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether a rule has a number. One that the sentence fits less well than another only has what it counts."""
    book = alignment.book
    if _is_counted_otherwise(rule, quantity, part, book):
        return False
    fits = _fits(rule, quantity, alignment)
    facts = tuple(fact for fact in _facts(rule, book) if (fits or _names(fact)) and _may_justify(fact, quantity, part))
    if quantity.kind == Kind.RANGE and quantity.start not in part.counts:
        return _is_range_of(rule, facts, quantity, part, alignment)
    return (
        is_justified(quantity, facts, part, strict=False)
        or _counts_faces(quantity, facts, part)
        or (fits and is_stated(quantity, rule, part, book))
        or is_incidental(quantity, rule, part, book)
    )


WELL = 0.9
"""A sentence fits a rule well whose score is at least this share of the best one. By trial on the summaries for
development: from 0.8 to 1.0 no true number loses its only rule, and 0.9 leaves room for other wordings."""


def _fits(rule: str, quantity: Quantity, alignment: Alignment) -> bool:
    """Whether the sentence of a number fits a rule about as well as any."""
    index = alignment.index_at(quantity.start)
    row, rules = alignment.scores.get(index, {}), alignment.rules_at(index)
    return rule in rules[:1] or row.get(rule, 0.0) >= WELL * max(row.values(), default=0.0)


def _names(fact: Fact) -> bool:
    """Whether a fact is no bare number, and no table, which any small number is in."""
    content = fact.content
    return not isinstance(content, ByPlayers | ByKey) and not (isinstance(content, Number) and not content.of)


def _counts_faces(quantity: Quantity, facts: tuple[Fact, ...], part: Reading) -> bool:
    """Whether a number of things is how many signs a card has: it moves one or two duties."""
    faces = (face for fact in facts if isinstance(fact.content, Faces) for face in fact.content.faces)
    return bool(counted(quantity, part)) and any(quantity.value == len(face) for face in faces)


def _is_counted_otherwise(rule: str, quantity: Quantity, part: Reading, book: Book) -> bool:
    """Whether a rule must state another number of the things that a number counts."""
    things = counted(quantity, part)
    facts = (fact.content for fact in of_rule(book.spec, rule) if not fact.derived and not fact.optional)
    values = {content.value for content in facts if isinstance(content, Number) and content.of in things}
    return quantity.kind == Kind.CARDINAL and quantity.value > FEW and bool(values) and quantity.value not in values


def _is_range_of(rule: str, facts: tuple[Fact, ...], quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether a range is one of a rule: both ends together."""
    ranged = tuple(fact for fact in facts if isinstance(fact.content, Extent | Choices | ByKey))
    said = (quantity.value, quantity.high) in ranges(rule, alignment)
    return said or is_justified(quantity, ranged, part, strict=False)


def _facts(rule: str, book: Book) -> Iterator[Fact]:
    """The facts of a rule, and those listed for the rule around it and the rules inside it."""
    yield from of_rule(book.spec, rule)
    for one in (*around(book.spec, rule)[1:2], *within(book.spec, rule)):
        yield from (fact for fact in of_rule(book.spec, one) if not fact.derived)


def _may_justify(fact: Fact, quantity: Quantity, part: Reading) -> bool:
    """Whether a number is where a fact can justify it: one of a table in its row, an end of a range beside the other.

    A listed fact may be said in other ways.
    """
    content, whole = fact.content, part.whole or part
    if isinstance(content, ByKey):
        return not all(isinstance(key, int) for key in content.rows) or _is_cell(fact, content, quantity, whole)
    if isinstance(content, ByPlayers):
        return not fact.derived or quantity in whole.row_of or quantity.kind == Kind.RELATIVE
    if isinstance(content, Extent):
        return not fact.derived or quantity.kind == Kind.RANGE or quantity in ends_of(content, whole)
    return True


def _is_cell(fact: Fact, content: ByKey, quantity: Quantity, reading: Reading) -> bool:
    """Whether a number is in a row with its key; a value without key is enough in a list of the values."""
    if in_row_of(content, quantity, reading):
        return True
    line = line_at(reading, quantity.start)
    alone = line is not None and len(reading.quantities_from(line.start, line.end)) == 1
    return not fact.derived and alone and quantity.value in content.rows.values()


def _counts_players(quantity: Quantity, alignment: Alignment) -> bool:
    """Whether a quantity is the number of players itself, the range of players of the game, or one of them."""
    players = alignment.book.spec.players
    whole = quantity.value == players[0] and quantity.high == players[-1]
    anybody = quantity.value == 1 and 1 not in players and quantity.start in alignment.reading.counts
    return whole or anybody or (quantity.kind == Kind.RELATIVE and not quantity.value)


def _numbers_row(quantity: Quantity, part: Reading) -> bool:
    """Whether a number is the first cell of a row: `| 3 | Shuffle the deck. |`."""
    before, after = part.text[part.start : quantity.start].strip(), part.text[quantity.end : part.end].lstrip()
    return before == "|" and after.startswith("|")


def _is_part(quantity: Quantity, rules: Sequence[str], alignment: Alignment) -> bool:
    """Whether a fraction is in passing, since the rules have none: the second half of the game."""
    facts = (fact.content for rule in rules for fact in of_rule(alignment.book.spec, rule))
    return quantity.kind == Kind.FRACTION and not any(isinstance(content, Share) for content in facts)


def _is_small_talk(quantity: Quantity, rules: Sequence[str], part: Reading, alignment: Alignment) -> bool:
    """Whether a small number counts nothing that the rules count: three options, two sides, 2 phases."""
    if quantity.value > FEW or quantity.start in part.counts or quantity.kind == Kind.RANGE:
        return False
    near = beside(quantity, part)
    if in_figures(quantity, part):
        return bool(near) and not any(alignment.book.is_thing(concept) for concept in near)
    return quantity in part.row_of or not any(is_counted(near, rule, alignment) for rule in rules)


def _counts_thing(quantity: Quantity, rules: Sequence[str], part: Reading, alignment: Alignment) -> bool:
    """Whether a number is that of the things beside it in the whole game, or a range that some rule has.

    A number with no term beside it may count what a rule counts, in other words: the twelve against. A small one does
    so only in a sentence that may state this rule, or beside one that does.
    """
    about = {*rules, *_of_neighbours(quantity, alignment)}
    near, anywhere = beside(quantity, part), quantity.value > SEVERAL
    near |= _named_in_short(near, quantity, part, alignment) if anywhere else frozenset()
    return any(
        (isinstance(one, Number) and one.value == quantity.value and _counts(one.of, near, anywhere or rule in about))
        or (isinstance(one, Extent) and _is_extent(one, quantity, part))
        for rule, one in _contents(alignment)
    )


def _named_in_short(near: frozenset[str], quantity: Quantity, part: Reading, alignment: Alignment) -> frozenset[str]:
    """The things that as many are counted of, and whose terms have a term beside a number as a part: 36 duties are
    duty tiles."""
    concepts, lang = alignment.book.glossary.concepts, part.language.tag
    terms = {name: concepts[name].terms[lang].preferred for name in concepts if lang in concepts[name].terms}
    short = [term.text for name in near if (term := terms.get(name)) is not None]
    numbers = (one.of for _, one in _contents(alignment) if isinstance(one, Number) and one.value == quantity.value)
    return frozenset(of for of in numbers if (term := terms.get(of)) is not None and any(s in term.text for s in short))


def _is_stock(quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether a list item begins with how many things of one kind the game has: 26 sheets, in words of the writer."""
    first = not part.text[part.start : quantity.start].strip() and quantity.value > SEVERAL
    numbers = (one for _, one in _contents(alignment) if isinstance(one, Number))
    return first and any(one.of and one.value == quantity.value for one in numbers)


def is_counted_somewhere(quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether some rule counts as many things, and no term beside a number says which things it counts."""
    numbers = (one for _, one in _contents(alignment) if isinstance(one, Number))
    return not beside(quantity, part) and any(one.of and one.value == quantity.value for one in numbers)


def _contents(alignment: Alignment) -> Iterator[tuple[str, Content]]:
    """What the listed facts of all rules state, each with its rule."""
    for rule in alignment.statements.rules:
        yield from ((rule, fact.content) for fact in of_rule(alignment.book.spec, rule) if not fact.derived)


def _counts(concept: str, near: frozenset[str], unnamed: bool) -> bool:
    """Whether a number with some terms beside it may count a concept; `unnamed`: also if it has no term."""
    return concept in near or bool(concept and not near and unnamed)


def _of_neighbours(quantity: Quantity, alignment: Alignment) -> Iterator[str]:
    """The likeliest rules of the sentences before and after that of a number."""
    index = alignment.index_at(quantity.start)
    return (rule for near in (index - 1, index + 1) for rule in alignment.rules_at(near)[:1])


SEVERAL = 9
"""The largest number that several rules of most games have."""


def _is_extent(content: Extent, quantity: Quantity, part: Reading) -> bool:
    """Whether a quantity is a range, or one of its ends beside the other in one sentence."""
    if quantity.kind == Kind.RANGE:
        return (content.low, content.high) == (str(quantity.value), str(quantity.high))
    return quantity in ends_of(content, part.whole or part)


def _is_number_of_kinds(quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether a number is that of the members of a set that the sentence names: 6 offices."""
    book = alignment.book
    named = (book.glossary.concepts[concept].names for concept in part.places)
    sets = {name.partition(".")[0] for name in named}
    return any(quantity.value == len(book.spec.enums[name].members) for name in sets if name in book.spec.enums)


def _is_number_of_rows(quantity: Quantity, alignment: Alignment) -> bool:
    """Whether a number is that of the rows of a table that its sentence or the next ones may state: seven floors."""
    index = alignment.index_at(quantity.start)
    rules = [rule for i in (index, index + 1, index + 2) for rule in alignment.candidates(i)]
    facts = (fact.content for rule in rules for fact in of_rule(alignment.book.spec, rule))
    tables = (content for content in facts if isinstance(content, ByKey))
    return quantity.value > FEW and any(quantity.value == len(content.rows) for content in tables)
