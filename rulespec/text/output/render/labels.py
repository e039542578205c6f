"""The words of a rendered rulebook itself, such as the heading of its index, and the digits that count in it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, find, labels_of
from rulespec.text.output.render.book import Rulebook

DIGITS = "0123456789"


@dataclass(frozen=True)
class Label:
    """Words of a rulebook. `lang` and `direction` are those of the words where the language of the rulebook has none,
    and "" otherwise."""

    text: str
    lang: str = ""
    direction: str = ""


def labels(rulebook: Rulebook) -> dict[str, Label]:
    """The labels of a rulebook by their keys, with its number of players and the version that it is compared with."""
    own, other = find(rulebook.lang).labels, find(LANGUAGE_OF_SPECS)
    version, players = rulebook.since.version, rulebook.players
    made = {}
    for key, words in labels_of(rulebook.lang).items():
        if key in own:
            made[key] = Label(words.format(n=written(players, digits(rulebook)), version=version))
        else:
            made[key] = Label(words.format(n=players, version=version), other.tag, other.direction)
    return made


def digits(rulebook: Rulebook) -> str:
    """The ten digits, from nought, that a rulebook has most of; those of ASCII if it has none.

    Digits of full width are no others: they number things in running text, not its parts.
    """
    found = Counter(zero for text in _texts(rulebook) for zero in _zeros(unicodedata.normalize("NFKC", text)))
    ((zero, _),) = found.most_common(1) or [(ord("0"), 0)]
    return "".join(chr(zero + value) for value in range(10))


def written(number: str, ten: str) -> str:
    """A number in other digits."""
    return number.translate(str.maketrans(DIGITS, ten))


def _texts(rulebook: Rulebook) -> Iterator[str]:
    for section in rulebook.sections:
        yield from (section.title, *section.parts)
    yield from (text for _, text in rulebook.rulings)


def _zeros(text: Iterable[str]) -> Iterator[int]:
    """For each digit of a text the code of the nought of its kind."""
    for sign in text:
        value = unicodedata.decimal(sign, None)
        if value is not None:
            yield ord(sign) - value
