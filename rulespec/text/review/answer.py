"""The remarks of a reviewer as findings, as far as they name a line, words that stand there, and a rule of the game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rulespec.diagnostics import Finding, Span, finding
from rulespec.messages import Message, quoted, say
from rulespec.model.spec import Spec
from rulespec.source import Source

KINDS = ("wrong", "missing", "term")
"""What a remark can say: the text is wrong, leaves something out, or has a term for another thing."""

LONGEST, WIDEST = 600, 80
"""The most characters that are shown of a reason, and of a value that cannot be used."""

CONTRADICTIONS = ("fact-contradicted", "order-contradicted", "number-unaccounted")
"""Findings at words that are wrong. Others, such as a missing fact, are about a whole passage."""

_HINT = say("Every remark needs a line, words copied from it, a rule, a kind and a reason.")


def findings(answer: Any, source: Source, lang: str, spec: Spec, known: Iterable[Finding] = ()) -> Iterator[Finding]:
    """A finding for each remark of an answer, which is data read from JSON; and one for each that cannot be used.

    A remark at words that one of the `known` findings contradicts is left out: what is proved need not be said twice.
    An answer that is no list of remarks is one such finding.
    """
    remarks = answer.get("remarks") if isinstance(answer, dict) else None
    if not isinstance(remarks, list):
        message = say("The answer of the reviewer is no object with a list `remarks`: {found}", found=_json(answer))
        yield finding("remark-unusable", message, source, Span(0, 0), _HINT, "", lang)
        return
    places = [(one.start, one.end) for one in known if one.name in CONTRADICTIONS]
    said: set[Span] = set()
    for number, one in enumerate(remarks, 1):
        remark = _read(one, source, spec)
        if isinstance(remark, Message):
            message = say("Remark {number} of the reviewer is not used: {reason}.", number=number, reason=remark)
            yield finding("remark-unusable", message, source, Span(0, 0), _HINT, "", lang)
            continue
        start, end = source.position(remark.words.start), source.position(remark.words.end)
        proved = remark.kind != "missing" and any(start < after and before < end for before, after in places)
        if remark.words not in said and not proved:
            said.add(remark.words)
            yield remark.finding(source, lang)


@dataclass(frozen=True)
class _Remark:
    words: Span
    rule: str
    kind: str
    why: str

    def finding(self, source: Source, lang: str) -> Finding:
        said = source.text[self.words.start : self.words.end]
        template = {
            "wrong": say("A reviewer says that “{said}” is wrong: {why}", said=said, why=self.why),
            "missing": say("A reviewer says that something is missing here: {why}", why=self.why),
            "term": say("A reviewer says that “{said}” names another thing: {why}", said=said, why=self.why),
        }
        hint = say("Compare it with the rule: `ftk explain {rule}`. Nothing proves a remark.", rule=self.rule)
        return finding("reviewer-remark", template[self.kind], source, self.words, hint, self.rule, lang)


def _read(one: Any, source: Source, spec: Spec) -> _Remark | Message:
    """A remark, or why it cannot be used."""
    if not isinstance(one, dict):
        return say("it is no object")
    line, words, rule, kind, why = (one.get(key) for key in ("line", "words", "rule", "kind", "why"))
    if not isinstance(line, int) or isinstance(line, bool) or not 1 <= line <= source.line_count:
        last = source.line_count
        return say("`line` is {found}, and the last line of the text is {last}", found=_json(line), last=last)
    if not isinstance(words, str) or not words.strip():
        return say("`words` is {found}, and must be words of line {line}", found=_json(words), line=line)
    if kind not in KINDS:
        return say("`kind` is {found}, and must be one of {kinds}", found=_json(kind), kinds=quoted(KINDS))
    if not isinstance(why, str) or not why.strip():
        return say("`why` is {found}, and must be a sentence", found=_json(why))
    if not isinstance(rule, str) or rule not in spec.rules:
        return say("`rule` is {found}, and the game has no such rule", found=_json(rule))
    place = _place(words, source, line)
    if place is None:
        return say("line {line} does not have the words {found}", line=line, found=_json(words))
    return _Remark(place, rule, kind, " ".join(why.split())[:LONGEST])


def _json(value: Any) -> str:
    """A value as the answer has it, cut off where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= WIDEST else f"{text[:WIDEST]}…"


def _place(words: str, source: Source, line: int) -> Span | None:
    """Where words stand in a line, whatever their case and the blanks between them; if they do not, where they stand in
    the whole text, if only once: programs miscount lines."""
    pattern = re.compile(r"\s+".join(map(re.escape, words.split())), re.IGNORECASE)
    start = source.line_start(line)
    here = pattern.search(source.text, start, start + len(source.line(line)))
    anywhere = list(islice(pattern.finditer(source.text), 2))
    found = here or (anywhere[0] if len(anywhere) == 1 else None)
    return Span(*found.span()) if found is not None else None
