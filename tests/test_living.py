"""The rulebook that plays: its steps, its memory of WebAssembly, and its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from wasm_hosts import Wasmtime, why_not, written

import rulespec
from rulespec import Game, State
from rulespec.engine.wasm.memory import layout_of, memory_of
from rulespec.games import examples
from rulespec.games.rulebook import texts_of
from rulespec.play.living.recording import Recording, of_case, of_set_up
from rulespec.play.table import PLAIN

in_wasmtime = pytest.mark.skipif(bool(why_not("wasmtime")), reason=why_not("wasmtime"))


def game_of(name: str, players: int) -> Game:
    return rulespec.load(name).game(players, engine="interpreter")


def recordings(game: Game, name: str) -> Iterator[tuple[str, Recording]]:
    """The examples of a game, by their cases, and its set-up."""
    spec = rulespec.load(name)
    for proved in examples.proved(texts_of(spec)["en"], spec, game.setting).values():
        for one in proved:
            yield one.case.text, of_case(examples.case_of(one, spec), PLAIN)
    yield "set-up", of_set_up(game, 1, PLAIN)


def decided(memory: bytes, description: dict[str, Any]) -> tuple[Any, ...]:
    """What determines how a state goes on: its numbers, its legal actions, and the cards in its zones."""
    at, cells = description["state"], memoryview(memory)[: description["state"]["zones"]].cast("q")
    legal, sizes, desk = at["legal"] // 8, at["sizes"] // 8, at["asked"] // 8
    zones = memoryview(memory)[at["zones"] :].cast("h")
    cards = [
        zones[one["number"] * at["room"] :][: cells[sizes + one["number"]]].tolist()
        for one in description["zones"].values()
    ]
    count = cells[at["count"] // 8]
    return cells[:desk].tolist(), cells[legal : legal + count].tolist(), cards


@in_wasmtime
@pytest.mark.parametrize("players", range(2, 6))
def test_a_module_goes_on_from_the_position_of_an_example(players: int, tmp_path: Path) -> None:
    game = game_of("fortheking", players)
    layout, module = layout_of(game), written(game, tmp_path)
    host = Wasmtime(module)
    for case, recorded in recordings(game, "fortheking"):
        state: State = recorded.start.clone()
        memory = memory_of(state, layout)
        assert len(memory) == module.description["state"]["bytes"]
        for _, action in recorded.choices or [(0, action) for action in state.legal[-1:]]:
            memory = host.goes_on(memory, action)
            state.apply_action(action)
            assert decided(memory, module.description) == decided(memory_of(state, layout), module.description), case
