"""The seal of a text, `confirmed:`: what was compared, its rule, its words and those of its source."""

from __future__ import annotations

import re
from dataclasses import dataclass

PATTERN = re.compile(
    r"(?P<rule>[123](?:-[0-9a-f]{8}){1,3}(?:-(?:[0-9a-f]{4})+)?)"
    r" words (?P<words>[0-9a-f]{8})"
    r"(?: (?P<lang>[a-z]{2,3}(?:-[A-Za-z]+)*) (?P<source>[0-9a-f]{8}))?"
)


@dataclass(frozen=True)
class Seal:
    """What a text was confirmed with, each "" if it was not: the digests of its `rule` (see confirmation.py), of its
    own `words` and of the words of its source (see `rulespec.base.wording`), a text in the language `lang`."""

    rule: str = ""
    words: str = ""
    lang: str = ""
    source: str = ""

    @classmethod
    def of(cls, said: str) -> Seal:
        """The seal that `confirmed:` says; one of nothing for a text that is no seal."""
        found = PATTERN.fullmatch(said)
        return cls(**{key: value or "" for key, value in found.groupdict().items()}) if found else cls()

    def __str__(self) -> str:
        beside = f" {self.lang} {self.source}" if self.source else ""
        return f"{self.rule} words {self.words}{beside}" if self.rule else ""


UNSEALED = Seal()
"""The seal of a text that was never confirmed."""
