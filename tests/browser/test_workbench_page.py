"""The workbench in Chromium: the same spec edited in the page and on disk gives the same findings, byte for byte."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

import rulespec
from ftk_cli.page.folder import write
from ftk_cli.page.server import server

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDERS = [Path(one) for one in os.environ.get("NODE_PATH", "").split(os.pathsep) if one]
PACKAGES = next((one for one in [*FOLDERS, ROOT / ".venv/node_modules"] if (one / "playwright-core").is_dir()), None)
BROWSER = next((path for name in ("chromium", "google-chrome") if (path := shutil.which(name))), None)
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(
    NODE is None or BROWSER is None or PACKAGES is None or not (PACKAGES / "pyodide").is_dir(),
    reason="Node, Chromium or the packages playwright-core and pyodide are missing",
)


def test_findings_of_an_edited_spec_are_those_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert PACKAGES is not None
    write(tmp_path / "page", PACKAGES / "pyodide")
    served = server(tmp_path / "page", 0)
    thread = threading.Thread(target=served.serve_forever)
    thread.start()
    try:
        address = f"http://127.0.0.1:{served.server_address[1]}/index.html"
        command = [str(NODE), str(HERE / "workbench.mjs"), str(PACKAGES), str(BROWSER), address]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    finally:
        served.shutdown()
        served.server_close()
        thread.join()
    assert done.returncode == 0, done.stderr[-2000:]
    there = json.loads(done.stdout)
    assert there["problems"] == [] and there["wide"] == []

    copy = tmp_path / "specs"
    shutil.copytree(ROOT / "specs", copy)
    spec = copy / "kingme.yaml"
    spec.write_text("zonse: 1\n" + spec.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    here = rulespec.check("specs/kingme.yaml").to_dict()["findings"]
    assert there["report"] == json.dumps(here, ensure_ascii=False, separators=(",", ":"))
