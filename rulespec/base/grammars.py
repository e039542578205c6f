"""LALR parsers of lark. Their tables are kept on disk, because computing them takes as long as reading a spec."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from lark import Lark

from rulespec.base import store


def parser(grammar: str, **options: Any) -> Lark:
    """The parser of a grammar in the notation of lark. It builds trees of lark: a transformer is for its user.

    `options` are those of `Lark`; their texts are part of the key, so an option must be a plain value or a class.
    """
    key = store.key(grammar, *(f"{name}={options[name]!r}" for name in sorted(options)), code=("base",))

    def tables() -> bytes:
        file = BytesIO()
        Lark(grammar, parser="lalr", **options).save(file)
        return file.getvalue()

    return Lark.load(BytesIO(store.cached("grammar", key, tables)))
