"""Checks the cards in play: their members must be in play as well."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checks.assignments import everything, spoken
from rulespec.diagnostics import Finding, finding
from rulespec.messages import say
from rulespec.model import spec as m
from rulespec.model.constants import Setting
from rulespec.model.types import NONE


def in_play(spec: m.Spec) -> Iterator[Finding]:
    """Rows of the manifest with a card of a member that is not in play; each row once."""
    enums = [name for name, declared in spec.enums.items() if declared.in_play is not None]
    conditions = [c for name in enums if (c := spec.enums[name].in_play) is not None]
    mentioned = conditions + ([spec.deck.leave_out] if spec.deck.leave_out is not None else [])
    reported: set[int] = set()
    for setting in (everything(spec).settings(mentioned) or []) if enums else ():
        for at, strange in _strangers(setting, {name: setting.in_play(name) for name in enums}):
            if at not in reported:
                reported.add(at)
                when = spoken(setting, mentioned)
                message = say(
                    "A card of {strange} is in the game {when}, but {strange} is not in play.",
                    strange=strange,
                    when=when,
                )
                hint = say("Add a condition on the card under `leave_out:`.")
                row = spec.deck.rows[at]
                yield finding("card-out-of-play", message, row.source, row.span, hint)


def _strangers(setting: Setting, playing: dict[str, tuple[int, ...]]) -> Iterator[tuple[int, str]]:
    """Numbers of manifest rows, each with a member that is on one of its cards and not in play."""
    rows = [at for at, row in enumerate(setting.spec.deck.rows) for _ in row.cards]
    for card in setting.cards:
        strange = _strange(setting, card, playing)
        if strange:
            yield rows[card], strange


def _strange(setting: Setting, card: int, playing: dict[str, tuple[int, ...]]) -> str:
    """A member on a card that is not in play; empty if there is none."""
    deck = setting.spec.deck
    for type_, value in zip(deck.fields.values(), deck.cards[card], strict=True):
        if value != NONE and value not in playing.get(type_.name, (value,)):
            return setting.spec.member(type_, value)
    return ""
