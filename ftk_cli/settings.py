"""The settings of a project: `ftk.toml`, or `[tool.ftk]` in `pyproject.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ftk_cli.failure import Failure, did_you_mean
from rulespec.base.diagnostics import Report, Severity
from rulespec.base.findings import KINDS
from rulespec.base.findings.table import RETIRED
from rulespec.base.messages import say

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding

OWN, SHARED = "ftk.toml", "pyproject.toml"
_LARGEST = 2**20
_LONG_KEY = re.compile(rb"(?<![\w\"'-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){64}")
"""A key of more levels than YAML may have: the time and memory of the parser grow with their square."""


@dataclass(frozen=True)
class Settings:
    """What a project says about findings: kinds that it ignores, other severities, and what makes a check fail."""

    ignore: frozenset[str] = frozenset()
    severity: Mapping[str, str] = field(default_factory=dict)
    fail_on: str = "error"

    def applied(self, report: Report) -> Report:
        """The findings that are left, with their severities."""
        return Report(tuple(self._weighed(one) for one in report.findings if one.code not in self.ignore))

    def _weighed(self, found: Finding) -> Finding:
        wanted = self.severity.get(found.code)
        return found if wanted is None else replace(found, level=Severity(wanted))


def settings(folder: Path | None = None) -> Settings:
    """The settings of the nearest folder upward that has some, from a folder or the current one on. Raises Failure for
    a file that is wrong."""
    for path, content in _tables(folder):
        unknown = next((key for key in content if key not in _KEYS), None)
        if unknown is not None:
            otherwise = say("Write one of {names}.", names=[f"`{key}`" for key in _KEYS])
            hint = did_you_mean(unknown, _KEYS) or otherwise
            raise Failure(say("{path}: `{unknown}` is no setting.", path=path, unknown=unknown), hint)
        return Settings(**{key.replace("-", "_"): _KEYS[key](value, path) for key, value in content.items()})
    return Settings()


def fail_on(ctx: click.Context, given: str, project: Settings) -> str:
    """What makes a check fail: as the command line says, else as the project says."""
    is_given = ctx.get_parameter_source("fail_on") is click.core.ParameterSource.COMMANDLINE
    return given if is_given else project.fail_on


def _tables(folder: Path | None) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The settings of the folders upward from one, each with its file."""
    try:
        here = Path.cwd() if folder is None else folder.absolute()
    except OSError:  # the current directory was deleted
        return
    for folder in (here, *here.parents):
        if (folder / OWN).is_file():
            yield str(folder / OWN), _read(folder / OWN)
        if (folder / SHARED).is_file():
            tool = _read(folder / SHARED, about="tool.ftk").get("tool")
            if isinstance(tool, dict) and "ftk" in tool:
                yield f"{folder / SHARED}: [tool.ftk]", _table(tool["ftk"], f"{folder / SHARED}: `tool.ftk`")


def _read(path: Path, about: str = "") -> dict[str, Any]:
    """The content of a file. One that is no TOML and does not mention `about` is another project's: nothing is read."""
    content = b""
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST or _LONG_KEY.search(content):
            raise RecursionError
        # Some editors begin a file with a byte order mark, which TOML refuses.
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        if about.encode() not in content:
            return {}
        known = isinstance(error, tomllib.TOMLDecodeError | UnicodeDecodeError)
        why = (
            say("is no TOML: {reason}", reason=error)
            if known
            else say("is nested too deep or too large, or has too long a number or key.")
        )
        raise Failure(say("{path} {why}", path=path, why=why), say("Correct it.")) from None
    except OSError as error:
        raise Failure(say("{path} cannot be read: {reason}.", path=path, reason=error.strerror)) from None


def _table(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Failure(say("{what} is {value!r}, and must be a table.", what=what, value=value))
    return value


def _ignore(value: Any, path: str) -> frozenset[str]:
    if not isinstance(value, list):
        raise Failure(
            say("{path}: `ignore` is {value!r}, and must be a list.", path=path, value=value),
            say('Write it like `ignore = ["RS616"]`.'),
        )
    return frozenset(_code(one, f"{path}: `ignore`") for one in value)


def _severity(value: Any, path: str) -> dict[str, str]:
    found = {}
    for name, severity in _table(value, f"{path}: `severity`").items():
        found[_code(name, f"{path}: `severity`")] = _level(
            severity, say("{path}: the severity of {name}", path=path, name=name)
        )
    return found


def _level(value: Any, what: str) -> str:
    if value not in ("error", "warning", "info"):
        raise Failure(
            say("{what} is {value!r}.", what=what, value=value), say("Write one of `error`, `warning`, `info`.")
        )
    return str(value)


ERRORS_SINCE = ("RS913", "number-unaccounted")
"""Warnings of earlier versions that are errors. A project may still name them, without effect."""


def _code(name: Any, what: str) -> str:
    """The code of a kind of finding, given as its code or name. Errors stay errors: no game with one can be played."""
    kind = next((kind for kind in KINDS.values() if name in (kind.code, kind.name)), None)
    if name in (*RETIRED, *RETIRED.values(), *ERRORS_SINCE):
        return ""
    if kind is None:
        raise Failure(
            say("{what} names {name!r}, which is no kind of finding.", what=what, name=name),
            did_you_mean(str(name), [one for kind in KINDS.values() for one in (kind.code, kind.name)]),
        )
    if kind.severity == "error":
        raise Failure(
            say("{what} names {code}, an error, which stays one.", what=what, code=kind.code),
            say("Correct what it reports."),
        )
    return kind.code


_KEYS: dict[str, Callable[[Any, str], Any]] = {
    "ignore": _ignore,
    "severity": _severity,
    "fail-on": lambda value, path: _level(value, f"{path}: `fail-on`"),
}
"""Every setting, with the function that reads its value."""
