"""What click says of arguments, in the words of our catalogs, which stand in for gettext. `click.yaml` lists it."""

from __future__ import annotations

from click import core, exceptions, parser, types

from ftk_cli.language import localized
from rulespec.base.messages import Message

_NAMED = ("name", "number_type")
"""The values of click's texts that are words themselves, such as "integer"."""


def install() -> None:
    """Makes click word its errors with the catalogs. It imports gettext by name, so each module has its own."""
    for module in (core, exceptions, parser, types):
        vars(module).update(_=Text, ngettext=_by_number)


class Text(Message):
    """A text of click. It is put into the language of the reader when it gets its values, as click does only then."""

    def format(self, *_: object, **values: object) -> str:
        words = {name: Message(str(values[name])) for name in _NAMED if name in values}
        return localized(Message(self.template, values | words))

    def title(self) -> Text:
        return Text(super().title())


def _by_number(one: str, many: str, number: int) -> Text:
    # Each is a text of its own in the catalogs: click names other values in them, and none has the number.
    return Text(one if number == 1 else many)
