"""A game in the terminal, whatever it looks like: the table, the story for each player, and the file it is kept in."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ftk_cli.explain import rule_lines
from ftk_cli.output import write
from rulespec.base.messages import say

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.language.model.spec import Rule
    from rulespec.play.table.story import Story
    from rulespec.play.table.table import Table
    from rulespec.play.table.words import Words


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

    def reasons(self, action: int) -> Iterator[str]:
        """Why an action is legal: its rule, where it is defined, and its text in the language."""
        from rulespec.play.table.behind import why

        found = why(self.table.state, action, self.words)
        rule = self.spec.model.rules.get(found.rule)
        if rule is None:
            yield self.words.of(say("This choice has no rule of its own."))
        elif not self.words.lang:
            yield from rule_lines(self.spec.model, rule)
        else:
            yield f"{found.rule}: {found.title}" if found.title else found.rule
            yield f"  {self.words.of(say('defined at {place}', place=f'{found.path}:{found.line}'))}"
            yield from ("", *found.text.split("\n")) if found.text else ()

    def result(self) -> list[str]:
        """How the game ended, line by line: every award, the ranking, and what broke each tie. Empty before the end."""
        return [self.words.of(line) for line in self.table.state.explain_result()]

    def rulebook(self, wanted: str = "") -> list[str]:
        """The titles and texts of the rules as Markdown: of all of them, or of those with these words."""
        text = wanted.casefold()
        parts = [(id_, self.words.title(id_, rule.title), self.words.text(id_)) for id_, rule in self._rules()]
        named = [part for part in parts if text in f"{part[0]} {part[1]}".casefold()]
        shown = named or [part for part in parts if text in part[2].casefold()]
        return [f"## {title or id_}\n\n`{id_}`\n\n{said}\n" for id_, title, said in shown if title or said]

    def _rules(self) -> Iterator[tuple[str, Rule]]:
        yield from self.spec.model.rules.items()
