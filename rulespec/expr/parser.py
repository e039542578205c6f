"""Text of an expression to its syntax tree."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from rulespec.expr import tree

LONGEST = 2_000
DEEPEST = 60


class ExpressionError(ValueError):
    """A text that is no expression; `start` and `end` are code-point offsets into it."""

    def __init__(self, message: str, start: int, end: int, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.hint = message, start, end, hint


class _Builder(Transformer[Token, Any]):
    """Called bottom-up by the parser while it reduces: no recursion, whatever the text.

    Every method gets all children of its rule, punctuation included, so that the span of a node is that of its ends.
    """

    def number(self, children: list[Any]) -> tree.Number:
        return tree.Number(*_span(children), int(children[0]))

    def name(self, children: list[Any]) -> tree.Name:
        return tree.Name(*_span(children), str(children[0]))

    def group(self, children: list[Any]) -> Any:
        return children[1]

    def unary(self, children: list[Any]) -> tree.Unary:
        return tree.Unary(*_span(children), str(children[0]), children[1])

    def binary(self, children: list[Any]) -> tree.Binary:
        left, operator, right = children
        return tree.Binary(*_span(children), str(operator), left, right)

    def cond(self, children: list[Any]) -> tree.Conditional:
        return tree.Conditional(*_span(children), *children[::2])

    def arguments(self, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children[::2])

    def index(self, children: list[Any]) -> tree.Index:
        return tree.Index(*_span(children), children[0], children[2])

    def attribute(self, children: list[Any]) -> tree.Attribute:
        return tree.Attribute(*_span(children), children[0], str(children[2]))

    def call(self, children: list[Any]) -> tree.Call:
        return tree.Call(*_span(children), str(children[0]), children[2])

    def range(self, children: list[Any]) -> tree.RangeExpr:
        return tree.RangeExpr(*_span(children), children[0], children[2])

    def fold(self, children: list[Any]) -> tree.Fold:
        function, _, body, _, variable, _, domain, _, condition, _ = children
        return tree.Fold(*_span(children), str(function), body, str(variable), domain, condition)

    def fold_over(self, children: list[Any]) -> tree.Fold:
        function, _, variable, _, domain, _, condition, _ = children
        return tree.Fold(*_span(children), str(function), None, str(variable), domain, condition)


def _span(children: list[Any]) -> tuple[int, int]:
    first, last = children[0], children[-1]
    start = first.start_pos if isinstance(first, Token) else first.start
    end = last.end_pos if isinstance(last, Token) else last.end
    return start or 0, end or 0


@cache
def _parser() -> Lark:
    grammar = files("rulespec.expr").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", keep_all_tokens=True, maybe_placeholders=True, transformer=_Builder())


@lru_cache(maxsize=4096)
def parse(text: str) -> tree.Expr:
    """The syntax tree of one expression.

    Raises ExpressionError for anything that is not one, at the exact place in code points.
    """
    if len(text) > LONGEST:
        raise ExpressionError(f"this expression is longer than {LONGEST} characters", 0, len(text), "Split it: give parts a name under `values:`.")
    _nesting(text)
    try:
        return _parser().parse(text)  # type: ignore[return-value]
    except UnexpectedToken as error:
        raise _unexpected(text, error.token) from None
    except UnexpectedCharacters as error:
        at = error.pos_in_stream
        raise ExpressionError(f"`{text[at]}` has no meaning in an expression", at, at + 1, _advice(text[at:])) from None
    except UnexpectedInput:
        raise ExpressionError("this is not an expression", 0, len(text)) from None


def _nesting(text: str) -> None:
    """Refuses brackets and prefix operators nested so deep that walking the tree would be a danger."""
    depth = 0
    for offset, character in enumerate(text):
        depth += (character in "([?-") - (character in ")]")
        if depth > DEEPEST:
            raise ExpressionError("this expression is nested too deep", offset, offset + 1, "Give parts of it a name under `values:`.")
    if text.count("not") > DEEPEST:
        raise ExpressionError("this expression has too many `not`", 0, len(text), "Give parts of it a name under `values:`.")


def _unexpected(text: str, token: Token) -> ExpressionError:
    if token.type == "$END":
        end = len(text.rstrip())
        if not end:
            return ExpressionError("an expression is missing here", 0, max(1, len(text)))
        return ExpressionError("the expression stops too early", max(0, end - 1), end, "Something should follow.")
    start = token.start_pos or 0
    return ExpressionError(f"`{token}` does not fit here", start, start + len(token), _advice(text[start:]))


_ADVICE = {
    "=": "Write `==` to compare.",
    "&": "Write `and`.",
    "|": "Write `or`.",
    "!": "Write `not`.",
    "/": "Write `//`: division rounds down to a whole number.",
    "'": "Names are written without quotes.",
    '"': "Names are written without quotes.",
}


def _advice(rest: str) -> str:
    return _ADVICE.get(rest[:1], "")
