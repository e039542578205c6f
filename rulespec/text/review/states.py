"""What of a text is read, and what changed since: the passages of a text as they are, beside a kept review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rulespec.diagnostics import Span
from rulespec.model.spec import Spec
from rulespec.source import Source
from rulespec.text.prose import Prose
from rulespec.text.raw.alignment import Alignment
from rulespec.text.review.kept import Passage, Reading, Review
from rulespec.text.translation import Translation


class State(StrEnum):
    """What a review says about a passage of a text as it is now."""

    READ = "read"
    CHANGED = "changed"
    RULE_CHANGED = "rule-changed"
    UNREAD = "unread"


@dataclass(frozen=True)
class Present:
    """A passage of a text as it is now.

    `prose` are its parts with their places in the file: its words, or the title and the text of a rule. `heading` is the
    line that it stands under, "" without one. `rules` are those that it may concern, the likeliest first, each with the
    digest of what it does. `scores` say how likely it concerns each other rule. `rule` is that of a translation.
    """

    words: str
    begins: str
    rules: Mapping[str, str]
    prose: tuple[Prose, ...] = field(repr=False)
    heading: str = ""
    rule: str = ""
    scores: Mapping[str, float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def text(self) -> str:
        """The words as they stand, the parts on lines of their own."""
        return "\n".join(part.text for part in self.prose)

    @property
    def place(self) -> Span:
        """Where the passage is in the file."""
        raise NotImplementedError

    @property
    def line(self) -> int:
        """Its first line in the file, from 1."""
        raise NotImplementedError


@dataclass(frozen=True)
class Compared:
    """A passage of a text beside a review: its state, and the kept passage, None if it was never read.

    `kept` has the same words if the state is READ or RULE_CHANGED, and stood at its place if it is CHANGED. `changed`
    are the rules that do something else since, or are gone.
    """

    present: Present
    state: State
    kept: Passage | None = None
    changed: tuple[str, ...] = ()

    @property
    def is_due(self) -> bool:
        """Whether a reviewer must read the passage."""
        return self.state is not State.READ


def digests(spec: Spec) -> Mapping[str, str]:
    """For every rule and ruling the digest of what it does."""
    raise NotImplementedError


def passages_of(source: Source, lang: str, alignment: Alignment, spec: Spec) -> tuple[Present, ...]:
    """The passages of a raw text: paragraphs, list items and tables, without credits and page numbers."""
    raise NotImplementedError


def texts_of(translation: Translation, spec: Spec) -> tuple[Present, ...]:
    """The passages of a translation: the texts of rules and rulings."""
    raise NotImplementedError


def compare(review: Review | None, present: Sequence[Present], spec: Spec) -> list[Compared]:
    """The state of every passage, in the order of the text. Without a review none is read.

    A rule that no passage was compared with makes the likeliest passage due if it changed or is new.
    """
    raise NotImplementedError


def with_reading(review: Review, present: Present, reading: Reading, spec: Spec) -> Review:
    """The review with one more reading of a passage as it is now, which takes the place of an earlier one by the same
    reviewer. Remarks that were declined stay declined if words, rules and remark are the same."""
    raise NotImplementedError


def arranged(review: Review, present: Sequence[Present], spec: Spec) -> Review:
    """The review in the order of the text, without passages that are no longer in it, except those whose place was not
    read since; with the rules that no passage was compared with. To be called before a review is written."""
    raise NotImplementedError


def counts(compared: Sequence[Compared]) -> Mapping[State, int]:
    """How many passages have each state."""
    raise NotImplementedError


def remarks_of(compared: Sequence[Compared]) -> Iterator[tuple[Compared, Reading, int]]:
    """The remarks that hold: of passages that are read, not declined; each with its reading and its index in it."""
    raise NotImplementedError
