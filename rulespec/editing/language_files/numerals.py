"""What is wrong with the number words of a language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.base.diagnostics import Finding, Span, finding, related
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.language.document.nodes import Mapping, Scalar
from rulespec.text.languages.quantity.patterns import common_macros
from rulespec.text.languages.quantity.quantity import SLOTS

KIND = "language-record"
SLOT_NAMES = frozenset((*SLOTS, *common_macros()))
"""The names that may stand in braces in every pattern of numbers."""

_FORM = re.compile(r"\S+")


def check(root: Mapping, source: Source) -> Iterator[Finding]:
    """Number words with two values, and unknown endings."""
    table = root.get("forms")
    for _, values in table.entries if isinstance(table, Mapping) else ():
        if isinstance(values, Mapping):
            yield from _values(values, _endings(root), source)


def _endings(root: Mapping) -> dict[str, str]:
    node = root.get("endings")
    return {key: one.text for key, one in node.items() if isinstance(one, Scalar)} if isinstance(node, Mapping) else {}


def _values(values: Mapping, endings: dict[str, str], source: Source) -> Iterator[Finding]:
    first: dict[str, tuple[str, Span]] = {}
    for value, node in values.entries:
        for found in _FORM.finditer(node.text) if isinstance(node, Scalar) else ():
            place = node.value_span(*found.span()) if isinstance(node, Scalar) else values.span
            stem, _, named = found[0].partition("+")
            if named and named not in endings:
                message = say("There are no endings `{name}`.", name=named)
                yield finding(KIND, message, source, place, say("Add them under `endings:`, or correct the name."))
                continue
            for form in dict.fromkeys(stem + one.strip(".") for one in (endings[named].split() if named else [""])):
                before, there = first.setdefault(form.lower(), (value.text, place))
                if before != value.text:
                    message = say(
                        "`{form}` is {value} here and {before} above.", form=form, value=value.text, before=before
                    )
                    other = related(say("Here it is {value}.", value=before), source, there)
                    hint = say("Delete it in one of the two places.")
                    yield finding(KIND, message, source, place, hint, related=[other])
                    break
