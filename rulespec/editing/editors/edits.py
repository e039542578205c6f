"""The small edits that make one text of another, for editors: the cursor and what is folded stay where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate

from rulespec.base.diagnostics import Span
from rulespec.language.document.patches import Patch

_WORDS = re.compile(r"\w+|\W")


def edits(before: str, after: str) -> Iterator[Patch]:
    """The patches that make `after` of `before`: words in lines that stay, and whole lines."""
    return _between(before.splitlines(keepends=True), after.splitlines(keepends=True), 0)


def _between(old: Sequence[str], new: Sequence[str], start: int) -> Iterator[Patch]:
    """The patches between two lists of pieces of a text, of which the first begins at an offset."""
    offsets = [*accumulate(map(len, old), initial=start)]
    for kind, low, high, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        if high - low == last - first and len(old) > 1 and old[low].endswith("\n"):
            for at in range(high - low):
                yield from _between(_WORDS.findall(old[low + at]), _WORDS.findall(new[first + at]), offsets[low + at])
        else:
            yield Patch(Span(offsets[low], offsets[high]), "".join(new[first:last]))
