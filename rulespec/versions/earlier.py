"""The versions of a spec that players have, which its own version is compared with."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source


@dataclass(frozen=True)
class Earlier:
    """A version of a spec that players have: its name in a sentence, the command that lists the changes since then, ""
    if there is none, and its text, None if it cannot be read.

    A release has its path, if it is to be reported as damaged, and what is wrong if it cannot be read.
    """

    name: str
    command: str
    text: Source | None
    release: str = ""
    unreadable: tuple[Finding, ...] = ()
