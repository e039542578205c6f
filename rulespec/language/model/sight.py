"""Sight: which players see the cards of a zone, the content of a value or what is drawn at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from rulespec.language.model.typed import TExpr

Group: TypeAlias = Literal["everybody", "nobody", "owner", "others", "where"]

GROUPS: Mapping[str, Group] = {"everybody": "everybody", "nobody": "nobody", "owner": "owner", "others": "others"}
"""The groups that are named by a word. `others` are all but the owner."""


class Decides(Protocol):
    """A setting of the game, as far as sight depends on it."""

    def present(self, only_if: TExpr | None, /) -> bool:
        """Whether a condition on the setting holds, or there is none."""


@dataclass(frozen=True)
class Viewers:
    """A group of players. For the group `where`, those for whom `where` holds while they are bound to `viewer`."""

    group: Group
    viewer: str = ""
    where: TExpr | None = None


PUBLIC = Viewers("everybody")


@dataclass(frozen=True)
class Sight:
    """Who sees something: `viewers`; if `condition`, which depends on the setting, fails, `otherwise`."""

    viewers: Viewers = PUBLIC
    otherwise: Viewers = PUBLIC
    condition: TExpr | None = None

    def under(self, setting: Decides) -> Viewers:
        """The viewers under one setting."""
        return self.viewers if setting.present(self.condition) else self.otherwise

    @property
    def ways(self) -> tuple[Viewers, ...]:
        """The groups that may see it, each once."""
        return tuple(dict.fromkeys((self.viewers, self.otherwise)))

    @property
    def public(self) -> bool:
        """Whether everybody sees it under every setting."""
        return self.ways == (PUBLIC,)

    @property
    def expressions(self) -> tuple[TExpr, ...]:
        """The condition, and those on the viewer."""
        found = (self.condition, *(way.where for way in self.ways))
        return tuple(one for one in found if one is not None)


OPEN = Sight()
"""The sight of everybody."""
