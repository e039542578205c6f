"""Play from a place of a file at the page: from a rule, in the spec or in a text, or from a case of scenarios."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftk_cli.page.play import PERSON, choices_of, current
from rulespec.base.source import Source
from rulespec.games.scenario.start import before_rule, from_case, variant_of
from rulespec.play.bots.table import USUAL

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.games.scenario.start import Start

SEED = 1
"""The seed of the first random game that is tried."""


def play_from(name: str, text: str, offset: int) -> dict[str, Any] | None:
    """The `place` of a file that an offset, in code points, is in, and what `start` needs for a `game` from there:
    before the rule applies, or where the case leads. A person has the seat to act, the usual bots have the others.
    None if there is nothing to play from.

    Raises SpecError for a spec with errors, ValueError if there is no way there.
    """
    from rulespec.editing.editors.starts import played_from
    from rulespec.editing.file_kinds import kind_of, spec_of

    source = Source(name, text)
    place = played_from(source, offset)
    kind = kind_of(source)
    if not place or kind is None:
        return None
    game = Path(name if kind.name == "spec" else spec_of(source)).stem
    spec, edited = current(game, variant_of(source))
    found = _start(source, place, spec, is_case=kind.name == "scenario")
    seats = [PERSON if seat == found.seat else USUAL for seat in range(found.game.players)]
    begun = {"name": game, "variant": spec.model.variant, "rulings": found.game.identity()["rulings"], "text": edited}
    if found.state.position is None:
        leads: dict[str, Any] = {"choices": choices_of(found.state)}
    else:  # no choices lead there
        leads = {"case": {"name": name, "text": text, "id": place, "title": found.title}}
    return {"place": place, "game": {**begun, "seats": seats, "seed": found.state.seed, **leads}}


def _start(source: Source, place: str, spec: Spec, is_case: bool) -> Start:
    if is_case:
        return from_case(source, place, spec)
    if place not in spec.model.rules:
        raise ValueError(f"{spec.model.title} has no rule `{place}`.")
    games = [spec.game(players, engine="interpreter") for players in spec.players]
    return before_rule(place, games, SEED, (), spec)


CALLS: Mapping[str, Callable[..., Any]] = {"play_from": play_from}
"""The calls of this module."""
