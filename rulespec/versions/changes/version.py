"""The version that a game must have after its changes (semver.org, applied to games)."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.base.project import version_numbers
from rulespec.versions.changes.kinds import Impact

LEVELS = ("none", "patch", "minor", "major")
"""How far a version rises, from not at all to most."""

_NEEDED = {Impact.NONE: 0, Impact.DATA: 1, Impact.TEXT: 1, Impact.PLAY: 2, Impact.BREAKING: 3}


@dataclass(frozen=True)
class Bump:
    """How far a version must rise and has risen, the least version that is enough, and whether it has fallen."""

    needed: str
    made: str
    least: str
    fell: bool = False

    @property
    def enough(self) -> bool:
        return not self.fell and LEVELS.index(self.made) >= LEVELS.index(self.needed)


def bump(old: str, new: str, impact: Impact) -> Bump:
    """Compares two versions `major.minor.patch`. Before 1.0.0 a breaking change needs a minor version only.

    A version that falls is never enough, even if the game is the same: an older game had that version.
    """
    was, now = (version_numbers(version) or (0, 0, 0) for version in (old, new))
    needed = _NEEDED[impact]
    if was[0] == 0 and needed == len(LEVELS) - 1:
        needed -= 1
    place = next((i for i, (a, b) in enumerate(zip(was, now, strict=True)) if a != b), None)
    made = 0 if place is None or now < was else len(LEVELS) - 1 - place
    return Bump(LEVELS[needed], LEVELS[made], _raised(was, needed), now < was)


def _raised(was: tuple[int, ...], needed: int) -> str:
    if not needed:
        return ".".join(map(str, was))
    at = len(LEVELS) - 1 - needed
    return ".".join(map(str, (*was[:at], was[at] + 1, *(0,) * (2 - at))))
