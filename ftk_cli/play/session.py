"""One game at one keyboard, with people and random players. Each person sees only what that player knows."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from ftk_cli import terminal
from ftk_cli.explain import rule_lines
from ftk_cli.output import write
from ftk_cli.play.menu import Menu
from ftk_cli.play.view import view
from ftk_cli.report.display import harmless, width, wrapped

if TYPE_CHECKING:
    from rulespec import State
    from rulespec.bots import Bot
    from rulespec.table import Story

MOST_WRONG = 50
"""Invalid inputs in a row after which the game stops. A person tries fewer times; a stuck script would loop."""
LONGEST_LINE = 1000
SCREENFUL = 12
"""More choices than this are printed in columns if all have the same rule; a small window shows this many lines."""
LISTED = 60
"""Choices that a menu lists, at most. Hundreds of sets would fill many screens; their elements can be typed."""

HELP = "a number or some words · ? what you know · why N the rule behind it · q stop (--log is still written)"


class Stop(Exception):
    """Raised when the game is stopped at the keyboard."""


class Session:
    """A game in progress, from a state on. `people` are the seats (from 0) of people; `bots` play all others, at random
    by default."""

    def __init__(
        self,
        state: State,
        people: Iterable[int],
        seed: int,
        log: str | None,
        bots: Sequence[Bot] | None = None,
        rules: bool = False,
    ) -> None:
        from rulespec.engine import Generator, stream
        from rulespec.table import Story

        self.state, self.game, self.log, self.bots = state, state.game, log, bots
        self.people = {seat: Story(state, seat, rules) for seat in people}
        self.everything = Story(state, None, rules)
        if state.choices:  # people see how it stands, and then what happens from there on
            for story in (self.everything, *self.people.values()):
                story.news(state)
        # The choices of random players come from a stream of their own, so that they never depend on the deal.
        self.below = Generator(stream(seed, 1)).below
        self.at_keyboard: int | None = None
        self.helped = False

    def play(self) -> None:
        """Plays until the game ends or is stopped. The log is written in either case."""
        self._save()  # a place that cannot be written to is known before the game, not after it
        try:
            while not self.state.is_terminal():
                seat = self.state.deciders()[0]
                self.state.apply_action(self._choose(seat), seat)
            self._finish()
        except (Stop, KeyboardInterrupt) as stop:
            click.echo(f"\n{str(stop) or 'The game stops here.'}")
        finally:
            self._save()

    def _save(self) -> None:
        if self.log is not None:
            from rulespec.engine import log_lines as lines

            write(self.log, "".join(f"{line}\n" for line in lines(self.state)))

    def _choose(self, seat: int) -> int:
        legal = self.state.legal_actions(seat)
        if not self.people:
            self._show_news(self.everything)
        if seat not in self.people:
            return legal[self.below(len(legal))] if self.bots is None else self.bots[seat].step(self.state)
        self.people[seat].chose(forced=len(legal) == 1)
        if len(legal) == 1:
            return legal[0]
        self._hand_over(seat)
        return self._ask(seat)

    def _show_news(self, story: Story) -> None:
        for line in story.news(self.state):
            _say(line)

    def _hand_over(self, seat: int) -> None:
        """Clears the screen and waits for the next player, so that no player sees the screen of another."""
        if len(self.people) > 1 and seat != self.at_keyboard:
            _clear()
            click.echo(f"Hand the keyboard to player {seat + 1}.")
            if sys.stdin.isatty():
                self._read("Press Enter when you sit there: ")
                _clear()
        self.at_keyboard = seat

    def _ask(self, seat: int) -> int:
        story, menu = self.people[seat], Menu(self.state, seat)
        self._show_news(story)
        click.echo("")
        for line in view(self.state, story):
            _say(line)
        self._show(seat, menu)
        for _ in range(MOST_WRONG):
            action = self._answer(seat, menu, self._read("> ").strip())
            if action is not None:
                return action
        raise Stop("Too many invalid inputs; the game stops here.")

    def _show(self, seat: int, menu: Menu) -> None:
        same = menu.same_rule()
        click.echo(f"\nPlayer {seat + 1}, choose" + (f": {self._title(same)}" if same else ":"))
        if menu.amounts:
            low, high = min(menu.amounts.actions), max(menu.amounts.actions)
            word = menu.amounts.words
            click.echo(f"  {menu.amounts}: {word} {low} … {word} {high}")
        for line in self._listed(menu, bool(same)):
            _say(line.rstrip())
        if not self.helped:
            _say(f"  {HELP}")
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
            titles = (self._title(menu.rules[entry.action]) for entry in menu.entries)
            yield from (f"{cell}   ({title})" for cell, title in zip(cells, titles, strict=False))
        if more:
            yield f"  … and {len(more):,} more: type the words of one, such as {more[-1].words}"

    def _title(self, rule: str) -> str:
        found = self.game.spec.rules.get(rule)
        return (found.title or rule) if found is not None else rule

    def _answer(self, seat: int, menu: Menu, typed: str) -> int | None:
        command, _, rest = typed.casefold().partition(" ")
        if command in ("q", "quit", "exit"):
            raise Stop("The game stops here.")
        if command == "?":
            _say(self.state.observation_string(seat))
        elif command in ("h", "help"):
            _say(f"Type {menu.example()}, or words of a choice. {HELP}")
        elif command in ("why", "w"):
            self._why(menu, rest)
        else:
            action, complaint = menu.find(typed)
            if complaint:
                _say(complaint)
            return action
        return None

    def _why(self, menu: Menu, typed: str) -> None:
        same = menu.same_rule()
        action, complaint = (
            menu.find(typed)
            if typed.strip()
            else (next(iter(menu.rules)) if same else None, "Which choice? Type why and its key.")
        )
        if action is None:
            _say(complaint)
            return
        rule = self.game.spec.rules.get(menu.rules[action])
        _say("\n".join(rule_lines(self.game.spec, rule)) if rule is not None else "This choice has no rule of its own.")

    def _read(self, prompt: str) -> str:
        """A line of input. Raises Stop at the end of the input."""
        try:
            if sys.stdin.isatty():
                return input(prompt)
            line = sys.stdin.readline(LONGEST_LINE)
        except EOFError:
            line = ""
        click.echo(f"{prompt}{harmless(line.rstrip())}" if not sys.stdin.isatty() else "")
        if not line:
            raise Stop("The input has ended; the game stops here.")
        return line

    def _finish(self) -> None:
        one = next(iter(self.people.values())) if len(self.people) == 1 else None
        if one is not None or not self.people:
            self._show_news(one or self.everything)
        elif sys.stdout.isatty():
            _clear()
        click.echo("")
        _say("\n".join(self.state.explain_result()))


def _say(text: str) -> None:
    """Prints lines. A terminal gets them broken between words."""
    click.echo(wrapped(text, get_terminal_size().columns) if sys.stdout.isatty() else text)


def _clear() -> None:
    """Clears the terminal and its scrollback, which shows the hidden information of another player."""
    if sys.stdout.isatty():
        terminal.clear()
    else:
        click.echo("\n" + "-" * 40)
