"""Possible worlds with weights: how well each explains what the other players have done, if they follow a policy.

A world is a whole game, played again from its beginning. What the player saw of the draws is drawn again, and the rest
anew (see conditioned_chance.py). A card that is seen later counts only where the player can say from which place of a
draw it comes. Choices that the player saw are made again. For those that they did not see, the ways to choose are
tried, and one of those that look the same is taken. The weight of the world is the probability of all that was made to
happen again: of the draws, and of the choices under the policy.

So the worlds with their weights stand for what is to be believed of the game: this is importance sampling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import exp, log, prod
from typing import NamedTuple

from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.interpreter.running import Event, StateError, cards_at_start
from rulespec.engine.knowledge.observer import Observed, Observer
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.search.conditioned_chance import (
    UNSEEN,
    ConditionedChance,
    Constraint,
    Drawn,
    FromSeed,
    Impossible,
    RedrawnState,
)
from rulespec.engine.states.state import State

Policy = Callable[[State, int], Mapping[int, float]]
"""The probability of each legal action of a player who decides; 0 for what is left out."""

MOST_WAYS = 128
"""Ways of choosing unseen that are tried one by one; of more, as many are drawn."""


class World(NamedTuple):
    """A possible state, and its part in the weights of all worlds."""

    state: State
    weight: float


class Stage(NamedTuple):
    """One decision: the actions by player, those that were not seen, and a digest of all seen until the next."""

    actions: Mapping[int, int]
    unseen: frozenset[int]
    digest: tuple[int, int]
    draws: int
    """The number of draws before it."""


@dataclass(frozen=True)
class ObservationHistory:
    """The observation history of a player: each decision, and what each draw has shown to the player."""

    state: State
    player: int
    stages: Sequence[Stage]
    constraints: Sequence[Constraint]


def uniform(state: State, player: int) -> Mapping[int, float]:
    """The policy that takes every legal action with the same probability."""
    legal = state.legal_actions(player)
    return dict.fromkeys(legal, 1 / len(legal))


def weighted_worlds(state: State, player: int, count: int, seed: int = 0, policy: Policy = uniform) -> list[World]:
    """Possible worlds of a player with weights that add up to 1: see above. Of `count` games that are tried, those that
    turn out impossible are left out.

    The same seed gives the same worlds. Raises ValueError for a count below 1, StateError if all are impossible, for a
    state that keeps no events, for a possible world, which has no beginning, for a game with explicit chance nodes, and
    for one with decisions that the others do not see.
    """
    if count < 1:
        raise ValueError(f"the number of games to try must be at least 1, not {count}")
    history = _history(state, player)
    found = [world for n in range(count) if (world := _world(history, policy, stream(seed, n))) is not None]
    if not found:
        hint = "try more of them, or a policy that may choose anything"
        raise StateError(f"none of {count} games could have looked like this to seat {player}: {hint}")
    best = max(log_likelihood for _, log_likelihood in found)
    # Relative to the best one: the likelihoods of long games are too small for a float.
    total = sum(exp(log_likelihood - best) for _, log_likelihood in found)
    return [World(one, exp(log_likelihood - best) / total) for one, log_likelihood in found]


# --- observation history ---------------------------------------------------------------------------------------------


def _history(state: State, player: int) -> ObservationHistory:
    state.observer(player)
    if state.position is not None and not state.position.at:
        raise StateError("a possible world has no beginning, so what was done in it cannot be replayed")
    if state.game.program.unnoticed:
        raise StateError("worlds have weights only in games in which all players see that a player decides")
    if state.is_chance_node() or any(seat < 0 for seat, _ in state.choices):
        raise StateError("worlds have weights only in games whose draws come from a seed")
    chance = FromSeed()
    twin = RedrawnState(state.game, state.seed, state.position, chance)
    stages = [*_stages(twin, state, player)]
    return ObservationHistory(state, player, stages, [*_constraints(twin, player, chance.drawn)])


def _stages(twin: RedrawnState, state: State, player: int) -> Iterator[Stage]:
    """Plays the game again, decision by decision."""
    left = iter(state.choices)
    while (choice := next(left, None)) is not None:
        together = dict([choice, *islice(left, max(0, len(twin.asked) - 1))])
        assert isinstance(twin.chance, FromSeed)
        before = len(twin.chance.drawn)
        twin.apply_actions(together)
        actions = twin.game.actions
        unseen = frozenset(seat for seat, a in together.items() if not actions.sees(player, seat, a))
        yield Stage(together, unseen, twin.observer(player).digest, before)


def _constraints(twin: RedrawnState, player: int, drawn: Iterable[Drawn]) -> Iterator[Constraint]:
    events, of_event = twin.events or [], {one.event: one for one in drawn}
    before, after, mixed = _sightings(twin, events, player)
    # From the end back: a card that is seen is that of the last draw before, and says nothing about earlier ones.
    ahead: set[int] = set()
    found: list[Constraint] = []
    for number in range(len(events), -1, -1):
        ahead |= after.get(number, set())
        if number in of_event:
            found.append(_constraint(twin.game, of_event[number], events[number], player, ahead))
        ahead -= mixed.get(number, set())
        ahead |= before.get(number, set())
    return reversed(found)


def _constraint(game: Ruleset, drawn: Drawn, event: Event, player: int, ahead: set[int]) -> Constraint:
    if drawn.kind == "random":
        return Constraint(drawn.kind, drawn.where, (event[3],) if event[4] < 0 or event[4] >> player & 1 else ())
    cards = event[3:] if drawn.kind == "shuffle" else event[2:3]
    return Constraint(drawn.kind, drawn.where, tuple(game.program.faces[c] if c in ahead else UNSEEN for c in cards))


Sightings = dict[int, set[int]]
"""Cards by the number of the event that shows them."""


def _sightings(twin: RedrawnState, events: Sequence[Event], player: int) -> tuple[Sightings, Sightings, Sightings]:
    """The cards whose faces the player sees before each event, and by it; and those that it mixes with others, so that
    the player cannot say which of them a card is that is seen later."""
    program, observer = twin.game.program, Observer(twin.game, player, twin.position)
    where = cards_at_start(program.cards, program.start_zone, twin.position)
    before, after, mixed = Sightings(), Sightings(), Sightings()
    for number, event in enumerate(events):
        observed = observer.observe(event)
        zones = {one[1] for one in observed if one[0] == "zone"}
        before[number] = {card for card, zone in where.items() if zone in zones} if zones else set()
        # Before `_shown`, which moves the cards on in `where`.
        # The cards of a shuffle, and those of a zone from which one is taken that is not on top of an order
        kind, ordered = event[0], twin.game.ordered
        if kind == "shuffle":
            mixed[number] = {*event[3:]}
        elif kind == "move_all" and not ordered[event[2]]:
            mixed[number] = {*event[4:]}
        elif kind == "move" and not (number in twin.from_top and ordered[event[3]]):
            mixed[number] = {card for card, zone in where.items() if zone == event[3]}
        else:
            mixed[number] = set()
        after[number] = _shown(observer, event, observed[-1:], where)
        mixed[number] |= _put_among_others(twin, event) - after[number]
    return before, after, mixed


def _put_among_others(twin: RedrawnState, event: Event) -> set[int]:
    """The cards that are put into a zone without an order."""
    target, cards = {"move": (5, event[2:3]), "move_all": (3, event[4:])}.get(event[0], (0, ()))
    return {*cards} if cards and not twin.game.ordered[event[target]] else set()


def _shown(observer: Observer, event: Event, observed: Iterable[Observed], where: dict[int, int]) -> set[int]:
    """The cards that an event shows; follows where they go."""
    kind = event[0]
    if kind == "move":
        where[event[2]] = event[5]
        return {event[2]} if any(one[0] == "move" and one[1] >= 0 for one in observed) else set()
    if kind == "move_all":
        where.update(dict.fromkeys(event[4:], event[3]))
        return {*event[4:]} if any(len(one) > 4 for one in observed) else set()
    if kind == "show":
        return {event[2]} if any(one[0] == "show" and one[1] >= 0 for one in observed) else set()
    return {*event[3:]} if kind == "shuffle" and observer.observes(event[2]) else set()


# --- a world ---------------------------------------------------------------------------------------------------------


def _world(history: ObservationHistory, policy: Policy, seed: int) -> tuple[State, float] | None:
    """A world and the logarithm of its weight; None if it is impossible."""
    of, player, draws = history.state, history.player, Generator(seed)
    try:
        world = RedrawnState(
            of.game, of.seed, of.position, ConditionedChance(history.constraints, Generator(stream(seed, 1)))
        )
        log_likelihood = _take_log_likelihood(world)
        for stage in history.stages:
            world, more = _step(world, stage, player, policy, draws)
            log_likelihood += more
    except Impossible:
        return None
    if player in of.decided:
        world.apply_action(of.decided[player], player)
    same = world.information_state_key(player) == of.information_state_key(player)
    return (world.detached(stream(seed, 2)), log_likelihood) if same else None


def _take_log_likelihood(world: RedrawnState) -> float:
    """The log-likelihood of the constraints met since the last call, which resets it."""
    assert isinstance(world.chance, ConditionedChance)
    log_likelihood, world.chance.log_likelihood = world.chance.log_likelihood, 0.0
    return log_likelihood


def _step(
    world: RedrawnState, stage: Stage, player: int, policy: Policy, draws: Generator
) -> tuple[RedrawnState, float]:
    """A world one decision later with the same observation, and the log-likelihood of that observation."""
    if {*world.deciders()} != {*stage.actions}:
        raise Impossible
    assert isinstance(world.chance, ConditionedChance)
    world.chance.at = stage.draws  # choices that were not seen may have brought other draws
    found: list[tuple[float, RedrawnState]] = []
    for actions, probability in _ways(world, stage, player, policy, draws):
        log_likelihood, after = _after(world, actions, draws)
        if log_likelihood is not None and after.observer(player).digest == stage.digest:
            found.append((log(probability) + log_likelihood, after))
    if not found:
        raise Impossible
    best = max(logarithm for logarithm, _ in found)
    weights = [exp(logarithm - best) for logarithm, _ in found]
    return found[_pick(weights, draws)][1], best + log(sum(weights))


def _after(world: RedrawnState, actions: Mapping[int, int], draws: Generator) -> tuple[float | None, RedrawnState]:
    """A copy of a world after actions, with draws of its own, and the logarithm of their probability; None if what the
    player saw cannot happen there."""
    after = world.clone()
    assert isinstance(after.chance, ConditionedChance)
    # A clone has the draws of the world, so that without this all ways would draw the same.
    after.chance.draws = Generator(stream(draws.below(2**31), 1))
    try:
        after.apply_actions(actions)
    except (Impossible, StateError):
        return None, after
    return _take_log_likelihood(after), after


def _pick(weights: Sequence[float], draws: Generator) -> int:
    """The number of one of the weights, drawn with their proportions."""
    at = sum(weights) * draws.below(2**31) / 2**31
    for number, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return number
    return len(weights) - 1


def _ways(
    world: RedrawnState, stage: Stage, player: int, policy: Policy, draws: Generator
) -> Iterator[tuple[dict[int, int], float]]:
    """The ways in which all who decide may have chosen, with their probabilities."""
    each = [_choices(world, stage, seat, player, policy) for seat in stage.actions]
    if prod(map(len, each)) > MOST_WAYS:
        each = [[*_alike(world, stage, seat, player, found)] for seat, found in zip(stage.actions, each, strict=True)]
    if prod(map(len, each)) <= MOST_WAYS:
        for way in product(*each):
            yield _way(stage, way), prod(probability for _, probability in way)
        return
    for _ in range(MOST_WAYS):
        drawn = [choices[_pick([probability for _, probability in choices], draws)] for choices in each]
        yield _way(stage, drawn), prod(sum(p for _, p in choices) for choices in each) / MOST_WAYS


def _way(stage: Stage, choices: Iterable[tuple[int, float]]) -> dict[int, int]:
    return dict(zip(stage.actions, (action for action, _ in choices), strict=True))


Choices = Sequence[tuple[int, float]]
"""Actions that a seat may have taken, with their probabilities."""


def _choices(world: RedrawnState, stage: Stage, seat: int, player: int, policy: Policy) -> Choices:
    """What a seat may have done. The player's own choice counts nothing: it is the same in every world."""
    action, legal = stage.actions[seat], world.legal_actions(seat)
    if seat == player:
        return [(action, 1.0)]
    likely = policy(world, seat)
    possible = legal if seat in stage.unseen else [action] if action in legal else []
    return [(a, likely[a]) for a in possible if likely.get(a, 0.0) > 0]


def _alike(world: RedrawnState, stage: Stage, seat: int, player: int, choices: Choices) -> Iterator[tuple[int, float]]:
    """The choices of a seat that look as they did while the others choose as they did."""
    for action, probability in choices:
        # Draws of its own: whether a choice looks the same must not change how the world goes on.
        log_likelihood, after = _after(world, {**stage.actions, seat: action}, Generator(1))
        if log_likelihood is not None and after.observer(player).digest == stage.digest:
            yield action, probability
