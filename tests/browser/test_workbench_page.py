"""The workbench in Chromium: the same spec edited in the page and on disk gives the same findings, byte for byte."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from chromium import needs, visited

import rulespec

ROOT = Path(__file__).parents[2]

SCENARIOS = "specs/scenarios/kingme"
TREE = (
    "specs/glossaries/kingme.yaml",
    "specs/looks/kingme.yaml",
    *["/translations"] * 3,
    *["/translations/de"] * 2,
    "specs/variants/kingme/ground_floor.yaml",
)
"""What the keys of the tree lead to: three times down, closed, opened, into it, a folder closed, the letter v."""

pytestmark = [needs("playwright-core", "axe-core", "pyodide"), pytest.mark.soak]


def test_findings_of_an_edited_spec_are_those_on_disk(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    there = visited("workbench.mjs", site, (ROOT / "specs/kingme.yaml").read_text(encoding="utf-8"))
    spec_file = "specs/kingme.yaml"
    assert (there["complaints"], there["wide"]) == ([], [])
    assert there["violations"] == []
    assert there["changed"] == ["The worth of 1 is 0."]
    assert there["left"] == "[]"
    assert there["stopped"] == "effect-start"
    assert any(row.startswith("player 1 ") for row in there["effect"])
    assert there["played"] == "King Me!"
    assert there["beside"] == "specs/translations/kingme/uk.yaml"
    wrong = [bool(found) for found in there["both"]]
    assert wrong == [True, False, True, False] and {one.split()[1] for one in there["both"][2]} == {there["beside"]}
    assert there["followed"] == [0, 1, 1, 0]
    assert there["tabs"] == [f"tab-{one}" for one in (spec_file, f"{SCENARIOS}/score.yaml", spec_file, there["beside"])]
    assert (there["second"], there["left_open"]) == ("tab-specs/variants/kingme/ground_floor.yaml", 4)
    assert there["tree"] == [spec_file, *TREE, f"{SCENARIOS}/winner.yaml"]
    assert there["places"][0] == "kingme.yaml:209- id: election.vote" and len(there["places"]) == 7
    assert (there["place"], there["expression"]) == (
        "specs/translations/kingme/de.yaml",
        "This is no regular expression.",
    )
    assert there["listed"][0] > there["listed"][1] == 1 and there["line"] == spec_file
    assert "kingme.yaml is not saved: no space left" in there["full"] and there["keys"] > 10
    assert there["kept"] == ["kingme # x"] * 3

    copy = tmp_path / "specs"
    shutil.copytree(ROOT / "specs", copy)
    spec = copy / "kingme.yaml"
    spec.write_text("zonse: 1\n" + spec.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    here = rulespec.check("specs/kingme.yaml").to_dict()["findings"]
    assert there["report"] == json.dumps(here, ensure_ascii=False, separators=(",", ":"))
