"""A game in the terminal, whatever it looks like: the table, the story for each player, and the file it is kept in."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ftk_cli.output import write
from rulespec.base.messages import Message, say

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.play.table.choice import Choice
    from rulespec.play.table.story import Story
    from rulespec.play.table.table import Table
    from rulespec.play.table.words import Words
    from rulespec.text.rules.describe.description import Description


def thinks(seat: int, share: float) -> Message:
    """That an automated player thinks, for what share of its time, and what stops it."""
    return say("Player {number} thinks … {share:.0%}. Enter: it moves now.", number=seat + 1, share=share)


@dataclass
class Sitting:
    """A game of people and automated players. `log` is the file it is kept in, after every decision; `rules` says
    whether the story names each rule."""

    spec: Spec
    table: Table
    words: Words
    log: str | None = None
    rules: bool = False
    in_place: bool = False  # whether the game goes on from the file that it is kept in
    stories: dict[int | None, Story] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tell_again(silent=bool(self.table.start.choices))

    def tell_again(self, silent: bool = True) -> None:
        """Begins the stories anew; `silent` leaves out what has happened so far."""
        from rulespec.play.table.story import Story

        state = self.table.state
        people, alone = self.table.people, len(self.table.people) == 1
        self.stories = {seat: Story(state, seat, self.rules, self.words, alone) for seat in (*people, None)}
        for story in self.stories.values() if silent else ():
            story.news(state)

    def save(self) -> None:
        """Writes the game to its file, if it has one. Raises Failure."""
        if self.log is not None:
            write(self.log, self.table.saved(), self.in_place)

    def keep(self) -> str:
        """Writes a game that stops to its file, else to a new one. Returns the path; "" if there is nothing to keep."""
        if self.log is None and (not self.table.made or self.table.seat() is None or self.table.start.position):
            return ""
        if self.log is None:
            with tempfile.NamedTemporaryFile("w", prefix="ftk-", suffix=".jsonl", encoding="utf-8", delete=False) as f:
                self.log = f.name
        self.save()
        return self.log

    def undo(self, seat: int | None) -> str:
        """Takes back the last decision of a seat. Returns what to say about it."""
        refused = self.table.undo(seat)
        if refused:
            return self.words.of(say("Not taken back: {reason}.", reason=refused))
        self.tell_again()
        self.save()
        return self.words.of(say("Taken back."))

    def reasons(self, choice: Choice, action: int) -> Iterator[str]:
        """Why an action of a choice is legal, as Markdown: the rule that allows it, its text in the language or else
        what it does, and where it is defined."""
        from rulespec.play.table.behind import why

        found, of = why(self.table.state, action, self.words), self.words.of
        if found.rule not in self.spec.model.rules:
            yield of(say("This choice has no rule of its own."))
            return
        chosen = next(row.words for row in choice.rows if row.action == action)
        yield of(say("The rule “{rule}” allows “{choice}”.", rule=found.title or found.rule, choice=chosen))
        yield from ("", found.text or self._does(found.rule), "")
        place = say("defined at {place}", place=f"{found.path}:{found.line}")
        yield of(say("{value}: {content}", value=found.rule, content=place))

    @cached_property
    def _description(self) -> Description:
        from rulespec.games.rulebook import description_of
        from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
        from rulespec.text.rules.describe.grammar import languages

        lang = self.words.lang if self.words.lang in languages() else LANGUAGE_OF_SPECS
        return description_of(self.spec, lang, self.table.game.players)

    def _does(self, rule: str) -> str:
        """What the steps of a rule do, as Markdown."""
        from rulespec.text.rules.describe.description import paragraphs

        return "\n\n".join(paragraphs(self._description, self._description.rule(rule)))

    def result(self) -> list[str]:
        """How the game ended, line by line: every award, the ranking, and what broke each tie. Empty before the end."""
        return [self.words.of(line) for line in self.table.state.explain_result()]

    def rulebook(self, wanted: str = "") -> list[str]:
        """The rules as Markdown: all of them, or those with these words. Rules of a game without a text in the language
        are described, as `ftk describe` does."""
        from rulespec.text.rules.describe.description import markdown

        texts, looked_for = self.words.lexicon.texts, wanted.casefold()
        if not wanted and not texts:
            return [markdown(self._description, self._description.rules())]
        titles = {id_: self.words.title(id_, rule.title) for id_, rule in self.spec.model.rules.items()}
        named = [id_ for id_, title in titles.items() if looked_for in f"{id_} {title}".casefold()]
        shown = named or [id_ for id_ in titles if looked_for in texts.get(id_, "").casefold()]
        said = {id_: texts.get(id_) or (self._does(id_) if wanted else "") for id_ in shown}
        return [f"## {titles[id_] or id_}\n\n{text}\n" for id_, text in said.items() if text]
