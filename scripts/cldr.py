"""Writes `rulespec/text/languages/cldr.json` from packages of npm (Unicode-3.0).

    for part in misc numbers localenames; do npm pack cldr-$part-full@48; tar xzf cldr-$part-full-*.tgz; done
    python scripts/cldr.py package

Babel and unicode-rbnf carry the rest of CLDR that this project reads. They leave out quotation marks, alphabets, what
is written behind the figures of a number, and whether a space is written before a colon.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import regex

TARGET = Path(__file__).resolve().parent.parent / "rulespec" / "text" / "languages" / "cldr.json"

MOST_LETTERS = 150
"""The most letters of an alphabet. A larger set is a list of syllables or ideographs: no misspelling is found in it."""

_ITEM = regex.compile(
    r"\\u(?P<code>[0-9A-Fa-f]{4})|\\(?P<escaped>.)|(?P<range>\S)-(?P<to>\S)|\{(?P<group>[^}]*)\}|(?P<one>\S)"
)


def main(package: str) -> None:
    found = {folder.name: dict(_facts(folder)) for folder in sorted(Path(package, "main").iterdir())}
    rows = {tag: _without_inherited(tag, facts, found) for tag, facts in found.items()}
    lines = [f"  {json.dumps(tag)}: {json.dumps(facts, ensure_ascii=False)}" for tag, facts in rows.items() if facts]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _without_inherited(tag: str, facts: dict[str, str], every: dict[str, dict[str, str]]) -> dict[str, str]:
    """The facts that differ from those of the shorter tag, from which a longer one inherits."""
    parent = every.get(tag.rpartition("-")[0], {})
    return {name: text for name, text in facts.items() if parent.get(name) != text}


def _facts(folder: Path) -> Iterator[tuple[str, str]]:
    marks = _part(folder, "delimiters")
    keys = ("quotationStart", "quotationEnd", "alternateQuotationStart", "alternateQuotationEnd")
    if all(len(marks.get(key, "")) == 1 for key in keys):
        yield "quotes", "".join(marks[key] for key in keys)
    letters = "".join(dict.fromkeys(_letters(_part(folder, "characters").get("exemplarCharacters", ""))))
    if 0 < len(letters) <= MOST_LETTERS:
        yield "letters", letters

    pairs = _part(folder, "numbers").get("minimalPairs", {})
    counted = [text for key, text in pairs.items() if key.startswith("pluralMinimalPairs")]
    ordinal = [pairs[key] for key in ("zero", "one", "two", "few", "many", "other") if key in pairs]
    for name, texts in (("counters", counted), ("ordinals", ordinal)):
        if behind := " ".join(dict.fromkeys(_behind(texts))):
            yield name, behind
    pattern = _part(folder, "localeDisplayNames").get("localeDisplayPattern", {}).get("localeKeyTypePattern", "")
    if space := regex.search(r"\{0\}(\s)[:：]", pattern):
        yield "before_colon", space[1]


def _part(folder: Path, name: str) -> dict[str, Any]:
    path = folder / f"{name}.json"
    if not path.exists():
        return {}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["main"][folder.name].get(name, {})
    return found


def _behind(texts: Iterable[str]) -> Iterator[str]:
    """What sentences write right behind a number, as in `Take the {0}rd right.`"""
    for text in texts:
        for found in regex.finditer(r"\{0\}([-‑:’']?[\p{L}\p{M}º°ª]{1,4}(?=[\s/,]|$)|\.(?=\s))", text):
            yield found[1]


def _letters(exemplars: str) -> Iterator[str]:
    """The letters and combining marks of a set of CLDR such as `[a ą b {ch} х-щ]`."""
    for item in _ITEM.finditer(exemplars[1:-1]):
        if item["range"]:
            some = "".join(map(chr, range(ord(item["range"]), ord(item["to"]) + 1)))
        else:
            some = chr(int(item["code"], 16)) if item["code"] else item["escaped"] or item["group"] or item["one"]
        yield from (letter for letter in some if unicodedata.category(letter)[0] in "LM")


if __name__ == "__main__":
    main(*sys.argv[1:])
