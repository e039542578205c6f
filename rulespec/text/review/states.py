"""What of a text is read, and what changed since: the passages of a text as they are, beside a kept review."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache, partial
from itertools import groupby

from rulespec.base.characters import one_line
from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.base.wording import digest, words
from rulespec.language.model.spec import Spec
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.segments import Role, Segment
from rulespec.text.reading.prose import Prose
from rulespec.text.reading.translation import Passage as Text
from rulespec.text.reading.translation import Translation
from rulespec.text.review.kept import Passage, Reading, Remark, Review
from rulespec.text.rules.subjects import next_to, outer, within
from rulespec.text.seals.confirmation import agree, does

BEGINNING = 40
"""How many characters of a passage a review keeps at least, up to the end of a word."""

LIKELIEST, AROUND = 4, 0.3
"""How many of the likeliest rules every passage may concern, and the share that the passages around it have in that. By
trial on three summaries of King Me! (`tests/review_places.yaml`): of 84 rules that they state, the passage that states
it may concern 76; without these rules 70, with 6 of them 78, but then a rule concerns every fifth passage."""

LONG, _ENDS = 60, (".", "!", "?", "…", ";", "。", "！", "？", "；")
"""The characters from which a heading counts as a sentence, and what a sentence ends with."""

_ASIDE = (Role.HEADING, Role.CREDITS, Role.NOISE)
"""Roles of segments that are no passages."""


class State(StrEnum):
    """What a review says about a passage of a text as it is now."""

    READ = "read"
    CHANGED = "changed"
    RULE_CHANGED = "rule-changed"
    UNREAD = "unread"


@dataclass(frozen=True)
class Present:
    """A passage of a text as it is now.

    `prose` are its parts with their places in the file: its words, or the title and the text of a rule. `number` counts
    the passages of the text from 1. `rules` are those that it may concern, the likeliest first, each with the digest of
    what it does; `score` says how likely it concerns another one. `heading` is what it stands under in a raw text, ""
    without any; `rule` the rule or ruling that it states in a translation.
    """

    words: str
    begins: str
    rules: Mapping[str, str]
    prose: tuple[Prose, ...] = field(repr=False)
    number: int = 1
    heading: str = ""
    rule: str = ""
    score: Callable[[str], float] = field(default=lambda rule: 0.0, repr=False, compare=False)

    @property
    def text(self) -> str:
        """The words as they stand, the parts on lines of their own."""
        return "\n".join(part.text for part in self.prose)

    @property
    def source(self) -> Source:
        """The file that the passage is in."""
        return self.prose[0].source

    @property
    def place(self) -> Span:
        """Where the passage is in the file."""
        return Span(self.prose[0].place(0, 0).start, self.prose[-1].place(0, len(self.prose[-1].text)).end)

    @property
    def line(self) -> int:
        """Its first line in the file, from 1."""
        return self.source.position(self.place.start).line


@dataclass(frozen=True)
class Compared:
    """A passage of a text beside a review: its state, and the kept passage, None if it was never read.

    `kept` has the same words if the state is READ or RULE_CHANGED, and stood at its place if it is CHANGED. `changed`
    are the rules that do something else since, are gone, or are new and concern this passage most.
    """

    present: Present
    state: State
    kept: Passage | None = None
    changed: tuple[str, ...] = ()

    @property
    def is_due(self) -> bool:
        """Whether a reviewer must read the passage."""
        return self.state is not State.READ

    def is_read_by(self, by: str) -> bool:
        """Whether the reviewer of this name has read the passage as it is."""
        return not self.is_due and self.kept is not None and any(one.by == by for one in self.kept.read)


@lru_cache(maxsize=8)
def digests(spec: Spec) -> Mapping[str, str]:
    """For every rule and ruling the digest of what it does, wherever it stands."""
    return {id_: does(spec, id_) for id_ in (*spec.rules, *spec.rulings)}


# --- the passages of a text -------------------------------------------------------------------------------------------


def passages_of(source: Source, lang: str, alignment: Alignment, spec: Spec) -> tuple[Present, ...]:
    """The passages of a raw text: paragraphs, list items and tables, without credits and page numbers.

    The rules of a passage are those that its sentences may state by the alignment, and the `LIKELIEST` beside the
    passages around it. A heading is context: its words are not those of a passage.
    """
    known, found = digests(spec), list[Present]()
    groups = list(_groups(source, alignment))
    scores = [_best_scores(alignment, indices) for _, indices in groups]
    for at, (heading, indices) in enumerate(groups):
        end = alignment.segments[indices[-1]].end
        start = _after_number(source.text, alignment.segments[indices[0]].start, end)
        stated = {rule for index in indices for rule in alignment.rules_at(index)}
        beside = _beside(scores, at)
        likeliest = sorted(beside, key=lambda rule: -beside[rule])[:LIKELIEST]
        rules = sorted({*stated, *likeliest} & known.keys(), key=lambda rule: (-beside.get(rule, 0.0), rule))
        text = source.text[start:end]
        one = Present(
            words=digest([text]),
            begins=_begins(text),
            rules={rule: known[rule] for rule in rules},
            prose=(Prose(text, lang, source, partial(_shifted, start)),),
            number=at + 1,
            heading=heading,
            score=partial(_score_in, scores[at]),
        )
        found.append(one)
    return tuple(found)


def _groups(source: Source, alignment: Alignment) -> Iterator[tuple[str, list[int]]]:
    """The segments of each passage, by their indices, with the headings before it."""
    headings, heading = list[int](), ""
    lists = _lists_of_headings(source, alignment)

    def place(index: int) -> tuple[int, bool]:
        segment = alignment.segments[index]
        return lists.get(index, segment.paragraph), index not in lists and _is_aside(segment, source)

    for (_, is_aside), several in groupby(range(len(alignment.segments)), key=place):
        indices = list(several)
        if is_aside:
            headings += (at for at in indices if alignment.segments[at].role == Role.HEADING)
        else:
            heading = " ".join(_text(source, alignment, at) for at in headings) or heading
            headings.clear()
            yield heading, indices
    if headings:  # what stands under nothing else is read for itself
        yield heading, headings


def _lists_of_headings(source: Source, alignment: Alignment) -> Mapping[int, int]:
    """Headings that are the items of a list, since they stand in three or more lines one below the other: the index of
    each with the paragraph of the first."""
    found, run = dict[int, int](), list[int]()
    for index, segment in enumerate(alignment.segments):
        if segment.role != Role.HEADING:
            run = []
        elif run and source.text.count("\n", alignment.segments[run[-1]].end, segment.start) == 1:
            run.append(index)
        else:
            run = [index]
        if len(run) > 2:
            found |= dict.fromkeys(run, alignment.segments[run[0]].paragraph)
    return found


def _is_aside(segment: Segment, source: Source) -> bool:
    """Whether a segment is no part of a passage. A heading that is a sentence is: wikis mark lists like headings."""
    said = source.text[segment.start : segment.end].rstrip()
    is_sentence = segment.role == Role.HEADING and (len(said) >= LONG or said.endswith(_ENDS))
    return segment.role in _ASIDE and not is_sentence


def _text(source: Source, alignment: Alignment, index: int) -> str:
    return source.text[alignment.segments[index].start : alignment.segments[index].end].strip()


_REST_OF_NUMBER = re.compile(r"(?<=\d\.)\d{1,2}(?:\.\d{1,2})*[.)]?\s+(?=\S)")


def _after_number(text: str, start: int, end: int) -> int:
    """Where a passage begins after its number: of `4.1` the segments leave the `1`. Numbers change with the order."""
    number = _REST_OF_NUMBER.match(text, start, end)
    return number.end() if number is not None else start


def _best_scores(alignment: Alignment, indices: Iterable[int]) -> Mapping[str, float]:
    """For every rule the best score of some sentences."""
    best: dict[str, float] = {}
    for index in indices:
        for rule, score in alignment.scores.get(index, {}).items():
            if score > best.get(rule, 0.0):
                best[rule] = score
    return best


def _beside(scores: Sequence[Mapping[str, float]], at: int) -> dict[str, float]:
    """The scores of a passage, with a share of those of the passages around it: short passages in words of their own
    resemble no rule, but texts seldom change their subject and return to it."""
    found = dict(scores[at])
    for near in (at - 1, at + 1):
        for rule, score in scores[near].items() if 0 <= near < len(scores) else ():
            found[rule] = found.get(rule, 0.0) + AROUND * score
    return found


def _score_in(scores: Mapping[str, float], rule: str) -> float:
    return scores.get(rule, 0.0)


def _shifted(offset: int, start: int, end: int) -> Span:
    return Span(offset + start, offset + end)


def texts_of(translation: Translation, spec: Spec) -> tuple[Present, ...]:
    """The passages of a translation: the texts of the rules and rulings that the spec has.

    Beside its own rule, a text concerns the rules inside it that have no text of their own.
    """
    known, lang = digests(spec), translation.lang
    texts = [one for one in translation.passages.values() if one.id in known]
    return tuple(
        Present(
            words=one.words,
            begins=_begins(one.title or one.text.text),
            rules={
                rule: known[rule]
                for rule in (one.id, *(rule for rule in within(spec, one.id) if rule not in translation.passages))
            },
            prose=tuple(_parts(one, lang)),
            number=number,
            rule=one.id,
            score=partial(_near, spec, one.id),
        )
        for number, one in enumerate(texts, 1)
    )


def _parts(text: Text, lang: str) -> Iterator[Prose]:
    """The title, the text and the worked examples, in the order of their digest."""
    if text.heading is not None:
        yield Prose(text.heading.text, lang, text.heading.source, text.heading.value_span, text.id)
    yield text.prose(lang)
    yield from (example.prose(lang, text.id) for example in text.examples)


def _near(spec: Spec, id_: str, rule: str) -> float:
    """How near the text of one rule is to another rule: 1 for a rule inside it, 0 for one elsewhere."""
    return float(rule == id_ or rule in within(spec, id_))


def _begins(text: str) -> str:
    """The first words of a text."""
    line = one_line(words(text)) or "…"
    end = line.find(" ", BEGINNING)
    return line if end < 0 and len(line) <= 2 * BEGINNING else line[: end if 0 <= end <= 2 * BEGINNING else BEGINNING]


# --- the passages beside a review -------------------------------------------------------------------------------------


def compare(review: Review | None, present: Sequence[Present], spec: Spec) -> list[Compared]:
    """The state of every passage, in the order of the text. Without a review none is read.

    A rule that no passage was compared with makes the likeliest passage due if it changed or is new. A passage that is
    due has the rules that changed among those that it may concern.
    """
    if review is None:
        return [Compared(one, State.UNREAD) for one in present]
    known = digests(spec)
    found = [_by_words(review, one, known) for one in present]
    _mark_changed(found, review)
    # Makes the likeliest passage due for each rule that no passage was compared with and that changed or is new.
    #
    # That is not needed if a passage that is due anyway may concern it.
    compared = {rule for passage in review.passages for rule in passage.rules}
    for rule in spec.rules if found else ():
        now = digests(spec)[rule]
        was = review.unstated.get(rule, now if rule in compared else "")
        # Rule by rule: a passage that one rule made due may concern the next ones as well.
        if not (was and agree(was, now)) and not any(one.is_due and rule in one.present.rules for one in found):
            at = max(range(len(found)), key=lambda at: _likelihood(found[at].present, rule, spec))
            one = found[at]
            state = State.RULE_CHANGED if one.state is State.READ else one.state
            found[at] = replace(one, state=state, changed=tuple(dict.fromkeys((*one.changed, rule))))
    return [_with_rules(one, known) if one.changed else one for one in found]


def _by_words(review: Review, one: Present, known: Mapping[str, str]) -> Compared:
    """A passage as read if its words were read with the same rules, else as unread or due."""
    entries = review.by_words.get(_key(one), ())
    kept = min(entries, key=lambda kept: len(_changed(kept, known)), default=None)
    if kept is None:
        return Compared(one, State.UNREAD)
    changed = _changed(kept, known)
    return Compared(one, State.RULE_CHANGED if changed else State.READ, kept, changed)


def _key(one: Passage | Present) -> str:
    """Words, and in a translation the rule as well: two rules may have the same text."""
    return f"{one.words} {one.rule}"


def _changed(kept: Passage, known: Mapping[str, str]) -> tuple[str, ...]:
    """The rules of a passage that do something else since it was read, or are gone."""
    gone = (one.rule for reading in kept.read for one in reading.remarks if one.rule not in known)
    other = (rule for rule, was in kept.rules.items() if rule not in known or not agree(was, known[rule]))
    return tuple(dict.fromkeys((*other, *gone)))


def _mark_changed(found: list[Compared], review: Review) -> None:
    """Finds what stood at the place of passages whose words are new: the text of the same rule, a passage that began
    with the same words, or the one after the same neighbour."""
    there = {_key(one.present) for one in found}
    left = {at: one for at, one in enumerate(review.passages) if one.read and _key(one) not in there}
    for same in (_same_rule, _same_beginning):
        for number, one in enumerate(found):
            match = next((at for at, kept in left.items() if same(one.present, kept)), None)
            if one.kept is None and match is not None:
                found[number] = replace(one, state=State.CHANGED, kept=left.pop(match))
    # By identity: passages have mappings, which have no hash.
    after = {id(one.kept): number + 1 for number, one in enumerate(found) if one.kept is not None}
    for at, kept in left.items():
        before = (after[id(one)] for one in reversed(review.passages[:at]) if id(one) in after)
        number = next(before, 0)
        if number < len(found) and found[number].kept is None and not kept.rule:
            found[number] = replace(found[number], state=State.CHANGED, kept=kept)
            # So that what stood next to it is looked for behind it.
            after[id(kept)] = number + 1


def _same_rule(present: Present, kept: Passage) -> bool:
    return bool(kept.rule) and kept.rule == present.rule


def _same_beginning(present: Present, kept: Passage) -> bool:
    return not kept.rule and kept.begins == present.begins


def _likelihood(present: Present, rule: str, spec: Spec) -> tuple[float, float]:
    """How likely a passage concerns a rule, or the rules around it, inside it and beside it."""
    near = (*outer(spec, rule), *within(spec, rule), *next_to(spec, rule))
    return present.score(rule), max((present.score(one) for one in near), default=0.0)


def _with_rules(one: Compared, known: Mapping[str, str]) -> Compared:
    """A passage that is due, with the rules that changed first among its own."""
    rules = {rule: known[rule] for rule in (*one.changed, *one.present.rules) if rule in known}
    return replace(one, present=replace(one.present, rules=rules))


SAME_TEXT = 0.1
"""The least share of the passages of a review that are in its text, or begin like one of them. Two rulebooks of a game
have some lines in common, such as the title and “1 crown”."""


def is_of(review: Review, present: Sequence[Present]) -> bool:
    """Whether a review is one of a text with these passages, however much the text has changed."""
    known = {part for one in present for part in (_key(one), one.begins)}
    same = sum(_key(one) in known or one.begins in known for one in review.passages)
    return same >= SAME_TEXT * len(review.passages)


def counts(compared: Iterable[Compared]) -> Mapping[State, int]:
    """How many passages have each state."""
    found = Counter(one.state for one in compared)
    return {state: found[state] for state in State}


def remarks_of(compared: Iterable[Compared]) -> Iterator[tuple[Compared, Reading, Remark]]:
    """The remarks that hold, with their readings: of passages that are read, those that are not declined. Of equal
    remarks none holds if one is declined."""
    for one in compared:
        if one.state is State.READ and one.kept is not None:
            every = [(reading, remark) for reading in one.kept.read for remark in reading.remarks]
            declined = {_said(remark) for _, remark in every if remark.declined is not None}
            yield from ((one, reading, remark) for reading, remark in every if _said(remark) not in declined)


# --- one more reading -------------------------------------------------------------------------------------------------


def fresh(game: str, lang: str, text: str, spec: Spec) -> Review:
    """The review of a text before the first reading. `text` is the name of a raw text, "" for a translation."""
    return Review(game, lang, text, (), {rule: digests(spec)[rule] for rule in sorted(spec.rules)})


def with_reading(
    review: Review, present: Present, reading: Reading, spec: Spec, rules: Iterable[str] | None = None
) -> Review:
    """The review with one more reading of a passage as it is now, which takes the place of an earlier one by the same
    reviewer.

    `rules` are those that it was compared with, by default all that it may concern; those of its remarks are added.
    What others said stays: beside this reading if the rules do what they did, else as a passage of its own, which is
    due. Remarks that were declined stay declined if the remark comes again about the same words and rules.
    """
    known, key = digests(spec), _key(present)
    named = dict.fromkeys((*(present.rules if rules is None else rules), *(one.rule for one in reading.remarks)))
    now = {rule: known[rule] for rule in named if rule in known}
    same = [one for one in review.passages if _key(one) == key]
    current = next((one for one in same if not _changed(one, known)), None)
    if current is not None:
        now = {**current.rules, **now}
        before = next((one for one in current.read if one.by == reading.by), None)
        reading = _still_declined(reading, before) if before is not None else reading
    others = current.read if current is not None else ()
    at = next((at for at, one in enumerate(others) if one.by == reading.by), len(others))
    fresh = Passage(present.words, present.begins, now, (*others[:at], reading, *others[at + 1 :]), present.rule)
    passages: list[Passage] = []
    for one in review.passages:
        if one is current:
            passages.append(fresh)
        elif _key(one) != key:
            passages.append(one)
        elif left := tuple(other for other in one.read if other.by != reading.by):
            passages.append(replace(one, read=left))
    return replace(review, passages=tuple(passages) if current is not None else (*passages, fresh))


def with_comparison(review: Review, one: Compared, reading: Reading, spec: Spec, rules: Iterable[str]) -> Review:
    """Like `with_reading`, for a passage whose words are as they were and that was compared with the rules that changed
    only (`changed_only`). What was said about its other rules stays, as if it were said again."""
    known, kept = digests(spec), one.kept
    assert kept is not None
    same = {rule: was for rule, was in kept.rules.items() if known.get(rule) == was}
    carried = [replace(was, remarks=tuple(each for each in was.remarks if each.rule in same)) for was in kept.read]
    own = next((was.remarks for was in carried if was.by == reading.by), ())
    said = {_said(each) for each in own}
    reading = replace(reading, remarks=(*own, *(each for each in reading.remarks if _said(each) not in said)))
    if same != kept.rules:
        others = tuple(was for was in carried if was.remarks and was.by != reading.by)
        begun = Passage(one.present.words, one.present.begins, same, others, one.present.rule)
        review = replace(review, passages=(*review.passages, begun))
    return with_reading(review, one.present, reading, spec, rules)


def changed_only(one: Compared) -> Present:
    """A passage that is due, as it is compared: if its words are as they were and its rules are all still there, with
    those that changed only."""
    rules = {rule: now for rule, now in one.present.rules.items() if rule in one.changed}
    is_partial = one.state is State.RULE_CHANGED and len(rules) == len(one.changed)
    return replace(one.present, rules=rules) if is_partial else one.present


def _still_declined(reading: Reading, before: Reading) -> Reading:
    declined = {_said(one): one.declined for one in before.remarks}
    return replace(
        reading,
        remarks=tuple(replace(one, declined=one.declined or declined.get(_said(one))) for one in reading.remarks),
    )


def _said(remark: Remark) -> tuple[str, str, str]:
    """What a remark is about, whatever the words of its reason."""
    return words(remark.words).casefold(), remark.rule, remark.kind


def arranged(review: Review, present: Sequence[Present], spec: Spec) -> Review:
    """The review in the order of the text, without passages that are gone or were read again since they changed; with
    the rules that no passage was compared with. To be called before a review is written."""
    compared = compare(review, present, spec)
    places: dict[str, int] = {}
    for at, one in enumerate(compared):
        places.setdefault(_key(one.present), at)
        if one.kept is not None:
            places.setdefault(_key(one.kept), at)
    passages = sorted((one for one in review.passages if _key(one) in places), key=lambda one: places[_key(one)])
    stated = {rule for one in passages for rule in one.rules}
    due = {rule for one in compared for rule in one.changed}
    # A rule that makes a passage due stays as it was, or absent, until that passage is read.
    left = (rule for rule in sorted(spec.rules) if rule not in stated)
    now = {rule: review.unstated.get(rule, "") if rule in due else digests(spec)[rule] for rule in left}
    return replace(review, passages=tuple(passages), unstated={rule: was for rule, was in now.items() if was})
