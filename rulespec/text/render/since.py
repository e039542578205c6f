"""What changed in a rulebook since an earlier version of it: the marks in the margin, and the list of changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from rulespec.pages.sheet import Section as Changes
from rulespec.text.render.sections import Section


@dataclass(frozen=True)
class Since:
    """The earlier version, the changed blocks of each changed rule by their numbers, and the changes in words.

    Rulings are rules named `ruling-ID`.
    """

    version: str = ""
    blocks: Mapping[str, frozenset[int]] = field(default_factory=dict)
    changes: tuple[Changes, ...] = ()


def changed_blocks(
    old: Iterable[Section], new: Iterable[Section], names: Mapping[str, str], meant: Collection[str]
) -> dict[str, frozenset[int]]:
    """The blocks of the new sections that differ from the old ones, for each section that differs.

    `names` are the old ids of rules with other ids. All blocks of a section differ if it is new, or if its words are
    the same but it is among those `meant` otherwise.
    """
    from rulespec.text.render.blocks import differing, numbers_of

    before = {one.id: one for one in old}
    found: dict[str, frozenset[int]] = {}
    for one in new:
        was = before.get(names.get(one.id, one.id))
        numbers = differing(was.text, one.text) if was is not None else set(numbers_of(one.text))
        same = was is not None and (was.title, was.text) == (one.title, one.text)
        if not same or one.id in meant:
            found[one.id] = frozenset(numbers_of(one.text) if same else numbers)
    return found
