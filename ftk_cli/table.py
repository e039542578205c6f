"""A group of commands defined by a table. Each is imported when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import ClassVar

import click

from ftk_cli import completion, failure, one_value


class Table(click.Group):
    """A group whose `table` maps each command to `module:name`."""

    table: ClassVar[Mapping[str, str]]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.table:
            return None
        module, _, name = self.table[cmd_name].partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        completion.attach(command)
        one_value.attach(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.table and not args[0].startswith("-"):
            close = failure.nearest(args[0], self.table)
            raise click.UsageError(
                f"There is no command `{args[0]}`." + (f" Did you mean `{close}`?" if close else ""), ctx
            )
        return super().resolve_command(ctx, args)
