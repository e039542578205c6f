"""The YAML loader: that of the C library where PyYAML was built with it, which is about ten times as fast."""

from __future__ import annotations

from itertools import count
from typing import Any

import yaml
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError

_BREAK = "\0\r\n\x85\u2028\u2029"
_BLANK = f"{_BREAK} \t"


class _LikeC(Reader, Scanner):
    """What the C library reads otherwise than the loaders of PyYAML in Python.

    A tab separates like a space where it does not indent, and texts in brackets may contain question marks.
    """

    def scan_to_next_token(self) -> None:
        super().scan_to_next_token()
        while self.peek() == "\t" and (self.flow_level or not self.allow_simple_key):
            self.forward()
            super().scan_to_next_token()

    def scan_plain(self) -> Any:
        start = end = self.get_mark()
        parts: list[str] = []
        spaces: Any = []
        while self.peek() != "#" and (length := self._plain_length(start)):
            self.allow_simple_key = False
            parts += [*spaces, self.prefix(length)]
            self.forward(length)
            end = self.get_mark()
            spaces = self.scan_plain_spaces(self.indent + 1, start)
            if not spaces or (not self.flow_level and self.column <= self.indent):
                break
        return yaml.ScalarToken("".join(parts), True, start, end)

    def _plain_length(self, start: Any) -> int:
        """How many characters follow until a blank or what ends a text without quotes."""
        inside = ",[]{}" if self.flow_level else ""
        for at in count():
            sign = self.peek(at)
            after = self.peek(at + 1) if sign == ":" else ""
            if sign in _BLANK + inside or (after and after in _BLANK):
                return at
            if after and inside and after in f"{inside}?":
                self.forward(at)
                raise ScannerError("while scanning a plain scalar", start, "found unexpected ':'", self.get_mark())
        raise AssertionError("a text ends")

    def scan_plain_spaces(self, indent: int, start_mark: Any) -> Any:
        length = next(at for at in count() if self.peek(at) not in (" ", "\t"))
        if self.peek(length) in _BREAK or "\t" not in self.prefix(length):
            self.forward(length if self.peek(length) in _BREAK else 0)
            return super().scan_plain_spaces(indent, start_mark)
        spaces = self.prefix(length)
        self.forward(length)
        return [spaces]


class PythonLoader(_LikeC, yaml.SafeLoader):
    """Scalars have their types."""


class PythonBaseLoader(_LikeC, yaml.BaseLoader):
    """Scalars are texts."""


LOADER: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else PythonLoader
BASE_LOADER: Any = yaml.CBaseLoader if yaml.__with_libyaml__ else PythonBaseLoader
