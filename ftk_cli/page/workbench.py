"""The workbench of the page: the files of a game, edited in the browser's own copy of the project.

Names of files are paths in the project, such as specs/kingme.yaml. The findings are those of `ftk check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import unified_diff
from pathlib import Path, PurePosixPath
from typing import Any

from rulespec.base import project
from rulespec.base.diagnostics import Report
from rulespec.base.project import find
from rulespec.base.source import Source
from rulespec.base.source import read as read_source
from rulespec.language.cards_from import spreadsheet_of

_OPENED: dict[str, str] = {}
"""The text of each file when it was opened first."""


def files(game: str) -> list[dict[str, Any]]:
    """The files of a game, each with the folder that the page shows it in, such as `translations/uk`.

    They are its spec, glossary, looks, texts, overlays, scenarios and reviews, and a list of cards in CSV, which is
    read-only.
    """
    spec = Path(find(game))
    there = [(folder, path) for folder, path in _files(spec, game) if path.is_file()]
    found: list[dict[str, Any]] = [
        {**_read(_name(path)), "folder": folder, "readonly": False} for folder, path in there
    ]
    source, _ = read_source(str(spec))
    sheet = Path(spreadsheet_of(source) if source is not None else "")
    if sheet.suffix.lower() == ".csv" and sheet.is_file():
        text = sheet.read_text(encoding="utf-8-sig", errors="replace")
        found.append({"name": _name(sheet), "text": text, "folder": "sheets", "readonly": True})
    return found


def _files(spec: Path, game: str) -> Iterator[tuple[str, Path]]:
    """The files of a game that can be edited, with their folders at the page."""
    home = project.of(spec)
    yield from (("spec", spec), ("glossary", home.glossary(game)), ("looks", home.looks(game)))
    for path in sorted(home.texts(game).rglob("*.yaml")):
        yield f"translations/{path.stem}", path
    folders = {"variants": home.variants(game), "scenarios": home.scenarios_of(game), "reviews": home.reviews(game)}
    for kind, folder in folders.items():
        for path in sorted(folder.rglob("*.yaml")):
            yield PurePosixPath(kind, path.parent.relative_to(folder).as_posix()).as_posix(), path


def check_file(name: str, text: str, lang: str = "") -> dict[str, Any]:
    """Writes and checks the text of a file: the report of `ftk check` in a language, and the patch of each finding that
    has one. What is wrong in a spreadsheet, which the page does not show, is at its name in the spec."""
    from rulespec.editing.editors.cells import at_its_name, in_spreadsheet
    from rulespec.editing.file_kinds import check
    from rulespec.editing.fixes import patch_of

    path = _path(name)
    path.write_text(text, encoding="utf-8", newline="")
    report = check(path)
    source = Source(name, text)
    patches = [patch_of(source, one) if one.path == name else None for one in report.findings]
    fixes = [{"start": one.span.start, "end": one.span.end, "text": one.text} if one else None for one in patches]
    sheet = list(in_spreadsheet(source, report.findings))
    shown = [at_its_name(source, one) if one in sheet else one for one in report.findings]
    return {"report": Report(tuple(one.in_language(lang) if lang else one for one in shown)).to_dict(), "fixes": fixes}


def keep_file(name: str, text: str) -> None:
    """Writes the text of a file without a check: one of a large file takes minutes in a browser."""
    _path(name).write_text(text, encoding="utf-8", newline="")


def prepare() -> None:
    """Loads what is needed for files with mistakes, proposals and hovers, which takes a browser seconds at first."""
    from rulespec.editing.file_kinds import check_source

    name, text = "specs/prepare.yaml", "rulespec: 2\nzonse: 1\n"
    check_source(Source(name, text))
    proposals(name, text, len(text) - 5)
    hover(name, text, 0)


def proposals(name: str, text: str, offset: int) -> list[dict[str, str]]:
    """What may stand at an offset, in code points."""
    from rulespec.editing.editors.completion import proposals as proposals_editor

    return [
        {"label": one.text, "type": one.kind, "detail": one.detail}
        for one in proposals_editor(Source(name, text), offset)
    ]


def hover(name: str, text: str, offset: int) -> dict[str, Any] | None:
    """What editors show about the place at an offset, and where it is."""
    from rulespec.editing.editors.hover import hover as hover_editor

    shown = hover_editor(Source(name, text), offset)
    return {"text": shown[0], "start": shown[1].start, "end": shown[1].end} if shown else None


def changed(name: str, text: str) -> list[str]:
    """The lines of a file that have changed since it was opened, as a unified difference."""
    before = _OPENED.get(name, "").splitlines()
    return list(unified_diff(before, text.splitlines(), name, name, lineterm=""))


def opened(path: Path) -> Source:
    """A file as it was when it was opened first; as it is now before that."""
    name = _read(_name(path))["name"]
    return Source(name, _OPENED[name])


def first() -> dict[str, Source]:
    """Every file that has been opened, by its path, as it was when it was opened first."""
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
    "keep_file": keep_file,
    "prepare": prepare,
    "proposals": proposals,
    "hover": hover,
    "changed": changed,
}
