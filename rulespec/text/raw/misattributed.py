"""Players of a raw text who do what by our text another player does.

Each act of a sentence is compared with the acts of our text, by all that is said around them but the players. If the
same act is done by another player in the most similar place, and none about as similar agrees, the text is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from rulespec.text.raw.acts import acts
from rulespec.text.raw.agents import Agent, Deed, deeds
from rulespec.text.raw.alignment import Alignment, scores_of
from rulespec.text.raw.features import Features, features
from rulespec.text.raw.masked import OurPart, OurParts
from rulespec.text.raw.parts import part_around
from rulespec.text.raw.statements import sentences_of
from rulespec.text.reading.once import once

UNJUDGED = frozenset({"become", "compare", "score", "win"})
"""The acts of which anybody may be named: what one player becomes, another one was, and who wins has done something."""

CLEAR = 0.5
"""The least score (0 to 2) of the best rule for the sentence without the player."""

LIKE, VAGUE = 0.33, 0.4
"""The least similarity of two acts; the higher one counts for players whom a text only describes by what they do, as
two descriptions may be of one player. By trial on the summaries for development: with less, true ones have findings."""

AGREEING = 0.55
"""The most similarity of an act of our text that the player may do, as a share of that of the other player's."""

SILENT = 0.9
"""The same for an act of which our text does not say who does it."""

COMMON, SOME = 2.0, 1.1
"""The least weight of what two acts have in common that contradict each other: the act itself and a term, or two words
of few rules. For acts that agree less is enough."""


@dataclass(frozen=True)
class Misattributed:
    """A player of the text, and the act of our text of a rule that another player does."""

    agent: Agent
    rule: str
    instead: Deed

    @property
    def start(self) -> int:
        """The offset of the words for the player."""
        return self.agent.words[0].start

    @property
    def sentence(self) -> str:
        """Our sentence, in one line."""
        part = self.instead.sentence
        return " ".join(part.text[part.start : part.end].split())


def misattributed(alignment: Alignment) -> Iterator[Misattributed]:
    """The players of a text who do what by our text others do, the first of each sentence."""
    for index, sentence in alignment.usual_sentences():
        every = (_Compared(alignment, index, deed) for deed in deeds(sentence, alignment.book))
        found = (one.against() for one in every if one.deed.act.name not in UNJUDGED)
        yield from islice((one for one in found if one is not None), 1)


@dataclass(frozen=True, eq=False)
class _Compared:
    """An act of the text in comparison with those of our text."""

    alignment: Alignment
    index: int
    deed: Deed

    def against(self) -> Misattributed | None:
        """The most similar act that another player does; None if it is not similar enough, or another act agrees."""
        agent = self.deed.agent
        if agent is None or not agent.is_known or max(self._row.values()) < CLEAR:
            return None
        alike = (one for one in self._same if one.at in self._firm)
        others = [one for one in alike if one.deed.agent is not None and agent.excludes(one.deed.agent)]
        top = max(others, key=self._like, default=None)
        if top is None or self._like(top) < (LIKE if agent.is_named else VAGUE) or self._is_agreed(top, agent):
            return None
        return Misattributed(agent, top.rule, top.deed)

    def _is_agreed(self, top: _OurDeed, agent: Agent) -> bool:
        """Whether our text has the player in a place that is about as similar, or says of nobody that they do it."""
        near = (one for one in self._every if one.deed.sentence is not top.deed.sentence or one in self._same)
        agreeing = (one for one in near if _may_be(one.deed.agent, agent))
        silent = (one for one in self._same if one.deed.agent is None)
        like = self._like(top)
        return (
            max(map(self._like, agreeing), default=0.0) >= AGREEING * like
            or max(map(self._like, silent), default=0.0) >= SILENT * like
        )

    @cached_property
    def _every(self) -> Sequence[_OurDeed]:
        return [_our_deeds(self.alignment).deeds[i] for i in self._likes]

    @cached_property
    def _same(self) -> Sequence[_OurDeed]:
        """The acts of our text that are the same act."""
        return [one for one in self._every if one.deed.act.name == self.deed.act.name]

    def _like(self, one: _OurDeed) -> float:
        return self._likes[one.at] * self._row[one.rule] / max(self._row.values())

    @cached_property
    def _likes(self) -> Mapping[int, float]:
        """The similarity of each act of our text that is similar at all, by its index."""
        found: dict[int, float] = {}
        for said in _around(self.deed):
            for at, like in _our_deeds(self.alignment).parts.like(said, SOME).items():
                found[at] = max(found.get(at, 0.0), like)
        return found

    @cached_property
    def _firm(self) -> frozenset[int]:
        """The indices of the acts that have enough in common with this one to contradict it."""
        parts = _our_deeds(self.alignment).parts
        return frozenset(at for said in _around(self.deed) for at in parts.like(said, COMMON))

    @cached_property
    def _row(self) -> Mapping[str, float]:
        """The score of each rule for the sentence without the player."""
        words = self.deed.agent.words if self.deed.agent is not None else ()
        return scores_of(self.alignment, self.index, words)


def _may_be(ours: Agent | None, agent: Agent) -> bool:
    return ours is not None and ours.is_known and not agent.excludes(ours)


def _around(deed: Deed) -> Iterator[Features]:
    """The features of the sentence of an act, and of the smallest part of it around the act, without the player."""
    small = part_around(deed.sentence, deed.act.start, deed.act.end)
    but = deed.agent.words if deed.agent is not None else ()
    for part in (deed.sentence, small):
        yield features(part, but) | {f"+act {one.name}" for one in acts(part)}


@dataclass(frozen=True, eq=False)
class _OurDeed:
    """An act of our text of a rule, seen in its sentence or in a part of it."""

    at: int
    rule: str
    deed: Deed


@dataclass(frozen=True)
class _OurDeeds:
    deeds: Sequence[_OurDeed]
    parts: OurParts


def _our_deeds(alignment: Alignment) -> _OurDeeds:
    return once(alignment.statements, "deeds", lambda: _read(alignment))


def _read(alignment: Alignment) -> _OurDeeds:
    known = alignment.statements
    every = [(r, deed) for r in known.rules for one in sentences_of(known, r) for deed in deeds(one, alignment.book)]
    seen = [(rule, deed, said) for rule, deed in every for said in _around(deed)]
    rows = tuple(OurPart(rule, deed.sentence, (), said) for rule, deed, said in seen)
    return _OurDeeds([_OurDeed(at, rule, deed) for at, (rule, deed, _) in enumerate(seen)], OurParts(rows, known))
