"""Weights of options: bots try what they favour more often, and nothing else of a game depends on them."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from agreement import HERE, text_of
from command import ftk
from program_fingerprint import same_play

import rulespec
from rulespec.base.source import read
from rulespec.editing.editors.hover import hover
from rulespec.engine.knowledge.possible_worlds import unknown
from rulespec.engine.search.tree_search import EVERYBODY, Search, Tree
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import playouts
from rulespec.games.api import Spec
from rulespec.play.bots import bot
from rulespec.play.bots.games import bot_games, players
from rulespec.play.bots.table import BOTS
from rulespec.proofs.meaning.digest import digests
from rulespec.versions.changes.compare import compare

pytestmark = pytest.mark.slow("bots search")

WEIGHT = re.compile(r'(?:, |\n +)weight: (?:"[^"]*"|[^",}\n]+)')
GOOFSPIEL = rulespec.load("goofspiel")
PLAIN = rulespec.loads(WEIGHT.sub("", GOOFSPIEL.model.source.text))

CHOICES = text_of("weights")

PAIRS = ((GOOFSPIEL, PLAIN), (rulespec.loads(CHOICES), rulespec.loads(WEIGHT.sub("", CHOICES))))
"""Specs, each beside the same one without weights."""

LEVERS = """
rulespec: 2
game: {id: levers, version: 1.0.0, title: Levers, players: 1}
values: {won: {type: 0..9, start: 0, title: points}}
play:
  - id: pull
    title: Pull a lever
    choose:
      by: seat(1)
      options: [{says: "pull {n}", pick: {n: 0..9}, WEIGHT do: {set: {won: n}}}]
  - {id: end, title: Most points, rank: {among: {p: player}, by: [{high: won, title: points}], left: share}}
"""


DRAFT = """
rulespec: 2
game: {id: draft, version: 1.0.0, title: Draft, players: 1}
cards: {fields: {rank: 1..6}, manifest: [{rank: 1..6}], start: deck}
zones:
  deck: {order: stack, seen_by: nobody}
  look: {seen_by: everybody, title: card just drawn}
  kept: {seen_by: everybody, title: kept}
  gone: {seen_by: everybody, title: thrown away}
setup: {id: shuffle, title: Shuffle, shuffle: deck}
play:
  - id: draft
    title: Keep three
    draft:
      by: seat(1)
      from: deck
      look: look
      draws: 6
      full: closed
      places:
        - {says: keep it, to: kept, face: up, limit: 3, weight: "card.rank > 3 ? 1 : 0"}
        - {says: throw it away, to: gone, face: up, limit: 3, weight: "card.rank > 3 ? 0 : 1"}
  - {id: end, title: Many cards, rank: {among: {p: player}, by: [{high: size(kept), title: cards}], left: share}}
"""


@pytest.mark.parametrize(("weighed", "plain"), PAIRS)
def test_a_weight_is_no_rule(weighed: Spec, plain: Spec) -> None:
    assert len(weighed.model.weights) == weighed.model.source.text.count("weight:") and not plain.model.weights
    assert same_play(weighed.model, plain.model) and digests(weighed.model) == digests(plain.model)
    assert not compare(plain.model, weighed.model).every


def test_readers_see_weights_as_hints_and_not_in_rules(tmp_path: Path) -> None:
    path = tmp_path / "choices.yaml"
    path.write_text(CHOICES, encoding="utf-8")
    hint = "hint for bots, not a rule: “keep it” has the weight `card.rank * size(hand[p])`\n"
    explained = ftk("explain", "draft", str(path)).output
    assert f"  {hint}" in explained and explained.count("hint for bots") == 2
    assert "weight" not in ftk("describe", str(path)).output

    source = read(str(path))[0]
    assert source is not None
    shown = hover(source, source.text.index("id: draft") + len("id: d"))
    assert shown is not None and f"- {hint}" in shown[0]


@pytest.mark.parametrize("engine", HERE)
def test_random_players_do_not_follow_weights(engine: str) -> None:
    for pair in PAIRS:
        one, other = (playouts(spec.game(2, engine=engine), 3, range(20)) for spec in pair)
        assert one == other


@pytest.mark.parametrize("specs", PAIRS)
def test_only_a_search_reads_weights(specs: tuple[Spec, Spec]) -> None:
    """A state has the same actions, saved form and observations without them."""
    states = [spec.game(2, engine="compiled").new_initial_state(5) for spec in specs]
    chance = random.Random(1)
    while not states[0].is_terminal():
        for seat in states[0].deciders():
            legal, other = (state.legal_actions(seat) for state in states)
            seen = {state.observation_string(seat) for state in states}
            assert legal == other and len(seen) == 1
            action = chance.choice(legal)
            for state in states:
                state.apply_action(action, seat)
    assert states[0].returns() == states[1].returns()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.sample(2)
def test_python_weighs_like_machine_code(seed: int) -> None:
    pytest.importorskip("llvmlite")
    of = rulespec.loads(CHOICES).game()
    searches = [Search(of, machine) for machine in (True, False)]
    state, chance = of.new_initial_state(seed), random.Random(seed)
    while not state.is_terminal():
        seat = state.deciders()[0]
        trees = []
        for search in searches:
            position = search.position(state.pc, unknown(state, seat))
            trees.append(Tree(position, of.players, seat, seed, 80, EVERYBODY))
            search.simulate(trees[-1], 25)
        assert trees[0].tried() == trees[1].tried() and trees[0].control == trees[1].control
        state.apply_action(chance.choice(state.legal_actions(seat)), seat)


@pytest.mark.parametrize(
    "name", [f"{kind.name}:40" if kind.limit and kind.limit.simulations else kind.name for kind in BOTS.values()]
)
def test_bots_play_legal_games_with_weights_in_every_choice(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FTK_CHECKED", "1")
    of = rulespec.loads(CHOICES).game()
    assert all(bot_games(of, 1, range(4), players(name, of)).ranks[0])


def pulled(weight: str, name: str = "ismcts:60") -> int:
    of = rulespec.loads(LEVERS.replace("WEIGHT", weight)).game()
    return bot(name, 0, 1).step(of.new_initial_state(1))


def test_a_bot_leaves_out_what_has_weight_0() -> None:
    assert pulled("") == 9
    assert pulled('weight: "n < 6 ? 1 : 0",') == 5
    assert pulled('weight: "n < 6 ? 1 : 0",', "greedy") == 5
    assert pulled("weight: 0,") == 9, "all have weight 0, so none is left out"


def test_the_weight_of_a_place_reads_the_drawn_card() -> None:
    of = rulespec.loads(DRAFT).game()
    for seed in range(4):
        state = of.new_initial_state(seed)
        while not state.is_terminal():
            (card,) = state.zone("look")
            action = bot("ismcts:20", 0, 1).step(state)
            assert state.action_to_string(0, action) == ("keep it" if of.card_name(card) > "3" else "throw it away")
            state.apply_action(action)


def test_a_bot_tries_first_what_weighs_more() -> None:
    """One simulation follows one action: a likely one."""
    of = rulespec.loads(LEVERS.replace("WEIGHT", 'weight: "n == 3 ? 1000 : 1",')).game()
    chosen = [bot("flat:1", 0, seed).step(of.new_initial_state(1)) for seed in range(20)]
    assert chosen.count(3) > 15


def _won(of: Game, games: int) -> float:
    chunk = bot_games(of, 1, range(games), players("ismcts:200,random", of, rotated=True))
    return sum(1 / row.count(1) for row in zip(*chunk.ranks, strict=True) if row[0] == 1)


@pytest.mark.soak
def test_the_weights_of_goofspiel_make_bots_stronger() -> None:
    pytest.importorskip("llvmlite")
    assert _won(GOOFSPIEL.game(2), 200) > _won(PLAIN.game(2), 200) + 4
