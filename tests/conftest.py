"""Fixtures and markers for all tests."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from high_card import GAMES, SEED, SIZE, SPEC, size_of_chunks
from hypothesis import HealthCheck, settings

import rulespec
from rulespec.engine.backend.engines import tiers
from rulespec.engine.states.playout import playouts
from rulespec.play.simulate import Figures

# Machine code takes over only in its own tests: elsewhere it would compile beside them.
tiers.HOT = sys.maxsize

# How long an example takes says nothing on a shared machine. The first one of all may wait for tables of characters.
settings.register_profile("soak", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("sample", settings.get_profile("soak"), max_examples=30)
settings.load_profile("soak")

# Left out by `make quick`: files, and tests of other files, that take long, as scripts/slow_tests.py lists them. A test
# that is not listed yet takes the mark `slow` itself.
SLOW = frozenset((Path(__file__).parent / "slow.txt").read_text(encoding="utf-8").split())

# Left to `make soak`: what takes many seconds and repeats a behaviour over games, languages, engines, seeds or faults.
# A row is the start of node ids, and how many cases of each test there stay in `make test`. No two rows overlap.
SOAK = {
    "tests/browser/test_accessibility.py::test_nothing_hinders_a_reader[": 1,
    "tests/browser/test_accessibility.py::test_nothing_hinders_a_reader_of_a_tab": 0,
    "tests/browser/test_desk_page.py": 0,
    "tests/browser/test_diff_page.py::test_nothing_goes_wrong": 1,
    "tests/browser/test_living_page.py::test_a_rulebook_plays[": 1,
    "tests/browser/test_played_page.py": 0,
    "tests/browser/test_pyodide.py::test_it_finds_and_plays": 0,
    "tests/browser/test_review_page.py": 0,
    "tests/browser/test_searches.py": 0,
    "tests/browser/test_workbench_page.py": 0,
    "tests/test_belief.py::test_a_world_looks": 1,
    "tests/test_belief.py::test_weights_are_those": 3,
    "tests/test_bots.py::test_a_bot_chooses_the_same": 6,
    "tests/test_bots.py::test_a_search_beats": 1,
    "tests/test_bots.py::test_bots_play_legal_games": 3,
    "tests/test_bots.py::test_python_searches": 0,
    "tests/test_cards.py::test_engines_play": 1,
    "tests/test_chance.py::test_a_state_is_pickled": 2,
    "tests/test_chance.py::test_every_game_plays": 6,
    "tests/test_changes.py::test_every_change_of_play": 0,
    "tests/test_checked.py::test_games_have_no_fault": 1,
    "tests/test_cli_compile.py::test_what_is_nested_too_deeply": 2,
    "tests/test_cli_text.py::test_hostile_files": 12,
    "tests/test_contrasts.py::test_no_run_hangs": 3,
    "tests/test_deep.py::test_a_search_of_half_a_minute": 0,
    "tests/test_deep.py::test_any_number_of_processes": 1,
    "tests/test_deep.py::test_few_games_show": 2,
    "tests/test_describe.py::test_descriptions_of_documented_games": 36,
    "tests/test_describe.py::test_descriptions_of_random_games": 4,
    "tests/test_describe.py::test_descriptions_of_shipped_games": 2,
    "tests/test_desk.py::test_findings_about_one_text": 2,
    "tests/test_desk.py::test_shipped_texts": 3,
    "tests/test_detectors.py::test_a_detector_lists": 1,
    "tests/test_docs.py::test_every_game_loads": 14,
    "tests/test_editors.py::test_shipped_files_have_no_errors": 12,
    "tests/test_engines.py::test_playouts_are": 3,
    "tests/test_engines.py::test_scenarios_pass_on_every_engine": 1,
    "tests/test_engines.py::test_they_play_the_same_games[": 3,
    "tests/test_engines.py::test_they_play_the_same_games_of_the_doc": 18,
    "tests/test_engines.py::test_they_play_the_same_games_with_other": 2,
    "tests/test_engines.py::test_what_is_known_of": 2,
    "tests/test_exchange.py::test_the_way_out": 3,
    "tests/test_formats.py::test_a_run_of_a_day": 0,
    "tests/test_formats.py::test_findings_of_a_lifted": 3,
    "tests/test_formats.py::test_lifting_keeps": 3,
    "tests/test_formats.py::test_the_games_of_a_day_are": 1,
    "tests/test_formats.py::test_the_games_of_a_day_check": 1,
    "tests/test_gallery.py::test_all_engines_play": 4,
    "tests/test_gallery.py::test_many_games_play": 4,
    "tests/test_generated_source.py::test_jumps": 1,
    "tests/test_generated_source.py::test_source_is_made": 1,
    "tests/test_gin_rummy.py::test_many_games": 0,
    "tests/test_hand_engines.py::test_plays": 6,
    "tests/test_interop.py::test_openspiel_checks_games": 1,
    "tests/test_interop.py::test_openspiel_checks_some_states": 2,
    "tests/test_interop.py::test_openspiel_checks_the_whole": 0,
    "tests/test_interop.py::test_openspiel_simulates": 2,
    "tests/test_interop.py::test_pettingzoo_tests_the_other_environments": 8,
    "tests/test_layout.py::test_every_game_of_the_docs": 20,
    "tests/test_layout.py::test_every_spec_keeps": 40,
    "tests/test_living.py::test_a_host_shows": 2,
    "tests/test_living.py::test_a_module_goes_on": 1,
    "tests/test_meaning_digest.py::test_every_change_of_play": 6,
    "tests/test_meaning_digest.py::test_layout_changes": 20,
    "tests/test_native_views.py::test_a_function_that_does_nothing": 2,
    "tests/test_native_views.py::test_machine_code_writes": 2,
    "tests/test_native_views.py::test_so_it_does": 1,
    "tests/test_paired.py::test_machine_code_plays_other_games": 4,
    "tests/test_pdf.py::test_a_rulebook_is_accessible": 3,
    "tests/test_random_specs.py::test_all_engines_play": 2,
    "tests/test_random_specs.py::test_an_interrupted_run": 0,
    "tests/test_random_specs.py::test_compiled_python": 4,
    "tests/test_random_specs.py::test_faces": 1,
    "tests/test_stocks.py::test_engines": 1,
    "tests/test_raw_unseen.py::test_mistakes_of_development": 0,
    "tests/test_readings.py::test_kept_readings_change": 1,
    "tests/test_rename.py::test_a_rename_leaves": 1,
    "tests/test_rename.py::test_a_renamed_game": 9,
    "tests/test_rename.py::test_other_names": 4,
    "tests/test_rendered_rulebooks.py": 1,
    "tests/test_review_kept.py::test_each_of_30": 0,
    "tests/test_reviewer_instructions.py::test_a_program_that_repeats": 20,
    "tests/test_reviewer_instructions.py::test_the_answer_after": 20,
    "tests/test_rulebook_page.py::test_every_rule_of": 4,
    "tests/test_rulebook_page.py::test_the_index": 4,
    "tests/test_scenarios.py::test_a_changed_rule": 12,
    "tests/test_sets.py::test_engines_agree": 2,
    "tests/test_sheet_edits.py::test_": 20,
    "tests/test_table.py::test_the_king_is_played": 1,
    "tests/test_text_corpus.py::test_a_detector_lists": 2,
    "tests/test_text_corpus.py::test_every_finding_has": 3,
    "tests/test_text_corpus.py::test_precision": 0,
    "tests/test_text_edits.py::test_an_edit_is_reported": 70,
    "tests/test_text_growth.py::test_no_pattern_hangs": 6,
    "tests/test_text_growth.py::test_steps_grow": 6,
    "tests/test_text_mutations.py::test_mistakes_are_found": 6,
    "tests/test_touched.py::test_the_texts_and_cases": 1,
    "tests/test_views.py::test_a_possible_world": 8,
    "tests/test_views.py::test_a_program_that_leaks": 2,
    "tests/test_wasm.py::test_node_decides": 2,
    "tests/test_wasm.py::test_random_specs": 1,
    "tests/test_wasm.py::test_rollouts_from_the_start": 2,
    "tests/test_wasm.py::test_wasmtime_plays": 2,
    "tests/test_weights.py::test_python_weighs": 2,
    "tests/test_worklist.py::test_the_wrong_places": 0,
}


def pytest_configure(config: pytest.Config) -> None:
    """Fewer examples outside of the nightly run, for properties that do not state how many they need."""
    if "not soak" in config.getoption("markexpr"):
        settings.load_profile("sample")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file of which a tier has no test is not even imported."""
    tier = config.getoption("markexpr")
    name = os.path.relpath(collection_path, config.rootpath).replace(os.sep, "/")
    is_left_out = ("not slow" in tier and name in SLOW) or ("not soak" in tier and SOAK.get(name) == 0)
    return True if is_left_out else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        test = item.nodeid.partition("[")[0]
        if test in SLOW or test.partition("::")[0] in SLOW:
            item.add_marker(pytest.mark.slow)
    for start, stay in SOAK.items():
        tests: dict[str, list[pytest.Item]] = {}
        for item in items:
            if item.nodeid.startswith(start):
                tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
        for cases in tests.values():
            kept = spread([_parameters(item) for item in cases], stay)
            for at, item in enumerate(cases):
                if at not in kept:
                    item.add_marker(pytest.mark.soak)


def _parameters(item: pytest.Item) -> dict[str, int]:
    """The number of the value that each parametrization gives a test."""
    callspec = getattr(item, "callspec", None)
    return dict(callspec.indices) if callspec else {}


def spread(cases: Sequence[dict[str, int]], count: int) -> set[int]:
    """The places of `count` cases, which have each value of a parameter equally often and are far apart."""
    chosen: set[int] = set()
    used: Counter[tuple[str, int]] = Counter()
    for number in range(min(count, len(cases))):
        middle = (2 * number + 1) * len(cases) / (2 * count)

        def cost(at: int, middle: float = middle) -> tuple[int, float]:
            return sum(used[value] for value in cases[at].items()), abs(at + 0.5 - middle)

        best = min((at for at in range(len(cases)) if at not in chosen), key=cost)
        chosen.add(best)
        used.update(cases[best].items())
    return chosen


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call of a reviewer that fails is repeated after a hundredth of the usual time."""
    monkeypatch.setattr("ftk_cli.text.reviewer.FIRST_WAIT", 0.02)


@pytest.fixture(scope="session", autouse=True)
def english_findings() -> Iterator[None]:
    """Findings are English, wherever the tests run; a test of another language sets FTK_LANG or --lang."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FTK_LANG", "en")
        yield


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


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the page of `ftk page`, for the tests that visit it in a browser. Nothing changes it."""
    from chromium import MODULES  # beside those tests

    from ftk_cli.page.folder import write

    folder = tmp_path_factory.mktemp("site") / "page"
    write(folder, MODULES / "pyodide")
    return folder
