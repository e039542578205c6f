"""The parser of expressions: text to syntax tree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any

from lark import Lark, Token, UnexpectedCharacters, UnexpectedToken
from lark.visitors import Transformer_NonRecursive

from rulespec.base import store
from rulespec.base.characters import IMPOSTORS, alike, latin, unmasked
from rulespec.base.messages import NOTHING, Message, say
from rulespec.language.expr import tree


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


LONGEST = 2_000
"""Characters in one expression, at most: far above any readable expression, and parsed in milliseconds."""

DEEPEST = 60
"""Levels of one syntax tree, at most, so that every function over it may recurse."""

_SPLIT = say("Name parts of it under `values:`.")


class ExpressionError(ValueError):
    """Raised for a text that is not an expression; `start` and `end` are code-point offsets into it."""

    def __init__(self, message: Message, start: int, end: int, hint: Message = NOTHING) -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.hint = message, start, end, hint


# Not recursive: how deep a tree is can only be measured once it is built.
class _Builder(Transformer_NonRecursive[Token, Any]):
    """Builds nodes bottom-up from the tree of the parser.

    Every method gets all children of its rule with the punctuation, so a node spans from its first to its last child.
    """

    def number(self, children: list[Any]) -> tree.Number:
        return tree.Number(*_span(children), int(children[0]))

    def name(self, children: list[Any]) -> tree.Name:
        return tree.Name(*_span(children), str(children[0]))

    def group(self, children: list[Any]) -> Any:
        start, end = _span(children)
        # The node takes its brackets in, so that a finding about it marks them as well.
        return replace(children[1], start=start, end=end)

    def unary(self, children: list[Any]) -> tree.Unary:
        return tree.Unary(*_span(children), str(children[0]), children[1])

    def binary(self, children: list[Any]) -> tree.Binary:
        left, operator, right = children
        return tree.Binary(*_span(children), str(operator), left, right)

    def cond(self, children: list[Any]) -> tree.Conditional:
        return tree.Conditional(*_span(children), *children[::2])

    def let(self, children: list[Any]) -> tree.Let:
        _, variable, _, value, _, body = children
        return tree.Let(*_span(children), self.name([variable]), value, body)

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

    def ring(self, children: list[Any]) -> tree.RingExpr:
        return tree.RingExpr(*_span(children), children[0], children[2])

    def fold(self, children: list[Any]) -> tree.Fold:
        function, _, body, _, variable, _, domain, _, condition, _ = children
        return tree.Fold(*_span(children), str(function), body, self.name([variable]), domain, condition)

    def fold_over(self, children: list[Any]) -> tree.Fold:
        function, _, variable, _, domain, _, condition, _ = children
        return tree.Fold(*_span(children), str(function), None, self.name([variable]), domain, condition)

    def fold_by(self, children: list[Any]) -> tree.Fold:
        function, _, variable, _, domain, _, body, _, condition, _ = children
        return tree.Fold(*_span(children), str(function), body, self.name([variable]), domain, condition, by=True)


_BUILDER = _Builder(visit_tokens=False)


def _span(children: list[Any]) -> tuple[int, int]:
    first, last = children[0], children[-1]
    start = first.start_pos if isinstance(first, Token) else first.start
    end = last.end_pos if isinstance(last, Token) else last.end
    return start or 0, end or 0


@cache
def _parser() -> Lark:
    grammar = files("rulespec.language.expr").joinpath("grammar.lark").read_text(encoding="utf-8")
    return parser(grammar, start=["start", "start_domain"], keep_all_tokens=True, maybe_placeholders=True)


def parse(text: str) -> tree.Expr:
    """The syntax tree of one expression.

    Raises ExpressionError for any other text, with the exact place in code points.
    """
    return _parsed(text, "start")  # type: ignore[return-value]


def parse_domain(text: str) -> tree.DomainExpr:
    """The syntax tree of a domain: an expression, a range `low..high`, or `domain from start`.

    Raises ExpressionError like `parse`.
    """
    return _parsed(text, "start_domain")  # type: ignore[return-value]


@lru_cache(maxsize=4096)
def _parsed(text: str, start: str) -> tree.Node:
    if len(text) > LONGEST:
        message = say(
            "This expression has {number:,} characters, more than {longest:,}.", number=len(text), longest=LONGEST
        )
        raise ExpressionError(message, 0, len(text), _SPLIT)
    try:
        root: Any = _BUILDER.transform(_parser().parse(text, start=start))
    except UnexpectedToken as error:
        raise _unexpected(text, error.token) from None
    except UnexpectedCharacters as error:
        raise _meaningless(text, error.pos_in_stream or 0) from None
    if any(depth > DEEPEST for _, depth in tree.walk(root)):
        deep = say("This expression is nested more than {deepest} levels deep.", deepest=DEEPEST)
        raise ExpressionError(deep, root.start, root.end, _SPLIT)
    # After the depth, because it recurses.
    _refuse_size(root)
    if found := _LEADING_ZERO.search(text):
        hint = say("Write `{better}`.", better=str(int(found[0])))
        raise ExpressionError(say("`{number}` begins with a zero.", number=found[0]), found.start(), found.end(), hint)
    return root  # type: ignore[no-any-return]


def _refuse_size(root: tree.Node) -> None:
    """Refuses what is too large with every `let` written out, as the checks read it."""
    size, depth = _written_out(root, {})
    if size > LONGEST:
        raise ExpressionError(
            say(
                "With every `let` written out, this expression has {size:,} parts, more than {longest:,}.",
                size=size,
                longest=LONGEST,
            ),
            root.start,
            root.end,
            _SPLIT,
        )
    if depth > DEEPEST:
        raise ExpressionError(
            say(
                "With every `let` written out, this expression is nested more than {deepest} levels deep.",
                deepest=DEEPEST,
            ),
            root.start,
            root.end,
            _SPLIT,
        )


def _written_out(node: tree.Node, named: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """The number of nodes and of levels of a tree, with the trees that `let` names in place of the names."""
    if isinstance(node, tree.Name):
        return named.get(node.name, (1, 1))
    if isinstance(node, tree.Let):
        return _written_out(node.body, {**named, node.variable.name: _written_out(node.value, named)})
    parts = [_written_out(part, named) for part in tree.children(node)]
    return 1 + sum(size for size, _ in parts), 1 + max((depth for _, depth in parts), default=0)


def _meaningless(text: str, at: int) -> ExpressionError:
    if IMPOSTORS.match(text, at):
        _, message, hint = unmasked(text[at])
        return ExpressionError(message, at, at + 1, hint)
    word = _FOREIGN_WORD.match(text, at)
    if word is None:
        message = say("`{sign}` is not allowed in an expression.", sign=text[at])
        return ExpressionError(message, at, at + 1, _advice(text[at:], text[:at]))
    begun = _WORD_BEFORE.search(text, 0, at)
    start = begun.start() if begun else at
    name = text[start : word.end()]
    if meant := latin(name):
        return ExpressionError(
            say("`{name}` is not a valid name: {letters}.", name=name, letters=alike(name)),
            start,
            word.end(),
            say("Write `{better}`.", better=meant),
        )
    message = say("`{name}` is not a valid name.", name=name)
    return ExpressionError(message, start, word.end(), say("Use the letters a to z, digits and `_`."))


def _unexpected(text: str, token: Token) -> ExpressionError:
    if token.type == "$END":
        end = len(text.rstrip())
        if not end:
            return ExpressionError(say("This expression is empty."), 0, len(text))
        if text.count("(") > text.count(")"):
            opened: list[int] = []
            for at, sign in enumerate(text):
                if sign == "(":
                    opened.append(at)
                elif sign == ")" and opened:
                    opened.pop()
            at = opened[-1]
            return ExpressionError(say("This bracket is not closed."), at, at + 1, say("Add the closing bracket."))
        hint = say("Add the part that is missing, or delete the last sign.")
        return ExpressionError(say("This expression is incomplete."), end - 1, end, hint)
    start = token.start_pos or 0
    message = say("`{token}` is not expected here.", token=token)
    return ExpressionError(message, start, start + len(token), _advice(text[start:], text[:start]))


_FOREIGN_WORD = re.compile(r"[^\W0-9_]\w*")
_WORD_BEFORE = re.compile(r"[A-Za-z_]\w*\Z")
_LET_BEFORE = re.compile(r"\blet\s+\w+\s*\Z")
_LEADING_ZERO = re.compile(r"(?<!\w)0[0-9]+")  # older tools read 010 as eight

_ADVICE = {
    "==": say("Write two comparisons with `and`."),
    "<": say("Write two comparisons with `and`."),
    ">": say("Write two comparisons with `and`."),
    "=": say("Write `==` to compare."),
    "&": say("Write `and`."),
    "|": say("Write `or`."),
    "!": say("Write `not`."),
    "??": say("Put the first `??` with both its sides in brackets."),
    "/": say("Write `//`; it rounds down to a whole number."),
    "'": say("Write names without quotes."),
    '"': say("Write names without quotes."),
    **dict.fromkeys("“”„«»‘’‚", say("Write names without quotes. Where YAML needs quotes, only \" and ' are some.")),
    "..": say("Write a range only after `in`."),
    ".": say("Write a whole number; a dot only comes before a field of a card."),
    "then": say("Write `then:` as a key of its own."),
    "+": say("Write `+` between two numbers."),
    "^": say("Write the power as a multiplication."),
}


def _advice(rest: str, before: str) -> Message:
    # `2 ** 3` and `1.5` fail at their last character; only the character before it shows what was meant.
    if rest.startswith("*") and before.endswith("*"):
        return _ADVICE["^"]
    if rest.startswith("==") and _LET_BEFORE.search(before):
        return say("Write `let name = …`, with one `=`.")
    if rest[:1].isdigit() and before.rstrip().endswith("player"):
        return say("Write `seat({number})`.", number=rest.split()[0])
    if rest[:1].isdigit() and before.endswith("."):
        return _ADVICE["."]
    return next((advice for sign, advice in _ADVICE.items() if rest.startswith(sign)), NOTHING)
