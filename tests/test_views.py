"""What a player may know, as text, numbers and a key, and possible worlds: nothing more, and nothing less."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from agreement import HERE
from exchanged_cards import exchanged, unseen

import rulespec
from rulespec.base.project import playable_games
from rulespec.engine.knowledge.events import Narrator
from rulespec.engine.knowledge.hidden_zones import LEARNED, Knowledge
from rulespec.engine.knowledge.observer import _PROJECTIONS, Observer, _static
from rulespec.engine.knowledge.possible_worlds import _Zones
from rulespec.engine.rules.viewers import GameViewers, Visibility
from rulespec.engine.states.state import State

pytestmark = pytest.mark.slow("what players know is worked out in many positions")

GALLERY = Path(__file__).resolve().parent.parent / "specs" / "gallery"
SIGHT = Path(__file__).parent / "sight"
SHIPPED = [(name, players) for name in rulespec.known_games() for players in rulespec.load(name).players]
HIDDEN = ["go_fish", "hanabi", "hearts", "leduc_poker", "liars_dice", "gin_rummy", "goofspiel", "five_card_draw"]
OTHERS = [(str(GALLERY / f"{name}.yaml"), 0) for name in HIDDEN] + [(str(f), 2) for f in sorted(SIGHT.glob("*.yaml"))]


def game_of(name: str, players: int, engine: str = "compiled") -> rulespec.Game:
    return rulespec.load(name).game(players or None, engine=engine)


def positions(game: rulespec.Game, seed: int, every: int, most: int = 400) -> Iterator[State]:
    """Every so many choices a position of a random game."""
    state, dice = game.new_initial_state(seed), random.Random(seed)
    for number in range(most):
        if state.is_terminal():
            break
        if number % every == 0:
            yield state
        for seat in state.deciders():
            state.apply_action(dice.choice(state.legal_actions(seat)), seat)
    yield state


def known(state: State, player: int) -> dict[str, Any]:
    """What a player may know, in every form."""
    return {
        "key": state.information_state_key(player),
        "text": state.observation_string(player),
        "tensor": state.observation_tensor(player),
        "history": state.information_state_tensor(player),
        "mask": state.legal_actions_mask(player),
    }


VIEWS = [
    "information_state_key",
    "information_state_string",
    "information_state_tensor",
    "legal_actions_mask",
    "observation_string",
    "observation_tensor",
]


@pytest.mark.parametrize("engine", HERE)
def test_without_a_player_it_is_the_view_of_the_player_to_act(engine: str) -> None:
    for state in positions(game_of("fortheking", 3, engine), seed=2, every=5, most=40):
        seat = state.current_player()
        assert state.view().player == seat
        assert all(getattr(state, name)() == getattr(state, name)(seat) for name in VIEWS)


NOBODY = [
    ("kingme", "sampled", rulespec.SIMULTANEOUS, "several players decide at once"),
    ("kuhn_poker", "explicit", rulespec.CHANCE, "chance is to act"),
    ("kuhn_poker", "sampled", rulespec.TERMINAL, "the game is over"),
]


@pytest.mark.parametrize("engine", HERE[1:])
@pytest.mark.parametrize(("name", "chance", "who", "why"), NOBODY, ids=lambda one: str(one))
def test_without_a_single_player_to_act_one_is_passed(name: str, chance: Any, who: int, why: str, engine: str) -> None:
    seed = 1 if chance == "sampled" else None
    state, dice = rulespec.load(name).game(engine=engine).new_initial_state(seed, chance=chance), random.Random(1)
    while state.current_player() != who:
        state.apply_action(dice.choice(state.legal_actions()))
    for view in {*VIEWS, "view"} - ({"legal_actions_mask"} if who != rulespec.SIMULTANEOUS else set()):
        with pytest.raises(rulespec.StateError, match=f"^{why}, so there is no single player to act: pass the player$"):
            getattr(state, view)()
        getattr(state, view)(0)


# --- Possible worlds -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), [*SHIPPED, *OTHERS])
@pytest.mark.sample(5)
def test_a_possible_world_is_the_same_to_the_player_and_can_be_played(name: str, players: int) -> None:
    game, dice = game_of(name, players), random.Random(3)
    for number, state in enumerate(positions(game, 7, 23)):
        player = number % game.players
        world = state.resample_from_infostate(player, number)
        assert known(world, player) == known(state, player)
        assert world.deciders() == state.deciders() or set(world.deciders()) > set(state.deciders())
        while not world.is_terminal():
            seat = dice.choice(world.deciders())
            world.apply_action(dice.choice(world.legal_actions(seat)), seat)
        assert all(world.observation_string(seat) for seat in range(game.players))


@pytest.mark.parametrize("engine", HERE)
def test_every_engine_draws_the_same_world(engine: str) -> None:
    first, other = (game_of("kingme", 3, one) for one in ("interpreter", engine))
    for one, two in zip(positions(first, 2, 9), positions(other, 2, 9), strict=True):
        worlds = [state.resample_from_infostate(1, 5) for state in (one, two)]
        assert worlds[0].snapshot() == worlds[1].snapshot() and worlds[0].asked == worlds[1].asked
        assert [known(state, 1) for state in (one, *worlds)] == [known(two, 1)] * 3


def test_worlds_are_drawn_evenly() -> None:
    """In Leduc poker, the other player has one of five cards of three ranks; chi-square with two degrees of freedom."""
    state = game_of(str(GALLERY / "leduc_poker.yaml"), 2).new_initial_state(4)
    game, own = state.game, state.zone("hand", 0)[0]
    rest = Counter(game.card_name(card) for card in game.program.cards if card != own)
    seen = Counter(game.card_name(state.resample_from_infostate(0, seed).zone("hand", 1)[0]) for seed in range(3000))
    assert set(seen) == set(rest)
    assert sum((seen[face] - 600 * copies) ** 2 / (600 * copies) for face, copies in rest.items()) < 14


def test_hidden_dice_are_rolled_evenly_and_own_dice_stay() -> None:
    state = started("cups")
    own, other = (state.game.address("die", [seat]) for seat in range(2))
    rolls = [state.resample_from_infostate(0, seed).r for seed in range(600)]
    assert {roll[own] for roll in rolls} == {state.r[own]}
    counts = Counter(roll[other] for roll in rolls)
    assert len(counts) == 6 and max(counts.values()) < 2 * min(counts.values())


def started(name: str) -> State:
    return game_of(str(SIGHT / f"{name}.yaml"), 2).new_initial_state(3)


def test_values_of_hidden_cards_stay_at_their_places() -> None:
    """In Hanabi, the place of a card in a hand is a value of the card, and a player does not see their own hand."""
    for state in positions(game_of(str(GALLERY / "hanabi.yaml"), 2), 3, 5):
        game, own = state.game, state.game.names.zone_number("hand", 0)
        base, true = game.program.value_base["place"], state.z[own]
        for seed in range(5):
            world = state.resample_from_infostate(0, seed)
            assert [world.r[base + card] for card in world.z[own]] == [state.r[base + card] for card in true]
            assert sorted(world.r[base : base + len(game.program.faces)]) == sorted(
                state.r[base : base + len(game.program.faces)]
            )


def test_a_world_cannot_be_saved_and_shows_no_secret_choice() -> None:
    for state in positions(game_of("kingme", 4), 1, 30):
        world = state.resample_from_infostate(2, 1)
        with pytest.raises(rulespec.StateError, match="cannot be saved"):
            world.to_json()
        with pytest.raises(rulespec.StateError, match="cannot be pickled"):
            pickle.dumps(world)
        for (seat, action), (_, kept) in zip(state.choices, world.choices, strict=True):
            assert kept == (action if state.game.actions.sees(2, seat, action) else -1)


def test_worlds_of_a_game_with_explicit_chance_nodes() -> None:
    dice, state = random.Random(2), game_of(str(GALLERY / "leduc_poker.yaml"), 2).new_initial_state(chance="explicit")
    while not state.is_terminal():
        for player in range(2):
            world = state.resample_from_infostate(player, 3)
            assert known(world, player) == known(state, player)
            assert world.is_chance_node() == state.is_chance_node()
        state.apply_action(dice.choice(state.legal_actions()))


# --- Views from the views before --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), [("fortheking", 3), ("kingme", 4), *OTHERS])
@pytest.mark.sample(5)
def test_a_view_made_from_the_one_before_is_one_made_anew(name: str, players: int) -> None:
    for number, state in enumerate(positions(game_of(name, players), 3, 5, 150)):
        fresh = state.clone()
        fresh.known = {}
        player = number % state.game.players
        assert known(state, player) == known(fresh, player)
        assert state.view(player).zones == fresh.view(player).zones


# --- Texts since the beginning ----------------------------------------------------------------------------------------


def narrated(state: State, player: int) -> str:
    """The information state, from all events so far."""
    words, observer = Narrator(state.game, player).words, Observer(state.game, player)
    lines = [words(one) for event in state.events or () for one in observer.observe(event)]
    return "\n".join([*lines, state.observation_string(player)])


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
@pytest.mark.parametrize("name", [*playable_games(), *map(str, sorted(SIGHT.glob("*.yaml")))])
@pytest.mark.sample(6)
def test_a_text_that_grows_is_that_of_all_events(name: str, chance: str) -> None:
    state, dice = (
        game_of(name, 0).new_initial_state(None if chance == "explicit" else 3, True, chance),
        random.Random(3),
    )
    for _ in range(60):
        for player in range(state.game.players):
            if dice.random() < 0.3:
                assert state.information_state_string(player) == narrated(state, player)
        state = state.clone() if dice.random() < 0.2 else state
        for seat in state.deciders() or ([None] if state.is_chance_node() else []):
            state.apply_action(dice.choice(state.legal_actions(seat)), seat)
    assert all(state.information_state_string(p) == narrated(state, p) for p in range(state.game.players))


def test_a_possible_world_has_the_text_of_the_state() -> None:
    for state in positions(game_of("kingme", 3), 2, 40, 120):
        world = state.resample_from_infostate(0, 5)
        assert world.information_state_string(0) == state.information_state_string(0)


# --- Keys ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice", "go_fish"])
def test_keys_are_equal_where_the_information_is(name: str) -> None:
    game = game_of(str(GALLERY / f"{name}.yaml"), 2)
    found: dict[bytes, tuple[str, list[int]]] = {}
    texts: dict[tuple[str, tuple[int, ...]], bytes] = {}
    for seed in range(150):
        for state in positions(game, seed, 1, 12):
            for player in range(2):
                text, legal = state.information_state_string(player), state.legal_actions(player)
                key = state.information_state_key(player)
                assert found.setdefault(key, (text, legal)) == (text, legal)
                assert texts.setdefault((text, tuple(legal)), key) == key
    assert len(found) > 100 or name == "kuhn_poker"


def test_a_key_does_not_depend_on_when_somebody_looks() -> None:
    game = game_of("fortheking", 3)
    often = [[state.information_state_key(p) for p in range(3)] for state in positions(game, 5, 1, 120)]
    once = [[state.information_state_key(p) for p in range(3)] for state in positions(game, 5, 120, 120)]
    assert often[0] == once[0] and often[-1] == once[-1]


# --- Tensors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), [*SHIPPED, *OTHERS])
@pytest.mark.sample(5)
def test_tensors_are_laid_out_as_their_parts_say(name: str, players: int) -> None:
    game = game_of(name, players)
    parts = game.observation_parts()
    assert [part.start for part in parts] == [0, *(part.end for part in parts[:-1])]
    assert game.observation_tensor_shape() == [parts[-1].end]
    for state in positions(game, 1, 60):
        tensor = state.observation_tensor(0)
        assert len(tensor) == parts[-1].end and min(tensor) >= 0 and max(tensor) <= 1.001
        assert len(state.information_state_tensor(0)) == game.information_state_tensor_shape()[0]


def test_a_tensor_holds_what_the_text_says() -> None:
    state = game_of("fortheking", 3).new_initial_state(1)
    game = state.game
    parts = {part.name: part for part in game.observation_parts()}
    tensor = state.observation_tensor(0)

    def part(name: str) -> list[float]:
        return list(tensor[parts[name].start : parts[name].end])

    assert part("player") == [1, 0, 0] and sum(part("turn")) == 1
    places = game.setting.contents(game.spec.values["esteem"].type)
    assert part("esteem[military]") == [1, *(float(state.value("esteem", 0) == place) for place in places)]
    state.apply_action(state.legal_actions()[0])
    tensor = state.observation_tensor(0)
    own, other = part("drawn[1]"), part("drawn[2]")
    assert own[0] == 1 and other[0] == 0 and sum(other[2:]) == 0
    for drawn, seat in ((own, 0), (other, 1)):
        assert drawn[1] == pytest.approx(len(state.zone("drawn", seat)) / len(game.program.cards))
    assert (sum(own[2:]) > 0) == bool(state.zone("drawn", 0))


# --- Nothing that a player cannot know -------------------------------------------------------------------------------


def leaks(state: State, player: int, dice: random.Random) -> list[str]:
    """What differs for a player in a game that differs only in cards that they never saw."""
    hidden = unseen(state, player)
    if len(hidden) < 2:
        return []
    state.known = {}
    twin = exchanged(state, *dice.sample(hidden, 2))
    one, two = known(state, player), known(twin, player)
    found = [form for form in one if one[form] != two[form]]
    faces = state.game.program.faces
    worlds = [
        [sorted(faces[c] for c in zone) for zone in of.resample_from_infostate(player, 9).z] for of in (state, twin)
    ]
    return [*found, *(["worlds"] if worlds[0] != worlds[1] else [])]


LEAKS = [
    ("fortheking", 3, 29),
    ("kingme", 4, 29),
    (str(GALLERY / "gin_rummy.yaml"), 2, 17),
    *[(str(SIGHT / "peeks.yaml"), 2, 1)] * 6,
]
"""Games, numbers of players, and the number of choices from one position to the next."""


def all_leaks() -> list[str]:
    dice, found = random.Random(1), list[str]()
    for seed, (name, players, every) in enumerate(LEAKS):
        for state in positions(game_of(name, players), seed, every, 220):
            found += [leak for player in range(players) for leak in leaks(state, player, dice)]
    return found


def test_nothing_depends_on_what_a_player_cannot_know() -> None:
    assert all_leaks() == []


def _sees_all(self: GameViewers, player: int | None, *_: Any) -> Visibility:
    return Visibility([True] * len(self.of_zone))


def _shuffled(observer: Observer, event: tuple[Any, ...]) -> tuple[Any, ...]:
    return "shuffle", event[2], *(observer.game.program.faces[card] for card in event[3:])


def _moved(observer: Observer, event: tuple[Any, ...]) -> tuple[Any, ...]:
    return "move", observer.game.program.faces[event[2]], event[3], event[5]


def _shown(observer: Observer, event: tuple[Any, ...]) -> tuple[Any, ...]:
    return "show", observer.game.program.faces[event[2]], *event[3:6]


def _remembered(self: Knowledge, event: tuple[Any, ...]) -> None:
    """A player who keeps track of cards through a shuffle."""
    if places := self._places[event[2]]:
        for place, card in enumerate(event[3:], places):
            self._known[place] = self.faces[card] + 1


MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "every zone is seen": lambda patch: patch.setattr(GameViewers, "visibility", _sees_all),
    "worlds keep the true cards": lambda patch: patch.setattr(_Zones, "_hide", lambda self, zone: None),
    "a hidden card shows its face as it moves": lambda patch: patch.setitem(_PROJECTIONS, "move", _moved),
    "the order after a shuffle": lambda patch: patch.setitem(_PROJECTIONS, "shuffle", _shuffled),
    "cards are followed through a shuffle": lambda patch: patch.setitem(LEARNED, "shuffle", _remembered),
    "all see what is shown to one": lambda patch: patch.setitem(_PROJECTIONS, "show", _shown),
}


@pytest.mark.parametrize("mutant", MUTANTS)
@pytest.mark.sample(2)
def test_a_program_that_leaks_is_caught(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MUTANTS[mutant](monkeypatch)
    _static.cache_clear()
    found = all_leaks()
    _static.cache_clear()
    assert found != []


SECRET_RULES = """
rulespec: 2
game: {id: secret_rules, version: 1.0.0, title: Secret rules, players: 2}
values:
  role: {type: 1..2, start: 1, seen_by: nobody, title: role}
  guessed: {type: bool, start: false, title: guessed}
setup:
  id: draw
  title: Draw
  random: {x: 1..2}
  seen_by: nobody
  do: {if: x == 1, then: {id: draw.a, title: One, set: {role: 1}}, else: {id: draw.b, title: Two, set: {role: 2}}}
play:
  - id: a
    title: Guess
    choose: {by: seat(1), options: [{says: "guess {v}", pick: {v: 1..2}, do: {set: {guessed: role == v}}}]}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "guessed ? 1 : 0", title: s}], left: share}}
"""


def test_worlds_do_not_depend_on_the_rule_that_set_a_hidden_value() -> None:
    """Which rule it was may follow from something hidden."""
    states = [rulespec.loads(SECRET_RULES).game().new_initial_state(seed) for seed in range(8)]
    roles = rulespec.loads(SECRET_RULES).game().program.value_base["role"]
    assert {state.r[roles] for state in states} == {1, 2}
    worlds = {tuple(state.resample_from_infostate(0, seed).r[roles] for seed in range(9)) for state in states}
    assert len(worlds) == 1 and len(set(worlds.pop())) == 2


def test_the_order_of_an_open_stack_set_up_by_hand_is_part_of_the_key() -> None:
    text = """
rulespec: 2
game: {id: stack, version: 1.0.0, title: Stack, players: 2}
cards: {fields: {value: 1..3}, manifest: [{value: 1..3, copies: 1}], start: pile}
zones: {pile: {order: stack, seen_by: everybody, title: pile}}
setup: {id: none, title: Nothing, note: Nothing is set up.}
play:
  - {id: a, title: Choose, choose: {by: seat(1), options: [{says: go on, do: {note: Nothing.}}]}}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: size(pile), title: cards}], left: share}}
"""
    game = rulespec.loads(text).game()
    states = [
        game.state_at(rulespec.StartPosition("a", {}, {0: order}, 0), 1) for order in ((0, 1, 2), (1, 0, 2), (0, 1, 2))
    ]
    first, second, third = (state.information_state_key(0) for state in states)
    assert first == third != second
