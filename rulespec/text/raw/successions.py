"""Acts of a raw text in another order than in our text: first draw the next card, and then place this one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from rulespec.diagnostics import Span
from rulespec.text.raw.acts import LIKEWISE, LINKS, Act, acts, links
from rulespec.text.raw.agents import TURNS
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.features import features
from rulespec.text.raw.marks import denies
from rulespec.text.raw.parts import part_around
from rulespec.text.raw.statements import sentences_of
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once

LIKE = 0.4
"""The least weight of our sentence: its cosine and a constant share, by how well the sentence fits its rule."""

ANYWAY = 0.3
"""The share of its weight that a sentence of a fitting rule has with other words for everything but the acts."""

AGREEING = 0.5
"""The most weight of one of our sentences with the same order, as a share of that with the other one."""

SAME: Mapping[str, str] = {"choose": "put", "give": "put", "discard": "put"}
"""Acts that stand for another one: the player who draws a card decides where it goes, and puts it there."""


_MARK = re.compile(r"[,;:.，；：。]")


@dataclass(frozen=True)
class Succession:
    """Two acts of which the first comes before the second, at `words`. `again` are those done another time."""

    first: str
    second: str
    again: frozenset[str]
    words: Span
    sentence: Reading = field(repr=False, compare=False)

    @property
    def order(self) -> tuple[str, str]:
        """The earlier and the later act."""
        return self.first, self.second

    @property
    def reversed(self) -> tuple[str, str, frozenset[str]]:
        """The acts in the other order."""
        return self.second, self.first, self.again


@dataclass(frozen=True)
class Disordered:
    """Acts of the text, and those of our text of a rule in the other order."""

    said: Succession
    rule: str
    ours: Succession


def disordered(alignment: Alignment) -> Iterator[Disordered]:
    """The acts of a text whose order our text contradicts, the first of each sentence."""
    for index, sentence in alignment.usual_sentences():
        every = (_against(alignment, index, said) for said in successions(sentence))
        yield from islice((one for one in every if one is not None), 1)


def _against(alignment: Alignment, index: int, said: Succession) -> Disordered | None:
    """What contradicts two acts in their order, None if it is too weak or our text has the order as well."""
    row, known = alignment.scores[index], _ours(alignment)
    best, names = max(row.values(), default=0.0), features(said.sentence)

    def weight(one: tuple[str, Succession]) -> float:
        like = alignment.statements.cosine(names, features(one[1].sentence))
        return (ANYWAY + like) * row.get(one[0], 0.0) / best if best else 0.0

    against = max(known.get(said.reversed, ()), key=weight, default=None)
    if against is None or weight(against) < LIKE:
        return None
    straight = (one for rows in known.values() for one in rows if one[1].order == said.order)
    agreeing = max(map(weight, straight), default=0.0)
    return None if agreeing >= AGREEING * weight(against) else Disordered(said, *against)


_Known = Mapping[tuple[str, str, frozenset[str]], Sequence[tuple[str, Succession]]]


def _ours(alignment: Alignment) -> _Known:
    """The successions of our text by their acts, each with its rule."""
    return once(alignment.statements, "successions", lambda: _of_rules(alignment))


def _of_rules(alignment: Alignment) -> _Known:
    found: dict[tuple[str, str, frozenset[str]], list[tuple[str, Succession]]] = {}
    for rule in alignment.statements.rules:
        for sentence in sentences_of(alignment.statements, rule):
            for one in successions(sentence):
                found.setdefault((one.first, one.second, one.again), []).append((rule, one))
    return found


# --- reading ---------------------------------------------------------------------------------------------------------


def successions(sentence: Reading) -> tuple[Succession, ...]:
    """The pairs of acts of a sentence of which it says which comes first."""
    whole = sentence.whole or sentence
    return once(whole, ("successions", sentence.start, sentence.end), lambda: tuple(_successions(sentence)))


def _successions(sentence: Reading) -> Iterator[Succession]:
    for link in links(sentence):
        pair = _linked(sentence, link) if link.name in _ORDERING else None
        if pair is not None:
            first, second = (SAME.get(one.name, one.name) for one in pair)
            again = frozenset(SAME.get(one.name, one.name) for one in pair if _is_again(sentence, one))
            words = Span(min(one.start for one in pair), max(one.end for one in pair))
            if first != second:
                yield Succession(first, second, again, words, sentence)


def _linked(sentence: Reading, link: Act) -> tuple[Act, Act] | None:
    """The two acts that a word links, the earlier one first; None if that is not clear.

    After “before” stands the later act; at the start of a sentence its clause ends at the comma. Who may not draw
    before placing a card places it first.
    """
    every = [act for act in acts(sentence) if act.name not in TURNS]
    left = [act for act in every if act.end <= link.start]
    right = [act for act in every if act.start >= link.end]
    if link.name == "before_that":
        return _before_that(sentence, link, left, right)
    if left and right and _is_beside(sentence, link, right[0]):
        return _between(sentence, link, left[-1], right[0])
    if not left and link.name in _OPENING and (comma := _comma(sentence, link.end)) is not None:
        return _opened(sentence, link, [a for a in right if a.end <= comma], [a for a in right if a.start > comma])
    return None


_ORDERING = LINKS - {"again", LIKEWISE}
"""The words that say which of two acts comes first."""

_OPENING = frozenset({"before", "after"})
"""The words that may open a sentence."""


def _between(sentence: Reading, link: Act, one: Act, other: Act) -> tuple[Act, Act] | None:
    denied = _is_denied(sentence, one if link.name in _OPENING else other, link.start)
    if link.name == "before":
        return (other, one) if denied else (one, other)
    return None if denied else (one, other) if link.name == "then" else (other, one)


def _opened(sentence: Reading, link: Act, inside: Sequence[Act], outside: Sequence[Act]) -> tuple[Act, Act] | None:
    if not inside or not outside:
        return None
    one, main = inside[-1], outside[0]
    denied = _is_denied(sentence, main)
    if link.name == "before":
        return (one, main) if denied else (main, one)
    return None if denied else (one, main)


def _before_that(sentence: Reading, link: Act, left: Sequence[Act], right: Sequence[Act]) -> tuple[Act, Act] | None:
    """The same for a word after the later act; the earlier one stands before both or follows."""
    near = [act for act in left if _is_beside(sentence, act, link)]
    if len(near) > 1:
        return near[-2], near[-1]
    if not near or not right:
        return None
    return (near[0], right[0]) if _is_denied(sentence, right[0]) else (right[0], near[0])


def _comma(sentence: Reading, start: int) -> int | None:
    return next((at for at in range(start, sentence.end) if sentence.text[at] in ",，"), None)


def _is_denied(sentence: Reading, act: Act, until: int = 0) -> bool:
    """Whether the part of the sentence around an act denies something before the act, or before `until`."""
    part = part_around(sentence, act.start, act.end)
    return any(denies(one) and one.start < max(act.end, until) for one in part.contrasts)


def _is_again(sentence: Reading, act: Act) -> bool:
    """Whether an act is done another time: draw another card. The words for it belong to the nearest act."""
    every = acts(sentence)
    marks = [one for one in links(sentence) if one.name == "again" and _is_beside(sentence, one, act)]
    return any(act == min(every, key=lambda one: _distance(one, mark)) for mark in marks)


def _is_beside(sentence: Reading, one: Act, other: Act) -> bool:
    """Whether there is no mark between two places."""
    between = sentence.text[min(one.end, other.end) : max(one.start, other.start)]
    return _MARK.search(between) is None


def _distance(one: Act, other: Act) -> int:
    return max(one.start - other.end, other.start - one.end, 0)
