"""Kept reviews as findings: the remarks that hold, and the passages that are due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import Message, quoted, say
from rulespec.base.source import Source
from rulespec.text.review.answer import place_of
from rulespec.text.review.kept import Passage, Reading, Remark
from rulespec.text.review.states import Compared, State, remarks_of

CONTRADICTIONS = ("fact-contradicted", "order-contradicted", "number-unaccounted")
"""Findings at words that are wrong. Others, such as a missing fact, are about a whole passage."""


def findings(compared: Sequence[Compared], lang: str, known: Iterable[Finding] = ()) -> Iterator[Finding]:
    """A finding for each remark that holds, and for each passage that is due because it or a rule changed.

    A remark at words that one of the `known` findings contradicts is left out: what is proved need not be said twice.
    """
    proved = [(one.start, one.end) for one in known if one.name in CONTRADICTIONS]
    said: set[Span] = set()
    for one, reading, remark in remarks_of(compared):
        words, source = place_of(one.present, remark.words), one.present.source
        start, end = source.position(words.start), source.position(words.end)
        # That words are wrong does not prove that something is missing there.
        is_proved = remark.kind != "missing" and any(start < after and before < end for before, after in proved)
        if words not in said and not is_proved:
            said.add(words)
            yield _of_remark(remark, reading, one.kept, source, words, lang)
    yield from (_of_passage(one, lang) for one in compared if one.kept is not None and one.is_due)


def _of_remark(
    remark: Remark, reading: Reading, kept: Passage | None, source: Source, words: Span, lang: str
) -> Finding:
    said, who = remark.words, _who(reading)
    template = {
        "wrong": say("{who} says that “{said}” is wrong: {why}", who=who, said=said, why=remark.why),
        "missing": say("{who} says that something is missing here: {why}", who=who, why=remark.why),
        "term": say("{who} says that “{said}” names another thing: {why}", who=who, said=said, why=remark.why),
    }
    message = template[remark.kind]
    others = [other for other in kept.read if not other.remarks] if kept is not None else []
    for other in others:
        message = say("{message} {who} found this passage right.", message=message, who=_who(other))
    hint = say("Compare it with the rule: `ftk explain {rule}`. Nothing proves a remark.", rule=remark.rule)
    return finding("reviewer-remark", message, source, words, hint, remark.rule, lang)


def _who(reading: Reading) -> Message:
    """A reviewer with the date; a reviewer whose name is unknown without."""
    return say("{by} ({date})", by=reading.by, date=reading.date) if reading.by else say("A reviewer")


def _of_passage(one: Compared, lang: str) -> Finding:
    """The finding about a passage that must be read again."""
    assert one.kept is not None
    present, last = one.present, one.kept.read[-1]
    if one.state is State.CHANGED:
        name, rule = "passage-changed", present.rule
        message = say("This passage has changed since {by} read it on {date}.", by=last.by, date=last.date)
    else:
        name, rule = "passage-rule-changed", present.rule or one.changed[0]
        rules = quoted(one.changed)
        message = say(
            "What {rules} does has changed since {by} read this passage on {date}.",
            rules=rules,
            by=last.by,
            date=last.date,
        )
    remarks = sum(remark.declined is None for reading in one.kept.read for remark in reading.remarks)
    if remarks:
        message = say("{message} Remarks that are no longer reported: {number}.", message=message, number=remarks)
    hint = say("Have it read again: `ftk text review`, or `ftk text check --reviewer COMMAND --keep`.")
    return finding(name, message, present.source, present.place, hint, rule, lang)
