"""LALR parsers of lark. Their tables are kept on disk, because computing them takes as long as reading a spec."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any

from lark import Lark

from rulespec.base.store import Store, key_of, version_of

GRAMMARS = Store("grammars", most_entries=40)
"""An entry takes 5 to 25 kB."""


def parser(grammar: str, **options: Any) -> Lark:
    """The parser of a grammar in the notation of lark. It builds trees of lark: a transformer is for its user.

    `options` are those of `Lark`; their texts are part of the key, so an option must be a plain value or a class.
    """
    key = key_of((version_of("lark"), sys.version, grammar, *(f"{name}={options[name]!r}" for name in sorted(options))))
    return GRAMMARS.cached(key, lambda: _saved(Lark(grammar, parser="lalr", **options)), _loaded)


def _saved(made: Lark) -> bytes:
    file = BytesIO()
    made.save(file)
    return file.getvalue()


def _loaded(content: bytes) -> Lark:
    return Lark.load(BytesIO(content))
