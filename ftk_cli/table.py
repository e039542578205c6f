"""A group of commands defined by a table. Each is imported when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import click
from click.shell_completion import CompletionItem

from ftk_cli import completion, failure
from ftk_cli.language import language, localized
from rulespec.base.messages import Message, all_of, say, sentences


class _OneValue(click.Option):
    """An option that refuses a second value. click would use the last of several, without a word about the others."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        parser.add_option(obj=self, opts=self.opts, dest=self.name, action="append", nargs=self.nargs)

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, Any]:
        given = opts.get(self.name or "")
        if not isinstance(given, list):
            return super().consume_value(ctx, opts)
        if len(given) > 1 and not ctx.resilient_parsing:
            name = max(self.opts, key=len)
            said = say("{option} takes one value, but is given {values}.", option=name, values=all_of(given))
            raise click.UsageError(said, ctx)
        return super().consume_value(ctx, {self.name or "": given[-1]})


class Context(click.Context):
    """The context of a command, whose help is in the language of the reader."""

    def make_formatter(self) -> click.HelpFormatter:
        from ftk_cli.help_pages import Pages
        from rulespec.base.findings.catalog import catalog_of

        catalog, formatter = catalog_of(language()), super().make_formatter()
        return formatter if catalog is None else Pages(catalog, formatter.width)


class Table(click.Group):
    """A group whose `table` maps each command to `module:name` and to what it does, in one line."""

    table: ClassVar[Mapping[str, tuple[str, str]]]
    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.table:
            return None
        module, _, name = self.table[cmd_name][0].partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        command.context_class = Context
        completion.attach(command)
        if completion.is_asked():
            # Puts the help of options into the language of the reader, for a shell, which gets it without a help page
            for param in command.params:
                if isinstance(param, click.Option) and param.help:
                    param.help = localized(Message(param.help))
        for param in command.params:
            if type(param) is click.Option and not (param.multiple or param.is_flag or param.count):
                # The decorators of commands make plain options, and none can be forgotten here.
                param.__class__ = _OneValue
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, does) for name, (_, does) in self.table.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        named = [
            CompletionItem(name, help=localized(Message(does)))
            for name, (_, does) in self.table.items()
            if name.startswith(incomplete)
        ]
        return named + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.table and not args[0].startswith("-"):
            said = say("There is no command `{name}`.", name=args[0])
            raise click.UsageError(sentences(said, failure.did_you_mean(args[0], self.table)), ctx)
        return super().resolve_command(ctx, args)
