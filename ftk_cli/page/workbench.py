"""The workbench of the page: the files of a game, edited in the browser's own copy of the project.

Names of files are paths in the project, such as specs/kingme.yaml. The findings are those of `ftk check`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import unified_diff
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulespec import Source

_OPENED: dict[str, str] = {}
"""The text of each file when it was opened first."""


def files(game: str) -> list[dict[str, str]]:
    """The files of a game: its spec, glossary, overlays, texts and scenarios, those of its variants included."""
    from rulespec import find
    from rulespec.base import project

    spec = Path(find(game))
    home = project.of(spec)
    folders = (home.variants(game), home.translations / game, home.scenarios / game)
    inside = [path for folder in folders for path in sorted(folder.rglob("*.yaml"))]
    found = [spec, home.glossary(game), *inside]
    return [_read(_name(path)) for path in found if path.is_file()]


def check_file(name: str, text: str) -> dict[str, Any]:
    """Writes and checks the text of a file: the report of `ftk check`, and the patch of each finding that has one. What
    is wrong in a spreadsheet, which the page does not show, is at its name in the spec."""
    from rulespec import Report, Source, check
    from rulespec.editing.editors import at_its_name, in_spreadsheet
    from rulespec.editing.fixes import patch_of

    path = _path(name)
    path.write_text(text, encoding="utf-8", newline="")
    report = check(path)
    source = Source(name, text)
    patches = [patch_of(source, one) if one.path == name else None for one in report.findings]
    fixes = [{"start": one.span.start, "end": one.span.end, "text": one.text} if one else None for one in patches]
    sheet = list(in_spreadsheet(source, report.findings))
    shown = [at_its_name(source, one) if one in sheet else one for one in report.findings]
    return {"report": Report(tuple(shown)).to_dict(), "fixes": fixes}


def prepare() -> None:
    """Loads what is needed by files with mistakes only, which takes a browser seconds at the first mistake."""
    from rulespec import Source, check_source

    check_source(Source("specs/prepare.yaml", "rulespec: 2\nzonse: 1\n"))


def proposals(name: str, text: str, offset: int) -> list[dict[str, str]]:
    """What may stand at an offset, in code points."""
    from rulespec import Source
    from rulespec.editing import editors

    return [
        {"label": one.text, "type": one.kind, "detail": one.detail}
        for one in editors.proposals(Source(name, text), offset)
    ]


def hover(name: str, text: str, offset: int) -> dict[str, Any] | None:
    """What editors show about the place at an offset, and where it is."""
    from rulespec import Source
    from rulespec.editing import editors

    shown = editors.hover(Source(name, text), offset)
    return {"text": shown[0], "start": shown[1].start, "end": shown[1].end} if shown else None


def changed(name: str, text: str) -> list[str]:
    """The lines of a file that have changed since it was opened, as a unified difference."""
    before = _OPENED.get(name, "").splitlines()
    return list(unified_diff(before, text.splitlines(), name, name, lineterm=""))


def opened(path: Path) -> Source:
    """A file as it was when it was opened first; as it is now before that."""
    from rulespec import Source

    name = _read(_name(path))["name"]
    return Source(name, _OPENED[name])


def first() -> dict[str, Source]:
    """Every file that has been opened, by its path, as it was when it was opened first."""
    from rulespec import Source

    return {name: Source(name, text) for name, text in _OPENED.items()}


def edited(path: Path) -> str:
    """The text of a file if it is edited: if it is another one than when it was opened first, else ""."""
    before = _OPENED.get(_name(path)) if path.resolve().is_relative_to(Path.cwd().resolve()) else None
    now = path.read_text(encoding="utf-8") if before is not None else None
    return now if now is not None and now != before else ""


def leave() -> None:
    """Forgets which files have been opened."""
    _OPENED.clear()


def _read(name: str) -> dict[str, str]:
    text = _path(name).read_text(encoding="utf-8")
    _OPENED.setdefault(name, text)
    return {"name": name, "text": text}


def _name(path: Path) -> str:
    return path.resolve().relative_to(Path.cwd().resolve()).as_posix()


def _path(name: str) -> Path:
    """The file of a name. Raises ValueError for one outside of the project's specs."""
    parts = PurePosixPath(name).parts
    if parts[:1] != ("specs",) or ".." in parts or not name.endswith(".yaml"):
        raise ValueError(f"{name} is no YAML file in specs/.")
    return Path(name)


CALLS: Mapping[str, Callable[..., Any]] = {
    "files": files,
    "check_file": check_file,
    "prepare": prepare,
    "proposals": proposals,
    "hover": hover,
    "changed": changed,
}
