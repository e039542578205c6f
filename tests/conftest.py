"""Fixtures and markers for all tests."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from high_card import GAMES, SEED, SIZE, SPEC, size_of_chunks
from hypothesis import HealthCheck, settings

import rulespec
from rulespec.engine.states.playout import playouts
from rulespec.play.simulate import Figures

# How long an example takes says nothing on a shared machine. The first one of all may wait for tables of characters.
settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared")

# Left out by `make quick`: tests and whole files that together need most of the processor time, by the start of
# their node id. A single slow test elsewhere takes the mark `slow` itself.
SLOW = (
    "tests/browser",
    "tests/test_agreement.py::test_a_value_that_another_language_opposes",
    "tests/test_agreement.py::test_values_of_a_sentence",
    "tests/test_architecture.py::test_kept_entries",
    "tests/test_architecture.py::test_no_modules_import_each_other",
    "tests/test_architecture.py::test_nothing_is_keyed",
    "tests/test_architecture.py::test_the_library_knows_no_game",
    "tests/test_balance.py",
    "tests/test_balance_folder.py",
    "tests/test_belief.py",
    "tests/test_boards.py",
    "tests/test_bots.py",
    "tests/test_bounds.py",
    "tests/test_cache.py::test_an_entry_that_is_no_object_code_is_compiled_again",
    "tests/test_cache.py::test_what_is_damaged",
    "tests/test_cards.py",
    "tests/test_chance.py",
    "tests/test_changes.py",
    "tests/test_checked.py::test_games_have_no_fault",
    "tests/test_checks.py",
    "tests/test_choices.py",
    "tests/test_cli_balance.py",
    "tests/test_cli_cards.py",
    "tests/test_cli_check.py::test_a_baseline",
    "tests/test_cli_check.py::test_a_reader_who_leaves_ends_it_quietly",
    "tests/test_cli_check.py::test_explain_shows_a_rule_with_its_place_and_rulings",
    "tests/test_cli_check.py::test_explain_shows_rulings",
    "tests/test_cli_check.py::test_the_id_of_a_game",
    "tests/test_cli_compile.py",
    "tests/test_cli_files.py",
    "tests/test_cli_play.py",
    "tests/test_cli_simulate.py",
    "tests/test_cli_text.py",
    "tests/test_compiler.py::test_expressions",
    "tests/test_compiler.py::test_statements",
    "tests/test_completion.py::test_bash_completes",
    "tests/test_contrasts.py",
    "tests/test_counted.py::test_forms_by_plural_category",
    "tests/test_counted.py::test_unseen_phrases",
    "tests/test_deep.py",
    "tests/test_describe.py",
    "tests/test_desk.py",
    "tests/test_detectors.py",
    "tests/test_dictionaries.py::test_a_kept_dictionary_is_that_of_simplemma",
    "tests/test_dictionaries.py::test_the_second_process_reads_what_the_first_one_kept",
    "tests/test_docs.py::test_every_game",
    "tests/test_docs.py::test_every_page_does",
    "tests/test_document.py::test_any_text",
    "tests/test_edition.py::test_shipped_texts_have_one_amount_for_each_number_of_players",
    "tests/test_editors.py",
    "tests/test_engines.py",
    "tests/test_errata.py",
    "tests/test_examples.py",
    "tests/test_exchange.py::test_every_text_arrives",
    "tests/test_exchange.py::test_the_way_out",
    "tests/test_finding_samples.py",
    "tests/test_findings.py::test_every_finding_in_the_code_has_a_row",
    "tests/test_findings.py::test_every_kind_is_raised_somewhere",
    "tests/test_former_names.py::test_a_log_replays_after_renames",
    "tests/test_former_names.py::test_an_entry_takes_the_layout_of_the_section",
    "tests/test_free_wording.py",
    "tests/test_fuzz.py",
    "tests/test_gallery.py",
    "tests/test_generated_source.py",
    "tests/test_gin_rummy.py",
    "tests/test_glossary.py::test_any",
    "tests/test_hand_engines.py",
    "tests/test_indices.py",
    "tests/test_interop.py::test_openspiel",
    "tests/test_interop.py::test_pettingzoo",
    "tests/test_interop.py::test_states_are_resampled",
    "tests/test_interop.py::test_the_example",
    "tests/test_labelled_edits.py",
    "tests/test_languages.py",
    "tests/test_layout.py::test_every",
    "tests/test_local_names.py::test_names_inside",
    "tests/test_meaning.py",
    "tests/test_meaning_digest.py",
    "tests/test_model.py::test_a_broken_piece",
    "tests/test_model.py::test_mutations",
    "tests/test_model.py::test_texts_made_to_hurt",
    "tests/test_model.py::test_values_stay_inside",
    "tests/test_narrowing.py",
    "tests/test_native_views.py",
    "tests/test_new.py::test_a_copy",
    "tests/test_new.py::test_a_new_game_is_clean",
    "tests/test_new.py::test_all_languages_at_once_are_one_game_with_confirmed_texts",
    "tests/test_new.py::test_the_commands_that_the_output_names_run",
    "tests/test_origins.py",
    "tests/test_outdated.py",
    "tests/test_overlays.py",
    "tests/test_packaging.py",
    "tests/test_paired.py::test_every_one_of_many_actions_has_the_same_chance",
    "tests/test_paired.py::test_first_differences_of_small_games_name_the_edited_rule",
    "tests/test_paired.py::test_machine_code_plays_what_the_interpreter_plays",
    "tests/test_picks.py",
    "tests/test_predicates.py",
    "tests/test_project.py::test_a_command_that_reads_packaged_files_says_so",
    "tests/test_project.py::test_a_project_comes_before_an_installed_package",
    "tests/test_project.py::test_an_installed_package",
    "tests/test_properties.py",
    "tests/test_quantities.py::test_every_number",
    "tests/test_random_specs.py",
    "tests/test_raw_cases.py::test_a_condition_that_turns_on_something_else_is_found",
    "tests/test_raw_cases.py::test_the_same_condition",
    "tests/test_raw_left_out.py",
    "tests/test_raw_numbers.py",
    "tests/test_raw_opposites.py",
    "tests/test_raw_pairs.py",
    "tests/test_raw_unseen.py",
    "tests/test_rename.py",
    "tests/test_rendered_rulebooks.py",
    "tests/test_required_facts.py::test_signs",
    "tests/test_review_kept.py",
    "tests/test_reviewer.py",
    "tests/test_reviewer_instructions.py::test_a_program_that_repeats",
    "tests/test_reviewer_instructions.py::test_the_answer_after",
    "tests/test_revisions.py::test_outside_of_git_the_last_release_in_the_history_counts",
    "tests/test_revisions.py::test_the_version_must_rise_since_the_last_commit",
    "tests/test_room.py::test_engines_agree",
    "tests/test_room.py::test_the_room_may_depend",
    "tests/test_rulebook_page.py",
    "tests/test_scenarios.py::test_a_changed_rule",
    "tests/test_scenarios.py::test_all_scenarios",
    "tests/test_scenarios.py::test_damaged_files",
    "tests/test_scenarios.py::test_every_answer_to",
    "tests/test_scenarios.py::test_every_rule",
    "tests/test_schema.py::test_no_damage_raises",
    "tests/test_schema.py::test_one_mistake",
    "tests/test_schema.py::test_what_fits",
    "tests/test_sets.py",
    "tests/test_sight.py::test_engines",
    "tests/test_simulation.py::test_a_cluster",
    "tests/test_simulation.py::test_a_worker_with_another_version",
    "tests/test_simulation.py::test_nobody_answers",
    "tests/test_simulation_folder.py",
    "tests/test_since.py",
    "tests/test_solving.py::test_the_exploitability",
    "tests/test_staleness.py::test_an_edit",
    "tests/test_table.py::test_the_king_is_played",
    "tests/test_terminal.py",
    "tests/test_text.py",
    "tests/test_text_corpus.py",
    "tests/test_text_diff.py",
    "tests/test_text_edits.py",
    "tests/test_text_growth.py",
    "tests/test_text_mutations.py",
    "tests/test_text_samples.py::test_good_translations",
    "tests/test_text_samples.py::test_raw_texts",
    "tests/test_touched.py",
    "tests/test_unchanged.py",
    "tests/test_unseen_texts.py",
    "tests/test_untranslated.py::test_the_tools_of_translators",
    "tests/test_unusable_inputs.py::test_a_text_that_is_no_file",
    "tests/test_upgrade.py",
    "tests/test_views.py",
    "tests/test_wasm.py",
    "tests/test_weights.py",
    "tests/test_words.py::test_the_old_word_is_gone",
    "tests/test_workbench.py",
    "tests/test_worklist.py",
)

# Left to `make soak`: what takes many seconds and repeats a behaviour over games, languages, engines, seeds or faults.
# A row is the start of node ids, and how many cases of each test there stay in `make test`. No two rows overlap.
SOAK = {
    "tests/browser/test_accessibility.py::test_nothing_hinders_a_reader[": 1,
    "tests/browser/test_accessibility.py::test_nothing_hinders_a_reader_of_a_tab": 0,
    "tests/browser/test_desk_page.py": 0,
    "tests/browser/test_pyodide.py::test_it_finds_and_plays": 0,
    "tests/browser/test_review_page.py": 0,
    "tests/browser/test_searches.py": 0,
    "tests/browser/test_workbench_page.py": 0,
    "tests/test_belief.py::test_a_world_looks_the_same": 2,
    "tests/test_belief.py::test_weights_are_those": 3,
    "tests/test_bots.py::test_a_bot_chooses_the_same": 6,
    "tests/test_bots.py::test_a_search_beats": 2,
    "tests/test_bots.py::test_bots_play_games_with_values": 4,
    "tests/test_bots.py::test_bots_play_legal_games": 6,
    "tests/test_cards.py::test_engines_play": 1,
    "tests/test_chance.py::test_a_state_is_pickled": 2,
    "tests/test_chance.py::test_every_game_plays": 6,
    "tests/test_changes.py::test_every_change_of_play": 0,
    "tests/test_checked.py::test_games_have_no_fault": 2,
    "tests/test_cli_compile.py::test_what_is_nested_too_deeply": 2,
    "tests/test_cli_text.py::test_hostile_files": 12,
    "tests/test_contrasts.py::test_contrasts_of_shipped": 2,
    "tests/test_contrasts.py::test_no_run_hangs": 3,
    "tests/test_deep.py::test_a_search_of_half_a_minute": 0,
    "tests/test_deep.py::test_any_number_of_processes": 1,
    "tests/test_describe.py::test_descriptions_of_documented_games": 36,
    "tests/test_describe.py::test_descriptions_of_random_games": 4,
    "tests/test_describe.py::test_descriptions_of_shipped_games": 2,
    "tests/test_desk.py::test_findings_about_one_text": 2,
    "tests/test_desk.py::test_shipped_texts": 3,
    "tests/test_detectors.py::test_a_detector_lists": 1,
    "tests/test_docs.py::test_every_game_loads": 14,
    "tests/test_engines.py::test_scenarios_pass_on_every_engine": 1,
    "tests/test_exchange.py::test_the_way_out": 3,
    "tests/test_formats.py::test_the_games_of_a_day_are": 2,
    "tests/test_formats.py::test_the_games_of_a_day_check": 2,
    "tests/test_free_wording.py::test_only_what_is_wrong": 9,
    "tests/test_gallery.py::test_a_text_is_clean": 2,
    "tests/test_gallery.py::test_all_engines_play": 4,
    "tests/test_gallery.py::test_many_games_play": 8,
    "tests/test_gallery.py::test_the_utilities": 16,
    "tests/test_hand_engines.py::test_plays": 6,
    "tests/test_interop.py::test_openspiel_checks_games": 1,
    "tests/test_interop.py::test_openspiel_checks_some_states": 2,
    "tests/test_interop.py::test_pettingzoo_tests_the_other_environments": 8,
    "tests/test_labelled_edits.py::test_an_edit_has": 60,
    "tests/test_labelled_edits.py::test_the_changes_back": 30,
    "tests/test_meaning_digest.py::test_every_change_of_play": 12,
    "tests/test_native_views.py::test_a_function_that_does_nothing": 4,
    "tests/test_native_views.py::test_machine_code_writes": 4,
    "tests/test_native_views.py::test_several_cards": 4,
    "tests/test_native_views.py::test_so_it_does": 2,
    "tests/test_outdated.py::test_other_languages": 6,
    "tests/test_overlays.py::test_a_written_document": 2,
    "tests/test_paired.py::test_machine_code_plays_other_games": 4,
    "tests/test_random_specs.py::test_all_engines_play": 3,
    "tests/test_random_specs.py::test_compiled_python": 8,
    "tests/test_raw_unseen.py::test_mistakes_of_development": 0,
    "tests/test_readings.py::test_kept_readings_change": 2,
    "tests/test_rename.py::test_a_rename_leaves": 1,
    "tests/test_rename.py::test_other_names": 8,
    "tests/test_rendered_rulebooks.py": 1,
    "tests/test_sets.py::test_engines_agree": 2,
    "tests/test_table.py::test_the_king_is_played": 1,
    "tests/test_text_corpus.py::test_a_detector_lists": 2,
    "tests/test_text_corpus.py::test_every_finding_has": 3,
    "tests/test_text_growth.py::test_no_pattern_hangs": 12,
    "tests/test_text_growth.py::test_steps_grow": 12,
    "tests/test_text_mutations.py::test_mistakes_are_found": 12,
    "tests/test_touched.py::test_the_texts_and_cases": 1,
    "tests/test_unusable_inputs.py::test_a_text_that_is_no_file": 50,
    "tests/test_views.py::test_a_program_that_leaks": 2,
    "tests/test_worklist.py::test_a_change_is_one_worklist": 2,
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(SLOW):
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
