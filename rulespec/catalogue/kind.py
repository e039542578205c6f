"""What a kind of finding is, and how bad it is."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How serious a finding is; ordered, so that `max()` of severities is the worst one."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        return tuple(Severity).index(self)

    # A StrEnum would compare as text ("error" < "info"), which is the wrong order without a word of warning.
    def __lt__(self, other: str) -> bool:
        return self.rank < Severity(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= Severity(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > Severity(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= Severity(other).rank


@dataclass(frozen=True)
class Kind:
    """One kind of finding: `code` ("RS102") and `name` ("duplicate-key") never change once published.

    `summary` is one sentence; `page` says why it matters, what to do, and shows a bad and a good sample.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    page: str
