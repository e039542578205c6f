"""Compiles a template of typst with data to PDF/UA-1 or to pictures.

The template reads the data as JSON from `sys.inputs.words`, so that no word of them is read as markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from rulespec.base.characters import visible
from rulespec.base.fonts import Fonts, fonts_for
from rulespec.base.messages import say


class TypesetError(ValueError):
    """Raised for words that cannot be printed, such as letters that no installed font has."""


def missing() -> str:
    """What must be installed for PDF, with the command; empty if nothing."""
    return "" if find_spec("typst") else "PDF needs typst: pip install 'ftk[pdf]'"


@dataclass(frozen=True)
class Manner:
    """How a language is typeset: a BCP 47 tag with its other tags, its script in ISO 15924, by default the one in the
    tag, and its direction, `ltr` or `rtl`."""

    lang: str
    aliases: tuple[str, ...] = ()
    script: str = ""
    direction: str = "ltr"

    @property
    def fonts(self) -> Fonts:
        return fonts_for(self.script or next((part for part in self.lang.split("-")[1:] if len(part) == 4), ""))


def pdf(template: bytes, words: Mapping[str, Any], how: Manner) -> bytes:
    """The PDF of a template and its words in a language.

    Besides the words the template gets `lang`, `region`, `direction` and `fonts` (`body`, `display` and `latin`, lists
    of families). Raises TypesetError if no font has some letter of the words.
    """
    import typst

    try:
        made = typst.compile(template, sys_inputs=_inputs(words, how), pdf_standards="ua-1")
    except typst.TypstError as error:
        raise _explained(str(error), how.fonts.install) from None
    return bytes(made)


def png(template: bytes, words: Mapping[str, Any], how: Manner, dots_per_inch: float) -> list[bytes]:
    """Each page of a template as a picture, in the format PNG. Raises TypesetError as `pdf` does."""
    import typst

    pdf(template, words, how)  # only PDF/UA refuses letters without a font
    made = typst.compile(template, sys_inputs=_inputs(words, how), format="png", ppi=dots_per_inch)
    return [bytes(page) for page in (made if isinstance(made, list) else [made])]


def _inputs(words: Mapping[str, Any], how: Manner) -> dict[str, str]:
    """What a template reads."""
    fonts = how.fonts
    # The region of the first tag that has one. PDF names languages by region, where we name their script.
    parts = (part for tag in (how.lang, *how.aliases) for part in tag.split("-")[1:])
    given = {
        **words,
        "lang": how.lang.split("-")[0],
        "region": next((part for part in parts if len(part) == 2), None),
        "direction": how.direction,
        "fonts": {
            "body": [*fonts.body, *fonts.latin],
            "display": [*fonts.display, *fonts.latin],
            "latin": [*fonts.latin, *fonts.body],
        },
    }
    return {"words": json.dumps(_shown(given))}


def lacking(script: str) -> str:
    """What must be installed for a script, given by its code in ISO 15924, where none of its families is there and
    typst has to take any font that has its letters; empty if nothing. Needs the extra `pdf`."""
    import typst

    fonts = fonts_for(script)
    wanted = {*fonts.body, *fonts.display}
    if not wanted or wanted.intersection(typst.Fonts().families()):
        return ""
    return say(
        "None of the fonts for this script is installed, so the PDF has another one. Install {font}.",
        font=fonts.install,
    )


def _shown(value: Any) -> Any:
    """Data with invisible characters as escapes."""
    if isinstance(value, Mapping):
        return {key: _shown(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_shown(one) for one in value]
    return visible(value) if isinstance(value, str) else value


_NO_LETTER = re.compile(r"text `\"(.+?)\"` could not be displayed")


def _explained(error: str, install: str) -> TypesetError:
    """What a reader can do about an error of typst."""
    found = _NO_LETTER.search(error)
    if found is None:
        return TypesetError(say("The PDF cannot be made: {reason}.", reason=error.rstrip(".")))
    what = say("No installed font has “{letters}”. Install {font}.", letters=found[1], font=install)
    return TypesetError(what)
