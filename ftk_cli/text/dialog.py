"""A person reviews a text at the keyboard: passage by passage, each answer kept at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import failure
from ftk_cli.keyboard import read_line
from ftk_cli.output import replace_all
from ftk_cli.play.commands import Command, command_in
from ftk_cli.play.session import MOST_WRONG
from ftk_cli.report.display import wrapped
from ftk_cli.terminal import style
from rulespec.base.messages import Message, quoted, say
from rulespec.base.project import shown
from rulespec.editing.reviewing import LONGEST, Unusable
from rulespec.text.review.answer import place_in
from rulespec.text.review.states import State

if TYPE_CHECKING:
    from rulespec.editing.reviewing import ReviewedText, Said
    from rulespec.play.table.words import Words
    from rulespec.text.review.kept import Remark
    from rulespec.text.review.states import Compared

ANSWERS: Mapping[str, Command] = {
    answer.name: answer
    for answer in (
        Command("right", say("correct"), say("the passage agrees with the rules"), ("r",)),
        Command("wrong", say("wrong"), say("it contradicts a rule; its words can follow: wrong WORDS"), ("w",)),
        Command("missing", say("missing"), say("it leaves something out after these words: missing WORDS"), ("m",)),
        Command("term", say("term"), say("it has a word for another thing: term WORD"), ("t",)),
        Command("repeat", say("repeat"), say("repeats what you said before the passage or a rule changed")),
        Command("decline", say("decline"), say("declines a remark of another reviewer: decline N"), ("d",)),
        Command("rules", say("rules"), say("all these rules in full; any rule: rules ID")),
        Command("skip", say("skip"), say("goes on; the passage stays due"), ("s", "next")),
        Command("back", say("back"), say("goes back to the passage before"), ("b",)),
        Command("help", say("help"), say("this list"), ("h", "?")),
        Command("quit", say("quit"), say("stops; what you have answered is kept"), ("q", "exit")),
    )
}
KINDS: Mapping[str, Message] = {kind: ANSWERS[kind].word for kind in ("wrong", "missing", "term")}


class Stop(Exception):
    """Raised when the review is stopped at the keyboard."""


@dataclass(frozen=True)
class Reviewer:
    """A person who reviews: the name, and the date as `YYYY-MM-DD`."""

    by: str
    date: str


def write(text: ReviewedText) -> None:
    """Writes a review beside its text, the whole file in one step. Raises Failure."""
    replace_all({shown(str(text.path)): text.written()}, latest=True)


def lines(text: ReviewedText, one: Compared, of: Callable[[str], str]) -> Iterator[str]:
    """What has been said about a passage, a line for each reviewer and remark."""
    for said in text.said(one):
        past = "" if said.holds else of(say(" (before a change)"))
        who = of(say("{by}, {date}{past}", by=said.by, date=said.date, past=past))
        if said.remark is None:
            yield of(say("{who}: right", who=who))
            continue
        remark = said.remark
        values = {"number": said.number, "who": who, "kind": of(KINDS[remark.kind]), "words": remark.words}
        yield of(say("{number}. {who}: {kind}, “{words}”, {rule}: {why}", rule=remark.rule, why=remark.why, **values))
        if no := remark.declined:
            yield "   " + of(say("declined by {by}, {date}: {why}", by=no.by, date=no.date, why=no.why))
    if text.disagreed(one):
        yield of(say("The reviewers disagree."))


class Dialog:
    """The questions to a person about some passages of a text, by their numbers."""

    def __init__(self, text: ReviewedText, who: Reviewer, words: Words, numbers: Sequence[int]) -> None:
        self.text, self.who, self.of, self.words, self.numbers = text, who, words.of, words, numbers
        self.at, self.answered, self.wrong = 0, False, 0
        self.commands: dict[str, Callable[[str], None]] = {
            "right": self._right,
            "wrong": lambda rest: self._remark("wrong", rest),
            "missing": lambda rest: self._remark("missing", rest),
            "term": lambda rest: self._remark("term", rest),
            "repeat": self._repeat,
            "decline": self._decline,
            "rules": self._rules,
            "skip": lambda rest: self._go(1),
            "back": lambda rest: self._go(-1),
            "help": self._help,
            "quit": self._quit,
        }

    def run(self) -> None:
        """Asks until all passages are done or the person stops."""
        try:
            while self.at < len(self.numbers):
                self._show()
                at = self.at
                self.answered = False
                while self.at == at:
                    self._answer(self._read("> "))
        except (Stop, KeyboardInterrupt) as stop:
            click.echo(f"\n{str(stop) or self.of(say('The review stops here.'))}")

    @property
    def one(self) -> Compared:
        return self.text.passage(self.numbers[self.at])

    def _go(self, step: int) -> None:
        if self.at + step < 0:
            self._refuse(say("This is the first one."))
            return
        self.at += step

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        one = self.one
        place = say("passage {at} of {most}", at=self.at + 1, most=len(self.numbers))
        heading = one.present.heading.lstrip("# ")
        parts = [self.of(place), one.present.rule, heading, self.of(self._state(one))]
        title = " · ".join(filter(None, parts))
        click.echo(f"\n{style(title, bold=True) if not os.environ.get('NO_COLOR') else title}\n")
        for line in passage_lines(one):
            show(line)
        show("")
        self._show_rules(one)
        if said := list(lines(self.text, one, self.of)):
            show("\n" + self.of(say("What has been said:")))
            show("\n".join(f"  {line}" for line in said))
        show("\n" + " · ".join(map(self._word, self._offered(one))))

    def _offered(self, one: Compared) -> Iterator[str]:
        others = any(said.is_open and said.by != self.who.by for said in self.text.said(one))
        for name in ANSWERS:
            if (name != "repeat" or self._repeatable(one)) and (name != "decline" or others):
                yield name

    def _word(self, name: str) -> str:
        """The word for an answer in the language of the reader."""
        word = ANSWERS[name].word
        return name if self.of(word) == word else self.of(word)

    def _state(self, one: Compared) -> Message:
        if one.kept is None:
            return say("not read yet")
        last = one.kept.read[-1]
        if one.state is State.CHANGED:
            return say("changed since {by} read it on {date}", by=last.by, date=last.date)
        if one.state is State.RULE_CHANGED:
            rules = quoted(one.changed)
            return say("{rules} changed since {by} read it on {date}", rules=rules, by=last.by, date=last.date)
        own = next((reading for reading in one.kept.read if reading.by == self.who.by), None)
        if own is None:
            return say("not read by {by} yet", by=self.who.by)
        return say("read by {by} on {date}", by=own.by, date=own.date)

    def _show_rules(self, one: Compared) -> None:
        """The rules of a passage: those that changed, or the likeliest one, in full, of the others the titles."""
        rules = self.text.rules(one)
        in_full = one.changed or [rule["id"] for rule in rules[:1]]
        if not rules:
            show(self.of(say("It concerns no rule, as it seems.")))
            return
        show(self.of(say("Compare it with these rules (a number shows one in full):")))
        for number, rule in enumerate(rules, 1):
            self._rule(number, rule, rule["id"] in in_full)

    def _rule(self, number: int | None, rule: Mapping[str, Any], in_full: bool) -> None:
        title = self.text.titles.get(rule["id"]) or rule.get("title") or rule.get("question") or ""
        show(f"  {number or ' ':>2}  {rule['id']}  {title}".rstrip())
        for label, said in self._parts(rule) if in_full else ():
            show(f"        {self.of(label)}")
            show("\n".join(f"          {line}".rstrip() for line in said))

    def _parts(self, rule: Mapping[str, Any]) -> Iterator[tuple[Message, Sequence[str]]]:
        if text := rule.get("text"):
            yield say("our text:"), text.strip().split("\n")
        if does := rule.get("does"):
            yield say("what it does:"), [f"- {line}" for line in does]
        if answers := rule.get("answers"):
            yield say("its answers, ours first:"), [f"- {line}" for line in answers]

    # --- what is answered ---------------------------------------------------------------------------------------------

    def _answer(self, typed: str) -> None:
        typed = typed.strip()
        found = command_in(typed, self.words, ANSWERS)
        if not typed and self.answered:
            self._go(1)
        elif typed.isdecimal():
            self._rules(typed)
        elif found is None or (found[0] in ("right", "skip", "back", "quit", "help", "repeat") and found[1]):
            names = tuple(map(self._word, self._offered(self.one)))
            self._refuse(say("Type one of these: {names}.", names=names))
        else:
            self._try(lambda: self.commands[found[0]](found[1]))

    def _try(self, act: Callable[[], None]) -> None:
        before = self.wrong
        try:
            act()
        except Unusable as error:
            self._refuse(error.message)
        if self.wrong == before:
            self.wrong = 0

    def _refuse(self, message: str) -> None:
        """Says why something typed is not used. Raises Stop after many in a row."""
        show(self.of(message))
        self.wrong += 1
        if self.wrong >= MOST_WRONG:
            raise Stop(self.of(say("Too many invalid inputs; the review stops here.")))

    def _change(self, judged: Callable[[ReviewedText], ReviewedText]) -> None:
        """Keeps a judgement, beside what others have written since. Raises Failure if the file cannot be used now."""
        self.text = changed(self.text, judged)

    def _right(self, rest: str) -> None:
        self._change(lambda text: text.answered(self.numbers[self.at], self.who.by, self.who.date, ()))
        self._go(1)

    def _repeatable(self, one: Compared) -> Sequence[Remark]:
        """The remarks that the person made before a change, if they can be made again."""
        own = self.text.own_remarks(one, self.who.by)
        holds = any(said.holds and said.by == self.who.by for said in self.text.said(one))
        spec = self.text.book.spec
        known = all(remark.rule in spec.rules or remark.rule in spec.rulings for remark in own)
        return own if known and not holds and all(place_in(one.present, remark.words) for remark in own) else ()

    def _repeat(self, rest: str) -> None:
        own = self._repeatable(self.one)
        if not own:
            self._refuse(say("There are no remarks of yours to repeat here."))
            return
        self._change(lambda text: text.answered(self.numbers[self.at], self.who.by, self.who.date, own))
        self._go(1)

    def _remark(self, kind: str, rest: str) -> None:
        words = rest
        asked = say("After which words? ") if kind == "missing" else say("Which words? ")
        words = words or self._read(self.of(asked)).strip()
        while words and (refused := self.text.refused_words(self.numbers[self.at], words)):
            self._refuse(refused)
            words = self._read(self.of(asked)).strip()
        rule = self._rule_of() if words else ""
        why = self._why(say("What do the rules say instead? One sentence: ")) if rule else ""
        if not why:
            show(self.of(say("No remark is made.")))
            return
        number = self.numbers[self.at]
        remark = self.text.remark(number, words, rule, kind, why)
        self._change(lambda text: text.added(number, self.who.by, self.who.date, remark))
        self.answered = True
        show(self.of(say("It is kept. Make another remark about this passage, or go on with Enter.")))

    def _rule_of(self) -> str:
        """The rule of a remark, by its number among those of the passage or by its id."""
        rules: list[str] = [rule["id"] for rule in self.text.rules(self.one)]
        likeliest = say(" (1–{most}, or an id; Enter: {rule})", most=len(rules), rule=rules[0]) if rules else ""
        if len(rules) == 1:
            likeliest = say(" (an id, or Enter: {rule})", rule=rules[0])
        while True:
            typed = self._read(self.of(say("Which rule{likeliest}? ", likeliest=likeliest))).strip()
            spec = self.text.book.spec
            if not typed and rules:
                return rules[0]
            if typed.isdecimal() and 1 <= int(typed) <= len(rules):
                return rules[int(typed) - 1]
            if typed in spec.rules or typed in spec.rulings:
                return typed
            self._refuse(self._no_rule(typed))

    def _no_rule(self, typed: str) -> Message:
        spec = self.text.book.spec
        close = failure.nearest(typed, (*spec.rules, *spec.rulings))
        if close:
            return say("There is no rule `{typed}`. Did you mean `{close}`?", typed=typed, close=close)
        return say("There is no rule `{typed}`.", typed=typed)

    def _why(self, prompt: Message) -> str:
        """A reason; "" if none is given."""
        while True:
            why = self._read(self.of(prompt)).strip()
            if len(why) <= LONGEST:
                return why
            self._refuse(say("At most {most} characters.", most=LONGEST))

    def _decline(self, rest: str) -> None:
        first, _, why = rest.partition(" ")
        here = {said.number: said for said in self.text.said(self.one) if said.number}
        said = here.get(int(first)) if first.isdecimal() and len(first) < 9 else None
        if said is None:
            self._refuse(say("Which remark? Type decline and the number of one of the remarks above."))
            return
        # Refuses what cannot be declined before a reason is asked for.
        self.text.declinable(said.number, self.who.by)
        why = why.strip() or self._why(say("Why is it declined? One sentence: "))
        if not why:
            show(self.of(say("No remark is declined.")))
            return
        self._change(lambda text: self._declined(text, said, why))
        show(self.of(say("It is declined. Answer for the passage, too, or skip it.")))

    def _declined(self, text: ReviewedText, said: Said, why: str) -> ReviewedText:
        """A text with a remark of this passage declined, whatever its number is now."""
        # The number counts all remarks of a text, and shifts when others write some.
        now = (
            one for one in text.said(text.passage(self.numbers[self.at])) if replace(one, number=said.number) == said
        )
        return text.declined(next((one.number for one in now), said.number), self.who.by, self.who.date, why)

    def _rules(self, rest: str) -> None:
        rules = self.text.rules(self.one)
        if rest.isdecimal() and not 1 <= int(rest[:9]) <= len(rules):
            self._refuse(say("There is no rule with the number {number} here.", number=rest[:9]))
        elif rest.isdecimal():
            self._rule(int(rest), rules[int(rest) - 1], in_full=True)
        elif rest:
            self._rule(None, self.text.rule(rest), in_full=True)
        else:
            for number, rule in enumerate(rules, 1):
                self._rule(number, rule, in_full=True)

    def _help(self, rest: str) -> None:
        for name in self._offered(self.one):
            show(f"  {self._word(name)}: {self.of(ANSWERS[name].does)}")

    def _quit(self, rest: str) -> None:
        raise Stop(self.of(say("The review stops here.")))

    def _read(self, prompt: str) -> str:
        """A line of input. Raises Stop at the end of the input."""
        try:
            return read_line(prompt)
        except EOFError:
            raise Stop(self.of(say("The input has ended; the review stops here."))) from None


def passage_lines(one: Compared) -> Iterator[str]:
    """The lines of a passage with their numbers in the file."""
    for part in one.present.prose:
        offset = 0
        for line in part.text.split("\n"):
            number = part.source.position(part.place(offset, offset).start).line
            yield f"{number:>6}  {line.strip()}" if line.strip() else ""
            offset += len(line) + 1


def changed(text: ReviewedText, judged: Callable[[ReviewedText], ReviewedText]) -> ReviewedText:
    """A text with a judgement, which is added to the review as the file has it now, and written at once. Raises Failure
    if the file cannot be used, Unusable if the judgement cannot."""
    now = judged(kept(text))
    write(now)
    return now


def kept(text: ReviewedText) -> ReviewedText:
    """A text with its review as the file has it now. Raises Failure if that cannot be used."""
    try:
        return text.as_kept()
    except Unusable as error:
        raise failure.Failure(error.message, error.hint) from None


def show(text: str) -> None:
    """Prints lines. A terminal gets them broken between words."""
    click.echo(wrapped(text, get_terminal_size().columns) if sys.stdout.isatty() else text)
