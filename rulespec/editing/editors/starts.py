"""Where in a file a game can be played from: rules in a spec, their texts, and cases of scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from rulespec.base.source import Source
from rulespec.editing.file_kinds import kind_of
from rulespec.editing.renaming.targets import targets
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Scalar, Sequence

_Starts: TypeAlias = Iterator[tuple[int, str]]
"""The offsets of entries, each with the id to play from."""


def played_from(source: Source, offset: int) -> str:
    """The id of the rule or of the case that an offset is in, "" if it is in neither.

    It is the last one whose first line begins before it, in the same section of the file.
    """
    kind, root = kind_of(source), parse(source)[0]
    starts = _STARTS.get(kind.name) if kind is not None else None
    if starts is None or not isinstance(root, MapNode):
        return ""
    found = [*((key.span.start, "") for key, _ in root.entries), *starts(root)]
    begun = [(at, id_) for at, id_ in found if source.line_start(source.position(at).line) <= offset]
    return max(begun, default=(0, ""))[1]


def _rules(root: MapNode) -> _Starts:
    return ((one.span.start, one.name) for one in targets(root) if one.kind == "rule")


def _texts(root: MapNode) -> _Starts:
    rules = root.get("rules")
    return ((key.span.start, key.text) for key, _ in rules.entries) if isinstance(rules, MapNode) else iter(())


def _cases(root: MapNode) -> _Starts:
    cases = root.get("cases")
    nodes = cases.items if isinstance(cases, Sequence) else ()
    named = ((node.span.start, node.get("id")) for node in nodes if isinstance(node, MapNode))
    return ((at, id_.text) for at, id_ in named if isinstance(id_, Scalar))


_STARTS: Mapping[str, Callable[[MapNode], _Starts]] = {"spec": _rules, "translation": _texts, "scenario": _cases}
"""The entries of each kind of file that can be played from."""
