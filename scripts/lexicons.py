"""Writes `rulespec/text/languages/compiled`: what takes long to make from libraries, for the languages of this package.

python scripts/lexicons.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from simplemma.strategies.dictionaries.dictionary_factory import _read_decompressed

from rulespec.text.languages.dictionaries import pack_blocks
from rulespec.text.languages.quantity.spelled import spelled_by_libraries
from rulespec.text.languages.registry import LANGUAGES

TARGET = Path(__file__).resolve().parent.parent / "rulespec" / "text" / "languages" / "compiled"


def files() -> Iterator[tuple[str, bytes]]:
    """The name and the content of each file."""
    # Sentences in Russian are looked for in every text.
    for name in sorted({"ru", *(one.lemmatiser for one in LANGUAGES.values() if one.lemmatiser)}):
        yield f"{name}.blocks.xz", pack_blocks(_read_decompressed(name))
    for tag, language in LANGUAGES.items():
        words = spelled_by_libraries(tag, language.spaced)
        between = " " if language.spaced else ""
        rows = [
            f"{json.dumps(between.join(phrase), ensure_ascii=False)}: {json.dumps(words[phrase])}" for phrase in words
        ]
        yield f"{tag}.numbers.json", ("{\n" + ",\n".join(rows) + "\n}\n").encode()


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for name, content in files():
        (TARGET / name).write_bytes(content)
