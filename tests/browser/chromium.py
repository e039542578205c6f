"""Chromium, and the npm packages that tests drive it with, which `make tools` installs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ftk_cli.page.server import server, serving

HERE = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "headless_shell")
BROWSER = next((path for name in BROWSERS if (path := shutil.which(name))), None)
NODE = shutil.which("node")
MODULES = Path(os.environ.get("FTK_NODE_MODULES", HERE.parents[1] / ".venv" / "node_modules"))
"""A folder of npm packages: that of the project, or another one."""


def needs(*packages: str, browser: bool = True) -> pytest.MarkDecorator:
    """The mark of tests that need Node, these npm packages and perhaps Chromium."""
    lacking = [name for name in packages if not (MODULES / name).is_dir()]
    lacking += ["Chromium"] * (browser and BROWSER is None) + ["Node"] * (NODE is None)
    reason = f"{', '.join(lacking)} missing: `make tools` installs them; FTK_NODE_MODULES names others"
    return pytest.mark.skipif(bool(lacking), reason=reason)


def node(script: str, *arguments: object) -> Any:
    """What a script of this folder prints on its last line, as JSON."""
    command = [str(NODE), str(HERE / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def visited(script: str, site: Path, *arguments: object) -> Any:
    """What a script reports of a folder that is served meanwhile; it gets MODULES, BROWSER, ADDRESS and `arguments`."""
    with server(site) as running, serving(running) as address:
        return node(script, MODULES, BROWSER, address, *arguments)
