"""Numbers as num2words and the rules of CLDR (RBNF, through unicode-rbnf) spell them, to be read back."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from rulespec.text.languages.quantity.quantity import Kind
from rulespec.text.languages.quantity.reader import read
from rulespec.text.languages.registry import find as find_language

CARDINALS = range(1001)
ORDINALS = range(1, 101)
_KINDS = {
    "cardinal": (Kind.CARDINAL, Kind.ARTICLE, Kind.NOTHING),
    "ordinal": (Kind.ORDINAL, Kind.CARDINAL, Kind.ARTICLE),
}
"""The kinds as which a number of each sort may be read. Some languages have one word for a cardinal and an ordinal."""


@dataclass(frozen=True)
class Spelling:
    """The numbers of one sort as one source spells them in a language."""

    tag: str
    source: str
    kind: str
    words: Sequence[tuple[int, str]]


def spellings(
    tags: Container[str] = (), cardinals: Sequence[int] = CARDINALS, ordinals: Sequence[int] = ORDINALS
) -> Iterator[Spelling]:
    """Those of num2words by its languages, then those of CLDR by language and set of rules; of these `tags`, if any."""
    yield from _of_num2words(tags, cardinals, ordinals)
    yield from _of_cldr(tags, cardinals, ordinals)


def _of_num2words(tags: Container[str], cardinals: Sequence[int], ordinals: Sequence[int]) -> Iterator[Spelling]:
    from num2words import CONVERTER_CLASSES

    for name, converter in sorted(CONVERTER_CLASSES.items()):
        tag = _tag(name)
        if not tag or (tags and tag not in tags):
            continue
        for kind, numbers, spell in (
            ("cardinal", cardinals, converter.to_cardinal),
            ("ordinal", ordinals, converter.to_ordinal),
        ):
            words = []
            for number in numbers:
                with suppress(Exception):  # converters raise what they like for what they do not know
                    words.append((number, str(spell(number))))
            if words:
                yield Spelling(tag, "num2words", kind, words)


def _of_cldr(tags: Container[str], cardinals: Sequence[int], ordinals: Sequence[int]) -> Iterator[Spelling]:
    from unicode_rbnf import FormatPurpose, RbnfEngine
    from unicode_rbnf.engine import NoRuleForNumberError

    for name in sorted(RbnfEngine.get_supported_languages()):
        tag = _tag(name)
        if not tag or (tags and tag not in tags):
            continue
        engine = RbnfEngine.for_language(name)
        for kind, numbers, purpose in (
            ("cardinal", cardinals, FormatPurpose.CARDINAL),
            ("ordinal", ordinals, FormatPurpose.ORDINAL),
        ):
            by_rules: dict[str, list[tuple[int, str]]] = {}
            for number in numbers:
                with suppress(ValueError, NoRuleForNumberError):  # it has no rules of this kind, or not for all
                    for rules, text in engine.format_number(number, purpose).text_by_ruleset.items():
                        if rules.startswith("spellout"):
                            by_rules.setdefault(rules, []).append((number, text))
            yield from (Spelling(tag, rules, kind, words) for rules, words in by_rules.items())


def _tag(name: str) -> str:
    """The tag of a language by its name in a package; "" if CLDR does not know it."""
    language = find_language(name.replace("_", "-"))
    return language.tag if language.is_known else ""


def read_back(text: str, tag: str, kind: str) -> Fraction | None:
    """The value of the only number that is read in the words of a number, in a list item; None for none or several."""
    found = read(text, tag)
    return found[0].value if len(found) == 1 and found[0].kind in _KINDS[kind] else None
