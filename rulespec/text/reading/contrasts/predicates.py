"""Predicates: what a clause of any game affirms or denies. No rule states them, only texts are compared by them."""

from __future__ import annotations

from collections.abc import Mapping

AFFIRMED, DENIED = "affirmed", "denied"

PREDICATES = frozenset(
    {
        *("look", "show", "effect", "matter", "count", "back", "stay", "join", "part", "get", "draw", "refund", "lose"),
        *("use", "succeed", "left", "move", "have", "bid", "pass", "pay", "score"),
        *("obligation", "permission", "promptness"),
    }
)
"""What every game may affirm or deny, as families with the values `AFFIRMED` and `DENIED`: `en/contrasts.yaml` explains
each."""

STATED: Mapping[tuple[str, str], tuple[str, str]] = {
    ("duty", "binding"): ("obligation", AFFIRMED),
    ("duty", "optional"): ("obligation", DENIED),
    ("modality", "must"): ("obligation", AFFIRMED),
    ("modality", "may"): ("permission", AFFIRMED),
    ("modality", "may_not"): ("permission", DENIED),
    ("moment", "at_once"): ("promptness", AFFIRMED),
    ("moment", "later"): ("promptness", DENIED),
}
"""The predicates that the words of a value affirm or deny."""

MODALS = frozenset({"obligation", "permission", "promptness"})
"""The predicates that qualify another one. Only a word right before them or a “nobody” negates them: “who cannot go on
has to pass”."""
