"""Fixtures and markers for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from high_card import GAMES, SEED, SIZE, SPEC, size_of_chunks
from hypothesis import HealthCheck, settings

import rulespec
from rulespec.engine.playout import playouts
from rulespec.simulate import Figures

# How long an example takes says nothing on a shared machine. The first one of all may wait for tables of characters.
settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared")

# Left out by `make quick`: tests and whole files that together need most of the processor time, by the start of
# their node id. A single slow test elsewhere takes the mark `slow` itself.
SLOW = (
    "tests/browser",
    "tests/test_balance.py",
    "tests/test_cache.py::test_what_is_damaged",
    "tests/test_checks.py::test_a_real_game",
    "tests/test_checks.py::test_the_games_are_clean",
    "tests/test_choices.py",
    "tests/test_cli_balance.py",
    "tests/test_cli_cards.py",
    "tests/test_cli_check.py::test_explain_shows_rulings",
    "tests/test_cli_compile.py",
    "tests/test_cli_files.py",
    "tests/test_cli_play.py",
    "tests/test_cli_simulate.py",
    "tests/test_cli_text.py",
    "tests/test_docs.py::test_every_game",
    "tests/test_docs.py::test_every_page_does",
    "tests/test_document.py::test_any_text",
    "tests/test_editors.py",
    "tests/test_engines.py",
    "tests/test_exchange.py::test_every_text_arrives",
    "tests/test_exchange.py::test_the_way_out",
    "tests/test_fuzz.py",
    "tests/test_generated_source.py",
    "tests/test_glossary.py::test_any",
    "tests/test_hand_engines.py",
    "tests/test_model.py::test_a_broken_piece",
    "tests/test_model.py::test_mutations",
    "tests/test_model.py::test_texts_made_to_hurt",
    "tests/test_model.py::test_values_stay_inside",
    "tests/test_new.py::test_a_copy",
    "tests/test_new.py::test_a_new_game_is_clean",
    "tests/test_packaging.py",
    "tests/test_project.py::test_an_installed_package",
    "tests/test_properties.py",
    "tests/test_quantities.py::test_every_number",
    "tests/test_random_specs.py",
    "tests/test_rulebook_page.py",
    "tests/test_scenarios.py::test_a_changed_rule",
    "tests/test_scenarios.py::test_all_scenarios",
    "tests/test_scenarios.py::test_damaged_files",
    "tests/test_scenarios.py::test_every_answer_to",
    "tests/test_scenarios.py::test_every_rule",
    "tests/test_schema.py::test_no_damage_raises",
    "tests/test_schema.py::test_one_mistake",
    "tests/test_simulation.py::test_a_cluster",
    "tests/test_simulation_folder.py",
    "tests/test_terminal.py",
    "tests/test_text.py",
    "tests/test_text_corpus.py",
    "tests/test_text_diff.py",
    "tests/test_text_growth.py",
    "tests/test_text_mutations.py",
    "tests/test_text_samples.py::test_good_translations",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def cache_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Sets a cache folder for this run, shared by its workers and separate from the cache of the user."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        yield


@pytest.fixture(scope="module")
def spec() -> rulespec.Spec:
    """A small game that is fast to play, for modules that do not define a spec of their own."""
    return rulespec.loads(SPEC)


@pytest.fixture(scope="module")
def game(spec: rulespec.Spec) -> rulespec.Game:
    return spec.game(3)


@pytest.fixture(scope="module")
def whole(game: rulespec.Game) -> Figures:
    """The figures of the run, computed in one go without chunks."""
    figures = Figures(game.players)
    figures.add(playouts(game, SEED, range(GAMES)))
    return figures


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a few games, so that a short run has several."""
    size_of_chunks(monkeypatch, SIZE)
