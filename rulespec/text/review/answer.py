"""The answer of a reviewer, as readings of passages: remarks count if they name words of a passage and a rule."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

from rulespec.base.characters import one_line
from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import Message, quoted, say
from rulespec.base.source import Source
from rulespec.base.wording import words as words_of
from rulespec.language.model.spec import Spec
from rulespec.text.review.kept import Passage, Reading, Remark
from rulespec.text.review.states import Compared, Present, State, remarks_of

KINDS = ("wrong", "missing", "term")
"""What a remark can say: the text is wrong, leaves something out, or has a term for another thing."""

LONGEST, WIDEST = 600, 80
"""The most characters that are kept of a reason, and that are shown of a value that cannot be used."""

_HINT = say("Every remark needs a passage, words copied from it, a rule, a kind and a reason.")


@dataclass
class Answer:
    """What an answer says: the passages that were read, by number, each with its remarks and the rules that it was
    compared with beside those of the question; who answered, "" if it does not say; and what cannot be used."""

    by: str = ""
    remarks: dict[int, list[Remark]] = field(default_factory=dict)
    rules: dict[int, list[str]] = field(default_factory=dict)
    unusable: list[Message] = field(default_factory=list)

    def findings(self, source: Source, lang: str) -> Iterator[Finding]:
        """A finding for everything that cannot be used."""
        for message in self.unusable:
            yield finding("remark-unusable", message, source, Span(0, 0), _HINT, "", lang)


def read(answer: Any, asked: Mapping[int, Present], spec: Spec) -> Answer:
    """What an answer, which is data read from JSON, says about the passages that were asked, by their numbers.

    Answers to version 1 of the task are read as well: a list `remarks`, each with a line. A passage without remarks
    counts as read there. Never raises for a bad answer.
    """
    name = answer.get("by") if isinstance(answer, dict) else None
    found = Answer(one_line(name)[:WIDEST] if isinstance(name, str) else "")
    if isinstance(answer, dict) and isinstance(answer.get("read"), list):
        _Reader(asked, spec, found).take(answer["read"])
    elif isinstance(answer, dict) and isinstance(answer.get("remarks"), list) and asked:
        _OldReader(asked, spec, found).take(answer["remarks"])
    else:
        found.unusable.append(
            say("The answer of the reviewer is no object with a list `read`: {found}", found=_shown(answer))
        )
    return found


class _Reader:
    """Reads answers to the present task."""

    def __init__(self, asked: Mapping[int, Present], spec: Spec, found: Answer) -> None:
        self.asked, self.spec, self.found = asked, spec, found
        self.number = 0

    def take(self, entries: list[Any]) -> None:
        for entry in entries:
            number = entry.get("passage") if isinstance(entry, dict) else None
            # True equals 1, and would be the first passage.
            if not isinstance(number, int) or isinstance(number, bool) or number not in self.asked:
                self.refuse(say("`passage` is {found}, which was not asked", found=_shown(number)))
            elif not isinstance(entry.get("remarks"), list):
                self.refuse(say("passage {passage} has no list `remarks`, so it counts as not read", passage=number))
            else:
                self._entry(number, entry["remarks"], entry.get("rules"))

    def _entry(self, passage: int, remarks: list[Any], rules: Any) -> None:
        """Adds what is said about a passage. It counts as not read if none of its remarks can be used."""
        known = (rule for rule in rules if rule in _known(self.spec)) if isinstance(rules, list) else ()
        self.found.rules.setdefault(passage, []).extend(known)
        used = [self.one(remark, passage) for remark in remarks]
        if not remarks or any(used):
            self.found.remarks.setdefault(passage, [])

    def refuse(self, reason: Message) -> None:
        self.found.unusable.append(say("An entry of the reviewer is not used: {reason}.", reason=reason))

    def one(self, data: Any, passage: int) -> bool:
        """Adds a remark, or says why it cannot be used. Whether it is about its passage."""
        self.number += 1
        remark = _read(data, self.spec)
        place = passage if isinstance(remark, Message) else self.passage_of(remark, passage)
        if place is None:
            found = _shown(data["words"])
            remark = say("passage {passage} does not have the words {found}", passage=passage, found=found)
        return self.add(remark, place or passage)

    def passage_of(self, remark: Remark, passage: int) -> int | None:
        """The passage with the words of a remark: the one that it names, or else the only one of the question."""
        if place_in(self.asked[passage], remark.words) is not None:
            return passage
        others = [number for number, one in self.asked.items() if place_in(one, remark.words) is not None]
        return others[0] if len(others) == 1 else None

    def add(self, remark: Remark | Message, passage: int) -> bool:
        """Adds a remark to a passage, or says why it cannot be used. Whether there is such a remark."""
        known = self.found.remarks.get(passage, [])
        is_known = isinstance(remark, Remark) and any(is_same(remark, one) for one in known)
        reason = say("it repeats another one") if is_known else remark
        if isinstance(reason, Remark):
            self.found.remarks[passage] = [*known, reason]
            return True
        self.found.unusable.append(
            say("Remark {number} of the reviewer is not used: {reason}.", number=self.number, reason=reason)
        )
        return is_known


class _OldReader(_Reader):
    """Reads answers to version 1 of the task, whose remarks name lines."""

    def take(self, entries: list[Any]) -> None:
        self.found.remarks.update({number: [] for number in self.asked})
        source = next(iter(self.asked.values())).source
        for data in entries:
            self.number += 1
            remark = _line(data, source) or _read(data, self.spec)
            if isinstance(remark, Remark):
                self._placed(remark, source, data)
            else:
                self.add(remark, 0)

    def _placed(self, remark: Remark, source: Source, data: Any) -> None:
        """Adds a remark to the passage that has its words, with further words if it has them twice."""
        place = place_at(remark.words, source, data["line"])
        passage = self._passage_at(place, remark.words) if place is not None else None
        if place is None or passage is None:
            found = _shown(data["words"])
            self.add(say("line {line} does not have the words {found}", line=data["line"], found=found), 0)
        else:
            said = _unique(source.text, place, self.asked[passage].place)
            self.add(replace(remark, words=one_line(said)), passage)

    def _passage_at(self, place: Span, words: str) -> int | None:
        """The passage that a place is in, or the one under the heading with the words."""
        inside = (at for at, one in self.asked.items() if one.place.start <= place.start < one.place.end)
        said = _blanks(words)
        under = (at for at, one in self.asked.items() if place.start < one.place.start and said.search(one.heading))
        return next(chain(inside, under), None)


def _unique(text: str, place: Span, inside: Span) -> str:
    """The words at a place, with as many after them as set them apart from the same words before in the passage."""
    end, passage = place.end, text[inside.start : inside.end]
    while True:
        said = text[place.start : end]
        first = _blanks(said).search(passage)
        if first is None or inside.start + first.start() >= place.start or end >= inside.end:
            return said
        more = _NEXT.match(text, end, inside.end)
        end = more.end() if more is not None else inside.end


_NEXT = re.compile(r"\s*\S\w*|\s+")


def _line(data: Any, source: Source) -> Message | None:
    """Why the line of a remark cannot be used."""
    line = data.get("line") if isinstance(data, dict) else 1
    if not isinstance(line, int) or isinstance(line, bool) or not 1 <= line <= source.line_count:
        last = source.line_count
        return say("`line` is {found}, and the last line of the text is {last}", found=_shown(line), last=last)
    return None


def _read(data: Any, spec: Spec) -> Remark | Message:
    """A remark, or why it cannot be used."""
    if not isinstance(data, dict):
        return say("it is no object")
    words, rule, kind, why = (data.get(key) for key in ("words", "rule", "kind", "why"))
    if not isinstance(words, str) or not one_line(words):
        return say("`words` is {found}, and must be words of the passage", found=_shown(words))
    if kind not in KINDS:
        return say("`kind` is {found}, and must be one of {kinds}", found=_shown(kind), kinds=quoted(KINDS))
    if not isinstance(why, str) or not one_line(why):
        return say("`why` is {found}, and must be a sentence", found=_shown(why))
    if not isinstance(rule, str) or rule not in _known(spec):
        return say("the game has no rule {found}", found=_shown(rule))
    return Remark(one_line(words), rule, kind, one_line(why)[:LONGEST])


def _known(spec: Spec) -> tuple[str, ...]:
    return (*spec.rules, *spec.rulings)


def _shown(value: Any) -> Message:
    """Words of an answer in quotation marks, another value as the answer has it; cut off where it is long."""
    text = one_line(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text if len(text) <= WIDEST else f"{text[:WIDEST]}…"
    return say("“{text}”", text=text) if isinstance(value, str) else say("`{text}`", text=text)


def is_same(one: Remark, other: Remark) -> bool:
    """Whether two remarks about a passage are about the same words and rule, whatever their reasons."""
    return (one.rule, one.kind) == (other.rule, other.kind) and _folded(one.words) == _folded(other.words)


def _folded(text: str) -> str:
    return words_of(text).casefold()


# --- where words are --------------------------------------------------------------------------------------------------


def place_in(present: Present, words: str) -> Span | None:
    """Where words are in a passage, whatever their case, the blanks between them and, if need be, the marks."""
    for pattern in _patterns(words):
        for part in present.prose:
            if match := pattern.search(part.text):
                return part.place(*match.span())
    return None


def place_of(present: Present, words: str) -> Span:
    """Where the words of a remark are: in the passage, else in the text if only once, else the whole passage."""
    return place_in(present, words) or _only_place(words, present.source) or present.place


def place_at(words: str, source: Source, line: int) -> Span | None:
    """Where words are in a line; if they are not, where they are in the text, if only once: programs miscount lines."""
    start = source.line_start(line)
    here = _blanks(words).search(source.text, start, start + len(source.line(line)))
    return Span(*here.span()) if here is not None else _only_place(words, source)


def _only_place(words: str, source: Source) -> Span | None:
    # Two are enough to know that none is the only one.
    found = list(islice(_blanks(words).finditer(source.text), 2))
    return Span(*found[0].span()) if len(found) == 1 else None


def _patterns(words: str) -> Iterator[re.Pattern[str]]:
    yield _blanks(words)
    if parts := re.findall(r"\w+", words):
        yield re.compile(r"[\W_]+".join(map(re.escape, parts)), re.IGNORECASE)


def _blanks(words: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, words.split())), re.IGNORECASE)


CONTRADICTIONS = ("fact-contradicted", "order-contradicted", "number-unaccounted")
"""Findings at words that are wrong. Others, such as a missing fact, are about a whole passage."""


def remark_findings(compared: Sequence[Compared], lang: str, known: Iterable[Finding] = ()) -> Iterator[Finding]:
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
