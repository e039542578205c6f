"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

# Left out by `make quick`: files and tests that take more than a few seconds, by the start of their node id.
# Measured in processor time; everything else together takes under a minute on two cores.
SLOW = (
    "tests/test_cli_compile.py",
    "tests/test_cli_text.py",
    "tests/test_docs.py",
    "tests/test_editors.py",
    "tests/test_engines.py",
    "tests/test_generated_source.py",
    "tests/test_hand_engines.py",
    "tests/test_properties.py",
    "tests/test_random_specs.py",
    "tests/test_scenarios.py",
    "tests/test_simulation_folder.py",
    "tests/test_text_corpus.py",
    "tests/test_text_mutations.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def cache_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests keep what they compile apart from what the user has compiled; all workers of a run share it."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        yield
