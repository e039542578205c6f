"""The switch of planted mistakes (`benchmarks/mutants.py`): at most one of them is on in a process."""

from __future__ import annotations

import os

ACTIVE = int(os.environ.get("MUTANT", "-1"))
FOLDER = os.environ.get("MUTANT_HITS", "")
"""Where is noted which test reaches which mistake; empty for nowhere."""

test, process = "", 0
"""The test that runs, and the process of pytest."""

seen: set[int] = set()
"""The mistakes that the test has reached."""


def on(number: int) -> bool:
    """Whether a mistake is on. Called in its place, so it is reached."""
    if number not in seen:
        seen.add(number)
        if FOLDER and os.getpid() != process:
            name = test or os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
            with open(os.path.join(FOLDER, "processes"), "a", encoding="utf-8") as file:
                file.write(f"{number}\t{name}\n")
    return number == ACTIVE
