"""Pairs of games that differ only in cards that a player never saw."""

from __future__ import annotations

from events_of_cards import CARDS, moved

from rulespec.engine.knowledge.observer import Observer
from rulespec.engine.states.state import State


def unseen(state: State, player: int) -> list[int]:
    """The cards whose face the player never saw: in no move, not shown to them, in no zone of theirs."""
    observer = Observer(state.game, player)
    seen: set[int] = set()
    for source, target, cards, _ in moved(state.events):
        seen.update(cards if observer.observes(source, target) else ())
    for event in state.events or ():
        if event[0] == "show" and (event[5] in (-1, player) or observer.observes(event[3])):
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
        of = range(len(event))[CARDS.get(event[0], slice(0))]
        events.append(tuple(swap.get(one, one) if at in of else one for at, one in enumerate(event)))
    twin.reported = events
    return twin
