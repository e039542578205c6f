"""Lifts YAML files to the present formats, the confirmations of translations included."""

from __future__ import annotations

from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source
from rulespec.games.confirmed import renewed_in
from rulespec.language.formats.current import lifted
from rulespec.text.output.exchange.edit import confirm
from rulespec.text.output.exchange.units import passages
from rulespec.text.reading.translation import read


def lifted_file(source: Source, kind: str) -> tuple[str, list[Finding]]:
    """The text of a YAML file of a kind in its present format, and what keeps its confirmations from being written."""
    now = lifted(source, kind)
    return _confirmed(now) if kind == "translation" else (now.text, [])


def _confirmed(source: Source) -> tuple[str, list[Finding]]:
    """A translation with the confirmations that its texts have beside the present spec and the kept versions. Without a
    spec to compare with, those of an older format stay."""
    found, (translation, _) = renewed_in(source), read(source)
    if found is None or translation is None:
        return source.text, []
    before = passages(translation)
    now = passages(found[0])
    return confirm(source, {key: str(one.seal) for key, one in now.items() if one.seal != before[key].seal})
