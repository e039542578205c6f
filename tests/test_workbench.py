"""The workbench of the page: it finds in an edited file what `ftk check` finds in the same file on disk."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import rulespec
from ftk_cli.page import calls

SPECS = Path(__file__).parents[1] / "specs"


def ask(call: str, **arguments: Any) -> Any:
    answer = json.loads(calls.answer(json.dumps({"call": call, "args": arguments})))
    assert "error" not in answer, answer
    return answer["result"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for part in ("kingme.yaml", "glossaries/kingme.yaml", "scenarios/kingme", "translations/kingme"):
        copy, here = tmp_path / "specs" / part, SPECS / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(here, copy) if here.is_dir() else shutil.copy(here, copy)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_edited_spec_has_the_findings_of_the_file_on_disk(project: Path) -> None:
    files = {one["name"]: one["text"] for one in ask("files", game="kingme")}
    assert {"specs/kingme.yaml", "specs/glossaries/kingme.yaml", "specs/translations/kingme/en.yaml"} <= set(files)
    text = files["specs/kingme.yaml"].replace("players: 3", "playres: 3", 1).replace("zones:", "zonse:", 1)
    found = ask("check_file", name="specs/kingme.yaml", text=text)
    elsewhere = project / "specs" / "kingme.yaml"
    assert elsewhere.read_text(encoding="utf-8") == text
    on_disk = json.dumps(rulespec.check("specs/kingme.yaml").to_dict(), ensure_ascii=False)
    assert found["report"]["findings"] and json.dumps(found["report"], ensure_ascii=False) == on_disk
    assert len(found["fixes"]) == len(found["report"]["findings"])
    assert any(line.startswith("+zonse:") for line in ask("changed", name="specs/kingme.yaml", text=text))


def test_it_shows_and_proposes_names(project: Path) -> None:
    text = (project / "specs/kingme.yaml").read_text(encoding="utf-8")
    name = {"name": "specs/kingme.yaml", "text": text}
    assert ask("hover", **name, offset=text.index("seen_by") + 2) is not None
    assert ask("proposals", **name, offset=text.index("\nzones:") + 1)


@pytest.mark.parametrize("name", ["/etc/passwd", "specs/../x.yaml", "other/kingme.yaml", "specs/notes.txt"])
def test_files_elsewhere_are_refused(project: Path, name: str) -> None:
    answer = json.loads(calls.answer(json.dumps({"call": "check_file", "args": {"name": name, "text": ""}})))
    assert "specs/" in answer["error"]["message"]
