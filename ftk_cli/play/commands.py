"""What can be typed besides a choice, in the language of the game and in English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespec.base.messages import Message, say

if TYPE_CHECKING:
    from rulespec.play.table.words import Words


@dataclass(frozen=True)
class Command:
    """A command: its name, the same in words, what it does, and shorter names."""

    name: str
    word: Message
    does: Message
    short: tuple[str, ...] = ()


COMMANDS: Mapping[str, Command] = {
    command.name: command
    for command in (
        Command("know", say("know"), say("what you know"), ("?",)),
        Command("why", say("why"), say("the rule behind a choice: why N, or why and its words"), ("w",)),
        Command("rules", say("rules"), say("the rules; with words, those rules that have them")),
        Command("back", say("back"), say("takes back the last part of a choice"), ("cancel",)),
        Command("undo", say("undo"), say("takes back your last decision")),
        Command("save", say("save"), say("writes the game to a file: save FILE")),
        Command("help", say("help"), say("this list"), ("h",)),
        Command("quit", say("quit"), say("stops; the game can go on later"), ("q", "exit")),
    )
}


def command_in(typed: str, words: Words, commands: Mapping[str, Command] = COMMANDS) -> tuple[str, str] | None:
    """The name of the command that typed words begin with, and the rest of them; None for any other words."""
    first, _, rest = typed.strip().partition(" ")
    wanted = first.casefold()
    for command in commands.values():
        if wanted in (command.name, words.of(command.word).casefold(), *command.short):
            return command.name, rest.strip()
    return None


def help_lines(words: Words) -> list[str]:
    """Every command with what it does, one a line."""
    return [words.of(say("{command}: {does}", command=one.word, does=one.does)) for one in COMMANDS.values()]
