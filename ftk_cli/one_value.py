"""Options that take one value. click would use the last of several, without a word about the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click


class OneValue(click.Option):
    """An option that refuses a second value."""

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


def attach(command: click.Command) -> None:
    """Makes the options of a command refuse a second value, but for flags and those that may be repeated."""
    for param in command.params:
        if type(param) is click.Option and not (param.multiple or param.is_flag or param.count):
            param.__class__ = OneValue  # the decorators of commands make plain options, and none can be forgotten here
