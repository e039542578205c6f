"""What clicks on squares, steps of tracks, cards and piles pick, as js/choice.js finds it from the actions of a
position."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chromium import needs, node

from ftk_cli.renderer import javascript
from rulespec.games.api import load
from rulespec.play.table.arrangement import arranged
from rulespec.play.table.choice import choice_of
from rulespec.play.table.scene import Scene, actions_of, position_of

pytestmark = needs(browser=False)

PAWN = ("a2 a4", "b7 b5", "a4 b5", "a7 a6", "b5 a6", "b8 c6", "a6 a7", "c6 b8")
KING = ("e2 e4", "a7 a6", "f1 c4", "b7 b6", "g1 f3", "c7 c6")

CASES: dict[str, tuple[str, Sequence[str], Sequence[str], Sequence[Any]]] = {
    "a man goes in a direction": (
        "checkers",
        (),
        ("c3", "e3", "d4"),
        (
            {"free": ["a3", "c3", "e3", "g3"]},
            {"chosen": ["c3"], "target": ["b4", "d4"], "other": ["a3", "e3", "g3"]},
            {"chosen": ["e3"], "target": ["d4", "f4"]},
            "move e3 north west",
        ),
    ),
    "a man is let go by a second click": (
        "checkers",
        (),
        ("c3", "c3"),
        ({}, {}, {"free": ["a3", "c3", "e3", "g3"]}),
    ),
    "the only man that can jump is chosen already": (
        "checkers",
        ("move c3 north_east", "move b6 south_east"),
        ("b6",),
        ({"chosen": ["d4"], "target": ["b6 takes c5"]}, "jump d4 north west"),
    ),
    "a pawn takes, and what it becomes is open": (
        "chess",
        PAWN,
        ("a7", "b8"),
        ({}, {"chosen": ["a7"], "target": ["b8 takes b8"]}, {"chosen": ["a7", "b8"]}),
    ),
    "the king castles": ("chess", KING, ("e1", "g1"), ({}, {"target": ["e2", "f1", "g1"]}, "castle east")),
    "a square is named": (
        "tic_tac_toe",
        ("mark a1",),
        ("b2",),
        ({"free": ["a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]}, "mark b2"),
    ),
    "a pawn that a value places": ("quoridor", (), ("e1", "e2"), ({}, {"target": ["d1", "e2", "f1"]}, "go north")),
    "a wall where a pawn stands": ("quoridor", (), ("e1",), ({}, {"chosen": ["e1"], "target": ["d1", "e2", "f1"]})),
    "a character is placed on a floor": (
        "kingme",
        (),
        ("E", "floor 3"),
        (
            {"free": ["A", "B", "C", "D", "E", "F", "G", "I", "L", "M", "N", "O", "P"], "target": None},
            {"chosen": ["E"], "target": ["floor 1", "floor 2", "floor 3", "floor 4"]},
            "put E on floor 3",
        ),
    ),
    "a card goes to a pile": (
        "fortheking",
        ("keep it",),
        ("favour",),
        ({"free": ["centre", "favour"]}, "put it on the favour deck"),
    ),
    "a card is drawn": ("crazy_eights", (), ("deck",), ({}, "draw")),
    "cards are passed": (
        "hearts",
        (),
        ("three clubs", "ace diamonds", "three clubs", "jack clubs", "four spades", "confirm"),
        (
            {"confirm": "0 of 3"},
            {"chosen": ["three clubs"], "confirm": "1 of 3"},
            {"chosen": ["three clubs", "ace diamonds"], "confirm": "2 of 3"},
            {"chosen": ["ace diamonds"], "confirm": "1 of 3"},
            {},
            {"confirm": "3 of 3, enough"},
            "pass four of spades, jack of clubs, ace of diamonds",
        ),
    ),
}
"""A game, the actions before, the things that are clicked, and what is seen among other things at first and after each
click."""


def test_what_clicks_pick(tmp_path: Path) -> None:
    given = tmp_path / "cases.json"
    given.write_text(json.dumps([_case(game, before, clicks) for game, before, clicks, _ in CASES.values()]))
    found = dict(zip(CASES, node("choices.mjs", javascript() / "choice.js", given), strict=True))
    for name, (_, _, _, wanted) in CASES.items():
        assert len(found[name]) == len(wanted)
        assert (name, [*map(_among, found[name], wanted)]) == (name, [*wanted])


def _among(seen: Any, wanted: Any) -> Any:
    """What is seen, without what is not asked for."""
    return seen if isinstance(wanted, str) else {key: seen.get(key) for key in wanted}


def _case(game: str, before: Sequence[str], clicks: Sequence[str]) -> dict[str, Any]:
    spec = load(game)
    state = spec.game(spec.players[0], None, "interpreter").new_initial_state(2)
    for words in before:
        seat = state.current_player()
        state.apply_action(next(one for one in state.legal_actions() if state.action_to_string(seat, one) == words))
    scene = Scene(state.game, arranged=arranged(spec, "en"))
    seat = state.deciders()[0]
    drawn = scene.to_dict()
    things = {name: ("card", face) for face, name in enumerate(state.game.names.face_names)}
    things |= {zone["id"]: ("zone", number) for number, zone in enumerate(drawn["zones"])}
    tracks = [one for one in drawn["values"] if one["draw"] in ("track", "tower")]
    things |= {f"{one['title']} {step}": (f"steps-{one['name']}", step) for one in tracks for step in range(10)}
    types = {one["per"][0]["type"] for one in tracks} | {
        key for key, one in drawn["types"].items() if one.get("places")
    }
    things |= {word: (key, at) for key in types for at, word in enumerate(drawn["types"][key]["words"])}
    return {
        "scene": drawn,
        "things": things,
        "position": position_of(state, seat),
        "actions": actions_of(scene, choice_of(state, seat), state),
        "clicks": clicks,
    }
