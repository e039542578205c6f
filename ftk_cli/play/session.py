"""One game at one keyboard, line by line. Each person sees only what that player knows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from ftk_cli import terminal
from ftk_cli.failure import Failure
from ftk_cli.keyboard import line_waits, read_line
from ftk_cli.play.commands import command_in, help_lines
from ftk_cli.play.menu import Menu
from ftk_cli.play.sitting import Sitting, thinks
from ftk_cli.play.view import known, view
from ftk_cli.report.display import width, wrapped
from rulespec.base.messages import Message, say
from rulespec.play.table.automated import sentence
from rulespec.play.table.choice import Choice, choice_of
from rulespec.play.table.story import Story

if TYPE_CHECKING:
    from rulespec.engine.states.state import State

MOST_WRONG = 50
"""Invalid inputs in a row after which the game stops. A person tries fewer times; a stuck script would loop."""
SCREENFUL = 12
"""More choices than this are printed in columns if all have the same rule; a small window shows this many lines."""
LISTED = 60
"""Choices that a menu lists, at most. Hundreds of sets would fill many screens; their elements can be typed."""

HELP = say("a number or some words · ? what you know · why N the rule behind it · undo · q stop · h more")


class Stop(Exception):
    """Raised when the game is stopped at the keyboard."""


class Session:
    """A game in progress at the keyboard."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting, self.table, self.of = sitting, sitting.table, sitting.words.of
        self.game = self.table.game
        self.at_keyboard: int | None = None
        self.helped = False
        self.narrowed: list[Choice] = []  # what is still meant, each with fewer actions than the one before
        self.commands: dict[str, Callable[[int, str], None]] = {
            "know": self._know,
            "why": self._why,
            "rules": self._rules,
            "back": self._back,
            "undo": self._undo,
            "save": self._save_as,
            "help": self._help,
            "quit": self._quit,
        }

    @property
    def state(self) -> State:
        return self.table.state

    def play(self) -> None:
        """Plays until the game ends or is stopped. The log is written in either case."""
        self.sitting.save()  # a place that cannot be written to is known before the game, not after it
        try:
            while (seat := self.table.seat()) is not None:
                self._decide(seat)
            one = self.table.people[0] if len(self.table.people) == 1 else None
            if one is not None or not self.table.people:
                self._show_news(self._story(one))
            elif sys.stdout.isatty():
                _clear()
            click.echo("")
            _say("\n".join(self.sitting.result()))
        except (Stop, KeyboardInterrupt) as stop:
            click.echo(f"\n{str(stop) or self.of(say('The game stops here.'))}")
        finally:
            self.sitting.save()

    def _decide(self, seat: int) -> None:
        """Lets the seat that decides next choose."""
        table = self.table
        if not table.people:
            self._show_news(self._story(None))
        if not table.is_asked(seat):
            move = table.automated(partial(self._stops, seat))
            terminal.in_place("")
            if move.failure and (said := sentence(self.state, move, self._viewer())):
                _say(self.of(said))
            return
        legal = self.state.legal_actions(None if seat < 0 else seat)
        if seat in table.people:
            self._story(seat).chose(forced=len(legal) == 1)
        if len(legal) == 1:
            table.play(legal[0], seat)
            return
        self._hand_over(seat)
        self._ask(seat)

    def _stops(self, seat: int, share: float) -> bool:
        """Shows what share of its time an automated player has thought; whether it has to act now."""
        terminal.in_place(self.of(thinks(seat, share)))
        return line_waits()

    def _viewer(self) -> int | None:
        return self.table.people[0] if self.table.people else None

    def _story(self, seat: int | None) -> Story:
        """The story of a person; with a deck in front of everybody, that of the first one for draws."""
        return self.sitting.stories.get(seat) or self.sitting.stories[self._viewer()]

    def _show_news(self, story: Story) -> None:
        for line in story.news(self.state):
            _say(line)

    def _hand_over(self, seat: int) -> None:
        """Clears the screen and waits for the next player, so that no player sees the screen of another."""
        if len(self.table.people) > 1 and seat != self.at_keyboard:
            _clear()
            click.echo(self.of(say("Hand the keyboard to player {number}.", number=seat + 1)))
            if sys.stdin.isatty():
                self._read(self.of(say("Press Enter when you sit there: ")))
                _clear()
        self.at_keyboard = seat

    def _ask(self, seat: int) -> None:
        """Shows how it stands and asks until a choice is made or taken back."""
        story = self._story(seat)
        self._show_news(story)
        click.echo("")
        for line in view(self.state, story):
            _say(line)
        self.narrowed = [choice_of(self.state, seat, self.sitting.words)]
        self._show(seat)
        # An undo changes the number of choices, too, and asks again for the seat that decides then.
        made = len(self.table.made)
        for _ in range(MOST_WRONG):
            typed = self._read("> ").strip()
            menu = Menu(self.narrowed[-1])
            found = menu.find(typed)
            command = command_in(typed, self.sitting.words)
            # One letter that is the key of a choice means the choice.
            if command is not None and (found.action is None or len(typed) > 1):
                self.commands[command[0]](seat, command[1])
            elif found.action is not None:
                self.table.play(found.action, seat)
            else:
                _say(self.of(found.message))
                if found.choice is not None and len(found.choice.rows) < len(menu.choice.rows):
                    self.narrowed.append(found.choice)
                    self._show(seat)
            if len(self.table.made) != made:
                self.sitting.save()
                return
        raise Stop(self.of(say("Too many invalid inputs; the game stops here.")))

    def _show(self, seat: int) -> None:
        menu = Menu(self.narrowed[-1])
        same = menu.same_rule()
        who = say("Player {number}", number=seat + 1) if seat >= 0 else say("The deck")
        title = self._title(same) if same else ""
        asked = say("{who}, choose: {title}", who=who, title=title) if title else say("{who}, choose:", who=who)
        click.echo(f"\n{self.of(asked)}")
        if menu.amounts:
            low, high = min(menu.amounts.actions), max(menu.amounts.actions)
            word = menu.amounts.words
            click.echo(f"  {menu.amounts}: {word} {low} … {word} {high}")
        for line in self._listed(menu, bool(same)):
            _say(line.rstrip())
        if not self.helped:
            _say(f"  {self.of(HELP)}")
            self.helped = True

    def _listed(self, menu: Menu, alike: bool) -> Iterator[str]:
        """The choices, each with the title of its rule; in columns if there are many of the same rule."""
        wide = max((width(entry.words) for entry in menu.entries), default=0)
        key = max((len(entry.key) for entry in menu.entries), default=0)
        cells = [f"  {e.key:>{max(2, key)}}: {e.words}{' ' * (wide - width(e.words))}" for e in menu.entries]
        more = menu.entries[LISTED:]
        cells = cells[:LISTED]
        if alike:
            columns = max(1, get_terminal_size().columns // (wide + 7)) if len(cells) > SCREENFUL else 1
            rows = -(-len(cells) // columns)
            yield from ("".join(cells[row::rows]) for row in range(rows))
        else:
            for cell, entry in zip(cells, menu.entries, strict=False):
                title = self._title(menu.rules[entry.action])
                yield cell.rstrip() if title.casefold() in entry.words.casefold() else f"{cell}   ({title})"
        if more:
            template = say("… and {more:,} more: type the words of one, such as {words}")
            yield f"  {self.of(say(template, more=len(more), words=more[-1].words))}"

    def _title(self, rule: str) -> str:
        found = self.game.spec.rules.get(rule)
        return (self.sitting.words.title(rule, found.title) or rule) if found is not None else rule

    # commands

    def _know(self, seat: int, rest: str) -> None:
        viewer = seat if seat >= 0 else self._viewer() or 0
        _say("\n".join(known(self.state, viewer, self._story(viewer))))

    def _help(self, seat: int, rest: str) -> None:
        menu = Menu(self.narrowed[-1])
        _say(self.of(say("Type {example}, or words of a choice.", example=menu.example())))
        for line in help_lines(self.sitting.words):
            _say(f"  {line}")

    def _why(self, seat: int, typed: str) -> None:
        menu = Menu(self.narrowed[-1])
        found = menu.find(typed) if typed else None
        action = found.action if found else next(iter(menu.rules)) if menu.same_rule() else None
        if action is None:
            _say(self.of(found.message if found else say("Which choice? Type why and its key.")))
            return
        _say("\n".join(self.sitting.reasons(self.narrowed[0], action)))

    def _rules(self, seat: int, typed: str) -> None:
        lines = self.sitting.rulebook(typed)
        _say("\n".join(lines) if lines else self.of(say("No rule has these words.")))

    def _back(self, seat: int, rest: str) -> None:
        if len(self.narrowed) > 1:
            self.narrowed.pop()
        self._show(seat)

    def _undo(self, seat: int, rest: str) -> None:
        _say(self.sitting.undo(None if len(self.table.people) < 2 else seat))

    def _save_as(self, seat: int, path: str) -> None:
        """Writes the game to a file, which it is kept in from now on. A bad path is a message, not the end."""
        before, self.sitting.log = self.sitting.log, path or self.sitting.log
        try:
            self.sitting.save()
        except Failure as failure:
            self.sitting.log = before
            _say(failure.format_message())
            return
        _say(self._saved() if self.sitting.log else self.of(say("Name a file: save FILE.")))

    def _saved(self) -> str:
        return self.of(say("The game is kept in {file}.", file=self.sitting.log))

    def _quit(self, seat: int, rest: str) -> None:
        raise Stop(self.of(say("The game stops here.")))

    def _read(self, prompt: str) -> str:
        """A line of input. Raises Stop at the end of the input."""
        try:
            return read_line(prompt)
        except EOFError:
            raise Stop(self.of(say("The input has ended; the game stops here."))) from None


def _say(text: str | Message) -> None:
    """Prints lines. A terminal gets them broken between words."""
    click.echo(wrapped(text, get_terminal_size().columns) if sys.stdout.isatty() else text)


def _clear() -> None:
    """Clears the terminal and its scrollback, which shows the hidden information of another player."""
    if sys.stdout.isatty():
        terminal.clear()
    else:
        click.echo("\n" + "-" * 40)
