"""Lifts YAML files to the present formats, the confirmations of translations included."""

from __future__ import annotations

from rulespec.api import model_for
from rulespec.confirmed import versions_of
from rulespec.diagnostics import Finding
from rulespec.formats import lifted
from rulespec.overlay import VariantError
from rulespec.source import Source
from rulespec.text import read, renewed
from rulespec.text.exchange import confirm, passages


def lifted_file(source: Source, kind: str) -> tuple[str, list[Finding]]:
    """The text of a YAML file of a kind in its present format, and what keeps its confirmations from being written."""
    now = lifted(source, kind)
    return _confirmed(now) if kind == "translation" else (now.text, [])


def _confirmed(source: Source) -> tuple[str, list[Finding]]:
    """A translation with the confirmations that its texts have beside the present spec and the kept versions. Without a
    spec to compare with, those of an older format stay."""
    translation, _ = read(source)
    try:
        spec = model_for(translation.game, source, translation.variant)[0] if translation is not None else None
    except VariantError:
        spec = None
    if translation is None or spec is None:
        return source.text, []
    now = passages(renewed(translation, spec, versions_of(spec)))
    before = passages(translation)
    return confirm(source, {key: str(one.seal) for key, one in now.items() if one.seal != before[key].seal})
