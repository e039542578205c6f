"""`ftk play` on the full screen: by textual's pilot, and once on a terminal that hangs up."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Awaitable, Callable
from fcntl import ioctl
from pathlib import Path
from typing import Any

import pytest
from command import ftk

import rulespec
from ftk_cli.play.sitting import Sitting
from rulespec.play.bots import bot
from rulespec.play.table.table import Table
from rulespec.play.table.words import words_in

pytest.importorskip("textual")

from textual.pilot import Pilot
from textual.widgets import Input, Markdown, OptionList, RichLog, Static

from ftk_cli.play.commands import COMMANDS
from ftk_cli.play.page import Page
from ftk_cli.play.screen import GameScreen, completed, show

pytestmark = pytest.mark.slow("starts a screen for each game")

SIZES = [(80, 24), (120, 40), (30, 10)]


def sitting(
    name: str = "kingme",
    people: tuple[int, ...] = (0,),
    lang: str = "",
    log: str | None = None,
    chance: str = "sampled",
) -> Sitting:
    spec = rulespec.load(name)
    game = spec.game(engine="interpreter")
    state = game.new_initial_state(None if chance == "explicit" else 4, chance=chance)
    return Sitting(spec, Table(state, people, 4), words_in(spec, game, lang), log)


def on_screen(
    one: Sitting, steps: Callable[[GameScreen, Pilot[None]], Awaitable[None]], size: tuple[int, int] = (80, 24)
) -> GameScreen:
    """Runs some steps on the screen of a game, and returns the screen."""
    screen = GameScreen(one)

    async def run() -> None:
        async with screen.run_test(size=size) as pilot:
            await settled(screen, pilot)
            await steps(screen, pilot)

    asyncio.run(run())
    return screen


async def settled(screen: GameScreen, pilot: Pilot[None]) -> None:
    """Waits until no automated player thinks."""
    await pilot.pause()
    while screen.thinking:
        await pilot.pause(0.01)
    await pilot.pause()


async def typed(screen: GameScreen, pilot: Pilot[None], text: str) -> None:
    screen.query_one(Input).value = text
    await pilot.press("enter")
    await settled(screen, pilot)


def shown(screen: GameScreen, name: str) -> str:
    return str(screen.query_one(f"#{name}", Static).content)


def narrated(screen: GameScreen) -> str:
    return "\n".join(line.text for line in screen.query_one("#story", RichLog).lines)


def answers(screen: GameScreen) -> list[str]:
    options = screen.query_one("#choices", OptionList)
    return [str(options.get_option_at_index(at).prompt) for at in range(options.option_count)]


@pytest.mark.parametrize("size", SIZES)
def test_a_choice_is_typed_or_taken_from_the_list(size: tuple[int, int]) -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        await typed(screen, pilot, "floor 4 p")
        await pilot.press("enter")
        await settled(screen, pilot)
        await pilot.press("down", "enter")
        await settled(screen, pilot)
        assert size[0] < 80 or "put P on" in narrated(screen)

    screen = on_screen(sitting(), steps, size)
    own = [one for one in screen.table.made if one.seat == 0]
    assert screen.table.game.action_to_string(own[0].action) == "put P on floor 4" and len(own) >= 2


def test_a_choice_of_several_steps_can_be_cancelled() -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        first = answers(screen)
        await typed(screen, pilot, "2")
        assert screen.path and answers(screen) != first
        await pilot.press("escape")
        assert (screen.path, answers(screen)) == ([], first)
        await typed(screen, pilot, "floor 4")
        assert len(screen.choices) == 2
        await typed(screen, pilot, "cancel")
        assert answers(screen) == first and not screen.table.made
        for command in ("back", "back x", "cancel"):
            await typed(screen, pilot, command)
            assert "nothing to cancel" in shown(screen, "message")

    on_screen(sitting(), steps)


@pytest.mark.parametrize("more", ["", " now"])
@pytest.mark.sample(1)
def test_every_command_takes_more_words(more: str) -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        assert set(screen.carry_out) == set(COMMANDS)
        for command in [one for one in COMMANDS if one != "save"]:  # quit is the last
            await typed(screen, pilot, command + more)
            assert not screen.table.made
            if isinstance(screen.screen, Page):
                await pilot.press("escape")

    on_screen(sitting(), steps)


def test_enter_makes_a_bot_that_thinks_move_at_once() -> None:
    one = sitting("tic_tac_toe", (1,))
    one.table.bots = [bot("ismcts:600s", seat) for seat in (0, 1)]
    screen = GameScreen(one)

    async def run() -> None:
        async with screen.run_test() as pilot:
            while "%" not in shown(screen, "message"):
                await pilot.pause(0.05)
            assert one.table.made == []
            await pilot.press("enter")
            await settled(screen, pilot)

    asyncio.run(run())
    assert [made.seat for made in one.table.made] == [0]


def test_undo_takes_back_a_decision_and_what_followed() -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        before = screen.table.state.snapshot()
        await typed(screen, pilot, "P 4")
        assert screen.table.state.snapshot() != before
        await pilot.press("ctrl+z")
        await settled(screen, pilot)
        assert screen.table.state.snapshot() == before and shown(screen, "message") == "Taken back."
        await typed(screen, pilot, "undo 1")
        assert "no decision to take back" in shown(screen, "message")

    on_screen(sitting(), steps)


@pytest.mark.parametrize(
    ("command", "words"), [("rules", "Мета гри"), ("правила ставк", ""), ("чому 1", ""), ("?", ""), ("довідка", "")]
)
@pytest.mark.sample(2)
def test_pages_open_in_the_language_and_close(command: str, words: str) -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        await typed(screen, pilot, command)
        assert isinstance(screen.screen, Page) and words in "\n".join(screen.screen.lines)
        await pilot.press("down", "pagedown", "escape")
        assert not isinstance(screen.screen, Page)
        assert shown(screen, "title").startswith("За короля (і за мене) · гравець 1 з 2")
        assert answers(screen)[0].endswith("залишити собі")
        assert "Колоду перетасовано" in narrated(screen)

    on_screen(sitting("fortheking", lang="uk"), steps)


@pytest.mark.parametrize(
    ("game", "lang", "why", "rules"),
    [
        ("fortheking", "", ["“Keep one card” allows “keep it”", "Add it face down"], ["## Aim of the game", "Whoever"]),
        ("fortheking", "uk", ["Правило «Картка для себе» дозволяє", "особистої колоди"], ["## Мета гри", "Перемагає"]),
        (
            "hearts",
            "",
            ["allows “pass three of hearts", "must choose exactly 3 cards"],
            ["# Hearts", "Do the following 13 times."],
        ),
    ],
)
def test_keys_show_the_rule_behind_a_choice_and_the_rules(
    game: str, lang: str, why: list[str], rules: list[str]
) -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        for key, words in (("f3", why), ("f2", rules)):
            await pilot.press(key)
            assert isinstance(screen.screen, Page)
            text = "\n".join(screen.screen.lines)
            assert all(word in text for word in words), text
            await pilot.press("escape")

    on_screen(sitting(game, lang=lang), steps)


def test_a_tall_screen_shows_the_rule_behind_the_choice_that_is_lit() -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        for size, is_shown in (((140, 45), True), ((80, 24), False), ((140, 45), True)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert screen.query_one("#rule").display == is_shown
        await pilot.press("down")
        await pilot.pause()
        assert "“Lay cards out for the others”" in screen.query_one("#rule Markdown", Markdown).source

    on_screen(sitting("fortheking"), steps, (140, 45))


@pytest.mark.parametrize(
    "hostile",
    ["\x1b[31mred", "[bold]x[/]", "²", "1" * 5000, "\u202egnol", "why", "why zzz", "save", "save /no/such/x", "99"],
)
@pytest.mark.sample(5)
def test_hostile_input_is_answered_and_changes_nothing(hostile: str) -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        await typed(screen, pilot, hostile)
        await pilot.resize_terminal(20, 8)
        await pilot.resize_terminal(120, 40)
        assert not screen.table.made and "\x1b" not in shown(screen, "message")

    on_screen(sitting(), steps)


def test_a_player_is_not_shown_the_screen_of_another() -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        assert not answers(screen) and "Hand the keyboard to player 1" in shown(screen, "message")
        await pilot.press("f4")
        assert not isinstance(screen.screen, Page)
        await pilot.press("enter")
        await settled(screen, pilot)
        assert answers(screen) and shown(screen, "view")
        await pilot.press("enter")
        await settled(screen, pilot)
        while screen.seat == 0:
            await pilot.press("enter")
            await settled(screen, pilot)
        assert not answers(screen) and not shown(screen, "view") and not narrated(screen)
        assert not screen.query_one("#rule").display

    on_screen(sitting("kingme", (0, 1)), steps, (140, 45))


def test_words_are_completed() -> None:
    assert completed("put g", ["gold", "Grey"]) == "put gold" and completed("x", []) is None
    assert completed("", ["gold"]) is None and completed("gr", ["gold", "Grey"]) == "Grey"

    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        await pilot.press("f", "l", "tab")
        assert screen.query_one(Input).value == "floor "

    on_screen(sitting(), steps)


def test_a_physical_deck_is_entered() -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        assert screen.seat == -1 and answers(screen) == [f"{n}  {n} at place 3 of deck" for n in (1, 2, 3)]
        await typed(screen, pilot, "3")
        await typed(screen, pilot, "1")
        assert screen.seat == 0 and "Your hand: 3" in shown(screen, "view")

    on_screen(sitting("kuhn_poker", chance="explicit"), steps)


def test_a_game_is_kept_and_goes_on(tmp_path: Path) -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        await typed(screen, pilot, "P 4")
        await pilot.press("ctrl+c")

    log = tmp_path / "game.jsonl"
    screen = on_screen(sitting(log=str(log)), steps)
    assert list(screen.farewell()) == [f"The game is kept. Go on with: ftk play kingme --resume {log}"]
    assert "every line agrees" in ftk("replay", log).output
    again = ftk("play", "kingme", "--resume", log, stdin="undo\nq\n")
    assert "seed 4" in again.output and "Taken back." in again.output and again.exit_code == 0


def test_a_whole_game_ends_with_its_result() -> None:
    async def steps(screen: GameScreen, pilot: Pilot[None]) -> None:
        while screen.table.seat() is not None:
            await pilot.press("enter")
            await settled(screen, pilot)
        assert "The game is over" in shown(screen, "message")

    screen = on_screen(sitting("tic_tac_toe"), steps)
    assert any("win" in line for line in screen.farewell())


def test_a_terminal_that_hangs_up_loses_no_game(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color")
        arguments = ["play", "kingme", "--seed", "4", "--log", str(log)]
        os.execv(sys.executable, [sys.executable, "-m", "ftk_cli", *arguments])
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    output = read_until(terminal, "floor")
    os.write(terminal, b"P 4\r")
    wait_for(lambda: log.exists() and '"put P on floor 4"' in log.read_text(encoding="utf-8"), terminal)
    os.kill(child, signal.SIGHUP)
    read_until(terminal, "--resume")
    os.close(terminal)
    os.waitpid(child, 0)
    assert "Table" in re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]", "", output)
    assert "every line agrees" in ftk("replay", log).output


def test_it_starts_where_no_terminal_can_hang_up(monkeypatch: pytest.MonkeyPatch) -> None:
    caught: list[int] = []
    monkeypatch.delattr(signal, "SIGHUP")
    monkeypatch.setattr(signal, "signal", lambda number, _: caught.append(number))
    monkeypatch.setattr(GameScreen, "run", lambda _: None)
    show(sitting())
    assert caught == [signal.SIGTERM]


def read_until(terminal: int, words: str, seconds: float = 60) -> str:
    """What a terminal shows until it has shown some words, or the program has ended."""
    found, end = b"", time.monotonic() + seconds
    while words.encode() not in found and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                found += os.read(terminal, 65536)
            except OSError:
                break
    return found.decode(errors="replace")


def wait_for(is_so: Callable[[], Any], terminal: int, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        read_until(terminal, "\0", 0.2)
    assert is_so()
