"""OpenCC as rulespec uses it, with the dictionaries of the installed library, which the archive has as JSON.

opencc itself is compiled from C++, which does not exist for Python in a browser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

DATA = "opencc.json"
"""The file beside this module: {"configs": {name: configuration}, "dictionaries": {file: {from: to}}}."""


class OpenCC:
    """A converter: `OpenCC("t2s").convert(text)`. Raises KeyError for an unknown configuration."""

    def __init__(self, config: str) -> None:
        made = _data()["configs"][config]
        self._first = [_Dictionary(one["dict"]) for one in made.get("normalization", ())]
        self._words = _Dictionary(made["segmentation"]["dict"]) if "segmentation" in made else None
        self._chain = [_Dictionary(one["dict"]) for one in made["conversion_chain"]]

    def convert(self, text: str) -> str:
        for dictionary in self._first:
            text = dictionary.converted(text)
        parts = self._words.segments(text) if self._words else [text]
        for dictionary in self._chain:
            parts = [dictionary.converted(part) for part in parts]
        return "".join(parts)


class _Dictionary:
    """A dictionary, or a group of them: the first one that knows the beginning of a text, or all as one."""

    def __init__(self, made: Any) -> None:
        self._tables = [table for table in _tables(made) if table]
        self._longest = [max(map(len, table)) for table in self._tables]
        self._starts = [{key[0] for key in table} for table in self._tables]

    def converted(self, text: str) -> str:
        return "".join(to for _, to in self._read(text))

    def segments(self, text: str) -> list[str]:
        """The words of a text that are in the dictionary, and what is between them."""
        parts: list[str] = []
        known = True
        for said, to in self._read(text, mark=True):
            if to or known:
                parts.append(said)
            else:
                parts[-1] += said
            known = bool(to)
        return parts

    def _read(self, text: str, mark: bool = False) -> Iterator[tuple[str, str]]:
        """The pieces of a text and what each becomes: itself if nothing is known of it, or nothing with `mark`."""
        at = 0
        while at < len(text):
            said, to = self._longest_at(text, at)
            yield said, to or ("" if mark else said)
            at += len(said)

    def _longest_at(self, text: str, at: int) -> tuple[str, str]:
        for table, longest, starts in zip(self._tables, self._longest, self._starts, strict=True):
            # Most characters begin no key, and are not tried at every length.
            if text[at] not in starts:
                continue
            for length in range(min(longest, len(text) - at), 0, -1):
                if (said := text[at : at + length]) in table:
                    return said, table[said]
        return text[at], ""


def _tables(made: Any) -> list[dict[str, str]]:
    if made["type"] != "group":
        return [_data()["dictionaries"][made["file"]]]
    tables = [table for one in made["dicts"] for table in _tables(one)]
    if made.get("match_policy") != "union":
        return tables
    # Reversed, so that the first dictionary of a group wins.
    return [{key: to for table in reversed(tables) for key, to in table.items()}]


@cache
def _data() -> Any:
    return json.loads(Path(__file__).with_name(DATA).read_text(encoding="utf-8"))
