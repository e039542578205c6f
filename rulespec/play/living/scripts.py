"""Modules of JavaScript as one script, for pages that load no files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_IMPORT = re.compile(r'^import \{(?P<names>[^}]*)\} from "\./(?P<file>[\w.-]+)";$', re.MULTILINE)
_PASSED_ON = re.compile(r'^export \{(?P<names>[^}]*)\} from "\./(?P<file>[\w.-]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (?P<name>\w+))", re.MULTILINE)


def script(folder: Path, file: str) -> str:
    """A module with all that it imports from its folder, as one script: each module is a function, called once."""
    return "".join(_wrapped(name, text) for name, text in _modules(folder, file, set()))


def _modules(folder: Path, file: str, known: set[str]) -> Iterator[tuple[str, str]]:
    """The modules that a module needs before itself, then itself, each once."""
    if file in known:
        return
    known.add(file)
    text = (folder / file).read_text(encoding="utf-8")
    for pattern in (_IMPORT, _PASSED_ON):
        for found in pattern.finditer(text):
            yield from _modules(folder, found["file"], known)
    yield file, text


def _wrapped(file: str, text: str) -> str:
    passed = [f"...{_variable(found['file'])}" for found in _PASSED_ON.finditer(text)]
    given = ", ".join([*passed, *(found["name"] for found in _EXPORT.finditer(text))])
    body = _EXPORT.sub("", _PASSED_ON.sub("", _IMPORT.sub(_taken, text)))
    return f"const {_variable(file)} = (() => {{\n{body}\nreturn {{ {given} }};\n}})();\n"


def _taken(found: re.Match[str]) -> str:
    """The names of an import as constants."""
    return f"const {{{found['names']}}} = {_variable(found['file'])};"


def _variable(file: str) -> str:
    return re.sub(r"\W", "_", file)
