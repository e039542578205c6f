"""The catalogs: what findings say in other languages, as PO files that the tools of translators read.

`locale/LANG.po` has every template that the code gives to `say` and `counted`. `make catalogs` adds new ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any

from rulespec.base.messages import translated

DEFAULT_LANGUAGE = "en"
CATALOGS = Path(__file__).parent / "locale"
LANGUAGES = (DEFAULT_LANGUAGE, *sorted(path.stem for path in CATALOGS.glob("*.po")))
"""The languages of findings, one for each catalog. Chinese is written in traditional characters."""


_SIMPLIFIED = {"hans", "cn", "sg", "my"}
"""The script and the regions of tags for Chinese in simplified characters, which no catalog has."""


def language_of(tag: str) -> str:
    """The language of findings for a locale or a BCP 47 tag, such as uk_UA.UTF-8 or zh-Hant; English for others."""
    return known_language(tag) or DEFAULT_LANGUAGE


def known_language(tag: str) -> str:
    """The language of findings for a locale or a tag; "" for others, such as Simplified Chinese."""
    first, *rest = re.split(r"[-_.@]", tag.lower())
    simplified = first == "zh" and "hant" not in rest and not _SIMPLIFIED.isdisjoint(rest)
    return first if first in LANGUAGES and not simplified else ""


@dataclass(frozen=True)
class PoCatalog:
    """The translated templates of a PO file, and of those with plural forms all forms."""

    single: Mapping[str, str]
    forms: Mapping[str, Mapping[int, str]]
    form_of: Any
    """The index of the plural form for a number."""

    def template(self, english: str) -> str:
        return self.single.get(english) or english

    def plural(self, one: str, many: str, number: int) -> str:
        # Rules of plural forms are defined for natural numbers only, and messages have differences, too.
        form = self.forms.get(one, {}).get(self.form_of(abs(number)))
        return form or (one if number == 1 else many)


@cache
def catalog_of(lang: str) -> PoCatalog | None:
    """The catalog for a locale or a tag; None for English."""
    lang = language_of(lang)
    if lang == DEFAULT_LANGUAGE:
        return None

    import polib

    file = polib.pofile((CATALOGS / f"{lang}.po").read_text(encoding="utf-8"))
    rule = file.metadata["Plural-Forms"].partition("plural=")[2].rstrip("; ")
    entries = file.translated_entries()
    single = {entry.msgid: entry.msgstr for entry in entries if not entry.msgid_plural}
    return PoCatalog(single, {e.msgid: e.msgstr_plural for e in entries if e.msgid_plural}, c2py(rule))


def text_in(text: str, lang: str) -> str:
    """A text for a locale or a tag; one that is no message, or has no translation, is as it is."""
    catalog = catalog_of(lang)
    return text if catalog is None else translated(text, catalog)
