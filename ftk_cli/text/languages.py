"""The texts of a game, by language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ftk_cli import failure

if TYPE_CHECKING:
    from rulespec import Spec
    from rulespec.text import Translation


def in_language(spec: Spec, lang: str) -> Translation:
    """The translation in a language. Raises Failure where there is none."""
    from rulespec import texts_of

    known = texts_of(spec)
    if lang in known:
        return known[lang]
    there = f"There is one in {', '.join(known)}." if known else "There is none in any language."
    raise failure.Failure(f"{spec.model.title} has no rule text in {lang}.", there)
