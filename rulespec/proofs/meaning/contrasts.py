"""Contrasts: closed families of mutually exclusive values, which any game and any language can express.

The wordings of a value are data of each language. What a value means for a rule is said by constructors and steps.
"""

from __future__ import annotations

from collections.abc import Mapping

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "side": ("left", "right"),
    "stack": ("top", "bottom"),
    "extreme": ("most", "fewest"),
    "distance": ("nearest", "farthest"),
    "comparison": ("more", "less", "at_least", "at_most", "exactly"),
    "sequence": ("first", "last"),
    "order": ("before", "after"),
    "moment": ("at_once", "later", "early"),
    "face": ("up", "down"),
    "sight": ("open", "secret"),
    "quantity": ("all", "some", "rest", "none"),
    "fraction": ("half", "third", "double"),
    "rounding": ("up", "down"),
    "change": ("increase", "decrease"),
    "modality": ("may", "must", "may_not"),
    "duty": ("binding", "optional"),
    "transfer": ("pay", "receive"),
    "possession": ("take", "lose"),
    "scope": ("only", "also"),
    "inclusion": ("with", "without"),
    "identity": ("same", "different"),
    "selection": ("random", "chosen"),
    "result": ("shared", "alone", "lost"),
    "occupancy": ("empty", "full"),
    "junction": ("all_of", "any_of"),
    "truth": ("not",),
}
"""The values of each family. A text that gives another value than the rule contradicts it."""

NEGATED: Mapping[tuple[str, str], str] = {
    ("comparison", "more"): "at_most",
    ("comparison", "less"): "at_least",
    ("comparison", "at_least"): "less",
    ("comparison", "at_most"): "more",
    ("order", "before"): "after",
    ("order", "after"): "before",
    ("moment", "at_once"): "later",
    ("face", "up"): "down",
    ("face", "down"): "up",
    ("sight", "open"): "secret",
    ("sight", "secret"): "open",
    ("quantity", "all"): "some",
    ("quantity", "some"): "none",
    ("quantity", "none"): "some",
    ("modality", "may"): "may_not",
    ("modality", "may_not"): "may",
    ("duty", "binding"): "optional",
    ("duty", "optional"): "binding",
    ("scope", "only"): "also",
    ("identity", "same"): "different",
    ("identity", "different"): "same",
    ("occupancy", "empty"): "full",
    ("selection", "random"): "chosen",
    ("result", "shared"): "alone",
    ("result", "alone"): "shared",
}
"""The value that the negation of a value states. Without a row, its negation states no other value: a
player who does not sit on the left need not sit on the right."""

REACHED: frozenset[tuple[str, str]] = frozenset(
    {
        ("quantity", "some"),
        ("sight", "open"),
        *(("comparison", value) for value in ("more", "less", "at_least", "at_most")),
    }
)
"""The values that a negated verb reaches: “does not pay more than 5” is “pays at most 5”."""

STATES: frozenset[str] = frozenset({"face", "identity", "occupancy"})
"""The families of values that things have, which a prohibition negates as well: what must not lie face down, lies face
up."""

NEGATIVE: Mapping[tuple[str, str], frozenset[tuple[str, str]]] = {
    ("modality", "may_not"): REACHED | {("change", "increase"), ("change", "decrease")},
    ("quantity", "none"): REACHED | {("modality", "may"), ("duty", "optional")},
}
"""The values that negate others by themselves, and which: “may not bid more” is “bids at most as much”, and what may
not rise does not rise."""
