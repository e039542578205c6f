"""BCP 47 tags, as CLDR knows them through Babel, which is imported only for a tag without a record."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import regex
import yaml

LANGUAGE_OF_SPECS: str = yaml.safe_load(Path(__file__).with_name("specs.yaml").read_text(encoding="utf-8"))["language"]
"""The language in which specs give their titles and questions. Messages name languages in it."""

_FORM = regex.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?(?P<rest>(?:-[a-z0-9]{1,8})*)",
    regex.IGNORECASE,
)


@dataclass(frozen=True)
class Tag:
    """A tag in the letters of BCP 47: `zh-Hant-HK`. `script` and `region` are "" where the tag names none.

    `locale` is the name of the nearest data in CLDR, "" if CLDR knows only the name of the language; `written` is the
    script of its texts in ISO 15924.
    """

    text: str
    language: str
    script: str
    region: str
    locale: str
    written: str


@lru_cache(maxsize=256)
def tag_of(text: str) -> Tag | None:
    """The tag that a text means, with the present subtag for a deprecated one (`he` for `iw`); None if CLDR knows no
    such language, script or region."""
    found = _FORM.fullmatch(text.strip().replace("_", "-"))
    if found is None:
        return None
    from babel import Locale, localedata
    from babel.core import get_global

    names = Locale(LANGUAGE_OF_SPECS)
    aliases = get_global("language_aliases")
    language, *more = str(aliases.get(found["language"].lower(), found["language"].lower())).split("_")
    script = (found["script"] or next((part for part in more if len(part) == 4), "")).title()
    region = (found["region"] or "").upper()
    known = language in names.languages or localedata.exists(language)
    if not known or script not in {"", *names.scripts} or region not in {"", *names.territories}:
        return None
    subtags = likely(language, script, region)
    written = script or (subtags[1] if len(subtags) > 1 else "")
    wanted = (f"{language}_{script}_{region}", f"{language}_{script}", f"{language}_{region}", language)
    # Data of the language alone is in its usual script, so it is of no use for a tag in another one.
    usual = likely(language, "", "")[1:2] in ([], [written])
    places = (*wanted[:2], *(wanted[2:] if usual else (f"{language}_{written}_{region}", f"{language}_{written}")))
    locale = next((place for place in map(_without_gaps, places) if localedata.exists(place)), "")
    text = "-".join(part for part in (language, script, region) if part) + found["rest"].lower()
    return Tag(text, language, script, region, locale, written)


def _without_gaps(place: str) -> str:
    return "_".join(part for part in place.split("_") if part)


def likely(language: str, script: str, region: str) -> list[str]:
    """Language, script and region of the likely subtags (UTS 35, Likely Subtags)."""
    from babel.core import get_global

    table = get_global("likely_subtags")
    tries = (f"{language}_{script}_{region}", f"{language}_{region}", f"{language}_{script}", language)
    full = next((table[name] for name in map(_without_gaps, tries) if name in table), "")
    return str(full).split("_")


def parents(tag: str) -> tuple[str, ...]:
    """The tags that a regional tag inherits from, the nearest first: `zh-Hant` for `zh-Hant-HK`.

    A tag with a script inherits from none: its letters are others.
    """
    parts = tag.split("-")
    shorter = ["-".join(parts[:count]) for count in range(len(parts) - 1, 0, -1)]
    return tuple(one for one in shorter if len(parts[one.count("-") + 1]) != 4)


def similar(text: str) -> str:
    """The tag whose name in English, or in the language itself, is most like a text that is no tag; "" if none is."""
    from babel import Locale, localedata
    from rapidfuzz import process

    names = {
        name.casefold(): tag for tag, name in Locale(LANGUAGE_OF_SPECS).languages.items() if localedata.exists(tag)
    }
    for tag in list(names.values()):
        own = Locale.parse(tag).get_language_name(tag)
        names.setdefault((own or tag).casefold(), tag)
    found = process.extractOne(text.casefold(), list(names), score_cutoff=75)
    return names[found[0]].replace("_", "-") if found is not None else ""
