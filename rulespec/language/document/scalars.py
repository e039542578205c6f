"""The values of plain scalars, by the core schema of YAML 1.2."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

import yaml

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.language.document.places import short

INT_MIN, INT_MAX = -(2**63), 2**63 - 1

Value: TypeAlias = str | int | float | bool | None

_CONSTANTS: dict[str, Value] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# The core schema would also read 010 as ten; YAML 1.1 reads eight, so it stays a text and is warned about.
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_MAX_DIGITS = 40  # more than any 64-bit number has, fewer than Python refuses to read

_IN_WORDS = {
    "bool": say("true or false"),
    "int": say("a whole number"),
    "float": say("a number"),
    "null": say("nothing"),
    "str": say("a text"),
}
_OLDER_IN_WORDS = {**_IN_WORDS, "timestamp": say("a date"), "value": say("a special sign")}
_TYPE_NAMES = {str: "str", int: "int", float: "float", bool: "bool", type(None): "null"}


@lru_cache(maxsize=4096)  # the same names and numbers are all over a document
def resolve(text: str) -> Value:
    """The value of a plain scalar. Whole numbers may lie beyond 64 bits, other numbers may be infinite or NaN."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INT.fullmatch(text):
        return int(text if text[:2] in ("0x", "0o") else text[:_MAX_DIGITS], 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _NOT_FINITE.fullmatch(text):
        return float(text.replace(".", ""))
    return text


def is_text(text: str) -> bool:
    """Whether a plain scalar is a text for tools of YAML 1.1 and of YAML 1.2."""
    return resolve(text) == text and _older_type(text) == "str"


def bounded(value: Value) -> Value:
    """The nearest number that fits in 64 bits; any other value as it is."""
    # A number of the right type keeps the schema from complaining a second time about the same value.
    if isinstance(value, float):
        return value if math.isfinite(value) else 0.0
    if isinstance(value, int) and not isinstance(value, bool):
        return max(INT_MIN, min(value, INT_MAX))
    return value


def value_findings(value: Value, text: str, span: Span, source: Source) -> Iterator[Finding]:
    """What is wrong with a value as it was written, or unclear to other tools."""
    if isinstance(value, float) and not math.isfinite(value):
        message = say("{shown} is not a finite number.", shown=short(text))
        hint = say("Leave it out, or write the largest number that can occur.")
        yield finding("number-not-finite", message, source, span, hint)
    elif value != bounded(value):
        message = say("The number {shown} does not fit in 64 bits.", shown=short(text))
        hint = say("If it is a name made of digits, put quotes round it.")
        yield finding("number-too-large", message, source, span, hint)
    elif (ours := _TYPE_NAMES[type(value)]) != (older := _older_type(text)) and older in _OLDER_IN_WORDS:
        message = say(
            "{shown} is {in_words} here, but tools of YAML 1.1 read it as {older_in_words}.",
            shown=short(text),
            in_words=_IN_WORDS[ours],
            older_in_words=_OLDER_IN_WORDS[older],
        )
        hint = (
            say('Put quotes round it: "{shown}".', shown=short(text))
            if ours == "str"
            else say("Write it as an ordinary decimal number.")
        )
        yield finding("ambiguous-scalar", message, source, span, hint)


@lru_cache(maxsize=4096)
def _older_type(text: str) -> str:
    for tag, pattern in yaml.SafeLoader.yaml_implicit_resolvers.get(text[:1], ()):
        if pattern.match(text):
            return str(tag).rpartition(":")[2]
    return "str"
