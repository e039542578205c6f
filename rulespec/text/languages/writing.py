"""How a language is written, as pages and printed texts need it."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.text.languages.registry import find
from rulespec.text.languages.tags import tag_of


@dataclass(frozen=True)
class Writing:
    """The script of a language in ISO 15924, "" if CLDR does not know it; its direction, `ltr` or `rtl`; and whether
    there are spaces between its words."""

    script: str
    direction: str
    spaced: bool


def writing_of(tag: str) -> Writing:
    """How the language of a BCP 47 tag is written: by its record, else by CLDR."""
    language, known = find(tag), tag_of(tag)
    return Writing(known.written if known is not None else "", language.direction, language.spaced)
