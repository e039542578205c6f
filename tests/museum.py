"""The museum of earlier formats: seeded games of specs, and the digests of its files.

python tests/museum.py games FOLDER     the seeded games of the specs in a folder, as JSON
python tests/museum.py digests          the digests of files that digests.txt does not have yet
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import rulespec

MUSEUM = Path(__file__).parent / "formats"
DIGESTS = MUSEUM / "digests.txt"
SEEDS = (1, 2, 3)
MOST_DECISIONS = 3000

Games = dict[str, list[dict[str, Any]]]


def games(paths: Iterable[Path], folder: Path) -> Games:
    """The seeded games of specs, by their paths in a folder."""
    return {path.relative_to(folder).as_posix(): _games(path) for path in paths}


def _games(path: Path) -> list[dict[str, Any]]:
    spec = rulespec.load(path)
    return [_game(spec, players, seed) for players in spec.players for seed in SEEDS]


def _game(spec: rulespec.Spec, players: int, seed: int) -> dict[str, Any]:
    state = spec.game(players=players).new_initial_state(seed=seed)
    chance, words = random.Random(seed), list[str]()
    while not state.is_terminal() and len(words) < MOST_DECISIONS:
        player = state.current_player()
        if player < 0:  # several decide at once
            player = next(one for one in range(players) if state.legal_actions(one))
        legal = sorted(state.legal_actions(player))
        action = legal[chance.randrange(len(legal))]
        words.append(f"{player} {state.action_to_string(player, action)} ({state.why(action)})")
        state.apply_action(action, player)
    return {
        "players": players,
        "seed": seed,
        "decisions": len(words),
        "over": state.is_terminal(),
        "words": hashlib.sha256("\n".join(words).encode()).hexdigest()[:16],
        "ranking": list(state.ranking()),
        "returns": [round(one, 6) for one in state.returns()],
    }


def kept(folder: Path) -> Games:
    """The games that the ftk of the day has played."""
    found: Games = json.loads((folder / "games.json").read_text(encoding="utf-8"))
    return found


def written(found: Games) -> str:
    """Games as JSON, a line for each."""
    specs = (f"{json.dumps(name)}: [\n {_lines(those)}\n]" for name, those in found.items())
    return "{\n" + ",\n".join(specs) + "\n}\n"


def _lines(those: list[dict[str, Any]]) -> str:
    return ",\n ".join(map(json.dumps, those))


def digests() -> dict[str, str]:
    """The digest of each file as it is."""
    files = (path for path in MUSEUM.rglob("*") if path.is_file() and path.suffix != ".md" and path != DIGESTS)
    return {_name(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}


def listed() -> dict[str, str]:
    """The digest that each file had when it was added."""
    lines = DIGESTS.read_text(encoding="utf-8").splitlines() if DIGESTS.is_file() else []
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines)}


def _name(path: Path) -> str:
    return path.relative_to(MUSEUM).as_posix()


def main(command: str, *names: str) -> None:
    if command == "digests":
        known = listed()
        sys.stdout.writelines(f"{digest}  {name}\n" for name, digest in digests().items() if name not in known)
    else:
        folder = Path(names[0])
        sys.stdout.write(written(games(sorted(folder.rglob("*.yaml")), folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])
