"""The page of `ftk page`, written once for all tests that visit it."""

from __future__ import annotations

from pathlib import Path

import pytest
from chromium import MODULES

from ftk_cli.page.folder import write


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the page. Nothing changes it."""
    folder = tmp_path_factory.mktemp("site") / "page"
    write(folder, MODULES / "pyodide")
    return folder
