"""A draft of a translation from a raw text: for every rule the sentences that seem to state it, to be edited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from rulespec.base.characters import STEERING, visible
from rulespec.base.source import Source
from rulespec.language.formats.table import FORMATS
from rulespec.text.output.exchange.yaml_patch import ScalarContext, fresh
from rulespec.text.raw.alignment import PARTLY, Alignment, best_sentence
from rulespec.text.raw.segments import Role, Segment
from rulespec.text.reading.translation import Translation
from rulespec.text.rules.facts import of_rule

BESIDE = 0.25
"""The least probability at which a sentence stands in the entry of a rule beside that of a likelier one."""

DOUBTFUL = 0.4
"""The probability below which a comment says that a sentence may not state a rule."""

_STATING = (Role.RULE, Role.TABLE, Role.COMPONENT)
_ORNAMENT = re.compile(r"^[\s#*_<]+|[\s#*_>:：]+$")
_WRAP = re.compile(r"[ \t]*[\r\n]\s*")


def draft(alignment: Alignment, own: Translation | None) -> str:
    """A translation file (YAML) to edit: one entry per rule that the raw text states, in the order of the spec.

    Texts are copied word for word; comments give their lines in the raw text and the confidence. Examples, rules that
    were not found and text that belongs to no rule become comments. If no rule is found, the draft has no entry and is
    not a valid translation. `own` is our text in that language; titles come from it.
    """
    raw = _Raw(alignment, own)
    spec = alignment.book.spec
    lines = [FORMATS["translation"].first_line, f"game: {spec.id}", f"lang: {alignment.reading.language.tag}"]
    lines += [f"title: {_scalar(raw.book_title, 2)}", "", "rules:"]
    for rule in alignment.statements.rules:
        lines += [*(_entry(raw, rule) if raw.sentences[rule] else _missing(raw, rule)), ""]
    return "\n".join([*lines, *_rest(raw)]).rstrip("\n") + "\n"


@dataclass(frozen=True)
class _Raw:
    """The segments of a raw text by their use in the draft; segments are given by their index."""

    alignment: Alignment
    own: Translation | None
    source: Source = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", Source("", self.alignment.reading.text))

    def piece(self, index: int) -> Segment:
        return self.alignment.segments[index]

    def said(self, index: int) -> str:
        """The text of a segment word for word, without blank lines inside a wrapped sentence.

        Control characters become blanks, because no translation may contain them.
        """
        piece = self.piece(index)
        return STEERING.sub(" ", _WRAP.sub("\n", self.source.text[piece.start : piece.end]))

    @cached_property
    def aligned(self) -> Mapping[str, list[int]]:
        """The sentences aligned to each rule, without examples."""
        return self._by_rule(_STATING)

    @cached_property
    def examples(self) -> Mapping[str, list[int]]:
        return self._by_rule((Role.EXAMPLE,))

    def _by_rule(self, roles: Sequence[Role]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for index, (rule, _) in sorted(self.alignment.rules.items()):
            if self.piece(index).role in roles:
                found.setdefault(rule, []).append(index)
        return found

    @cached_property
    def sentences(self) -> Mapping[str, list[int]]:
        """The sentences in the entry of each rule: those aligned to it, else those that state it among other rules."""
        return {rule: self.aligned.get(rule) or self._stating(rule) for rule in self.alignment.statements.rules}

    def _stating(self, rule: str) -> list[int]:
        """The sentences that may state a rule beside a likelier one."""
        chances = self.alignment.chances
        return [i for i, row in chances.items() if row.get(rule, 0.0) >= BESIDE and self.piece(i).role in _STATING]

    @cached_property
    def claims(self) -> Mapping[int, list[str]]:
        """The rules whose entry contains each sentence."""
        found: dict[int, list[str]] = {}
        for rule in self.alignment.statements.rules:
            for index in self.sentences[rule]:
                found.setdefault(index, []).append(rule)
        return found

    @cached_property
    def titles(self) -> Mapping[str, int]:
        """The rules whose text starts directly below a heading, with that heading."""
        begins = {indices[0]: rule for rule, indices in self.aligned.items()}
        found: dict[str, int] = {}
        heading: int | None = None
        for index, piece in enumerate(self.alignment.segments):
            if piece.role == Role.HEADING:
                heading = index if self.bare(index) else None
            elif heading is not None and index in self.alignment.rules:
                if index in begins:
                    found[begins[index]] = heading
                heading = None
        return found

    @cached_property
    def first_title(self) -> int | None:
        """The heading that is the title of the book: the first segment, if it is the highest or another one follows."""
        headings = [piece.role == Role.HEADING for piece in self.alignment.segments[:2]]
        highest = len(re.findall(r"^# ", self.source.text, re.MULTILINE)) == 1 and self.said(0).startswith("# ")
        return 0 if headings[:1] == [True] and (headings[1:] == [True] or highest) and self.bare(0) else None

    @property
    def book_title(self) -> str:
        known = self.own.title if self.own is not None else self.alignment.book.spec.title
        return known if self.first_title is None else self.bare(self.first_title)

    def bare(self, index: int) -> str:
        """A heading on one line without its markup."""
        return _ORNAMENT.sub("", " ".join(self.said(index).split()))

    def title(self, rule: str) -> str:
        if rule in self.titles:
            return self.bare(self.titles[rule])
        passage = self.own.rules.get(rule) if self.own is not None else None
        return (passage.title if passage is not None else "") or self.alignment.book.spec.rules[rule].title or rule

    def confidence(self, rule: str) -> float:
        """How likely the best sentence in the entry of a rule states it."""
        return max(self.alignment.chances[index].get(rule, 0.0) for index in self.sentences[rule])

    def line(self, index: int) -> int:
        return self.source.position(self.piece(index).start).line

    def lines(self, indices: Sequence[int]) -> str:
        """Where pieces stand, as `line 3` or `lines 3, 7-9`."""
        ends = [(self.line(i), self.source.position(self.piece(i).end).line) for i in indices]
        numbers = sorted({n for first, last in ends for n in range(first, last + 1)})
        # In runs without a gap.
        groups = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
        runs = [[number for _, number in group] for _, group in groups]
        shown = [f"{run[0]}-{run[-1]}" if run[1:] else str(run[0]) for run in runs]
        return f"line{'s' * (len(numbers) > 1)} {', '.join(shown)}"


def _entry(raw: _Raw, rule: str) -> Iterator[str]:
    indices, confidence = raw.sentences[rule], raw.confidence(rule)
    yield f"  {rule}:"
    yield f"    # raw text, {raw.lines(indices)}; confidence {confidence:.0%}"
    if confidence < DOUBTFUL:
        yield f"    # doubtful: these sentences may be about something else; the rule needs: {_needs(raw, rule)}"
    for others, group in groupby(indices, key=lambda i: tuple(r for r in raw.claims[i] if r != rule)):
        if others:
            yield f"    # doubtful: {raw.lines(list(group))} may belong to {' or '.join(others)}"
    for index in raw.examples.get(rule, ()):
        yield from _comment(raw, index, "    ")
    yield f"    title: {_scalar(raw.title(rule), 6)}"
    yield f"    text: {fresh(_text(raw, indices), ScalarContext(False, 6, chr(10)), block=True)}"
    yield "    status: draft"


def _missing(raw: _Raw, rule: str) -> Iterator[str]:
    """A comment in place of the entry of a rule that was not found."""
    spec, (score, index) = raw.alignment.book.spec, best_sentence(rule, raw.alignment)
    yield f"  # {rule}: {visible(spec.rules[rule].title or rule)}"
    yield f"  #   Missing, or stated in words that were not recognised. It needs: {_needs(raw, rule)}"
    if score >= PARTLY:
        yield f"  #   Perhaps {raw.lines([index])}; confidence {score:.0%}"
    for index in raw.examples.get(rule, ()):
        yield from _comment(raw, index, "  ")


def _needs(raw: _Raw, rule: str) -> str:
    facts = [str(fact) for fact in of_rule(raw.alignment.book.spec, rule) if not fact.optional]
    return "; ".join(facts) or "nothing in particular"


def _rest(raw: _Raw) -> Iterator[str]:
    """Comments with the segments that no entry uses."""
    used = {*raw.claims, *raw.titles.values(), *(i for group in raw.examples.values() for i in group)}
    left = [i for i in range(len(raw.alignment.segments)) if i not in used and i != raw.first_title]
    if left:
        yield "# Text that belongs to no rule:"
    for index in left:
        yield from _comment(raw, index, "")


def _comment(raw: _Raw, index: int, indent: str) -> Iterator[str]:
    first, *more = raw.said(index).split("\n")
    yield f"{indent}# {raw.piece(index).role}, line {raw.line(index)}: {visible(first)}".rstrip()
    yield from (f"{indent}#   {visible(line)}".rstrip() for line in more)


def _text(raw: _Raw, indices: Sequence[int]) -> str:
    """The sentences as one text; paragraphs and list items are kept."""
    text = ""
    for before, index in zip([None, *indices], indices, strict=False):
        text += ("" if before is None else _between(raw, before, index)) + _marker(raw, index) + raw.said(index)
    return text


def _between(raw: _Raw, before: int, index: int) -> str:
    first, second = raw.piece(before), raw.piece(index)
    if first.paragraph != second.paragraph:
        return "\n" if _marker(raw, before) and _marker(raw, index) else "\n\n"
    if index == before + 1:
        gap = _WRAP.sub("\n", raw.source.text[first.end : second.start])
        return gap if not gap.strip() else " "
    return " " if raw.alignment.reading.language.spaced else ""


def _marker(raw: _Raw, index: int) -> str:
    """The list marker before a segment, if the segment is the first of a list item."""
    piece = raw.piece(index)
    if index and raw.piece(index - 1).paragraph == piece.paragraph:
        return ""
    before = raw.source.text[: piece.start].rpartition("\n")[2].lstrip()
    return before if len(before) < 8 else ""


def _scalar(text: str, indent: int) -> str:
    return fresh(text, ScalarContext(False, indent, "\n"), block=False)
