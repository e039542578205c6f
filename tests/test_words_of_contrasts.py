"""The values of contrasts in words."""

from rulespec.base.messages import say
from rulespec.proofs.meaning.constructors import FAMILIES
from rulespec.text.reading.contrasts.lexicon import value_in_words


def test_every_value_has_words_that_can_be_translated() -> None:
    plain = say("{text}").template
    pairs = [(family, value) for family, values in FAMILIES.items() for value in values]
    assert [pair for pair in pairs if value_in_words(*pair).template == plain] == []
