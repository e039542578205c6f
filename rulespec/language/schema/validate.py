"""Validation of a document against a JSON Schema: one finding for each mistake, with its span and a hint."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.source import Source
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence, at, plain
from rulespec.language.document.slips import impostor_in
from rulespec.language.document.text_checks import broken_lines
from rulespec.language.schema.valid import Test, fits
from rulespec.language.schema.wording import Path, Problem, problems

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator


def text(schema: str) -> str:
    """The published text of a JSON Schema of this package, such as "rulespec-2", or of an older number of a format.

    Raises FileNotFoundError when there is no such schema.
    """
    name = f"{schema}.schema.json"
    there = files("rulespec.language.schema").joinpath(name)
    return (there if there.is_file() else files("rulespec.language.schema").joinpath("former", name)).read_text(
        encoding="utf-8"
    )


def findings(root: Node, source: Source, schema: str | dict[str, Any]) -> list[Finding]:
    """Findings about the differences between a document and a schema: the name of a published one, or its content.

    Never raises for a bad document. Raises FileNotFoundError when there is no such schema.
    """
    return validated(root, source, schema)[1]


def validated(root: Node, source: Source, schema: str | dict[str, Any]) -> tuple[Node | None, list[Finding]]:
    """A document with the keys that its misspelled ones were meant to be, and its `findings`.

    The document is None if further checks would only report consequences: of a key from which nothing can be read.
    """
    content, titles = plain(root), [*broken_lines(root)]
    # Most documents fit. The validator, which is slow, is only needed to say what does not.
    if (_published_test(schema) if isinstance(schema, str) else fits(schema))(content):
        return root, titles
    validator = _published(schema) if isinstance(schema, str) else _validator(schema)
    errors = validator.iter_errors(content)
    # Each once: one mistake may break several branches of the schema.
    found = dict.fromkeys(problem for error in errors for problem in problems(error, root, validator.schema))
    # What looks like another character breaks the shape around it as well.
    keys = {key.span: key for key in _keys(root)} if found else {}
    if masked := [one for problem in found if (one := impostor_in(_scalar_of(problem, root, keys)))]:
        return None, [*dict.fromkeys(masked)]
    left = [*_without_echoes(found)]
    meant = {problem.span: problem.instead[0] for problem in left if problem.name == "unknown-key"}
    made = (
        finding(problem.name, problem.message, source, problem.span, problem.hint, _rule(root, problem.path))
        for problem in left
    )
    return _as_meant(root, meant) if all(meant.values()) else None, [*made, *titles]


def _as_meant(node: Node, keys: dict[Span, str]) -> Node:
    """A document with other keys at the places of some."""
    if not keys or isinstance(node, Scalar):
        return node
    if isinstance(node, Sequence):
        return replace(node, items=tuple(_as_meant(item, keys) for item in node.items))
    entries = ((key, keys.get(key.span, key.text), _as_meant(below, keys)) for key, below in node.entries)
    return replace(node, entries=tuple((replace(key, value=text, text=text), below) for key, text, below in entries))


# --- the validator ---------------------------------------------------------------------------------------------------


@cache
def _published_test(schema: str) -> Test:
    return fits(json.loads(text(schema)))


@cache
def _published(schema: str) -> Draft202012Validator:
    return _validator(json.loads(text(schema)))


def _validator(content: dict[str, Any]) -> Draft202012Validator:
    # Imported late: the import takes longer than all others together, and a document without mistakes does not need it.
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    # All references lead to $defs of the same file. A direct lookup makes the whole validation a third faster.
    targets = {f"#/$defs/{name}": target for name, target in content["$defs"].items()}

    def follow(validator: Any, reference: str, instance: Any, _schema: Any) -> Iterator[Any]:
        yield from validator.descend(instance, targets[reference])

    keywords = {"pattern": _pattern, "$ref": follow}
    made: Any = extend(Draft202012Validator, keywords, type_checker=types)  # type: ignore[no-untyped-call]  # so in its stubs
    return cast("Draft202012Validator", made(content))


def _is_integer(_checker: Any, instance: Any) -> bool:
    # JSON Schema accepts 1.0 as an integer; the engine only has whole numbers.
    return isinstance(instance, int) and not isinstance(instance, bool)


def _pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[Any]:
    # The patterns have ^ and $, but in Python $ also matches before a final line break.
    if isinstance(instance, str) and not re.fullmatch(pattern, instance):
        from jsonschema import ValidationError

        yield ValidationError(f"{instance!r} does not match {pattern!r}")


# --- one mistake, one finding ----------------------------------------------------------------------------------------

_CONFLICTS = ("several-operations", "either-or")
_MISSING = ("missing-key", "open-question", "misplaced-key", "no-operation")


def _without_echoes(found: Iterable[Problem]) -> Iterator[Problem]:
    by_path: dict[Path, list[Problem]] = defaultdict(list)
    problems_ = list(found)
    elsewhere = {place for problem in problems_ for place in problem.inside}
    emptied = {place[:-1] for place in elsewhere}
    # A key that belongs elsewhere may mean something else there.
    moved = {(*problem.path, key) for problem in problems_ if problem.name == "misplaced-key" for key in problem.keys}
    for problem in problems_:
        misses = any((*problem.path, key) in elsewhere for key in problem.keys)
        if not misses and not (problem.name == "wrong-kind" and problem.path in emptied | moved):
            by_path[problem.path].append(problem)
    for group in by_path.values():
        for problem in group:
            # Only these are echoes, and a mapping has few of them: it may have many unknown keys.
            may_echo = problem.name in ("too-few", "too-many", *_MISSING)
            if not may_echo or not any(_echoes(problem, other) for other in group):
                yield problem


def _echoes(problem: Problem, cause: Problem) -> bool:
    """Whether fixing `cause`, which concerns the same mapping, also fixes `problem`."""
    if problem.name in ("too-few", "too-many"):
        return cause.name in ("missing-key", "unknown-key", "wrong-kind")
    if cause.name == problem.name == "misplaced-key":  # several keys that need the same missing key
        return cause.keys == problem.keys and cause.span < problem.span
    if cause.name in _CONFLICTS:
        return problem.name in _MISSING
    if cause.name == "no-operation":
        return problem.name == "misplaced-key"
    if cause.name == "unknown-key":
        stands_for = any(key in cause.instead for key in problem.keys)
        return problem.name == "no-operation" or (problem.name in _MISSING and stands_for)
    return False


def _keys(node: Node) -> Iterator[Scalar]:
    for key, below in node.entries if isinstance(node, Mapping) else ():
        yield key
        yield from _keys(below)
    for item in node.items if isinstance(node, Sequence) else ():
        yield from _keys(item)


def _scalar_of(problem: Problem, root: Node, keys: dict[Span, Scalar]) -> Node:
    """The key or value that a problem is about; of a mapping of the wrong kind its first key."""
    node = at(root, problem.path)
    first = node.entries[0][0] if isinstance(node, Mapping) and node.entries else node
    return node if node.span == problem.span and node is not first else keys.get(problem.span, first)


def _rule(root: Node, path: Path) -> str:
    """The id of the innermost rule around a place; empty if there is none."""
    rule, node = "", root
    # The id of a game is no rule.
    for step in path if path[:1] != ("game",) else ():
        node = node.items[int(step)] if not isinstance(node, Mapping | Scalar) else _below(node, str(step))
        name = node.get("id") if isinstance(node, Mapping) else None
        rule = name.text if isinstance(name, Scalar) and isinstance(name.value, str) else rule
    return rule


def _below(node: Mapping | Scalar, key: str) -> Node:
    return (node.get(key) if isinstance(node, Mapping) else None) or node
