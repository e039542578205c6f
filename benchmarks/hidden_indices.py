"""Whether players are shown what another player has picked in secret: a cell of a hidden value, a hidden card.

    python benchmarks/hidden_indices.py [COUNT] [--first 0] [--engine interpreter] [--show 3]

plays COUNT random specs of `hidden_specs.py` (default 1,000; a number is the same spec and game in every run). At every
decision, two actions of an option that differ in one pick make a pair of worlds. It counts for each other seat that is
entitled to see the same in both, while something hidden differs. What a seat is entitled to see is derived from the
events, from `seen_by` and from the steps of options, without the engine: values and cards in its sight, the number of
cards in every zone, which zones cards leave and enter, and at which place of a stack; that cards are shown or something
is drawn; who decides, which option they take, and a pick that it in any case writes where all see it. To such a seat,
the engine must show the same legal actions, events, story, texts, keys and tensors. Some pairs go on with the same
choices, as long as these are legal and the seat is entitled to see the same.

Two counts are apart: refused specs, by the code of their first error, and pairs in which a condition of an option reads
something hidden, so that only legal actions differ; the checker warns of some (RS631). The first specs that differ are
made small and printed. The exit status is 1 if any differs.
"""

from __future__ import annotations

import json
import random
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from hidden_specs import PLAYERS, Maker, Parts
from hidden_worlds import World
from random_specs import shrunk  # found through the line above

import rulespec

AHEAD, FURTHER = 6, 2
"""How many decisions pairs go on for, and how many pairs of each decision do."""
LEGAL = "legal actions"


class Measure:
    """Plays specs and counts pairs of worlds; by the names of views, those that differ."""

    def __init__(self, engine: str = "interpreter") -> None:
        self.engine, self.counts = engine, Counter[str]()

    def differences(self, parts: Parts, seed: int) -> Iterator[str]:
        """What differs in one game of a spec, in words. Raises SpecError for a spec with errors."""
        spec, self.dice = rulespec.loads(json.dumps(parts, indent=1)), random.Random(seed)
        self.reveals = "warned of" if any(finding.code == "RS631" for finding in spec.report.findings) else "silent"
        game = spec.game(PLAYERS, engine=self.engine)
        state, deck = game.new_initial_state(seed), game.program.zone("deck")
        world = World(parts, state, {deck: list(game.program.cards)}).act({})
        while not state.is_terminal():
            actions = {seat: self.dice.choice(state.legal_actions(seat)) for seat in state.deciders()}
            for player in actions:
                yield from self.compared(world, player, actions)
            world.act(actions)

    def compared(self, world: World, player: int, actions: dict[int, int]) -> Iterator[str]:
        """The differences of all pairs at a decision of a player, and of some further on."""
        pairs, game = list[tuple[World, World, list[int], str]](), world.state.game
        worlds = {a: world.copy().act(actions | {player: a}) for a in world.state.legal_actions(player)}
        for (first, one), (second, other) in combinations(worlds.items(), 2):
            picks, others = game.picks_of(first), game.picks_of(second)
            in_one_pick = picks.keys() == others.keys() and sum(picks[name] != others[name] for name in picks) == 1
            if in_one_pick and one.visible(None) != other.visible(None):
                words = f"player {player + 1}: {game.action_to_string(first)} | {game.action_to_string(second)}"
                pairs.append((one, other, [seat for seat in range(PLAYERS) if seat != player], words))
                yield from self.differing(*pairs[-1])
        for one, other, seats, words in self.dice.sample(pairs, min(FURTHER, len(pairs))):
            one, other = one.copy(), other.copy()
            for later in range(1, AHEAD + 1):
                legal = [{seat: {*of.state.legal_actions(seat)} for seat in of.state.deciders()} for of in (one, other)]
                if not seats or legal[0].keys() != legal[1].keys() or not legal[0]:
                    break
                shared = {seat: sorted(actions & legal[1][seat]) for seat, actions in legal[0].items()}
                if not all(shared.values()):
                    break
                chosen = {seat: self.dice.choice(actions) for seat, actions in shared.items()}
                yield from self.differing(one.act(chosen), other.act(chosen), seats, f"{words}, {later} later")

    def differing(self, one: World, other: World, seats: list[int], words: str) -> Iterator[str]:
        """The differences of a pair. Takes out of `seats` who is entitled to see one, is asked something else, or has
        been shown one."""
        for seat in list(seats):
            shown, others = one.shown(seat), other.shown(seat)
            asked, questions = ({line.split()[0] for line in view[LEGAL]} for view in (shown, others))
            if one.entitled[seat] != other.entitled[seat] or (asked | questions and not asked & questions):
                seats.remove(seat)
                continue
            self.counts["pairs"] += 1
            if views := [view for view in shown if shown[view] != others[view]]:
                seats.remove(seat)
                self.counts[self.reveals if views == [LEGAL] else ", ".join(views)] += 1
                if views != [LEGAL]:
                    lines = [f"{a} | {b}" for a, b in zip(shown[views[0]], others[views[0]], strict=False) if a != b]
                    yield f"{words}. Player {seat + 1} is shown other {', '.join(views)}: {'; '.join(lines[:3])}"


def main(count: int, first: int, engine: str, show: int) -> int:
    measure, refused, differ = Measure(engine), Counter[str](), 0
    for seed in range(first, first + count):
        parts = Maker(seed).spec()
        try:
            differences = list(measure.differences(parts, seed))
        except rulespec.SpecError as error:
            refused[next(finding.code for finding in error.diagnostics if finding.severity == "error")] += 1
            continue
        differ += bool(differences)
        if differences and differ <= show:
            print(f"spec {seed}, {smallest(parts, seed, engine)}", flush=True)
    pairs, warned, silent = (measure.counts.pop(name, 0) for name in ("pairs", "warned of", "silent"))
    print(f"{count:,} specs, {count - refused.total():,} accepted, refused: {dict(refused.most_common())}")
    print(f"{pairs:,} pairs, {measure.counts.total():,} differ, in {differ:,} specs: {dict(measure.counts)}")
    print(f"only in legal actions {warned + silent:,}, of which the checker warns of {warned:,}")
    return 1 if differ else 0


def smallest(parts: Parts, seed: int, engine: str) -> str:
    """The first difference in a spec, and the spec, without what is not needed for a difference."""

    def difference(less: Parts) -> str:
        try:
            return next(Measure(engine).differences(less, seed), "")
        except rulespec.SpecError:
            return ""

    small = shrunk(parts, lambda less: bool(difference(less)))
    return f"{difference(small)}\n{yaml.safe_dump(small, sort_keys=False, width=120, default_flow_style=None)}"


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=1000, help="the number of specs; by default %(default)s")
    parser.add_argument("--first", type=int, default=0, help="the number of the first spec")
    parser.add_argument("--engine", default="interpreter", choices=("interpreter", "compiled", "native"))
    parser.add_argument("--show", type=int, default=3, help="how many of the specs that differ are printed")
    sys.exit(main(**vars(parser.parse_args())))
