"""The catalogs: what findings say in other languages, as PO files that the tools of translators read.

`locale/LANG.po` has every template that the code gives to `say` and `counted`. `make catalogs` adds new ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from importlib.resources import files
from typing import Any

from rulespec.findings.pages import DEFAULT_LANGUAGE

LANGUAGES = (DEFAULT_LANGUAGE, "uk", "zh")
"""The languages of findings. "zh" is Traditional Chinese."""


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
        form = self.forms.get(one, {}).get(self.form_of(abs(number)))
        return form or (one if number == 1 else many)


@cache
def catalog_of(lang: str) -> PoCatalog | None:
    """The catalog of a language; None for English and for a language without one."""
    import polib

    path = files(__package__).joinpath("locale", f"{lang}.po")
    if lang == DEFAULT_LANGUAGE or not path.is_file():
        return None
    file = polib.pofile(path.read_text(encoding="utf-8"))
    rule = file.metadata["Plural-Forms"].partition("plural=")[2].rstrip("; ")
    entries = file.translated_entries()
    single = {entry.msgid: entry.msgstr for entry in entries if not entry.msgid_plural}
    return PoCatalog(single, {e.msgid: e.msgstr_plural for e in entries if e.msgid_plural}, c2py(rule))
