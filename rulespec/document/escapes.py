"""Escapes in double quotes that hide a control character."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.characters import STEERING
from rulespec.diagnostics import Finding, finding
from rulespec.document.nodes import Scalar
from rulespec.messages import say


def escaped_controls(scalar: Scalar) -> Iterator[Finding]:
    """One finding for all steering characters of a value, at the first.

    They come from escapes: `source.control_characters` refuses a file that holds one itself.
    """
    places = [found.start() for found in STEERING.finditer(scalar.text)]
    if places:
        what = say("This escape is the control character U+{code:04X}", code=ord(scalar.text[places[0]]))
        more = say(", and {number} more follow.", number=len(places) - 1) if len(places) > 1 else say(".")
        place = scalar.value_span(places[0], places[0] + 1)
        yield finding("escaped-control", what + more, scalar.source, place, say("Delete the escape."))
