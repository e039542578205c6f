"""What changed in a rulebook since an earlier version of it: the marks in the margin, and the list of changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from rulespec.base.pages.sheet import Section
from rulespec.text.output.render.blocks import differing, numbers_of
from rulespec.text.output.render.sections import RuleSection


@dataclass(frozen=True)
class Marks:
    """What is marked of a rule: its title, and blocks of its text and of its worked examples by their numbers. Those of
    the examples go on where those of the text end."""

    title: bool = False
    blocks: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Since:
    """The earlier version, the marks of each changed rule, and the changes in words.

    Rulings are rules named `ruling-ID`.
    """

    version: str = ""
    marks: Mapping[str, Marks] = field(default_factory=dict)
    changes: tuple[Section, ...] = ()

    def blocks(self, id_: str) -> frozenset[int]:
        """The marked blocks of a rule."""
        return self.marks.get(id_, Marks()).blocks


def changed(
    old: Iterable[RuleSection], new: Iterable[RuleSection], names: Mapping[str, str], meant: Collection[str]
) -> dict[str, Marks]:
    """The marks of each new section that differs from the old one, or that is among those `meant` otherwise.

    `names` are the old ids of rules with other ids. All blocks of a section are marked if it is new, or if it is meant
    otherwise with the same words.
    """
    before = {one.id: one for one in old}
    found = ((one.id, _marks(before.get(names.get(one.id, one.id)), one, one.id in meant)) for one in new)
    return {id_: marks for id_, marks in found if marks != Marks()}


def _marks(old: RuleSection | None, new: RuleSection, meant: bool) -> Marks:
    every = frozenset(numbers_of(new.parts))
    if old is None:
        return Marks(True, every)
    emptied = not every and bool(numbers_of(old.parts))  # then only the title can be marked
    marks = Marks(old.title != new.title or emptied, frozenset(differing(old.parts, new.parts)))
    return Marks(blocks=every) if meant and marks == Marks() else marks
