"""Messages: English texts that can be translated, because they know the template and the values they were made of.

A catalog has the templates in other languages; `rulespec.base.findings.catalog` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from string import Formatter
from typing import Any, NamedTuple, Protocol, Self

__all__ = [
    "NOTHING",
    "Catalog",
    "Message",
    "all_of",
    "any_of",
    "chained",
    "counted",
    "quoted",
    "reason",
    "say",
    "sentences",
    "spaced",
    "translated",
]

COMMA = ", "
"""What stands between the items of a list. It is a template of its own: not every language writes this comma."""

GROUP = ","
"""What stands between groups of three digits. It is a template, too: a comma is a decimal mark in many languages."""

PERCENT = "1.5%"
"""How a decimal and a share are written. It is a template, too: many languages write a comma, and a space before %."""


class Catalog(Protocol):
    """The templates of one language."""

    def template(self, english: str) -> str:
        """The template in the language, in English if it has no translation."""

    def plural(self, one: str, many: str, number: int) -> str:
        """The form for a number of the template with these two English forms."""


class Message(str):
    """An English text that can be translated. It prints, compares and sorts as any other text.

    `template` has the `values` in braces, as in `str.format`; without values it is the text itself. A value may be a
    message too, and a tuple is a list of values. With `many`, the template is the singular and `many` the plural form,
    and the value `number` chooses between them.
    """

    __slots__ = ("many", "template", "values")

    template: str
    values: Mapping[str, Any]
    many: str

    def __new__(cls, template: str, values: Mapping[str, Any] | None = None, many: str = "") -> Self:
        given = {name: _plain(value) for name, value in (values or {}).items()}
        form = many if many and given["number"] != 1 else template
        made = super().__new__(cls, _filled(form, given, _ENGLISH))
        # `chained` gives a message as template; as a plain text it is one without values of its own.
        made.template, made.values, made.many = str(template), given, many
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Message, (self.template, self.values, self.many)

    # `str.__add__` would return a plain text, which has no translation.
    def __add__(self, other: str) -> Message:
        return say("{first}{second}", first=self, second=other)

    def __radd__(self, other: str) -> Message:
        return say("{first}{second}", first=other, second=self)

    def translated(self, catalog: Catalog) -> str:
        """The text in the language of a catalog."""
        if self.many:
            form = catalog.plural(self.template, self.many, self.values["number"])
        else:
            form = catalog.template(self.template)
        signs = (catalog.template(sign) for sign in (COMMA, GROUP, PERCENT))
        return spaced(_parts(form, self.values, _Style(lambda value: translated(value, catalog), *signs)))


def say(template: str, /, **values: object) -> Message:
    """A message of a template such as "there is no zone `{name}`" and its values. Every template is in the catalogs."""
    return Message(template, values)


def counted(one: str, many: str, /, number: int, **values: object) -> Message:
    """A message about a number, `{number}` in its templates: "{number} card", "{number} cards"."""
    return Message(one, {**values, "number": number}, many)


def player_count(number: int) -> Message:
    """A number of players: "3 players"."""
    return counted("{number} player", "{number} players", number)


def translated(text: str, catalog: Catalog) -> str:
    """A text in the language of a catalog. One that is no message is the same in all languages."""
    return text.translated(catalog) if isinstance(text, Message) else text


def sentences(*parts: str) -> Message:
    """Several sentences, one after the other, without empty ones."""
    return chained(say("{first} {second}"), [part for part in parts if part])


def chained(template: Message, parts: Sequence[str]) -> Message:
    """Several parts, one after the other, each joined to those before it by a template such as "{first}; {second}"."""
    said = [part if isinstance(part, Message) else say("{text}", text=part) for part in parts]
    return reduce(lambda first, second: say(template, first=first, second=second), said or [NOTHING])


def any_of(items: Sequence[object]) -> str:
    """A list such as “a, b or c”."""
    return say("{items} or {last}", items=tuple(items[:-1]), last=items[-1]) if len(items) > 1 else _only(items)


def all_of(items: Sequence[object]) -> str:
    """A list such as “a, b and c”."""
    return say("{items} and {last}", items=tuple(items[:-1]), last=items[-1]) if len(items) > 1 else _only(items)


def quoted(names: Sequence[object]) -> list[str]:
    """Names as messages show them."""
    return [f"`{name}`" for name in names]


def reason(error: Exception) -> Message:
    """What an exception says: its message, or its text."""
    given = error.args[0] if error.args else ""
    return given if isinstance(given, Message) else say("{text}", text=str(error))


def _only(items: Sequence[object]) -> str:
    return items[0] if items and isinstance(items[0], str) else "".join(map(str, items))


def _plain(value: object) -> object:
    """A value that can be pickled and never changes."""
    if isinstance(value, tuple | list):
        return tuple(map(_plain, value))
    return value if isinstance(value, int | float | Message) else str(value)


class _Number(int):
    """A whole number that templates with `:,` write with another sign between groups of digits."""

    group = GROUP

    def __format__(self, spec: str) -> str:
        return super().__format__(spec).replace(GROUP, self.group)


class _Decimal(float):
    """A number with decimals, which templates such as `{share:.1%}` write with the signs of a language."""

    style: _Style

    def __format__(self, spec: str) -> str:
        point, percent = self.style.percent[1], self.style.percent[3:]
        signs = {ord(GROUP): self.style.group, ord(PERCENT[1]): point, ord("%"): percent}
        return super().__format__(spec).translate(signs)


class _Style(NamedTuple):
    """How values are written: `shown` gives the text of a value, and is not asked for numbers."""

    shown: Callable[[Any], str]
    comma: str
    group: str
    percent: str


_ENGLISH = _Style(str, COMMA, GROUP, PERCENT)


def _filled(template: str, values: Mapping[str, Any], style: _Style) -> str:
    """The template with its values."""
    if not values:
        return template
    # The fast way: every message is made in English, and few are translated, for which `_parts` is.
    return template.format(**{name: _text(value, style) for name, value in values.items()})


def _parts(template: str, values: Mapping[str, Any], style: _Style) -> Iterator[str]:
    """The template in parts: its own words, and its values."""
    if not values:
        yield template
        return
    for words, name, spec, conversion in Formatter().parse(template):
        yield words
        if name is not None:
            value = _text(values[name], style)
            yield format(repr(value) if conversion == "r" else value, spec or "")


def spaced(parts: Iterable[str]) -> str:
    """The parts as one text, with a space between Chinese and the code, option or Latin word of another part."""
    made = ""
    for part in parts:
        made += f" {part}" if _APART.match(made[-1:] + part[:2]) else part
    return made


_APART = re.compile("[\u4e00-\u9fff](?:[A-Za-z`]|--)|[A-Za-z`][\u4e00-\u9fff]")
"""The end of a text and the beginning of another with a space between them."""


def _text(value: Any, style: _Style) -> Any:
    if isinstance(value, tuple):
        return style.comma.join(str(_text(item, style)) for item in value)
    # Not isinstance: True is an int as well, and would be written 1.
    if type(value) is int and style.group != GROUP:
        value = _Number(value)
        value.group = style.group
    elif isinstance(value, float) and style.percent != PERCENT:
        value = _Decimal(value)
        value.style = style
    return style.shown(value) if isinstance(value, str) else value


NOTHING = say("")
"""The message of what is not said, such as the hint of a finding that needs none."""
