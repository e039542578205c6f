"""Options given twice: flags and options that may be repeated can be, all others cannot."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from command import ftk

from ftk_cli.main import main

REPEATABLE = {"--bot", "--logs", "--rule", "--ruling"}
"""The options that may be repeated."""


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


VALUES = [
    (path, param.opts[-1])
    for path, command in commands(main)
    for param in command.params
    if isinstance(param, click.Option) and not param.is_flag
]


def test_an_option_takes_one_value() -> None:
    for path, option in VALUES:
        found = ftk(*path, option, "this", f"{option}=that")
        refused = f"{option} takes one value, but is given this and that." in found.stderr
        assert found.exit_code == 2, (path, option)
        assert refused == (option not in REPEATABLE), (path, option)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("simulate", "nim", "--seed", 1, "--seed", 1), "--seed takes one value, but is given 1 and 1."),
        (("check", *("--lang", "en") * 3), "--lang takes one value, but is given en, en and en."),
        (("text", "check", "-h", "--lang", "en", "--lang", "uk"), ""),
        (("simulate", "nim", "-q", "-q", "--games", 1, "--workers", 1), ""),
        (("simulate", "nim", *("--bot", "random") * 3), "3 bots are named for 2 players"),
        (("simulate", "nim", "--bot", "random,quick", "--bot", "random"), "3 bots are named for 2 players"),
        (("play", "kuhn_poker", "--players", 3, *("--bot", "random") * 2), "2 bots are named for 3 players"),
        (("simulate", "nim", "--bot", ""), "There is no bot ``"),
    ],
)
def test_what_is_said_of_a_repeated_option(given: tuple[object, ...], says: str) -> None:
    found = ftk(*given)
    assert (found.exit_code, says in found.stderr) == (2 if says else 0, True)


@pytest.mark.parametrize("given", [("--bot", "quick:2", "--bot", "random"), ("--bot", "quick:2,random")])
def test_bots_are_named_in_the_order_of_the_seats(given: tuple[str, ...]) -> None:
    found = ftk("simulate", "nim", "--games", 2, "--workers", 1, *given)
    assert "2 players (quick:2, random)" in found.stdout
    assert [line.split()[:2] for line in found.stdout.splitlines()[4:6]] == [["1", "quick:2"], ["2", "random"]]
