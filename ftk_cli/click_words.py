"""What click says of arguments, in the words of our catalogs, which stand in for gettext. `click.yaml` lists it."""

from __future__ import annotations

from dataclasses import dataclass

from click import core, exceptions, parser, types

from ftk_cli.language import language
from rulespec.base.findings.catalog import text_in
from rulespec.base.messages import Message

_NAMED = ("name", "number_type")
"""The values of click's texts that are words themselves, such as "integer"."""


def install() -> None:
    """Makes click word its errors with the catalogs. It imports gettext by name, so each module has its own."""
    for module in (core, exceptions, parser, types):
        vars(module).update(_=Text, ngettext=Forms)


class Text(Message):
    """A text of click. It is put into the language of the reader when it gets its values, as click does only then."""

    def format(self, *_: object, **values: object) -> str:
        return _told(self.template, values)

    def title(self) -> Text:
        return Text(super().title())


@dataclass(frozen=True)
class Forms:
    """A text of click with its forms for a number."""

    one: str
    many: str
    number: int

    def format(self, **values: object) -> str:
        return _told(self.one, {**values, "number": self.number}, self.many)


def _told(template: str, values: dict[str, object], many: str = "") -> str:
    words = {name: Message(str(values[name])) for name in _NAMED if name in values}
    return text_in(Message(template, values | words, many), language())
