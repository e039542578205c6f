"""The values of contrasts in words, as messages say them."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.base.messages import Message, say

_WORDS: Mapping[str, Message] = {
    "left": say("left"),
    "right": say("right"),
    "top": say("top"),
    "bottom": say("bottom"),
    "most": say("most"),
    "fewest": say("fewest"),
    "nearest": say("nearest"),
    "farthest": say("farthest"),
    "more": say("more"),
    "less": say("less"),
    "at_least": say("at least"),
    "at_most": say("at most"),
    "exactly": say("exactly"),
    "first": say("first"),
    "last": say("last"),
    "before": say("before"),
    "after": say("after"),
    "at_once": say("at once"),
    "later": say("later"),
    "early": say("at the start"),
    "open": say("open"),
    "secret": say("secret"),
    "all": say("all"),
    "some": say("some"),
    "rest": say("rest"),
    "none": say("none"),
    "half": say("half"),
    "third": say("third"),
    "double": say("double"),
    "increase": say("increase"),
    "decrease": say("decrease"),
    "may": say("may"),
    "must": say("must"),
    "may_not": say("may not"),
    "binding": say("binding"),
    "optional": say("optional"),
    "pay": say("pay"),
    "receive": say("receive"),
    "take": say("take"),
    "lose": say("lose"),
    "only": say("only"),
    "also": say("also"),
    "with": say("included"),
    "without": say("left out"),
    "same": say("same"),
    "different": say("different"),
    "random": say("random"),
    "chosen": say("chosen"),
    "shared": say("shared"),
    "alone": say("alone"),
    "lost": say("lost"),
    "empty": say("empty"),
    "full": say("full"),
    "all_of": say("all of"),
    "any_of": say("any of"),
    "not": say("not"),
}
_OF_FAMILIES: Mapping[tuple[str, str], Message] = {
    ("face", "up"): say("face up"),
    ("face", "down"): say("face down"),
    ("rounding", "up"): say("rounded up"),
    ("rounding", "down"): say("rounded down"),
}
"""Values of several families."""


def value_in_words(family: str, value: str) -> Message:
    """A value of a family of contrasts in words."""
    return _OF_FAMILIES.get((family, value)) or _WORDS.get(value) or say("{text}", text=value.replace("_", " "))
