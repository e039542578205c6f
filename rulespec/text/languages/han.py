"""Conversion between the two forms of Chinese characters."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

_TO_FORM = {"simplified": "tw2s"}
"""The OpenCC configuration that converts Traditional characters to a `han_form` of language records."""


_BETWEEN = {("traditional", "simplified"): "tw2s", ("simplified", "traditional"): "s2tw"}


def between(text: str, form: str, wanted: str) -> str:
    """A text of a language of one `han_form` in the characters of another one, if both have one."""
    return converted(text, _BETWEEN[form, wanted]) if (form, wanted) in _BETWEEN else text


def in_form(text: str, form: str) -> str:
    """A text in Traditional characters, or without Chinese characters, in the `han_form` of a language."""
    return converted(text, _TO_FORM[form]) if form in _TO_FORM else text


def converted(text: str, config: str) -> str:
    """A text converted by a configuration of OpenCC."""
    result: str = _converter(config).convert(text)
    return result


@lru_cache
def _converter(config: str) -> Any:
    import opencc  # loading its dictionaries is slow

    return opencc.OpenCC(config)
