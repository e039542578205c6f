"""Hosts that run a game as WebAssembly: wasmtime in this process, and Node with the wrapper in js/."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.playout import Chunk
from rulespec.engine.wasm.modules import missing, module

_PAGE = 65536
_NODE = Path(__file__).with_name("wasm_node.mjs")


class Module(NamedTuple):
    """A compiled game in a folder, and its description."""

    path: Path
    description: dict[str, Any]


def why_not(host: str) -> str:
    """Why a host cannot run here; empty if it can."""
    if host == "node":
        return missing() or ("" if shutil.which("node") else "node is not installed")
    return missing() or ("" if find_spec("wasmtime") else "wasmtime is not installed: pip install wasmtime")


def written(game: Ruleset, folder: Path) -> Module:
    """Compiles a game into a folder."""
    code, description = module(game)
    path = folder / f"{game.spec.id}-{game.players}.wasm"
    path.write_bytes(code)
    path.with_suffix(".json").write_text(json.dumps(description), encoding="utf-8")
    return Module(path, description)


def columns_digest(chunk: Chunk) -> bytes:
    """The SHA-256 of the columns that `play_games` fills."""
    columns = (chunk.decisions, *chunk.ranks, *chunk.scores, *chunk.returns)
    return hashlib.sha256(b"".join(column.tobytes() for column in columns)).digest()


class Wasmtime:
    """A module in wasmtime."""

    def __init__(self, module: Module) -> None:
        import wasmtime

        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        compiled = wasmtime.Module(engine, module.path.read_bytes())
        self.imports = [imported.name for imported in compiled.imports]
        self.functions: Any = wasmtime.Instance(self._store, compiled, []).exports(self._store)
        self._memory, self.free = self.functions["memory"], self.functions["__heap_base"].value(self._store)
        self._columns, self._state = len(module.description["result"]["columns"]), module.description["state"]

    def _room(self, size: int) -> None:
        lacking = self.free + size - self._memory.data_len(self._store)
        if lacking > 0:
            self._memory.grow(self._store, -(-lacking // _PAGE))

    def play_games(self, seed: int, first: int, count: int) -> tuple[bytes, float]:
        """The SHA-256 of the columns of games, and the seconds of processor time."""
        size = 8 * self._columns * count
        self._room(size)
        begun = time.process_time()
        self.functions["play_games"](self._store, _signed(seed), first, count, self.free)
        seconds = time.process_time() - begun
        return hashlib.sha256(self._memory.read(self._store, self.free, self.free + size)).digest(), seconds

    def rollout(self, seed: int, policy: int) -> bytes:
        """The state at the end of a game that is played from a seed by players who draw from another."""
        self._room(self._state["bytes"])
        self.functions["new_state"](self._store, self.free, _signed(seed))
        self.functions["rollout"](self._store, self.free, _signed(policy))
        return bytes(self._memory.read(self._store, self.free, self.free + self._state["bytes"]))

    def goes_on(self, memory: bytes, action: int) -> bytes:
        """The memory of a state after an action of the player to act."""
        self._room(len(memory))
        self._memory.write(self._store, memory, self.free)
        self.functions["act"](self._store, self.free, action)
        return bytes(self._memory.read(self._store, self.free, self.free + len(memory)))


def _signed(word: int) -> int:
    return (word + 2**63) % 2**64 - 2**63


class Node:
    """A module in Node, a process that answers one line of JSON with another. Use it with `with`."""

    def __init__(self, module: Module) -> None:
        self._process = subprocess.Popen(
            ["node", str(_NODE), str(module.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def play_games(self, seed: int, first: int, count: int) -> tuple[bytes, float]:
        """The SHA-256 of the columns of games, and the seconds of processor time."""
        digest, seconds = self._ask("playGames", str(seed), first, count)
        return bytes.fromhex(digest), seconds

    def trace(self, seed: int, step: int, most: int) -> list[dict[str, Any]]:
        """Every position of a game in which the n-th decision takes the legal action number n * step, up to a number
        of decisions: what each seat may do, the zones, the values and the ranking."""
        found: list[dict[str, Any]] = self._ask("trace", str(seed), step, most)
        return found

    def says(self, actions: list[int]) -> list[str]:
        """Actions in words."""
        found: list[str] = self._ask("says", actions)
        return found

    def _ask(self, what: str, *arguments: Any) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps([what, *arguments]), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())
