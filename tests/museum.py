"""The museum of earlier formats: its archives of specs, and what was played with them.

python tests/museum.py ARCHIVE     the games of an archive, for the JSON file beside it
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import tarfile
import tempfile
from pathlib import Path

import rulespec
from rulespec.base.source import Source

MUSEUM = Path(__file__).parent / "formats"
ARCHIVES = sorted(MUSEUM.glob("*.tar.xz"))
MOST_DECISIONS = 3000

Games = dict[str, str]
"""The digests of the games of a spec with seed 1, by the number of players."""


def names(archive: Path) -> list[str]:
    """The files of an archive."""
    with tarfile.open(archive) as tar:
        return sorted(one.name for one in tar if one.isfile())


def unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")


def kept(archive: Path) -> dict[str, Games]:
    """What was played with each spec of an archive when it was added."""
    found: dict[str, Games] = json.loads(archive.with_name(archive.name.replace(".tar.xz", ".json")).read_text("utf-8"))
    return found


def is_spec(path: Path) -> bool:
    kind = rulespec.kind_of(Source(str(path), path.read_text("utf-8")))
    return kind is not None and kind.name == "spec"


def games_of(path: Path) -> Games:
    """What is played with a spec now."""
    spec = rulespec.load(path)
    return {str(players): _game(spec, players) for players in spec.players}


def _game(spec: rulespec.Spec, players: int) -> str:
    """The digest of a game: all moves in words, the ranking and the returns."""
    state = spec.game(players=players).new_initial_state(seed=1)
    chance, words = random.Random(1), list[str]()
    while not state.is_terminal() and len(words) < MOST_DECISIONS:
        player = state.current_player()
        if player < 0:  # several decide at once
            player = next(one for one in range(players) if state.legal_actions(one))
        legal = sorted(state.legal_actions(player))
        action = legal[chance.randrange(len(legal))]
        words.append(f"{player} {state.action_to_string(player, action)} ({state.why(action)})")
        state.apply_action(action, player)
    returns = [round(one, 6) for one in state.returns()]
    text = "\n".join([*words, f"{state.is_terminal()} {[*state.ranking()]} {returns}"])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def main(archive: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(Path(archive), folder)
        specs = [one for one in names(Path(archive)) if is_spec(folder / one)]
        rows = (f" {json.dumps(one)}: {json.dumps(games_of(folder / one))}" for one in specs)
        sys.stdout.write("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
