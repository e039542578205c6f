"""The extension for VS Code: its manifest names what is there, and its code is JavaScript that knows our commands."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "editors" / "vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
CODE = (FOLDER / "extension.js").read_text(encoding="utf-8")


def test_the_manifest_has_what_vs_code_wants() -> None:
    assert {"name", "publisher", "version", "engines", "main", "activationEvents", "contributes"} <= MANIFEST.keys()
    assert (FOLDER / MANIFEST["main"]).is_file() and MANIFEST["engines"]["vscode"].startswith("^")
    assert "vscode-languageclient" in MANIFEST["dependencies"]
    assert MANIFEST["contributes"]["configuration"]["properties"]["ftk.command"]["default"] == ["ftk", "lsp"]


def test_the_manifest_has_the_version_of_the_package() -> None:
    import rulespec

    assert MANIFEST["version"] == rulespec.__version__


@pytest.mark.skipif(find_spec("pygls") is None, reason="needs the extra lsp")
def test_the_code_knows_the_commands_of_lenses() -> None:
    from ftk_cli.lsp.between import PLAY, SHOW

    commands = [one["command"] for one in MANIFEST["contributes"]["commands"]]
    assert all(f'registerCommand("{name}"' in CODE for name in (SHOW, PLAY, *commands))


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_code_is_javascript() -> None:
    subprocess.run(["node", "--check", FOLDER / "extension.js"], check=True, capture_output=True)
