"""Whether labelled edits have the changes of their labels, and whether replayed games agree with their impact.

    .venv/bin/python benchmarks/spec_changes.py [-v] [--games N] [--seed S] [--players N] [GAME …]

For every edit of the set `labelled_edits`, N random games (3 unless given) of the old version are repeated on the new
one with the same seed and the same actions by number. Edits below `play` must give the same game: every action legal,
the same scores and ranks, and the same log for edits without any change. After an edit with the impact `play` every
action must be legal until the old game ends. `breaking` edits are counted, not judged: their impact is an upper bound.
Edits of the cards, of numbers of players and of draws by chance are skipped: one seed no longer gives the same cards.
Edits whose changes, impact or rise of the version differ from their labels are listed, those skipped included. Exits
with status 1 if there is one, or if a game disagrees with the impact.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from labelled_edits import Edit, edits_of, old  # found through the line above
from packed import files

import rulespec
from rulespec.engine.states.game import Game, setting
from rulespec.engine.states.log import lines
from rulespec.engine.states.playout import playout
from rulespec.versions.changes.change import bump
from rulespec.versions.changes.compare import compare

EDITS = edits_of(files("labelled_edits", "edits").values())
UPPER = ("none", "data", "text", "play", "breaking")
"""The impacts, least first."""


@dataclass(frozen=True)
class Replay:
    """How an old game goes on the new version: the decision where it stops (None: at its end), and what is the same."""

    stopped: int | None
    same_result: bool
    same_log: bool

    @property
    def says(self) -> str:
        if self.stopped is not None:
            return "illegal"
        return "same" if self.same_result else "other result"


def agrees(impact: str, replay: Replay) -> bool:
    """Whether a game may go like this after an edit of an impact."""
    if impact == "breaking":
        return True
    if impact == "play":
        return replay.stopped is None
    return replay.stopped is None and replay.same_result and (impact != "none" or replay.same_log)


@lru_cache(maxsize=1)
def old_games(game: str, players: int, seed: int, number: int) -> tuple[rulespec.State, ...]:
    """Finished random games of the shipped version."""
    played = Game(setting(old(game), players))
    return tuple(playout(played, seed, i, record=True)[0] for i in range(number))


def replayed(was: rulespec.State, game: Game) -> Replay:
    """Repeats the actions of a finished game."""
    state = game.new_initial_state(was.seed)
    for at, (player, action) in enumerate(was.choices):
        if state.is_terminal() or player not in state.deciders() or action not in state.legal_actions(player):
            return Replay(at, False, False)
        state.apply_action(action, player)
    if not state.is_terminal():
        return Replay(len(was.choices), False, False)
    same_result = (was.ranking(), was.scores()) == (state.ranking(), state.scores())
    return Replay(None, same_result, _log(was) == _log(state))


def _log(state: rulespec.State) -> list[str]:
    """The log without its head, which names the version."""
    return list(lines(state))[1:]


def same_chance(edit: Edit) -> bool:
    """Whether one seed gives both versions the same cards."""
    was, now = old(edit.game), edit.new
    return was.deck.cards == now.deck.cards and not edit.title.startswith("a bigger die")


def is_met(edit: Edit) -> bool:
    """Whether an edit has the changes, the impact and the rise of the version that its label says."""
    was = old(edit.game)
    changes = compare(was, edit.new)
    found = tuple(sorted((one.kind, one.name) for one in changes.every))
    labels = found, str(changes.impact), bump(was.version, was.version, changes.impact).needed
    return labels == (edit.changes, edit.impact, edit.bump)


def replays(edit: Edit, options: argparse.Namespace) -> Iterator[Replay]:
    """The replays of one edit, for one number of players that both versions have."""
    was, now = old(edit.game), edit.new
    shared = [n for n in was.players if n in now.players]
    players = options.players if options.players in shared else shared[0]
    game = Game(setting(now, players))
    for state in old_games(edit.game, players, options.seed, options.games):
        yield replayed(state, game)


def main() -> int:
    """Prints a table of the replays by impact, and every game that disagrees with its impact."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_named", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--players", type=int, default=0)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    table: Counter[tuple[str, str]] = Counter()
    labels: Counter[bool] = Counter()
    wrong = 0
    for edit in EDITS:
        if options.games_named and edit.game not in options.games_named:
            continue
        if not (met := is_met(edit)):
            print(f"{edit}: not as labelled")
        labels[met] += 1
        if not same_chance(edit):
            table[edit.impact, "skipped edits"] += 1
            continue
        found = list(replays(edit, options))
        table.update((edit.impact, one.says) for one in found)
        table[edit.impact, "edits"] += 1
        bad = [one for one in found if not agrees(edit.impact, one)]
        wrong += bool(bad)
        if bad or options.verbose:
            print(f"{edit}: {edit.impact}: {dict(Counter(one.says for one in found))}{' DISAGREES' * bool(bad)}")
    _print(table)
    print(f"as labelled: {labels[True]} of {labels.total()} edits")
    return 1 if wrong or labels[False] else 0


def _print(table: Counter[tuple[str, str]]) -> None:
    columns = ("edits", "skipped edits", "same", "other result", "illegal")
    print(f"{'impact':10}" + "".join(f"{column:>15}" for column in columns))
    for impact in UPPER:
        print(f"{impact:10}" + "".join(f"{table[impact, column]:15}" for column in columns))


if __name__ == "__main__":
    sys.exit(main())
