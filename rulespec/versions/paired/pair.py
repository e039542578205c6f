"""A pair: both versions of a game under one setting, with draws that are named alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rulespec.engine.named_chance.game import NamedGame
from rulespec.engine.named_chance.labels import Aliases
from rulespec.engine.states.game import setting
from rulespec.language.model.constants import Setting
from rulespec.language.model.spec import Spec
from rulespec.versions.changes.both import Both
from rulespec.versions.changes.compare import Changes, compare
from rulespec.versions.changes.kinds import Impact


class PairError(ValueError):
    """Raised for versions that have no setting in common."""


@dataclass(frozen=True)
class Pair:
    """Both versions. Names of the old version have those of the new one as aliases."""

    old: NamedGame
    new: NamedGame

    # Without it, the comparison that `changes` keeps would be sent to every worker.
    def __reduce__(self) -> tuple[Any, ...]:
        return Pair, (self.old, self.new)

    @property
    def players(self) -> int:
        return self.new.players

    @property
    def sides(self) -> tuple[NamedGame, NamedGame]:
        return self.old, self.new

    @cached_property
    def changes(self) -> Changes:
        return compare(self.old.spec, self.new.spec)

    @cached_property
    def changed_rules(self) -> frozenset[str]:
        """The rules that a change concerns, in the names of the new version."""
        return frozenset(rule for change in self.changes.every for rule in change.rules)

    @property
    def other_changes(self) -> tuple[str, ...]:
        """The names of changes in play that concern no rule, such as those of cards."""
        return tuple(one.name for one in self.changes.every if one.impact >= Impact.PLAY and not one.rules)

    def rule(self, game: NamedGame, number: int) -> str:
        """The id of a rule of either version by its index, in the names of the new version."""
        return game.labels.aliases.of("rule", game.program.rules[number]) if number >= 0 else ""


def paired(old: Spec, new: Spec, players: int | None = None, rulings: Mapping[str, str] | None = None) -> Pair:
    """Both versions with the same number of players (by default the fewest that both have) and the same rulings.

    Raises PairError if they have no such number, or if neither knows a ruling or an answer.
    """
    aliases = Aliases(Both(old, new).names.names)
    count = _players(old, new, players)
    known = {id_ for spec in (old, new) for id_ in spec.rulings}
    if unknown := [id_ for id_ in rulings or {} if id_ not in known]:
        raise PairError(f"unknown ruling `{unknown[0]}`: the versions have {', '.join(sorted(known)) or 'none'}")
    before = _setting(old, count, {_old_name(old, aliases, id_): answer for id_, answer in (rulings or {}).items()})
    return Pair(NamedGame(before, aliases), NamedGame(_setting(new, count, rulings or {})))


def _players(old: Spec, new: Spec, wanted: int | None) -> int:
    shared = [count for count in old.players if count in new.players]
    if wanted is None and shared:
        return shared[0]
    if wanted in shared and wanted is not None:
        return wanted
    was, now = (_range(spec) for spec in (old, new))
    asked = f"not both for {wanted}" if wanted is not None else "for no number of both"
    raise PairError(f"the old version is for {was} players and the new one for {now}, {asked}")


def _range(spec: Spec) -> str:
    fewest, most = spec.players.start, spec.players[-1]
    return f"{fewest}" if fewest == most else f"{fewest} to {most}"


def _old_name(old: Spec, aliases: Aliases, ruling: str) -> str:
    """The name of a ruling in the old version."""
    return next((id_ for id_ in old.rulings if aliases.of("ruling", id_) == ruling), ruling)


def _setting(spec: Spec, players: int, rulings: Mapping[str, str]) -> Setting:
    """The setting of one version, without the rulings that only the other one has."""
    try:
        return setting(spec, players, {id_: answer for id_, answer in rulings.items() if id_ in spec.rulings})
    except ValueError as error:
        raise PairError(f"{error} (version {spec.version})") from None
