"""The words that texts were confirmed with, kept beside the versions of the spec that they were confirmed with.

A file of a language has a line of JSON for each text: its title, its text and its worked examples. A seal names a line
by the digest of its words, so lines can be in any order, and a merge keeps both sides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from rulespec.base.wording import digest

Parts: TypeAlias = tuple[str, ...]
"""The title of a text ("" for a ruling), the text and its worked examples."""

Kept: TypeAlias = Callable[[str], Mapping[str, Parts]]
"""The kept words of a language, by their digests."""


def nothing(lang: str) -> Mapping[str, Parts]:
    """No words are kept."""
    return {}


def read(text: str) -> dict[str, Parts]:
    """The words in a file, by their digests. Lines that are damaged hold none."""
    # Not `splitlines`, which also splits at signs such as U+2028 that JSON leaves in a text.
    return {digest(parts): parts for line in text.split("\n") if (parts := _parts(line))}


def written(kept: Iterable[Parts]) -> str:
    """The file with these words, each text once, sorted so that versions of the file can be compared."""
    lines = {json.dumps(list(parts), ensure_ascii=False) for parts in kept}
    return "".join(f"{line}\n" for line in sorted(lines))


def _parts(line: str) -> Parts:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return ()
    return tuple(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else ()
