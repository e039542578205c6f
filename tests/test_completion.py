"""The completion of shells: what is proposed for each argument and option."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.shell_completion import BashComplete

from ftk_cli.main import main

ROWS = yaml.safe_load(Path(__file__).with_name("completion.yaml").read_text("utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row["line"]))
def test_a_line_is_completed(row: dict[str, Any]) -> None:
    *words, incomplete = row["line"]
    proposed = BashComplete(main, {}, "ftk", "_FTK_COMPLETE").get_completions(words, incomplete)
    assert ["<file>" if one.type == "file" else one.value for one in proposed] == row["proposes"]


def test_a_spec_with_errors_leaves_the_line_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("rulespec: 2\n", encoding="utf-8")
    words = ["simulate", str(tmp_path / "bad.yaml"), "--ruling"]
    assert BashComplete(main, {}, "ftk", "_FTK_COMPLETE").get_completions(words, "a") == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes(tmp_path: Path) -> None:
    command = tmp_path / "ftk"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ftk_cli "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    script = (
        'eval "$(_FTK_COMPLETE=bash_source ftk)"; COMP_WORDS=(ftk explain RS101); COMP_CWORD=2; _ftk_completion ftk'
    )
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    run = ["bash", "-c", f'{script}; echo "${{COMPREPLY[@]}}"']
    found = subprocess.run(run, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=True)
    assert (found.stdout, "Traceback" in found.stderr) == ("RS101\n", False)


@pytest.mark.parametrize(("words", "says"), [("ftk check --de", "Замінити картки"), ("ftk ch", "Знайти всі")])
def test_a_shell_gets_what_commands_and_options_do_in_the_language(words: str, says: str) -> None:
    asked = {"_FTK_COMPLETE": "zsh_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    run = [sys.executable, "-c", "from ftk_cli.main import main; main(prog_name='ftk')"]
    found = subprocess.run(run, env=os.environ | asked | {"FTK_LANG": "uk"}, capture_output=True, check=True)
    assert says in found.stdout.decode()
