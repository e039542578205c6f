"""What a kind of finding is, and how severe it is."""

from dataclasses import dataclass
from enum import StrEnum

from rulespec.base.messages import say


class Severity(StrEnum):
    """How serious a finding is. Severities are ordered: `max()` returns the worst."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        return tuple(Severity).index(self)

    # A StrEnum compares as text by default, and "error" < "info".
    def __lt__(self, other: str) -> bool:
        return self.rank < Severity(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= Severity(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > Severity(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= Severity(other).rank


@dataclass(frozen=True)
class FindingKind:
    """One kind of finding. Its code ("RS102") and name ("duplicate-key") never change once published.

    A warning counts `since` a format of files: in files of an older format it is a note, so that a check that passes
    goes on passing. The title and the explanation depend on the language; `rulespec.base.findings.pages` reads them.
    """

    code: str
    name: str
    severity: Severity
    since: int = 1

    @property
    def severity_text(self) -> str:
        """The severity, with the format since which it counts if that is not the first."""
        since = say("{severity}, since format {format}", severity=self.severity, format=self.since)
        return since if self.since > 1 else str(self.severity)


@dataclass(frozen=True)
class Group:
    """Kinds of finding about one subject, with neighbouring codes. `id` names the group's page in the docs."""

    id: str
    title: str
    kinds: tuple[FindingKind, ...]
