"""Bad samples state their findings on the line concerned.

A line may have `# expect: NAME COLUMN`, several separated by commas. The comment is found in the raw text, so it works
inside an unclosed quote too.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from rulespec.base.diagnostics import Finding

BAD = Path(__file__).parent / "bad"

Expectation = tuple[int, int, str]  # line, column, name of the finding

_EXPECT = re.compile(r"# expect: (.*)")


def samples(folder: str) -> list[Path]:
    """All samples in a folder of tests/bad, sorted."""
    return sorted((BAD / folder).rglob("*.yaml"))


def expectations(path: Path) -> list[Expectation]:
    """The findings that a sample expects, in reading order."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        comment = _EXPECT.search(line)
        for item in comment[1].split(",") if comment else ():
            name, column = item.split()
            found.append((number, int(column), name))
    return sorted(found)


def places(findings: Iterable[Finding]) -> list[Expectation]:
    """Findings in the form of expectations."""
    return sorted((found.start.line, found.start.column, found.name) for found in findings)
