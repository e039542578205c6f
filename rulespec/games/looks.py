"""The looks of a game, from the folder `looks` next to its spec."""

from __future__ import annotations

from rulespec.base import project
from rulespec.base.diagnostics import Finding, Report
from rulespec.base.source import Source
from rulespec.base.source import read as read_file
from rulespec.games.api import Spec, model_for
from rulespec.games.rulebook import no_game
from rulespec.text.output.sheets.look_checks import check
from rulespec.text.output.sheets.looks import Looks, read


def looks_of(spec: Spec) -> tuple[Looks | None, Report]:
    """The looks of a game, with what is wrong with them; None if there are none, or none that can be
    read."""
    path = project.of(spec.model.source.path).looks(spec.id)
    if not path.is_file():
        return None, Report.of()
    source, found = read_file(str(path))
    looks, wrong = read(source) if source is not None else (None, [])
    return looks, Report.of(found, wrong, check(looks, spec.model) if looks is not None else ())


def usable_looks(spec: Spec) -> Looks | None:
    """The looks of a game; None if there are none, or none without errors."""
    looks, report = looks_of(spec)
    return looks if report.ok else None


def check_looks(source: Source) -> Report:
    """Everything wrong with looks, beside the spec of their game. Never raises for bad input."""
    looks, found = read(source)
    if looks is None:
        return Report.of(found)
    spec, report = model_for(looks.game, source)
    beside: list[Finding] = [no_game(looks.game, source, report)] if spec is None else list(check(looks, spec))
    return Report.of(found, beside)
