"""What has been revealed since a decision: why it cannot be taken back at a table with several people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rulespec.base.messages import Message, say
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.knowledge.observer import Observed, Observer
from rulespec.engine.knowledge.results import player_words

if TYPE_CHECKING:
    from rulespec.engine.interpreter.running import Event
    from rulespec.engine.states.state import State

WORLDS = 4
"""Possible worlds of each player that are compared with the game."""

Past = Sequence[tuple[int, int]]
"""Choices: players (seats from 0) and their actions."""


def revealed(before: State, since: Past, after: State) -> Message | None:
    """What has become known to a player since a decision, None if nothing was.

    `before` is the state at the decision, `since` the choices from there to the state `after`. What players see of
    cards and draws is read from the events. What else depends on something hidden, such as a number counted in a hidden
    zone, differs between worlds that were possible before: some are drawn, and the same choices are made in each. A
    rare difference can be in none of those drawn.
    """
    seats = range(after.game.players)
    seen = (found for seat in seats if (found := _seen(before, after, seat)) is not None)
    inferred = (found for seat in seats if (found := _inferred(before, since, after, seat)) is not None)
    return next(seen, None) or next(inferred, None)


def _seen(before: State, after: State, seat: int) -> Message | None:
    """What a player was shown: a card they did not know, a draw, a zone or a value that was hidden."""
    assert before.events is not None and after.events is not None
    observer = before.observer(seat).copy()
    for event in after.events[len(before.events) :]:
        known = _known(observer, event)
        for one in observer.observe(event):
            says = _SHOWS.get(one[0])
            if says is not None and not known and (found := says(seat, one)) is not None:
                return found
    observer.look()
    return None


def _known(observer: Observer, event: Event) -> bool:
    """Whether the cards of an event were known before it."""
    knowledge = observer.knowledge
    assert knowledge is not None
    if event[0] == "move":
        _, _, card, zone, position, _ = event
    elif event[0] == "show":
        _, _, card, zone, position, *_ = event
    else:
        return event[0] == "move_all" and knowledge.visible[event[2]]
    face = knowledge.faces[card]
    in_place = not knowledge.visible[zone] and knowledge.ordered[zone] and knowledge.at(zone)[position] == face
    return knowledge.visible[zone] or in_place or _all_known(observer, zone)


def _all_known(observer: Observer, zone: int) -> bool:
    """Whether a player knows every card of a zone without order: then none that leaves it is news."""
    knowledge = observer.knowledge
    assert knowledge is not None
    return not knowledge.ordered[zone] and sum(knowledge.loose(zone).values()) == len(knowledge.at(zone))


def _card(seat: int, observed: Observed) -> Message | None:
    seen = observed[1] >= 0 if observed[0] != "move_all" else len(observed) > 4
    return say("{player} has seen a card since", player=player_words(seat)) if seen else None


def _draw(seat: int, observed: Observed) -> Message:
    return say("chance has decided something since")


def _look(seat: int, observed: Observed) -> Message:
    return say("{player} has seen something since that was hidden", player=player_words(seat))


_SHOWS: dict[str, Callable[[int, Observed], Message | None]] = {
    "move": _card,
    "move_all": _card,
    "show": _card,
    "random": _draw,
    "unseen": _draw,
    "zone": _look,
    "value": _look,
}
"""What shows a player something new, by what is observed."""


def _inferred(before: State, since: Past, after: State, seat: int) -> Message | None:
    wanted = after.information_state_key(seat)
    if all(key == wanted for key in _keys(before, since, seat)):
        return None
    return say("{player} can have learned something hidden since", player=player_words(seat))


def _keys(before: State, since: Past, seat: int) -> Iterator[bytes | None]:
    """What a player observes if the same choices are made in worlds that they thought possible; None where one of them
    cannot be made: a player who sees it made learns that the world is another one."""
    for number in range(WORLDS):
        try:
            world = before.resample_from_infostate(seat, number)
            for player, action in since:
                world.apply_action(_in_world(world, seat, player, action), player)
        except StateError:
            yield None
        else:
            yield world.information_state_key(seat)


def _in_world(world: State, seat: int, player: int, action: int) -> int:
    """The action in a world; for a choice that a player does not see, such as of cards that another has in this world,
    one of the same option that is legal there."""
    legal, actions = world.legal_actions(player), world.game.actions
    if action in legal or player == seat or (not world.asked and actions.sees(seat, player, action)):
        return action
    option = actions.option(action)
    return next((one for one in legal if actions.option(one) is option), action)
