"""The record of a language as CLDR has it, for every tag without a record of its own.

What CLDR lacks, a record in a folder adds: words for players, contrasts, descriptions.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import regex

from rulespec.base import store
from rulespec.text.languages.dictionaries import has_dictionary
from rulespec.text.languages.record import PLURALS, Figures, Language, Quotes, SentenceEnd, Spelling
from rulespec.text.languages.tags import LANGUAGE_OF_SPECS, Tag, likely

_DATA = Path(__file__).with_name("cldr.json")

STYLES: Mapping[str, str] = {
    "“”": "curly",
    "„“": "low",
    "„”": "low",
    "”„": "low",
    "«»": "guillemets",
    "»«": "reversed-guillemets",
    "””": "closing",
    "「」": "corners",
    "『』": "corners",
    '""': "straight",
}
"""The names of styles of quotation marks (`typography/styles.py`) by their marks."""

_ENDS = ".!?…؟۔।॥።։။។༎"
"""Marks that end a sentence before a space (Sentence_Terminal in Unicode)."""

_ENDS_OF_SCRIPT = {"Greek": ";\u037e", "Armenian": ":"}
"""Marks that end a sentence in one script alone: the question mark of Greek, and a colon typed for the end mark of
Armenian."""

_ENDS_UNSPACED = "。！？…!?"
_CLOSERS = "\"'»”’›“«」』）)*_]"
_MIXTURES = {"Japanese": "Han", "Korean": "Hangul", "Simplified": "Han", "Traditional": "Han"}
"""Names of scripts in CLDR that are mixed or one form of a script, with the script of Unicode that they are made of."""

_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "KHMER", "LAO", "MYANMAR", "THAI")
"""Names of the letters between which lines may break without a space (classes ID, CJ and SA of UAX 14): such scripts
write no spaces between words."""


def derived(tag: Tag) -> Language:
    """The record that follows from CLDR: name, script, direction, letters, conjunctions, quotation marks."""
    key = store.key(tag.text, code=("text/languages",))
    return store.cached("language", key, lambda: _derived(tag))


def _derived(tag: Tag) -> Language:
    from babel import Locale
    from babel.plural import to_gettext

    english = Locale(LANGUAGE_OF_SPECS)
    name, rtl, own, rule = english.languages.get(tag.language, tag.language), False, "", "plural=0"
    joints, plurals, symbols = list[str](), set[str](), dict[str, str]()
    if tag.locale:
        locale = Locale.parse(tag.locale)
        name = str(locale.get_display_name(LANGUAGE_OF_SPECS))
        rtl, own = locale.text_direction == "rtl", locale.get_language_name(tag.locale) or ""
        joints = [locale.list_patterns.get(kind, {}).get("end", "") for kind in ("or", "standard")]
        plurals, rule = {*locale.plural_form.tags, "other"}, to_gettext(locale.plural_form)
        symbols = locale.number_symbols.get("latn", {})
    words = tuple(dict.fromkeys(word for joint in joints for word in _words(joint)))
    spaced = not any(unicodedata.name(letter, "").startswith(_UNSPACED) for letter in own)
    letters, script = _fact(tag, "letters"), _script(str(english.scripts.get(tag.written, "Latin")), tag.written)
    return Language(
        tag=tag.text,
        name=name,
        script=script,
        spaced=spaced,
        direction="rtl" if rtl else "ltr",
        alphabet=letters,
        lemmatiser=tag.language if has_dictionary(tag.language) else "",
        plurals=tuple(one for one in PLURALS if one in plurals),
        # The exponent `e` is that of figures such as 1M.
        plural_rule=regex.sub(r"\be\b", "0", rule.partition("plural=")[2].rstrip(";")),
        sentence_end=SentenceEnd(
            marks=_ENDS + _ENDS_OF_SCRIPT.get(script, "") if spaced else _ENDS_UNSPACED,
            closers=_CLOSERS,
            before_space=spaced,
            also="" if spaced else r"\s*\n",
        ),
        conjunctions=words,
        clause_words=words,
        one_letter_words=" ".join(word for word in words if len(word) == 1),
        figures=Figures(
            group=symbols.get("group", Figures.group),
            decimal=symbols.get("decimal", Figures.decimal),
            ordinals=tuple(_fact(tag, "ordinals").split()),
            counters=tuple(_fact(tag, "counters").split()),
        ),
        quotes=_quotes(_fact(tag, "quotes")),
        before_colon=_fact(tag, "before_colon"),
        spelling=Spelling(files=_dictionaries(tag)),
    )


def _words(joint: str) -> list[str]:
    """The words of a list pattern such as `{0} i {1}`."""
    return regex.findall(r"[\p{L}\p{M}]+", regex.sub(r"\{\d\}", " ", joint))


@cache
def _data() -> Mapping[str, Mapping[str, str]]:
    return json.loads(_DATA.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def _fact(tag: Tag, name: str) -> str:
    """A fact of `cldr.json`, from the tag or the nearest one above it."""
    whole = tag.locale.replace("_", "-")
    tries = [whole.rsplit("-", count)[0] for count in range(whole.count("-") + 1)]
    return next((_data()[one][name] for one in tries if name in _data().get(one, {})), "")


def _quotes(marks: str) -> Quotes:
    """The styles that CLDR has for a language, and straight marks, of which a text uses one."""
    if not marks:
        return Quotes()
    style, inner = STYLES.get(marks[:2], ""), STYLES.get(marks[2:], "")
    if not style:
        return Quotes(show=f"{marks[0]}…{marks[1]}")
    nested = (inner,) if inner and inner != style else ()
    return Quotes(outer=(style, "straight"), inner=nested, show=f"{marks[0]}…{marks[1]}")


def _script(name: str, code: str) -> str:
    """The name of a script as Unicode has it, by its name in CLDR; its code of ISO 15924 if Unicode has none."""
    name = _MIXTURES.get(name, name)
    try:
        regex.compile(rf"\p{{{name}}}")
    except regex.error:
        return code
    return name


def _dictionaries(tag: Tag) -> tuple[str, ...]:
    """Names of hunspell dictionaries, best first."""
    region = tag.region or [*likely(tag.language, tag.script, ""), "", ""][2]
    return tuple(filter(None, (f"{tag.language}_{region}" if region else "", tag.language)))
