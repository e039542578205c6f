"""Leaks: two positions in which a player knows the same, but has other legal actions; two actions that others
distinguish although they see nothing of what is different after them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.knowledge.observer import Observed
from rulespec.engine.states.state import State
from rulespec.language.model.spec import Option
from rulespec.play.deep.ground import Ground, Leak, middle
from rulespec.play.deep.lines import choices_of, line_of

MOST_TOGETHER = 40
"""Decisions that two worlds are played on side by side."""


def search(ground: Ground) -> Iterator[None]:
    """Draws what a player does not know anew in the middle of a game, and plays both worlds on by the same choices."""
    if ground.setting.players == 1:
        return
    for number in ground.allowance.units(0.15, 0.3):
        for leak in _leaks(ground, number, Generator(stream(ground.seed, number, 10))):
            option = ground.game.option_of[leak.action]
            if option not in ground.leaks or leak.cost < ground.leaks[option].cost:
                ground.leaks[option] = leak
        yield


def _leaks(ground: Ground, number: int, draws: Generator) -> Iterator[Leak]:
    state = middle(ground, ground.plain, number, record=True)
    if state is None:
        return
    if not state.asked:
        yield from _announced(ground, state, draws)
    player = draws.below(ground.setting.players)
    try:
        other = state.resample_from_infostate(player, draws.below(2**32 - 1))
    except StateError:
        return
    # Both draw the same from here on, so that they differ only in what was hidden.
    other.generator.state = state.generator.state
    yield from _side_by_side(ground, state, other, player, draws)


def _announced(ground: Ground, state: State, draws: Generator) -> Iterator[Leak]:
    """Two actions that another player distinguishes only because they are announced."""
    actor, legal = state.current_player(), state.legal_actions()
    one, other = (legal[draws.below(len(legal))] for _ in range(2))
    option, same = (
        ground.game.offers[ground.game.option_of[one]],
        ground.game.rule_of_action(one) == ground.game.rule_of_action(other),
    )
    if same and isinstance(option, Option) and not option.seen_by:
        for viewer in distinguished_by(state, one, other):
            line = line_of(ground.game, state.seed, [*choices_of(state), (actor, one)])
            yield Leak(line.seed, line.draws, one, viewer, announced=True)


def distinguished_by(state: State, one: int, other: int) -> Iterator[int]:
    """The players who distinguish two actions of another one, although all that is different after them is hidden from
    these players, and so is what happened but for the choice."""
    actor, ways = state.current_player(), (state.clone(), state.clone())
    seen = [len(state.observer(player).history) for player in range(state.game.players)]
    for way, action in zip(ways, (one, other), strict=True):
        way.apply_action(action)
    if ways[0].pc != ways[1].pc or ways[0].generator.state != ways[1].generator.state:
        return
    for viewer in range(state.game.players):
        if viewer == actor or not _hides(*ways, viewer):
            continue
        first, second = (way.observer(viewer).history[seen[viewer] :] for way in ways)
        if first != second and _without_choice(first) == _without_choice(second):
            yield viewer


def _without_choice(observed: Sequence[Observed]) -> Sequence[Observed]:
    return [one for one in observed if one[0] not in ("choice", "kind")]


def _hides(one: State, other: State, viewer: int) -> bool:
    """Whether two positions are different in values and zones, but in none that a player sees."""
    game, views = one.game, [state.game.viewers.visibility(viewer, state.r, state.z) for state in (one, other)]
    sizes = {base: game.setting.cells(game.spec.values[value]) for value, base in game.program.value_base.items()}
    values = [slot for base, size in sizes.items() for slot in range(base, base + size) if one.r[slot] != other.r[slot]]
    zones = [zone for zone in range(len(one.z)) if one.z[zone] != other.z[zone]]
    if views[0] != views[1] or not (values or zones):
        return False
    unseen = all(len(one.z[zone]) == len(other.z[zone]) and not views[0].zones[zone] for zone in zones)
    return unseen and views[0].hidden.issuperset(values)


def _side_by_side(ground: Ground, state: State, other: State, player: int, draws: Generator) -> Iterator[Leak]:
    for _ in range(MOST_TOGETHER):
        if state.is_terminal() or other.is_terminal() or state.deciders() != other.deciders():
            return
        if player in state.deciders():
            if state.information_state_key(player) != other.information_state_key(player):
                return
            mine, others = set(state.legal_actions(player)), set(other.legal_actions(player))
            if mine != others:
                line = line_of(ground.game, state.seed, choices_of(state))
                yield Leak(line.seed, line.draws, min(mine ^ others), player)
                return
        for who in state.deciders():
            both = sorted({*state.legal_actions(who)} & {*other.legal_actions(who)})
            if not both:
                return
            action = both[draws.below(len(both))]
            state.apply_action(action, who)
            other.apply_action(action, who)
