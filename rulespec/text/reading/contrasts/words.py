"""The values of contrasts in words, as messages say them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any, Self

from rulespec.base.messages import Catalog, Message, say, translated
from rulespec.base.wording import unmarked

_PLAIN = (
    *(say("left"), say("right"), say("top"), say("bottom"), say("nearest"), say("farthest")),
    *(say("most"), say("fewest"), say("more"), say("less"), say("at least"), say("at most"), say("exactly")),
    *(say("first"), say("last"), say("before"), say("after"), say("at once"), say("later")),
    *(say("open"), say("secret"), say("all"), say("some"), say("rest"), say("none"), say("all of"), say("any of")),
    *(say("half"), say("third"), say("double"), say("increase"), say("decrease")),
    *(say("may"), say("must"), say("may not"), say("binding"), say("optional"), say("not")),
    *(say("pay"), say("receive"), say("take"), say("lose"), say("lost"), say("shared"), say("alone")),
    *(say("only"), say("also"), say("same"), say("different"), say("random"), say("chosen")),
    *(say("empty"), say("full")),
)
"""The values that are the same in words."""
_WORDS: Mapping[str, Message] = {word.replace(" ", "_"): word for word in _PLAIN} | {
    "early": say("at the start"),
    "with": say("included"),
    "without": say("left out"),
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
