"""What the site adds to the pages in `docs/`: pages for findings, and for the files that pages link to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files, InclusionLevel

from rulespec.base.findings.docs import documents

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SHOWN = (
    "specs/*.yaml",
    "specs/gallery",
    "specs/gallery/*.yaml",
    "tests/findings/sample.yaml",
    "examples/*.py",
    "examples/games",
    "examples/games/*.yaml",
    "js/README.md",
)
"""The files and folders that pages may link to."""

FINDINGS = {f"findings/{name}": text for name, text in documents().items()}

SCHEMAS = "rulespec/language/schema/**/*.schema.json"
"""Published at the address of their `$id`: the top of the site."""

_LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]*)")


def on_config(config: Any) -> Any:
    """Replaces a folder in the navigation by its pages."""
    config.nav = [_with_pages(entry) for entry in config.nav]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Adds pages for findings and for each of those files to the pages of the site."""
    for path in sorted(path for pattern in SHOWN for path in ROOT.glob(pattern)):
        files.append(File.generated(config, _page(path), content=_text(path), inclusion=InclusionLevel.NOT_IN_NAV))
    for name, text in FINDINGS.items():
        files.append(File.generated(config, name, content=text))
    for path in sorted(ROOT.glob(SCHEMAS)):
        files.append(File.generated(config, path.name, content=path.read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turns links out of `docs/` into links to those pages."""
    here = (DOCS / page.file.src_uri).parent
    return _LINK.sub(lambda found: f"]({_target(here, found[1])}", markdown)


def _with_pages(entry: Any) -> Any:
    if isinstance(entry, dict):
        return {title: _with_pages(inside) for title, inside in entry.items()}
    if isinstance(entry, list):
        return [_with_pages(one) if isinstance(one, dict) else one for one in entry]
    return _pages_of(str(entry)) or entry


def _pages_of(folder: str) -> list[str]:
    """The pages in a folder of the documentation, the first page first."""
    names = [path.relative_to(DOCS).as_posix() for path in (DOCS / folder).glob("*.md")]
    names += [name for name in FINDINGS if name.startswith(f"{folder}/")]
    return sorted(names, key=lambda name: (not name.endswith("/README.md"), name))


def _target(here: Path, link: str) -> str:
    path = (here / link).resolve()
    if path.is_relative_to(DOCS) or not path.exists():
        return link
    return "../" * len(here.relative_to(DOCS).parts) + _page(path)


def _page(path: Path) -> str:
    return f"files/{path.relative_to(ROOT).as_posix()}.md"


def _text(path: Path) -> str:
    name = path.relative_to(ROOT).as_posix()
    head = f"---\nsearch: {{exclude: true}}\nhide: [toc]\n---\n# {name}\n\n"
    if path.is_dir():
        return head + "".join(f"- [{one.name}]({path.name}/{one.name}.md)\n" for one in sorted(path.glob("*.yaml")))
    return f"{head}````{path.suffix[1:]}\n{path.read_text(encoding='utf-8')}````\n"
