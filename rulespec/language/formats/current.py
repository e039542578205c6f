"""Files of any number in the present format of their kind. What is found there is at its place in the file as it is."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import say
from rulespec.base.project import is_kept, shown
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar
from rulespec.language.document.patches import mapped
from rulespec.language.formats import lifts
from rulespec.language.formats.table import FORMATS, Format
from rulespec.language.schema.context import NEAR
from rulespec.language.schema.validate import findings as schema_findings


def document(source: Source, kind: str) -> tuple[Node | None, list[Finding]]:
    """The document of a YAML file of a kind in its present format, and what is wrong with its number, its YAML and its
    shape. Its nodes are of the file in that format. Never raises for bad input.

    The document is None if further checks would only report consequences.
    """
    now, found = current(source, kind)
    root, wrong = parse(now) if now is not None else (None, [])
    shape = schema_findings(root, now, FORMATS[kind].schema) if now is not None and root is not None else ()
    return root, [*found, *wrong, *shape]


def current(source: Source, kind: str) -> tuple[Source | None, list[Finding]]:
    """A YAML file of a kind in its present format, and the finding about an older or newer number. Never raises.

    A file of an older number is lifted, with a source map; None for one of a newer number. A text that cannot be parsed
    and a number that is none are left to the checks of syntax and shape.
    """
    format_ = FORMATS[kind]
    # Nearly every file states the present number on its first line. Only others are parsed for it.
    if source.format == format_.number:
        return source, []
    root, _ = parse(source)
    stated = number_of(root, format_)
    if not isinstance(root, Mapping) or stated is None or stated == format_.number:
        return source, []
    node = root.get(format_.key)
    place = node.span if node is not None else Span(root.entries[0][0].span.start, root.entries[0][0].span.end)
    if stated > format_.number:
        message = say(
            "This file has the format `{key}: {stated}`, and this ftk reads up to `{key}: {number}`.",
            key=format_.key,
            stated=stated,
            number=format_.number,
        )
        hint = say("Install the ftk that wrote it, or a newer one: `pip install --upgrade ftk`.")
        return None, [finding("newer-format", message, source, place, hint)]
    # A version that is kept stays as it was, so that it is old is no finding.
    return lifted(source, kind), [] if is_kept(source.path) else [older(source, place, kind, stated, node is not None)]


def number_of(root: Node | None, format_: Format) -> int | None:
    """The number that a document states, also with a misspelled key; the oldest for one that states none, None for one
    that is no number."""
    keys = [key for key, _ in root.items()] if isinstance(root, Mapping) else []
    near = get_close_matches(format_.key, keys, n=1, cutoff=NEAR)
    node = root.get(near[0]) if isinstance(root, Mapping) and near else None
    if node is None:
        return 1 if keys else None
    value = node.value if isinstance(node, Scalar) else None
    # Not `isinstance`, by which `true` is a number as well.
    return value if type(value) is int and value > 0 else None


@lru_cache(maxsize=32)
def lifted(source: Source, kind: str) -> Source:
    """A YAML file of an older number of its kind in the present format, lifted number by number. A file of the present
    number, and one whose number cannot be read, is returned as it is."""
    format_ = FORMATS[kind]
    while True:
        root, _ = parse(source)
        stated = number_of(root, format_)
        if stated is None or not isinstance(root, Mapping) or not 1 <= stated <= len(format_.lifts):
            return source
        step = format_.lifts[stated - 1]
        every = (lifts.number(source, root, format_.key, stated + 1), *(make(source, root) for make in step.patches))
        source = mapped(source, [patch for some in every for patch in some])


def changes(format_: Format, stated: int) -> list[str]:
    """What has changed since a number, in sentences."""
    return [sentence for step in format_.lifts[stated - 1 :] for sentence in step.changes]


def older(source: Source, place: Span, kind: str, stated: int, is_stated: bool = True) -> Finding:
    """The finding about a file of an older number of its kind."""
    format_ = FORMATS[kind]
    now = f"`{format_.first_line}`"
    if is_stated:
        value = f"`{format_.key}: {stated}`"
        message = say("This file has the format {stated}; the present one is {now}.", stated=value, now=now)
    else:
        message = say(
            "This file does not say its format and is read as the oldest, `{key}: 1`; the present one is {now}.",
            key=format_.key,
            now=now,
        )
    hint = say("Lift it with `ftk upgrade {path} --write`.", path=shown(source.path))
    return finding("old-format", message, source, place, hint)
