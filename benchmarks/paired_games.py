"""Paired games (`ftk diff --play`): how fast they are, and whether they agree with the labelled edits.

    .venv/bin/python benchmarks/paired_games.py speed [--players N] [--games N]
    .venv/bin/python benchmarks/paired_games.py edits [-v] [--games N] [--below-play] [--record FILE] [GAME …]

`speed` plays pairs of random players of the main game and an edit of it in machine code, and as many ordinary
playouts, in turns in one process: the ratio of processor times does not depend on the machine.

`edits` plays every edit of the set `labelled_edits` in pairs (200 unless given), those of cards and of draws by chance
included. Edits of the file, of what is known about components and of texts must leave every pair alone. Others should
differ in some pair, except those that random games cannot show or whose impact is only an upper bound (`same`).
Players who look at cards can show a change of who sees what: with --looking, one-ply players play so many pairs of it.
The first difference should name a rule that the edit concerns. Exits with status 1 if a game differs that must not.
With --record, results are kept in a file of JSON lines, and edits that are in it already, played with the same options
and specs, are not played again: a run of hours can be interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from labelled_edits import Edit, edits_of, old  # found through the line above
from packed import files

from rulespec.engine.states.game import Game
from rulespec.language.model.spec import Spec
from rulespec.versions.paired.difference import first_difference
from rulespec.versions.paired.pair import paired
from rulespec.versions.paired.run import play

EDITS = edits_of(files("labelled_edits", "edits").values())
ROUNDS = 5
SILENT = ("none", "data", "text")
MAIN = "fortheking"
UNSEEN = {
    "sight-changed": "random players do not look at cards",
    "answer-added": "the answer is not chosen",
    "answer-removed": "the answer is not chosen",
    "ruling-added": "the answer taken does what was done before",
    "ruling-removed": "the answer taken does what was done before",
    "players-added": "the shared numbers of players play as before",
    "players-removed": "the shared numbers of players play as before",
}
"""Kinds of changes that leave games of random players alone, with the reason."""


def speed(options: argparse.Namespace) -> int:
    """Prints the rates of paired and of ordinary playouts, and the ratio of their times."""
    edit = next(e for e in EDITS if e.game == MAIN and e.impact == "breaking" and "cards-changed" in dict(e.changes))
    pair = paired(old(MAIN), edit.new, options.players or None)
    ordinary = Game(pair.old.setting, engine="native")
    machine = ordinary.code.machine()
    assert machine is not None
    play(pair, 10, engine="native")
    games, ratios, rates = options.games or 20_000, [], []
    for _ in range(ROUNDS):
        paired_time = _timed(lambda: play(pair, games, engine="native"))
        plain_time = _timed(lambda: machine.play(1, 0, games))
        ratios.append(paired_time / (2 * plain_time))
        rates.append((games / paired_time, games / plain_time))
    pairs, plain = (median(one) for one in zip(*rates, strict=True))
    print(f"{edit}, {pair.players} players, {ROUNDS} rounds of {games:,} pairs, one process")
    print(f"pairs per second          {pairs:12,.0f}")
    print(f"ordinary games per second {plain:12,.0f}")
    print(f"a game of a pair takes {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) times an ordinary one")
    return 0


def _timed(run: Callable[[], object]) -> float:
    before = time.process_time()
    run()
    return time.process_time() - before


def edits(options: argparse.Namespace) -> int:
    """Prints by impact how many edits differ, and how many first differences name the edited rule."""
    table: Counter[tuple[str, str]] = Counter()
    wrong = 0
    for edit in EDITS:
        if options.games_named and edit.game not in options.games_named:
            continue
        if options.below_play and edit.impact not in SILENT:
            continue
        found = _recorded(edit, options)
        table.update((edit.impact, one) for one in found)
        bad = edit.impact in SILENT and "differ" in found
        wrong += bad
        if options.verbose or bad:
            print(f"{edit.impact:9} {edit}: {', '.join(found)}{' WRONG' * bad}", flush=True)
    columns = ("edits", "differ", "named", "unnamed", "cannot differ", "same", "no setting")
    print(f"{'impact':10}" + "".join(f"{column:>15}" for column in columns))
    for impact in (*SILENT, "play", "breaking"):
        print(f"{impact:10}" + "".join(f"{table[impact, column]:15}" for column in columns))
    return 1 if wrong else 0


def _settings(edit: Edit, players: list[int]) -> Iterator[tuple[int, dict[str, str]]]:
    """What an edit is played with until a pair differs.

    What makes no difference with the fewest players, such as left and right for two, may make one with the most. In the
    main game random players who may bid more than they have lose all their cards, so what scores them has no effect. An
    edit that should differ may do so for another number of players only, or with another answer to a ruling.
    """
    ends = sorted({players[0], players[-1]})
    yield from ((count, {}) for count in ends)
    if edit.game == MAIN:
        yield from ((count, {"overbid": "forbidden"}) for count in ends)
    if edit.impact not in SILENT:
        yield from ((count, {}) for count in players[1:-1])
        for ruling in edit.new.rulings.values():
            yield from ((players[-1], {ruling.id: answer}) for answer in ruling.options[1:])


def _has(spec: Spec, ruling: str, answer: str) -> bool:
    return ruling in spec.rulings and answer in spec.rulings[ruling].options


def _recorded(edit: Edit, options: argparse.Namespace) -> list[str]:
    """What is found of an edit, from the record if it is there."""
    games, path = options.games or 200, options.record
    if path is None:
        return _edit(edit, games, options.players, options.looking)
    key = [str(edit), old(edit.game).digest, edit.new.digest, games, options.players, options.looking]
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        known = json.loads(line)
        if known["edit"] == key:
            return list(known["found"])
    found = _edit(edit, games, options.players, options.looking)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"edit": key, "found": found}, ensure_ascii=False) + "\n")
    return found


def _edit(edit: Edit, games: int, players: int, looking: int) -> list[str]:
    was, now = old(edit.game), edit.new
    shared = [count for count in was.players if count in now.players]
    if not shared:
        return ["edits", "no setting"]
    for count, rulings in _settings(edit, [players] if players in shared else shared):
        pair = paired(was, now, count, {id_: answer for id_, answer in rulings.items() if _has(now, id_, answer)})
        number = play(pair, games, seed=14, engine="native" if games >= 2000 else "interpreter").counted.first
        if number is not None:
            break
    bot, kinds = "random", {kind for kind, _ in edit.changes}
    if number is None and looking and kinds == {"sight-changed"}:
        bot, pair = "oneply", paired(was, now, shared[0])
        number = play(pair, looking, seed=14, bot=bot).counted.first
    if number is None:
        return ["edits", "cannot differ" if edit.same or (kinds and kinds <= UNSEEN.keys()) else "same"]
    first = first_difference(pair, 14, number, bot)
    concerned = {rule for change in pair.changes.every for rule in change.rules}
    named = first is not None and (first.rule in concerned or not concerned)
    return ["edits", "differ", "named" if named else "unnamed"]


def main() -> int:
    """Runs the part that is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("speed", "edits"))
    parser.add_argument("games_named", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--players", type=int, default=0)
    parser.add_argument("--looking", type=int, default=0, metavar="N", help="pairs of one-ply players, seconds each")
    parser.add_argument("--below-play", action="store_true", help="only edits that must leave every pair alone")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep results, and do not play known ones again")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_intermixed_args()
    return {"speed": speed, "edits": edits}[options.part](options)


if __name__ == "__main__":
    sys.exit(main())
