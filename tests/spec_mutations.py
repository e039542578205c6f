"""Mutants of specs: texts with one change that is a sound spec and changes play.

    for mutation in mutations(source):
        mutation.kind, mutation.rule, mutation.line, mutation.description, mutation.text, mutation.spec

    some = sample(source, 50, seed=1)

A mutant has no errors, and for some number of players and rulings its program, or what players see, differs from the
original. Invariants, claims and totals are removed first: they repeat the rules in other words, so that nearly every
change would contradict one of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

import program_fingerprint
from spec_edits import Edit, Splice, edits
from spec_expressions import vocabulary

from rulespec.base.diagnostics import Finding, Severity
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar, Sequence
from rulespec.language.document.scalars import bounded, resolve
from rulespec.language.model.build import build
from rulespec.language.model.spec import Spec
from rulespec.language.schema.validate import findings as schema_findings
from rulespec.proofs import checks
from rulespec.proofs.checks import cards, endings, hidden_information, option_texts, usage

_ADVICE = frozenset(
    {cards.in_play, endings.ties, usage.settled, usage.unused, option_texts.options, hidden_information.reads}
)
"""Checks without errors: a mutant may have warnings, and they take half of the time."""

_REDUNDANT = (("invariants",), ("claims",), ("cards", "totals"))
"""Sections that only repeat the rules."""


@dataclass(frozen=True)
class SpecMutation:
    """A mutant. `rule` is the innermost rule around the change, "" in a declaration; `line` its line in the original.

    Spans of `spec` may refer to the original.
    """

    kind: str
    rule: str
    line: int
    description: str
    text: str = field(repr=False)
    spec: Spec = field(repr=False, compare=False)


def mutations(source: Source) -> Iterator[SpecMutation]:
    """All mutants of a sound spec, in the order of the file."""
    original = Original(source)
    return (mutant for edit in original.edits() if (mutant := original.mutant(edit)) is not None)


def sample(source: Source, number: int, seed: int, kinds: frozenset[str] | None = None) -> Iterator[SpecMutation]:
    """At most this number of mutants, spread over all kinds of change. The same seed gives the same mutants."""
    original, chance = Original(source), Random(seed)
    by_kind: dict[str, list[Edit]] = {}
    for edit in original.edits():
        if kinds is None or edit.kind in kinds:
            by_kind.setdefault(edit.kind, []).append(edit)
    for group in by_kind.values():
        chance.shuffle(group)
    waiting = list(by_kind.values())
    chance.shuffle(waiting)
    found = 0
    while waiting and found < number:
        for group in list(waiting):
            mutant = next((m for m in map(original.mutant, _taken(group)) if m is not None), None)
            if not group:
                waiting.remove(group)
            if mutant is not None and found < number:
                found += 1
                yield mutant


_TRIES = 5
"""Edits of one kind that are tried in a row. Some kinds rarely give a mutant."""


def _taken(group: list[Edit]) -> Iterator[Edit]:
    for _ in range(min(_TRIES, len(group))):
        yield group.pop()


class Original:
    """A sound spec whose mutants are made."""

    def __init__(self, source: Source) -> None:
        self.full = source
        self.source = Source(source.path, _lean(source))
        root, _ = parse(self.source)
        assert root is not None
        self.root = root
        spec = sealed(root, self.source)
        assert spec is not None, f"{source.path} has errors"
        self.spec = spec

    def edits(self) -> Iterator[Edit]:
        """All edits that may give a mutant, each once."""
        seen: set[tuple[Splice, ...]] = set()
        for edit in edits(self.root, vocabulary(self.spec)):
            if edit.splices not in seen:
                seen.add(edit.splices)
                yield edit

    def mutant(self, edit: Edit) -> SpecMutation | None:
        """The mutant that an edit makes; None if it has errors or plays like the original."""
        mutant = self.edited(edit)
        return None if mutant is None or program_fingerprint.same_play(self.spec, mutant.spec) else mutant

    def edited(self, edit: Edit) -> SpecMutation | None:
        """The spec that an edit makes, however it plays; None if it has errors."""
        text = spliced(self.source.text, edit.splices)
        spec = self._sealed(edit, Source(self.source.path, text))
        if spec is None:
            return None
        spec = replace(spec, digest=hashlib.sha256(text.encode()).hexdigest())
        return SpecMutation(edit.kind, edit.rule, self._line(edit), edit.description, text, spec)

    def _sealed(self, edit: Edit, source: Source) -> Spec | None:
        """The model of a mutant. If a single scalar changes, its shape stays valid, and the rest is taken from the
        document of the original, with the spans there. That is several times faster."""
        if edit.scalar is not None:
            return sealed(_with_scalar(self.root, *edit.scalar), self.source)
        root, found = parse(source)
        if root is None or any(_errors(found)):
            return None
        if edit.reshaped and any(_errors(schema_findings(root, source, "rulespec-2"))):
            return None
        # With the source of the original, findings without a good place are made without reading the text again.
        spec = sealed(root, self.source)
        return replace(spec, source=source) if spec is not None else None

    def _line(self, edit: Edit) -> int:
        """The line of an edit in the full text, which differs from the lean one by whole sections."""
        line = self.source.position(edit.splices[0].start).line
        lean, full = self.source.text.splitlines(), self.full.text.splitlines()
        at = 0
        for wanted in lean[:line]:
            at = next(i for i in range(at, len(full)) if full[i].startswith(wanted[:1]) and full[i] == wanted) + 1
        return at


def sealed(root: Node, source: Source) -> Spec | None:
    """The model of a document of valid shape; None if it has errors. Claims and invariants are not tried."""
    spec, found = build(root, source)
    if spec is None or any(_errors(found)):
        return None
    sound: list[Callable[[Spec], Iterator[Finding]]] = [check for check in checks.CHECKS if check not in _ADVICE]
    return None if any(_errors(finding for check in sound for finding in check(spec))) else spec


def _errors(findings: Iterator[Finding] | list[Finding]) -> Iterator[Finding]:
    return (finding for finding in findings if finding.severity == Severity.ERROR)


def spliced(text: str, splices: tuple[Splice, ...]) -> str:
    """A text with replacements, which do not overlap."""
    for splice in sorted(splices, key=lambda splice: splice.start, reverse=True):
        text = text[: splice.start] + splice.new + text[splice.end :]
    return text


def _with_scalar(node: Node, indices: tuple[int, ...], new: str) -> Node:
    """A tree with another text of the scalar that the indices lead to."""
    if isinstance(node, Scalar):
        return replace(node, text=new, value=bounded(resolve(new)) if not node.style else new)
    index, rest = indices[0], indices[1:]
    if isinstance(node, Sequence):
        items = (*node.items[:index], _with_scalar(node.items[index], rest, new), *node.items[index + 1 :])
        return replace(node, items=items)
    key, value = node.entries[index]
    entry = key, _with_scalar(value, rest, new)
    return replace(node, entries=(*node.entries[:index], entry, *node.entries[index + 1 :]))


def _lean(source: Source) -> str:
    """The text without the sections that only repeat the rules."""
    text = source.text
    root, _ = parse(source)
    cuts = [cut for path in _REDUNDANT if (cut := _section(root, path)) is not None]
    return spliced(text, tuple(Splice(start, end, "") for start, end in cuts))


def _section(node: Node | None, path: tuple[str, ...]) -> tuple[int, int] | None:
    """The lines of a section, from its key to the next key."""
    if not isinstance(node, MapNode):
        return None
    for index, (key, value) in enumerate(node.entries):
        if key.text == path[0] and len(path) > 1:
            return _section(value, path[1:])
        if key.text == path[0] and index + 1 < len(node.entries):
            return key.span.start, node.entries[index + 1][0].span.start
        if key.text == path[0]:
            return node.entries[index - 1][1].span.end, value.span.end
    return None
