"""Parses number words with the grammar of a language: `twenty-two`, `сто вісім`, 一百零八."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput
from lark.exceptions import LarkError
from lark.lexer import Lexer

from rulespec.grammars import parser
from rulespec.text.quantity.outline import Form

LONGEST = 16
"""The most words in one number. Every number below a million has fewer."""

Word = tuple[str, str]
"""A token of the grammar with its value."""


class _Given(Lexer):
    """Passes tokens on that were found before parsing."""

    def __init__(self, _: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:
        yield from lexer_state


class _Value(Transformer[Token, tuple[Form, Fraction]]):
    def __default_token__(self, token: Token) -> Fraction:
        return Fraction(token)

    def plus(self, parts: list[Fraction]) -> Fraction:
        return sum(parts, Fraction(0))

    def times(self, parts: list[Fraction]) -> Fraction:
        value = Fraction(1)
        for part in parts:
            value *= part
        return value

    def over(self, parts: list[Fraction]) -> Fraction:
        return parts[0] / parts[1]

    def part(self, parts: list[tuple[Form, Fraction]]) -> tuple[Form, Fraction]:
        # 三分之一 states the whole first. A whole of 0 gives 0.
        (_, whole), (_, share) = parts
        return Form.FRACTION, share / whole if whole else Fraction(0)

    def percent(self, parts: list[Any]) -> tuple[Form, Fraction]:
        return Form.FRACTION, parts[1][1] / parts[0]

    def plus_part(self, parts: list[Fraction]) -> Fraction:
        number, one, part = parts
        return number + one * part

    def tenfold(self, parts: list[Fraction]) -> Fraction:
        return parts[0] + 10 * parts[1]

    def hundredfold(self, parts: list[Fraction]) -> Fraction:
        return parts[0] + 100 * parts[1]

    def spelled(self, figures: list[Fraction]) -> Fraction:
        return Fraction("".join(map(str, figures)))

    def cardinal(self, parts: list[Fraction]) -> tuple[Form, Fraction]:
        return (Form.WORD_ONE if parts[0] == 1 else Form.WORDS), parts[0]

    def ordinal(self, parts: list[Fraction]) -> tuple[Form, Fraction]:
        return Form.ORDINAL, parts[0]

    def article(self, parts: list[Fraction]) -> tuple[Form, Fraction]:
        return Form.ARTICLE, parts[0]

    def fraction(self, parts: list[Fraction]) -> tuple[Form, Fraction]:
        return Form.FRACTION, parts[0]

    def nothing(self, parts: list[Fraction]) -> tuple[Form, Fraction]:
        return Form.NOTHING, parts[0]

    def no(self, parts: list[Fraction]) -> tuple[Form, Fraction]:
        return Form.NO, parts[0]

    def start(self, parts: list[tuple[Form, Fraction]]) -> tuple[Form, Fraction]:
        return parts[0]


@cache
def _parser(grammar: str) -> Lark:
    return parser(grammar, lexer=_Given)


def tokens_of(grammar: str) -> frozenset[str]:
    """The tokens of a grammar. Raises ValueError if it does not load, is ambiguous, or names an unknown value."""
    try:
        rules = _parser(grammar).rules
    except LarkError as error:
        raise ValueError(str(error)) from None
    for rule in rules:
        name = str(rule.alias or rule.origin.name)
        if not (name in VALUES or (rule.alias is None and _is_inlined(rule))):
            raise ValueError(f"There is no value `{name}`; the values are {', '.join(VALUES)}")
    return frozenset(str(symbol.name) for rule in rules for symbol in rule.expansion if symbol.is_term)


def _is_inlined(rule: Any) -> bool:
    """Whether what a rule matches takes the place of the rule, so that the rule has no value of its own."""
    return rule.origin.name.startswith("_") or (rule.options.expand1 and len(rule.expansion) == 1)


VALUES = tuple(sorted(name for name in vars(_Value) if not name.startswith("_")))
"""The values that rules of a grammar may have."""


def numbers(grammar: str, words: Sequence[Word]) -> Iterator[tuple[int, int, Form, Fraction]]:
    """The numbers in a run of number words, each as long as possible: first word, end, form and value.

    `grammar` is the text of a grammar of lark, whose rules have the values of `VALUES`.
    """
    at = 0
    while at < len(words):
        count, form, value = _longest(grammar, tuple(words[at : at + LONGEST]))
        if form is not None:
            yield at, at + count, form, value
        at += count


@lru_cache(maxsize=4096)
def _longest(grammar: str, words: tuple[Word, ...]) -> tuple[int, Form | None, Fraction]:
    for count in range(_viable(grammar, words), 0, -1):
        found = _number(grammar, words[:count])
        if found is not None:
            return count, *found
    return 1, None, Fraction(0)


def _viable(grammar: str, words: tuple[Word, ...]) -> int:
    """How many of the words can be the start of one number."""
    state = _parser(grammar).parse_interactive()
    for count, word in enumerate(words):
        try:
            state.feed_token(Token(*word))
        except UnexpectedInput:
            return count
    return len(words)


@lru_cache(maxsize=4096)
def _number(grammar: str, words: tuple[Word, ...]) -> tuple[Form, Fraction] | None:
    state = _parser(grammar).parse_interactive()
    try:
        for word in words:
            state.feed_token(Token(*word))
        tree = state.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedInput:
        return None
    return _Value().transform(tree)
