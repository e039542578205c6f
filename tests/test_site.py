"""The site of the documentation: every page is in its navigation, every link leads somewhere, pictures are of today."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

import rulespec
from rulespec.base.findings.docs import documents
from rulespec.base.source import Source

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
FINDINGS = [f"findings/{name}" for name in documents()]
"""The pages that are made with the site."""


class _Loader(yaml.SafeLoader):
    """A loader for `mkdocs.yml`, which names functions."""


_Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: suffix)


def pages(entry: Any) -> list[str]:
    if isinstance(entry, dict):
        return [page for inside in entry.values() for page in pages(inside)]
    if isinstance(entry, list):
        return [page for one in entry for page in pages(one)]
    if entry == "findings":
        return FINDINGS
    folder = DOCS / entry
    return [path.relative_to(DOCS).as_posix() for path in folder.glob("*.md")] if folder.is_dir() else [entry]


def test_every_page_is_in_the_navigation_once() -> None:
    config = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), _Loader)
    listed = sorted(pages(config["nav"]))
    assert listed == sorted([*FINDINGS, *(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))])


def test_the_reference_has_every_public_name_once() -> None:
    named = re.findall(r"^::: rulespec\.(\w+)$", (DOCS / "reference.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(name for name in rulespec.__all__ if name != "__version__")


def test_the_picture_of_a_check_shows_what_a_check_says() -> None:
    picture = html.unescape((DOCS / "pictures" / "check.svg").read_text(encoding="utf-8"))
    shown = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture)).replace("\xa0", " ")
    spec = (ROOT / "specs" / "fortheking.yaml").read_text(encoding="utf-8")
    found = rulespec.check_source(
        Source("specs/fortheking.yaml", spec.replace("2: 22, 3: 13", "2: 22, 3: 12"))
    ).findings
    assert found
    assert all("".join(one.message.split()) in "".join(shown.split()) for one in found)


@pytest.mark.skipif(not find_spec("mkdocs") or not find_spec("mkdocstrings"), reason="`make site` installs mkdocs")
def test_the_site_builds_without_warnings(tmp_path: Path) -> None:
    """Strict: broken links and anchors are errors."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "findings" / "index.html").is_file() and (tmp_path / "search").is_dir()
    home = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?:https?:)?//(?!ftk\.example|squidfunk\.github\.io)[^"]*\.(?:css|js)', home)
