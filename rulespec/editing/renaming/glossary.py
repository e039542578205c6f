"""A glossary in which the concepts of a renamed name have the new one."""

from __future__ import annotations

from rulespec.base.source import Source
from rulespec.editing.file_kinds import kind_of
from rulespec.editing.renaming.references import replaced
from rulespec.editing.renaming.targets import inner_span
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Scalar


def with_name(file: Source, old: str, new: str) -> Source:
    """A glossary with the new name in place of the old one under `names:`; any other file is unchanged."""
    kind = kind_of(file)
    if kind is None or kind.name != "glossary":
        return file
    root, _ = parse(file)
    concepts = root.get("concepts") if isinstance(root, MapNode) else None
    every = [one for _, one in concepts.entries if isinstance(one, MapNode)] if isinstance(concepts, MapNode) else []
    named = [one.get("names") for one in every]
    spans = [inner_span(one) for one in named if isinstance(one, Scalar) and one.text == old]
    return replaced(file, spans, new)
