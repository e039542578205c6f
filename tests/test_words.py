"""Standard terms: no code, message or page uses a word that the project once used in a sense of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
ROWS = yaml.safe_load((ROOT / "tests" / "idiom.yaml").read_text(encoding="utf-8"))
FOLDERS = ("rulespec", "ftk_cli", "benchmarks", "tests", "docs")
ENDINGS = {".py", ".md", ".j2"}


def files() -> list[Path]:
    below = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in ENDINGS)
    return sorted(path for path in (*below, *ROOT.glob("*.md")) if path != Path(__file__))


def prose(path: Path) -> str:
    """The text of a file; of documentation without its samples, which quote rules as players read them."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        text = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    return text


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["was"])
def test_the_old_word_is_gone(row: dict[str, str]) -> None:
    pattern, found = re.compile(row["pattern"], re.IGNORECASE), []
    for path in files():
        text = prose(path)
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{path.relative_to(ROOT)}:{line}: {match[0]!r}, write {row['instead']}")
    assert found == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["was"])
def test_the_pattern_finds_the_old_word(row: dict[str, str]) -> None:
    assert re.search(row["pattern"], row["was"], re.IGNORECASE)
