"""A choice of many actions, asked part by part: the kind of action first, then each thing that its option picks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rulespec.base.messages import Message, say
from rulespec.engine.states.openspiel import CHANCE
from rulespec.language.model.phrase import Phrase
from rulespec.play.table.narrator import Phrases
from rulespec.play.table.words import PLAIN, Words

if TYPE_CHECKING:
    from rulespec.engine.states.state import State
    from rulespec.language.model.types import Type

FEW = 12
"""So many actions are shown as one list; more are asked part by part."""

KIND = "action"
"""The name of the first part: which kind of action."""


@dataclass(frozen=True)
class Part:
    """One variable of an option: its name in the spec, what it stands for in words, the kind of its type, and its
    content: one word, or the elements of a set."""

    name: str
    label: str
    kind: str
    elements: tuple[str, ...]
    is_set: bool = False


@dataclass(frozen=True)
class Row:
    """One legal action: the rule that offers it with its title, and its words. `open` are its words with dots for what
    it picks, and `also` those that it is found by besides."""

    action: int
    rule: str
    title: str
    words: str
    open: str
    also: str
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Item:
    """An answer to a question: the word that stands for it in a path, what is shown, how many actions remain, and the
    action if it is the only one."""

    key: str
    words: str
    actions: int
    action: int | None


@dataclass(frozen=True)
class Question:
    """What is asked next: the name, label and kind of the part, its answers, and the path of answers that led here.

    `action` is the action that remains, if it is the only one; nothing is asked then.
    """

    part: str
    label: str
    kind: str
    items: tuple[Item, ...]
    path: tuple[str, ...]
    action: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The question as JSON data."""
        return asdict(self)


@dataclass(frozen=True)
class Choice:
    """The legal actions of a player (a seat from 0), or those of them that are still meant."""

    seat: int
    rows: tuple[Row, ...]
    words: Words = PLAIN

    def row(self, action: int) -> Row:
        """The row of an action. Raises KeyError if it is none of them."""
        for row in self.rows:
            if row.action == action:
                return row
        raise KeyError(action)

    def among(self, rows: Iterable[Row]) -> Choice:
        """The choice between some of the actions."""
        return Choice(self.seat, tuple(rows), self.words)

    def ask(self, path: Sequence[str] = (), few: int = FEW) -> Question:
        """What is asked after these answers. A part with one possible answer is not asked.

        At most `few` actions are asked at once. Leaving out the last answer of a path takes it back. Raises KeyError
        for an answer that is none.
        """
        return _asked(self, tuple(path), few)


def choice_of(state: State, seat: int, words: Words = PLAIN) -> Choice:
    """The choice of a seat that is to decide, or of chance (CHANCE), in the words of a language."""
    row = _outcome if seat == CHANCE else _row
    return Choice(seat, tuple(row(state, action, words) for action in state.legal_actions(seat)), words)


def _outcome(state: State, outcome: int, words: Words) -> Row:
    """An outcome of chance, which no rule offers: a card drawn from a physical deck, or a die."""
    said = words.of(say(state.action_to_string(CHANCE, outcome)))
    return Row(outcome, "", said, said, said, said)


def _row(state: State, action: int, words: Words) -> Row:
    actions, rule = state.game.actions, state.why(action)
    option, message = Phrases(state.game).option(action), actions.said(action)
    dots = Phrase("message", name=Message(message.template, dict.fromkeys(message.values, "…")))
    said, opened = (words.phrase(state.game.spec, one) for one in (option, dots))
    title = words.of(say(actions.title(action)))
    return Row(
        action,
        rule,
        title,
        said,
        opened,
        f"{title} {actions.title(action)} {rule.rpartition('.')[2]} {actions.words(action)}",
        tuple(_parts(state, action, words)),
    )


def _parts(state: State, action: int, words: Words) -> Iterator[Part]:
    actions = state.game.actions
    picks = actions.option(action).picks
    for name, elements in Phrases(state.game).picks(action).items():
        type_ = next(pick.type for pick in picks if pick.name == name)
        is_set = any(pick.ranks for pick in picks if pick.name == name)
        said = tuple(words.phrase(state.game.spec, one) for one in elements)
        yield Part(name, words.of(label_of(type_)), type_.kind, said, is_set)


def label_of(type_: Type) -> Message:
    """What a part of a type stands for."""
    return _LABELS.get(type_.kind) or say(type_.name.replace("_", " "))


_LABELS = {"player": say("player"), "card": say("card"), "int": say("number"), "bool": say("yes or no")}
"""What a part stands for, by the kind of its type. Members of an enum have its name."""


# the questions


def _asked(choice: Choice, path: tuple[str, ...], few: int) -> Question:
    rows, left = list(choice.rows), list(path)
    for step in _steps(choice, rows):
        while len(rows) > 1:
            answers = step.answers(rows)
            if len(answers) > 1 and not left:
                return _whole(choice, rows, path) if len(rows) <= few else _question(choice, step, answers, path)
            key = left.pop(0) if len(answers) > 1 else next(iter(answers))
            # In place: `_steps` reads the rows that are left when it goes on to the parts.
            rows[:] = answers[key] if key in answers else _said(rows, key)
            if step.is_over(key):
                break
    if left:
        raise KeyError(left[0])
    return Question("", "", "", (), path, rows[0].action)


def _said(rows: list[Row], words: str) -> list[Row]:
    """The action with these words, which a list of a few actions has as the key. Raises KeyError if there is none."""
    found = [row for row in rows if row.words == words]
    if not found:
        raise KeyError(words)
    return found[:1]


def _steps(choice: Choice, rows: list[Row]) -> Iterator[_Step]:
    """The kind, and then each part of the option that `rows` is left with, numbers after what they are numbers of."""
    yield _Kind()
    parts = {part.name: part for row in rows for part in row.parts}.values()
    for part in sorted(parts, key=lambda part: part.kind == "int"):
        yield _Elements(part, choice.words.of(say("no more"))) if part.is_set else _Pick(part)


class _Step:
    """One part of the question: `answers` are the rows that each answer leaves."""

    name, label, kind = KIND, KIND, KIND

    def answers(self, rows: list[Row]) -> dict[str, list[Row]]:
        raise NotImplementedError

    def is_over(self, key: str) -> bool:
        """Whether the part is answered with this answer."""
        return True


class _Kind(_Step):
    """Which option: by the title of its rule, or by the words of its only action. A set has an option of the program
    for every size, so options are the same if their rule and their names for picks are."""

    def answers(self, rows: list[Row]) -> dict[str, list[Row]]:
        found: dict[tuple[str, ...], list[Row]] = {}
        for row in rows:
            found.setdefault((row.rule, *_kind_of(row)), []).append(row)
        titles = Counter(same[0].title for same in found.values())
        return dict(_keyed((_kind_words(same, titles), same) for same in found.values()))


def _kind_of(row: Row) -> tuple[str, ...]:
    return tuple(part.name for part in row.parts) or (row.words,)


def _kind_words(rows: list[Row], titles: Counter[str]) -> str:
    if len(rows) == 1:
        return rows[0].words
    title = rows[0].title
    return title if titles[title] == 1 else rows[0].open


def _keyed(pairs: Iterable[tuple[str, list[Row]]]) -> Iterator[tuple[str, list[Row]]]:
    """The same with different keys: equal ones are numbered."""
    times = Counter[str]()
    for key, rows in pairs:
        times[key] += 1
        yield key if times[key] == 1 else f"{key} ({times[key]})", rows


class _Pick(_Step):
    """What one variable stands for."""

    def __init__(self, part: Part) -> None:
        self.name, self.label, self.kind = part.name, part.label, part.kind

    def answers(self, rows: list[Row]) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for row in rows:
            found.setdefault(" ".join(self._of(row)), []).append(row)
        return found

    def _of(self, row: Row) -> tuple[str, ...]:
        return next((part.elements for part in row.parts if part.name == self.name), ())


class _Elements(_Pick):
    """The elements of a set, one after the other in any order; `done` when no more are wanted."""

    def __init__(self, part: Part, done: str) -> None:
        super().__init__(part)
        self.done, self.taken = done, Counter[str]()

    def answers(self, rows: list[Row]) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for row in rows:
            rest = Counter(self._of(row)) - self.taken
            for key in rest or (self.done,):
                found.setdefault(key, []).append(row)
        return found

    def is_over(self, key: str) -> bool:
        self.taken[key] += 1
        return key == self.done


def _question(choice: Choice, step: _Step, answers: dict[str, list[Row]], path: tuple[str, ...]) -> Question:
    items = [Item(key, key, len(rows), rows[0].action if len(rows) == 1 else None) for key, rows in answers.items()]
    label = choice.words.of(say("action")) if step.name == KIND else step.label
    return Question(step.name, label, step.kind, tuple(items), path)


def _whole(choice: Choice, rows: list[Row], path: tuple[str, ...]) -> Question:
    """A few actions, each with all of its words. Their keys lead on from the path, but only the action counts."""
    items = tuple(Item(row.words, row.words, 1, row.action) for row in rows)
    return Question(KIND, choice.words.of(say("action")), KIND, items, path)
