"""The values of contrasts in words, as messages say them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any, Self

from rulespec.base.messages import Catalog, Message, say, translated
from rulespec.base.wording import unmarked

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


class Gloss(Message):
    """Words of a text in quotation marks with their meaning, unless a reader would use the same words for it."""

    __slots__ = ()

    def __new__(cls, said: str, meaning: str) -> Self:
        return super().__new__(cls, _form(said, meaning), {"said": said, "meaning": meaning})

    def __reduce__(self) -> tuple[Any, ...]:
        # What `Message` gives here would be read as a message, which always has the meaning or never.
        return Gloss, (self.values["said"], self.values["meaning"])

    def translated(self, catalog: Catalog) -> str:
        """The words with their meaning in the language of a catalog."""
        form = _form(self.values["said"], translated(self.values["meaning"], catalog))
        return Message(form, self.values).translated(catalog)


def _form(said: str, meaning: str) -> str:
    return say("“{said}”") if _are_same(said.casefold(), meaning.casefold()) else say("“{said}” ({meaning})")


def _are_same(said: str, meaning: str) -> bool:
    """Whether words differ in their endings only, or one has the other in it."""
    stem = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(said, meaning, strict=False)))
    return meaning in said or 2 * stem >= max(len(meaning), 6)


def says_instead(said: str, meaning: Message, value: Message | None, sentence: str) -> Message:
    """The message that words of a text have another meaning than the spec, which says a value, a sentence or both."""
    wanted = say("“{sentence}”", sentence=unmarked(sentence).removesuffix(".").removesuffix("。"))
    if value is not None:
        value = say("“{value}”", value=value)
        wanted = say("{value}: {sentence}", value=value, sentence=wanted) if sentence else value
    return say("The text says {said}; the spec says {wanted}.", said=Gloss(said, meaning), wanted=wanted)
