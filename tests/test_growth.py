"""Large games: every engine runs them itself, and the work of writing their code grows with their size, not its square.

`benchmarks/growth.py` measures time and memory.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from agreement import HERE
from command import ftk

import rulespec
from rulespec.engine.backend.engines import native
from rulespec.engine.backend.engines.code import ProgramCode
from rulespec.engine.states.playout import playouts

pytestmark = pytest.mark.slow("the games are as large as compilers take")


class CompiledError(Exception):
    """Raised in place of LLVM, whose optimisation takes long."""


POINTS = {"per": "player", "type": "0..99999", "start": 0, "title": "points"}


def spec(**parts: Any) -> rulespec.Spec:
    """A game in which these steps are taken for each player."""
    deck = {"fields": {"value": "1..9"}, "manifest": [{"value": "1..9"}], "start": "deck"}
    play = [
        {"id": "turns", "title": "Turns", "each": {"p": "player"}, "do": parts.pop("do")},
        {
            "id": "end",
            "title": "End",
            "rank": {"among": {"p": "player"}, "by": [{"high": "points[p]", "title": "points"}], "left": "share"},
        },
    ]
    game = {
        "rulespec": 2,
        "game": {"id": "large", "version": "1.0.0", "title": "Large", "players": 2},
        "values": {"points": POINTS},
        "cards": deck,
        "zones": {"deck": {"order": "stack", "seen_by": "everybody"}, "pile": {"seen_by": "everybody"}},
        "play": play,
    }
    return rulespec.loads(json.dumps(game | parts))


def add(points: str) -> dict[str, Any]:
    return {"set": {"points[p]": f"min(points[p] + {points}, 99999)"}}


SEQUENCES = {
    "conditions": lambda n: {"id": f"c{n}", "title": "Condition", "if": f"points[p] > {n}", "then": add("1")},
    "choices": lambda n: {
        "id": f"c{n}",
        "title": "Choice",
        "choose": {"by": "p", "options": [{"says": "take", "do": add("1")}, {"says": "pass", "do": {"note": "No."}}]},
    },
}
"""Steps of which a game may have hundreds, by number."""


@pytest.mark.parametrize("kind", SEQUENCES)
def test_a_long_sequence_is_within_the_limits_of_compilers(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def compiled(*_: object) -> None:
        raise CompiledError

    monkeypatch.setattr(native, "object_code", compiled)
    game = spec(do=[SEQUENCES[kind](n) for n in range(360)]).game(engine="compiled")
    assert game.code.compile_decisions(True)
    for machine in (lambda: game.code.segments, game.code.machine):
        with pytest.raises(CompiledError):
            machine()


def effects(number: int) -> rulespec.Spec:
    """A game that carries out an effect of every member of an enum, in turn."""
    members = {f"m{n}": {"effect": add(str(n))} for n in range(number)}
    enums = {"deed": {"effect": {"with": {"p": "player"}}, "members": members}}
    return spec(enums=enums, do={"each": {"d": "deed"}, "do": {"effect": {"of": "d", "with": {"p": "p"}}}})


@pytest.mark.parametrize("engine", HERE)
def test_every_effect_of_hundreds_is_found(engine: str) -> None:
    state = effects(300).game(engine=engine).new_initial_state(1)
    assert state.is_terminal()
    assert state.scores() == [sum(range(300))] * 2


TABLE = {
    "hit": "first",
    "rows": [{"when": f"n == {n * 7 % 40}", "do": add(str(n * 7 % 40 + 1))} for n in range(40) if n % 5],
    "otherwise": add("1000"),
}
"""Rows in no order, with gaps."""


@pytest.mark.parametrize("engine", HERE)
def test_rows_and_gaps_of_a_long_table_are_found_by_halves(engine: str) -> None:
    state = spec(do={"each": {"n": "-3..45"}, "do": {"decide": TABLE}}).game(engine=engine).new_initial_state(1)
    rows = {n * 7 % 40 for n in range(40) if n % 5}
    assert state.scores() == [sum(n + 1 if n in rows else 1000 for n in range(-3, 46))] * 2


TOO_MUCH: dict[str, dict[str, Any]] = {
    "cards in zones": {
        "zones": {"deck": {"seen_by": "everybody"}, "pile": {"per": "place", "seen_by": "everybody"}},
        "cards": {"fields": {"value": "1..9"}, "manifest": [{"value": "1..9", "copies": 60}], "start": "deck"},
        "enums": {"place": [f"place_{n}" for n in range(256)]},
        "setup": {"each": {"a": "place"}, "do": {"move": {"top": 1, "from": "deck", "to": "pile[a]"}}},
    },
    "cells of values": {
        "values": {
            "points": POINTS,
            **{f"wide_{n}": {"per": {"n": "1..20000"}, "type": "0..9", "start": 1} for n in range(4)},
        },
    },
}
"""Games that need more room than the stack may have."""


@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_game_that_is_too_large_for_the_stack_runs_in_python(what: str, caplog: pytest.LogCaptureFixture) -> None:
    gain = " + ".join(f"wide_{n}[7]" for n in range(4)) if what == "cells of values" else "4"
    game = spec(do=add(gain), **TOO_MUCH[what]).game(engine="native")
    assert playouts(game, 1, range(1)).scores[0][0] == 4
    said = "Large for 2 players is too large for machine code: it runs in compiled Python, many times slower"
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == [said]


def test_a_game_that_is_too_large_to_compile_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def too_deep(code: ProgramCode, record: object) -> None:
        raise RecursionError

    monkeypatch.setattr(ProgramCode, "compile_decisions", too_deep)
    monkeypatch.setattr(ProgramCode, "_compile_playout", too_deep)
    game = rulespec.load("kuhn_poker").game(players=2, engine="compiled")
    game.new_initial_state(1)
    playouts(game, 1, range(3))
    said = "Kuhn poker for 2 players is too large to compile: it is interpreted, many times slower"
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == [said]
    result = ftk("balance", "kuhn_poker", "--players", "2", "--games", "3", "--workers", "1")
    assert result.stderr == f"{said}.\n"
