"""Writes tests/slow.txt, the tests that `make quick` leaves out, from the times that pytest printed.

    make soak | tee build/soak.log
    python scripts/slow_tests.py build/soak.log

`make soak` lists every phase of a test above a tenth of a second. A test is slow if one of its cases is listed. If the
setup of a case takes a second, its fixture serves the whole file, so all tests of the file are slow. A file with more
slow tests than others is listed in their place: it is not even imported then.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

SECONDS = 0.1
"""A test is slow if a case of it takes longer."""

SECONDS_OF_A_FIXTURE = 1.0
"""A file is slow if a setup in it takes longer."""

LISTED = re.compile(r"([\d.]+)s (setup|call|teardown) +([^\[\s]+)")

ROOT = Path(__file__).parents[1]


def slow(log: str) -> list[str]:
    """The files and tests that are slow by the output of pytest, sorted; no test of a file that is there itself."""
    found: set[str] = set()
    for seconds, phase, test in LISTED.findall(log):
        if phase == "setup" and float(seconds) > SECONDS_OF_A_FIXTURE:
            found.add(test.partition("::")[0])
        elif phase == "call" and float(seconds) > SECONDS:
            found.add(test)
    files = {test.partition("::")[0] for test in found}
    found |= {file for file in files if 2 * len(found.intersection(_tests(file))) > len(_tests(file))}
    return sorted(test for test in found if "::" not in test or test.partition("::")[0] not in found)


def _tests(file: str) -> list[str]:
    """The node ids of the tests of a file, without cases; none of a file that is gone."""
    path = ROOT / file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return [f"{file}::{name}" for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = slow(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if not found:
        sys.exit(f"{sys.argv[1]} lists no times of tests. Run `make soak` and keep its output.")
    (ROOT / "tests" / "slow.txt").write_text("\n".join(found) + "\n", encoding="utf-8")
