"""Reviews of texts: what a reviewer is asked, what becomes of the answer, and what is kept of it.

A reviewer is a program that reads texts as people do, such as a script around a language model, or a person. A program
gets passages of the text with the rules that they may concern as JSON and answers with remarks. A remark counts if it
names words of a passage and a rule.
"""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.text.review.answer import KINDS, is_same, place_in, place_of
    from rulespec.text.review.asking import Asking, asked, nowhere
    from rulespec.text.review.kept import Declined, Passage, Reading, Remark, Review, path_of, read, write
    from rulespec.text.review.question import LIMIT, VERSION, questions, tokens
    from rulespec.text.review.states import (
        Compared,
        Present,
        State,
        arranged,
        compare,
        counts,
        fresh,
        passages_of,
        texts_of,
        with_reading,
    )

__all__ = [
    "KINDS",
    "LIMIT",
    "VERSION",
    "Asking",
    "Compared",
    "Declined",
    "Passage",
    "Present",
    "Reading",
    "Remark",
    "Review",
    "State",
    "arranged",
    "asked",
    "compare",
    "counts",
    "fresh",
    "is_same",
    "nowhere",
    "passages_of",
    "path_of",
    "place_in",
    "place_of",
    "questions",
    "read",
    "texts_of",
    "tokens",
    "with_reading",
    "write",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.text.review.answer": "KINDS is_same place_in place_of",
        "rulespec.text.review.asking": "Asking asked nowhere",
        "rulespec.text.review.kept": "Declined Passage Reading Remark Review path_of read write",
        "rulespec.text.review.question": "LIMIT VERSION questions tokens",
        "rulespec.text.review.states": "Compared Present State arranged compare counts fresh passages_of texts_of "
        "with_reading",
    },
)
