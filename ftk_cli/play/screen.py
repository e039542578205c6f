"""A game on the full screen of a terminal: how it stands, what has happened, what can be chosen, and a line to type."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import click
from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.suggester import Suggester
from textual.widgets import Footer, Input, Markdown, OptionList, RichLog, Static
from textual.widgets.option_list import Option

from ftk_cli.failure import Failure
from ftk_cli.play.commands import COMMANDS, command_in, help_lines
from ftk_cli.play.page import Page
from ftk_cli.play.sitting import Sitting, thinks
from ftk_cli.play.view import MOST_FACES, WIDE, known, values, zones
from ftk_cli.report.display import harmless
from rulespec.base.messages import Message, say
from rulespec.play.table.automated import Automated, sentence
from rulespec.play.table.choice import FEW, Choice, Question, choice_of
from rulespec.play.table.finding import find

TALL = 36
"""The lines of a terminal that has room for more than how it stands."""

HEIGHTS = [(0, "-short"), (TALL, "-tall")]
"""The class of the screen from so many lines on."""

KEYS = (
    Binding("escape", "take_back", say("back"), priority=True),
    Binding("f1", "help", say("help")),
    Binding("f2", "rules", say("rules")),
    Binding("f3", "why", say("why")),
    Binding("f4", "know", say("know")),
    Binding("ctrl+z", "undo", say("undo"), priority=True),
    Binding("ctrl+q,ctrl+c,ctrl+d", "leave", say("quit"), priority=True, key_display="^q"),
    Binding("tab", "complete", show=False, priority=True),
    Binding("up", "move(-1)", show=False, priority=True),
    Binding("down", "move(1)", show=False, priority=True),
    Binding("pageup", "page(-1)", show=False, priority=True),
    Binding("pagedown", "page(1)", show=False, priority=True),
)


def show(sitting: Sitting) -> None:
    """Plays on the full screen. A game that is not over when it stops is kept in a file, whatever stops it."""
    sitting.save()  # a place that cannot be written to is known before the game, not after it
    game = GameScreen(sitting)
    for name in filter(partial(hasattr, signal), ("SIGTERM", "SIGHUP")):  # Windows has no SIGHUP
        signal.signal(getattr(signal, name), lambda *_: game.exit())
    try:
        game.run()
    finally:
        for line in game.farewell():
            click.echo(line)


class Words(Suggester):
    """Completes what is typed: a command, or the words of a choice, from the last word typed on."""

    def __init__(self, screen: GameScreen) -> None:
        # The words change with every question.
        super().__init__(use_cache=False, case_sensitive=True)
        self.game = screen

    async def get_suggestion(self, value: str) -> str | None:
        return completed(value, self.game.vocabulary())


def completed(typed: str, known: Iterable[str]) -> str | None:
    """What is typed with its last word made whole; None if no known word begins with it."""
    last = typed.rpartition(" ")[2]
    found = next((word for word in known if word.casefold().startswith(last.casefold()) and last), None)
    return typed[: len(typed) - len(last)] + found if found and found != last else None


class GameScreen(App[None]):
    """One game on the screen. A decision is asked by its parts; `path` has the answers so far."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[Any]] = list(KEYS)
    VERTICAL_BREAKPOINTS = HEIGHTS
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting, self.table, self.of = sitting, sitting.table, sitting.words.of
        self.choices: list[Choice] = []  # the whole choice, then what typed words have left of it
        self.path: list[str] = []
        self.question: Question | None = None
        self.seat: int | None = None
        self.seated: int | None = None  # of several people, the one who sits at the keyboard
        self.thinking = self.hurries = False
        self.carry_out: dict[str, Callable[[str], None]] = {
            "know": self.action_know,
            "why": self.action_why,
            "rules": self.action_rules,
            "back": self.action_take_back,
            "undo": self.action_undo,
            "save": self.action_save,
            "help": self.action_help,
            "quit": self.action_leave,
        }

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal(id="above"):
            with Vertical(id="table"):
                with VerticalScroll(id="state", can_focus=False):
                    yield Static(id="view")
                with VerticalScroll(id="rule", can_focus=False):
                    yield Markdown()
            log = RichLog(id="story", wrap=True, min_width=1, highlight=False, markup=False)
            log.can_focus = False
            yield log
        options = OptionList(id="choices", markup=False)
        # The keyboard stays with the line to type.
        options.can_focus = False
        yield options
        yield Static(id="message")
        # When the line gets the focus back, the next key would else replace what is typed.
        yield Input(id="line", suggester=Words(self), select_on_focus=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        for binding in KEYS:  # the keys are named in the language of the game
            said = self.of(say(binding.description))
            for key in binding.key.split(",") if binding.show else ():
                self._bindings.key_to_bindings[key] = [replace(binding, key=key, description=said)]
        self.query_one("#rule").border_title = self.of(say("why"))
        self.query_one("#state").border_title = self.of(say("Table"))
        self.query_one("#story").border_title = self.of(say("What has happened"))
        self.query_one(Input).placeholder = self.of(say("words of a choice, or a command"))
        self.query_one(Input).focus()
        self.go_on()

    # the course of the game

    def go_on(self) -> None:
        """Shows what is next: the end, a choice, or that an automated player thinks."""
        table = self.table
        self.seat = table.seat()
        self.choices, self.path, self.question = [], [], None
        if self.seat is None:
            self._end()
        elif not table.is_asked(self.seat):
            self._show_state()
            self._message(self.of(say("Player {number} thinks …", number=self.seat + 1)))
            self.thinking, self.hurries = True, False
            self._let_think()
        elif len(self._legal()) == 1:
            story = self.sitting.stories.get(self.seat)
            if story is not None:
                story.chose(forced=True)
            self._play(self._legal()[0])
        elif len(table.people) > 1 and self.seat in table.people and self.seat != self.seated:
            self._hand_over()
        else:
            self._ask()

    def _legal(self) -> list[int]:
        assert self.seat is not None
        return self.table.state.legal_actions(None if self.seat < 0 else self.seat)

    @work(thread=True, exclusive=True)
    def _let_think(self) -> None:
        move = self.table.automated(self._stops)
        # Widgets may be changed in the thread of the app only.
        self.call_from_thread(self._moved, move)

    def _stops(self, share: float) -> bool:
        """Shows what share of its time an automated player has thought; whether it has to act now."""
        if self.is_running:
            self.call_from_thread(self._message, self.of(thinks(self.seat or 0, share)))
        return self.hurries or not self.is_running

    def _moved(self, move: Automated) -> None:
        self.thinking = False
        if move.failure:
            self._tell([self.of(sentence(self.table.state, move, self._viewer()))])
        self._keep()
        self.go_on()

    def _play(self, action: int) -> None:
        self.table.play(action, self.seat)
        self._keep()
        self.go_on()

    def _keep(self) -> None:
        """Keeps the game on disk. That this fails is a message, since the game itself goes on."""
        try:
            self.sitting.save()
        except Failure as failure:
            self.notify(harmless(failure.message), severity="error", markup=False)

    # what is shown

    def _viewer(self) -> int | None:
        """The player whom the screen is for."""
        if self.seat in self.table.people:
            return self.seat
        one_person = len(self.table.people) == 1
        return self.table.people[0] if one_person else self.seated

    def _show_state(self) -> None:
        viewer = self._viewer()
        if viewer is None:
            return
        story = self.sitting.stories[viewer]
        self._tell(story.news(self.table.state))
        columns = self.query_one("#state").size.width + 2  # the lines are indented by as much
        # The cards come first: on a small screen, the values below them may need scrolling.
        most = WIDE if self.is_tall else MOST_FACES
        lines = [*zones(self.table.state, story, most), *values(self.table.state, story, columns)]
        self.query_one("#view", Static).update(_text("\n".join(line[2:] for line in lines)))
        named = {"game": self.sitting.words.game(self.table.game.spec.title), "number": viewer + 1}
        title = self.of(say("{game} · player {number} of {players}", **named, players=self.table.game.players))
        self.query_one("#title", Static).update(_text(title))

    def _tell(self, lines: Iterable[str]) -> None:
        log = self.query_one("#story", RichLog)
        for line in lines:
            style = "bold" if line.startswith("—") else "" if line.startswith(" ") else "cyan"
            log.write(Text(_shown(line.strip()), style=style))

    def _ask(self) -> None:
        assert self.seat is not None
        if self.seat >= 0 and (story := self.sitting.stories.get(self.seat)) is not None:
            story.chose(forced=False)
        self._show_state()
        self.choices = [choice_of(self.table.state, self.seat, self.sitting.words)]
        self._message("")
        self._show_question()

    def _show_question(self) -> None:
        question = self.choices[-1].ask(self.path)
        self.question = question
        options = self.query_one("#choices", OptionList)
        options.clear_options()
        options.add_options([Option(_text(words)) for words in self._answers(question)])
        options.highlighted = 0
        who = self.of(say("The deck") if self.seat == -1 else say("Player {number}", number=(self.seat or 0) + 1))
        rules = {row.title for row in self.choices[-1].rows}
        title = rules.pop() if len(rules) == 1 else ""
        keys = [item.key for item in question.items]
        numbers = f" {keys[0]}–{keys[-1]}" if len(keys) > 1 and _are_numbers(keys) else ""
        label = f"{question.label}{numbers}?" if len(self.choices[-1].rows) > FEW else ""
        options.border_title = _text(" · ".join(part for part in (who, title, *self.path, label) if part)).plain

    def _answers(self, question: Question) -> Iterator[str]:
        """The answers, numbered unless they are numbers themselves."""
        keys = [item.key for item in question.items]
        wide = len(str(len(keys)))
        for number, item in enumerate(question.items, 1):
            more = "" if item.action is not None else "  …"
            yield item.words + more if _are_numbers(keys) else f"{number:>{wide}}  {item.words}{more}"

    def _message(self, text: str) -> None:
        self.query_one("#message", Static).update(_text(text))

    def _hand_over(self) -> None:
        """Hides everything until the next player sits at the keyboard."""
        self.query_one("#view", Static).update("")
        self.query_one("#story", RichLog).clear()
        self.query_one("#choices", OptionList).clear_options()
        self._show_rule()
        number = (self.seat or 0) + 1
        self._message(self.of(say("Hand the keyboard to player {number}, who presses Enter.", number=number)))

    def _end(self) -> None:
        several = len(self.table.people) > 1
        viewer = self.table.people[0] if not several else None
        self._tell(self.sitting.stories[viewer].news(self.table.state) if not several else [])
        result = self.sitting.result()
        self._tell(["", *result])
        options = self.query_one("#choices", OptionList)
        options.clear_options()
        options.border_title = self.of(say("the game is over"))
        options.add_options([Option(_text(line)) for line in result])
        self._show_rule()
        self._message(self.of(say("The game is over. Undo goes on from your last decision; quit leaves.")))

    def vocabulary(self) -> Iterator[str]:
        """Every word that can be completed: of the choices at hand first, then the commands."""
        rows = self.choices[-1].rows if self.choices else ()
        yield from dict.fromkeys(word.strip(",:;") for row in rows for word in f"{row.words} {row.title}".split())
        yield from (self.of(command.word) for command in COMMANDS.values())

    # what is typed

    def on_input_submitted(self, event: Input.Submitted) -> None:
        # A paste may be of any length, and its words are searched for.
        typed = event.value.strip()[:1000]
        event.input.value = ""
        if self.seat is not None and self._must_sit_down():
            self.seated = self.seat
            self._ask()
        elif not typed and self.thinking:
            self.hurries = True
        elif not typed:
            at = self.query_one("#choices", OptionList).highlighted
            if at is not None:
                self._take(at)
        else:
            self._typed(typed)

    def _must_sit_down(self) -> bool:
        several = len(self.table.people) > 1 and self.seat in self.table.people
        return several and self.seat != self.seated

    def _typed(self, typed: str) -> None:
        if self._answered(typed):
            return
        found = find(self.choices[-1], typed) if self.choices else None
        command = command_in(typed, self.sitting.words)
        if command is not None and (found is None or found.action is None):
            self.carry_out[command[0]](command[1])
        elif found is not None and found.action is not None:
            self._play(found.action)
        elif found is not None and found.choice is not None and len(found.choice.rows) < len(self.choices[-1].rows):
            self.choices.append(found.choice)
            self.path = []
            self._message(self.of(say("That can mean {number}; Escape goes back.", number=len(found.choice.rows))))
            self._show_question()
        else:
            self._message(self.of(found.message if found else say("Nothing is to be chosen now.")))

    def _answered(self, typed: str) -> bool:
        """Whether typed text is an answer of the list: its words, or its number."""
        items = self.question.items if self.question else ()
        keys = [item.key.casefold() for item in items]
        if typed.casefold() in keys:
            self._take(keys.index(typed.casefold()))
            return True
        # Where the answers are numbers themselves, a number is never a place in the list.
        if typed.isdecimal() and len(typed) < 5 and not _are_numbers(keys) and 1 <= int(typed) <= len(keys):
            self._take(int(typed) - 1)
            return True
        return False

    def on_resize(self) -> None:
        if self.choices:
            self._show_state()
            self._show_rule()

    @property
    def is_tall(self) -> bool:
        """Whether there is room for all cards of a zone, and for the rule behind the choice that is lit."""
        return self.size.height >= TALL

    def on_option_list_option_highlighted(self) -> None:
        self._show_rule()

    def _show_rule(self) -> None:
        """Shows the rule behind the choice that is lit, below the table where there is room."""
        action = self._meant("")
        self.query_one("#rule").set_class(action is not None, "known")
        if action is not None and self.is_tall:
            reasons = "\n".join(self.sitting.reasons(self.choices[0], action))
            self.query_one("#rule Markdown", Markdown).update(_shown(reasons))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click on an answer."""
        self._take(event.option_index)
        self.query_one(Input).focus()

    def _take(self, at: int) -> None:
        if self.question is None or at >= len(self.question.items):
            return
        item = self.question.items[at]
        self._message("")
        if item.action is not None:
            self._play(item.action)
        else:
            self.path.append(item.key)
            self._show_question()

    # keys and commands

    def action_move(self, by: int) -> None:
        if isinstance(self.screen, Page):
            self.screen.scroll(by)
            return
        options = self.query_one("#choices", OptionList)
        if options.option_count:
            options.highlighted = max(0, min(options.option_count - 1, (options.highlighted or 0) + by))

    def action_page(self, by: int) -> None:
        if isinstance(self.screen, Page):
            self.screen.scroll(by * self.size.height // 2)
            return
        for pane in self.query("#state, #rule, #story"):
            (pane.scroll_page_up if by < 0 else pane.scroll_page_down)(animate=False)

    def action_complete(self) -> None:
        line = self.query_one(Input)
        whole = completed(line.value, self.vocabulary())
        if whole is not None:
            line.value, line.cursor_position = f"{whole} ", len(whole) + 1

    def action_take_back(self, rest: str = "") -> None:
        """Takes back the last answer of a choice, or closes what is typed."""
        line = self.query_one(Input)
        if isinstance(self.screen, Page):
            self.pop_screen()
        elif line.value:
            line.value = ""
        elif self.choices and (self.path or len(self.choices) > 1):
            if self.path:
                self.path.pop()
            else:
                self.choices.pop()
            self._message("")
            self._show_question()
        else:
            self._message(self.of(say("There is nothing to cancel. Undo takes back your last decision.")))

    def action_undo(self, rest: str = "") -> None:
        if self.thinking:
            return
        several = len(self.table.people) > 1
        said = self.sitting.undo(self.seated if several else None)
        self.query_one("#story", RichLog).clear()
        self.go_on()
        self._message(said)

    def action_help(self, rest: str = "") -> None:
        how = say(
            "Arrows and Enter choose from the list; words of a choice, in any order, find it; Tab completes a word."
        )
        self._page(say("help"), [self.of(how), "", *(f"- {line}" for line in help_lines(self.sitting.words))])

    def action_rules(self, wanted: str = "") -> None:
        found = self.sitting.rulebook(wanted)
        self._page(say("rules"), found or [self.of(say("No rule has these words."))])

    def action_know(self, rest: str = "") -> None:
        viewer = self._viewer()
        if viewer is not None and not self._must_sit_down():
            lines = known(self.table.state, viewer, self.sitting.stories[viewer])
            self._page(say("know"), [f"    {line}" for line in lines])

    def action_why(self, typed: str = "") -> None:
        """Shows the rule behind the choice that is typed, or else behind the one that is lit."""
        action = self._meant(typed)
        if action is None:
            self._message(self.of(say("Which choice? Type why and its words.")))
        else:
            self._page(say("why"), list(self.sitting.reasons(self.choices[0], action)))

    def _meant(self, typed: str) -> int | None:
        if self.question is None or not self.choices:
            return None
        numbered = typed.isdecimal() and 0 < int(typed[:4]) <= len(self.question.items)
        if typed and not numbered:
            return find(self.choices[-1], typed).action
        at = int(typed[:4]) - 1 if numbered else self.query_one("#choices", OptionList).highlighted or 0
        within = self.choices[-1].ask([*self.path, self.question.items[at].key], few=1)
        while within.action is None:
            # The first action that begins with the answers so far stands for all of them.
            within = self.choices[-1].ask([*within.path, within.items[0].key], few=1)
        return within.action

    def action_save(self, path: str = "") -> None:
        before, self.sitting.log = self.sitting.log, path or self.sitting.log
        if not self.sitting.log:
            self._message(self.of(say("Name a file: save FILE.")))
            return
        try:
            self.sitting.save()
        except Failure as failure:
            self.sitting.log = before
            self._message(failure.message)
        else:
            self._message(self.of(say("The game is kept in {file}.", file=self.sitting.log)))

    def action_leave(self, rest: str = "") -> None:
        self.exit()

    def _page(self, title: Message, lines: list[str]) -> None:
        if isinstance(self.screen, Page):
            self.pop_screen()
        self.push_screen(Page(self.of(title), [_shown(line) for line in lines]))

    def farewell(self) -> Iterator[str]:
        """What remains on the terminal: the result, or how to go on."""
        result = self.sitting.result()
        yield from result
        path = self.sitting.keep()
        if path and not result:
            go_on = f"ftk play {self.sitting.spec.model.id} --resume {path}"
            yield self.of(say("The game is kept. Go on with: {command}", command=go_on))


def _are_numbers(keys: list[str]) -> bool:
    return bool(keys) and all(key.isdecimal() for key in keys)


def _shown(line: str) -> str:
    """Text without anything that steers a terminal, line by line."""
    return "\n".join(map(harmless, line.split("\n")))


def _text(text: str) -> Text:
    return Text(_shown(text))
