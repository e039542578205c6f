"""A group of commands defined by a table. Each is imported when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import click
from click.shell_completion import CompletionItem

from ftk_cli import completion, failure


class _OneValue(click.Option):
    """An option that refuses a second value. click would use the last of several, without a word about the others."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        parser.add_option(obj=self, opts=self.opts, dest=self.name, action="append", nargs=self.nargs)

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, Any]:
        given = opts.get(self.name or "")
        if not isinstance(given, list):
            return super().consume_value(ctx, opts)
        if len(given) > 1 and not ctx.resilient_parsing:
            name, values = max(self.opts, key=len), " and ".join(map(str, given))
            raise click.UsageError(f"{name} takes one value, but is given {values}.", ctx)
        return super().consume_value(ctx, {self.name or "": given[-1]})


def _refuse_second_values(command: click.Command) -> None:
    """Makes the options of a command refuse a second value, but for flags and those that may be repeated."""
    for param in command.params:
        if type(param) is click.Option and not (param.multiple or param.is_flag or param.count):
            param.__class__ = _OneValue  # the decorators of commands make plain options, and none can be forgotten here


class Table(click.Group):
    """A group whose `table` maps each command to `module:name` and to what it does, in one line."""

    table: ClassVar[Mapping[str, tuple[str, str]]]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.table:
            return None
        module, _, name = self.table[cmd_name][0].partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        completion.attach(command)
        _refuse_second_values(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, does) for name, (_, does) in self.table.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        named = [
            CompletionItem(name, help=does) for name, (_, does) in self.table.items() if name.startswith(incomplete)
        ]
        return named + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.table and not args[0].startswith("-"):
            close = failure.nearest(args[0], self.table)
            raise click.UsageError(
                f"There is no command `{args[0]}`." + (f" Did you mean `{close}`?" if close else ""), ctx
            )
        return super().resolve_command(ctx, args)
