"""Pairs of games that differ only in cards that a player never saw."""

from __future__ import annotations

from rulespec.engine.knowledge.events import Narrator
from rulespec.engine.states.state import State


def unseen(state: State, player: int) -> list[int]:
    """The cards whose face the player never saw: in no move, not shown to them, in no zone of theirs."""
    narrator = Narrator(state.game, player)
    assert narrator.knowledge is not None
    seen: set[int] = set()
    for event in state.events or ():
        if event[0] == "move" and narrator.observes(event[3], event[5]):
            seen.add(event[2])
        elif event[0] == "move_all" and narrator.observes(event[2], event[3]):
            seen.update(event[4:])
        elif event[0] == "show" and (event[5] in (-1, player) or narrator.observes(event[3])):
            seen.add(event[2])
    return [card for card in state.game.program.cards if card not in seen]


def exchanged(state: State, a: int, b: int) -> State:
    """The same game had card a been card b from the beginning, and the other way round."""
    twin = state.clone()
    twin.known = {}
    swap = {a: b, b: a}
    twin.z = [[swap.get(card, card) for card in cards] for cards in twin.z]
    events = []
    for event in twin.events or ():
        kind, rule, *rest = event
        if kind in ("move", "show"):
            rest[0] = swap.get(rest[0], rest[0])
        elif kind in ("move_all", "shuffle"):
            lead = 2 if kind == "move_all" else 1
            rest[lead:] = [swap.get(card, card) for card in rest[lead:]]
        events.append((kind, rule, *rest))
    twin.events = events
    return twin
