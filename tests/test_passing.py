"""What is seen on the way from one decision to the next, the scores meanwhile, and how a hand is sorted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import rulespec
from rulespec.engine.states.playout import random_game
from rulespec.engine.states.state import State
from rulespec.play.table.scene import Scene, position_of
from rulespec.play.table.story import Story

pytestmark = pytest.mark.slow("plays games")


def followed(name: str, players: int, seat: int) -> Iterator[tuple[State, Story, list[dict[str, Any]]]]:
    """A random game at each decision, with its story for a seat, and the positions on the way there."""
    story = None
    for state in random_game(rulespec.load(name).game(players, engine="interpreter"), 3):
        story = story or Story(state, seat)
        between: list[dict[str, Any]] = []
        story.follow(state, lambda passing, found=between: found.append(position_of(passing, seat)))
        yield state, story, between


def cards(state: State, position: dict[str, Any], name: str) -> int:
    """The cards in all zones of a name."""
    return sum(one["size"] for one in position["zones"] if state.game.program.zones[one["zone"]][0] == name)


@pytest.mark.parametrize(
    ("name", "players"), [("hearts", 4), ("night_train", 3), ("crazy_eights", 3), ("five_card_draw", 3), ("mancala", 2)]
)
def test_all_events_lead_to_the_position_that_is_seen(name: str, players: int) -> None:
    for state, story, _ in followed(name, players, 1):
        reached, seen = position_of(story.passing, 1), position_of(state, 1)
        assert (reached["zones"], reached["values"]) == (seen["zones"], seen["values"])


def test_a_full_trick_is_seen_before_it_goes() -> None:
    tricks = 0
    for state, _, between in followed("hearts", 4, 0):
        for position in between:
            others = [one for one in position["zones"] if state.game.program.zones[one["zone"]] in OTHER_HANDS]
            assert not any(face is not None for one in others for face in one["faces"])
        full = [position for position in between if cards(state, position, "trick") == 4]
        assert not full or cards(state, position_of(state, 0), "trick") == 0
        tricks += len(full)
    assert tricks == 13


OTHER_HANDS = [("hand", (seat,)) for seat in (1, 2, 3)]

SCORES = {
    "hearts": (4, [2, 4, 0, 20]),
    "crazy_eights": (4, [34, None, None, None]),  # what others hold is hidden, also at the end
    "checkers": (2, []),  # who has won is no score
}


@pytest.mark.parametrize("name", SCORES)
def test_scores_are_known_as_far_as_what_they_are_made_of(name: str) -> None:
    players, wanted = SCORES[name]
    *_, (state, _, _) = followed(name, players, 0)
    assert state.game.viewers.scores(state, 0) == wanted
    if wanted:
        assert state.game.viewers.scores(state, None) == state.scores()


ORDERS = {
    "hearts": "two clubs, three clubs",
    "fortheking": "diplomacy 2 A, diplomacy 2 B",
    "gin_rummy": "1 clubs, 2 clubs",
}


@pytest.mark.parametrize("name", ORDERS)
def test_a_hand_is_sorted_by_colour_and_then_by_number(name: str) -> None:
    spec = rulespec.load(name)
    faces = Scene(spec.game(max(spec.players))).to_dict()["faces"]
    assert ", ".join(one["name"] for one in sorted(faces, key=lambda one: one["order"])[:2]) == ORDERS[name]
