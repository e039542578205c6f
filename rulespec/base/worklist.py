"""Findings as the work of an editor: their order, and how many sentences, examples and texts there are to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from rulespec.base.diagnostics import Finding, Related
from rulespec.base.messages import Message, counted, say

__all__ = ["SINCE", "Worklist", "in_order", "shown"]

MOST_SHOWN = 200
"""Findings of one kind in one file that people are shown; the others are counted."""

SINCE = frozenset(("text-stale", "text-edited", "source-edited"))
"""The kinds of finding about texts that wait to be confirmed again."""

_TRANSLATIONS = (".yaml", ".yml")
_WRONG = frozenset(("fact-contradicted", "order-contradicted", "number-unaccounted", "fact-missing"))


@dataclass(frozen=True)
class Worklist:
    """What a change of a spec leaves to do: `sentences` to edit in `languages`, `examples` whose cases to replay, and
    `texts` to confirm afterwards."""

    sentences: int
    languages: int
    examples: int
    texts: int

    @classmethod
    def of(cls, found: Iterable[Finding]) -> Worklist:
        """The work of findings. A finding that was merged into another one counts by its kind."""
        found = tuple(found)
        wrong = [one for one in found if one.name in _WRONG and one.lang]
        every: list[Finding | Related] = [*found, *(other for one in found for other in one.related)]
        cases = {one.message for one in every if one.name == "example-unproved"}
        waiting = {(one.path, one.rule) for one in every if one.name in SINCE}
        return cls(len(wrong), len({one.lang for one in wrong}), len(cases), len(waiting))

    def said(self) -> Message | None:
        """`3 sentences in 3 languages to edit, 2 examples to replay, 4 texts to confirm.`; None without any work."""
        sentences = counted("{number:,} sentence", "{number:,} sentences", self.sentences)
        languages = counted("{number:,} language", "{number:,} languages", self.languages)
        parts = [
            say("{sentences} in {languages} to edit", sentences=sentences, languages=languages),
            counted("{number:,} example to replay", "{number:,} examples to replay", self.examples),
            counted("{number:,} text to confirm", "{number:,} texts to confirm", self.texts),
        ]
        numbers = (self.sentences, self.examples, self.texts)
        left = [part for part, number in zip(parts, numbers, strict=True) if number]
        return say("{work}.", work=left) if left else None


def shown(found: Iterable[Finding]) -> tuple[list[Finding], list[Message]]:
    """The findings that people are shown, and how many more there are of a kind in a file."""
    kept: list[Finding] = []
    numbers = Counter[tuple[str, str, str]]()
    for one in found:
        numbers[kind := (one.path, one.code, one.name)] += 1
        if numbers[kind] <= MOST_SHOWN:
            kept.append(one)
    more = {kind: number - MOST_SHOWN for kind, number in numbers.items() if number > MOST_SHOWN}
    return kept, [
        say("{path}: {number:,} more of {code} {name}.", path=path, number=left, code=code, name=name)
        for (path, code, name), left in more.items()
    ]


def in_order(found: Sequence[Finding]) -> list[Finding]:
    """Findings in the order of an editor: specs and other files, then the texts of a game rule by rule, the languages
    of a rule together. Raw texts are read line by line. `found` are in the order of a report."""
    texts = [one for one in found if one.lang and PurePath(one.path).suffix in _TRANSLATIONS]
    files = [one for one in found if not one.lang or PurePath(one.path).suffix not in _TRANSLATIONS]
    games: dict[str, dict[str, list[Finding]]] = {}
    for one in texts:
        games.setdefault(str(PurePath(one.path).parent), {}).setdefault(one.path, []).append(one)
    return [*files, *(one for those in games.values() for one in _rule_by_rule(those.values()))]


def _rule_by_rule(texts: Iterable[Sequence[Finding]]) -> list[Finding]:
    """The findings of several texts, each in its order: a rule comes after the rules before it in any of them."""
    rules: list[str] = []
    for text in texts:
        at = 0
        for rule in dict.fromkeys(one.rule for one in text):
            if rule not in rules:
                rules.insert(at, rule)
            at = rules.index(rule) + 1
    return sorted((one for text in texts for one in text), key=lambda one: rules.index(one.rule))
