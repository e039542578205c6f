"""The expression language: what is read, how it is grouped, and where a text stops being one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.language.expr import tree
from rulespec.language.expr.parser import DEEPEST, LONGEST, ExpressionError, parse, parse_domain


def shape(node: Any) -> str:
    """A tree with all its brackets."""
    match node:
        case tree.Number():
            return str(node.value)
        case tree.Name():
            return node.name
        case tree.Unary():
            return f"({node.operator} {shape(node.operand)})"
        case tree.Binary():
            return f"({shape(node.left)} {node.operator} {shape(node.right)})"
        case tree.Conditional():
            return f"({shape(node.condition)} ? {shape(node.then)} : {shape(node.otherwise)})"
        case tree.Let():
            return f"(let {node.variable.name} = {shape(node.value)} in {shape(node.body)})"
        case tree.RangeExpr():
            return f"{shape(node.low)}..{shape(node.high)}"
        case tree.Index():
            return f"{shape(node.base)}[{', '.join(map(shape, node.arguments))}]"
        case tree.Attribute():
            return f"{shape(node.base)}.{node.name}"
        case tree.Call():
            return f"{node.function}({', '.join(map(shape, node.arguments))})"
    condition = f" if {shape(node.condition)}" if node.condition else ""
    body = f"{shape(node.body)} for " if node.body else ""
    if node.by and node.body is not None:
        return f"{node.function}({node.variable.name} in {shape(node.domain)} by {shape(node.body)}{condition})"
    return f"{node.function}({body}{node.variable.name} in {shape(node.domain)}{condition})"


LET_IN_FOLD = "(let letter = b in any((let d = c in d) for c in (let z = x in z)))"


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
        ("a - b - c", "((a - b) - c)"),
        ("a // b % c", "((a // b) % c)"),
        ("-a + b", "((- a) + b)"),
        ("-a.b[1]", "(- a.b[1])"),
        ("not a == b and c or d", "(((not (a == b)) and c) or d)"),
        ("a ?? b + 1 > c", "((a ?? (b + 1)) > c)"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a or b ? c : d", "((a or b) ? c : d)"),
        ("(a ?? b) ?? c", "((a ?? b) ?? c)"),
        ("x[a, b][c].d", "x[a, b][c].d"),
        ("sum(a[o] for o in office if o != b) + 1", "(sum(a[o] for o in office if (o != b)) + 1)"),
        ("count(i in 1..n - 1)", "count(i in 1..(n - 1))"),
        ("any(c in hand[p])", "any(c in hand[p])"),
        ("highest(c in hand[p] by -c.a if c.b > 1) != none", "(highest(c in hand[p] by (- c.a) if (c.b > 1)) != none)"),
        ("lowest(by in by by by + 1)", "lowest(by in by by (by + 1))"),
        ("order + android + notice", "((order + android) + notice)"),
        ("let a = b + 1 in a * a > 3 and c", "(let a = (b + 1) in (((a * a) > 3) and c))"),
        ("let a = b ? 1 : 2 in a ? b : let c = a in c", "(let a = (b ? 1 : 2) in (a ? b : (let c = a in c)))"),
        ("let letter = b in any(let d = c in d for c in (let z = x in z))", LET_IN_FOLD),
        ("a\n  + b", "(a + b)"),
    ],
)
def test_grouping(text: str, grouped: str) -> None:
    assert shape(parse(text)) == grouped


def test_a_domain_may_be_a_range() -> None:
    assert shape(parse_domain("1..size(deck)")) == "1..size(deck)"
    assert shape(parse_domain("hand[p]")) == "hand[p]"
    with pytest.raises(ExpressionError):
        parse("1..3")


@pytest.mark.parametrize(
    ("text", "start", "end", "words"),
    [
        ("", 0, 0, "empty"),
        ("   ", 0, 3, "empty"),
        ("1 +  ", 2, 3, "incomplete"),
        ("size(deck", 4, 5, "not closed"),
        ("a < b < c", 6, 7, "`<`"),
        ("a = b", 2, 3, "`=`"),
        ("колода + 1", 0, 6, "`колода`"),
        ("1 + 牌庫", 4, 6, "`牌庫`"),
        ("a + + b", 4, 5, "`+`"),
        ("count(x in 1..2 if)", 18, 19, "`)`"),
        ("1.5", 2, 3, "`5`"),
        ("🂡", 0, 1, "`🂡`"),
    ],
)
def test_errors_have_places(text: str, start: int, end: int, words: str) -> None:
    with pytest.raises(ExpressionError) as error:
        parse(text)
    assert (error.value.start, error.value.end) == (start, end)
    assert words in error.value.message


@pytest.mark.parametrize(
    "text",
    [
        "-" * 1_000 + "1",
        "not " * 400 + "true",
        "+".join("1" * 500),
        " and ".join(["a"] * (DEEPEST + 1)),
        "a[" * 300 + "1" + "]" * 300,
        "abs(" * 300 + "1" + ")" * 300,
        "a ? b : " * 200 + "c",
        "a" + ".b" * 500,
        "1" * (LONGEST + 1),
        "(" * 999,
        "".join(f"let a{i} = {'1' if not i else f'a{i - 1} + a{i - 1}'} in " for i in range(30)) + "a29",
        "".join(f"let a{i} = {'1' if not i else f'-(-(-(a{i - 1})))'} in " for i in range(30)) + "a29",
    ],
)
def test_deep_and_long_texts_are_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse(text)


def test_brackets_alone_are_no_depth() -> None:
    assert shape(parse("(" * 500 + "1" + ")" * 500)) == "1"


@pytest.mark.parametrize("text", ["(a + b) * c", " sum( c.v for c in hand[p] if (c.k) ) ", "(a).b", "not (a ? b : c)"])
def test_spans_hold_whole_pieces(text: str) -> None:
    root = parse(text)
    assert (root.start, root.end) == (len(text) - len(text.lstrip()), len(text.rstrip()))
    for node, _ in tree.walk(root):
        assert shape(parse(text[node.start : node.end])) == shape(node)


PIECES = [
    "a",
    "p",
    "12",
    "(",
    ")",
    "[",
    "]",
    ".",
    "..",
    ",",
    "+",
    "-",
    "*",
    "//",
    "%",
    "==",
    "!=",
    "<",
    ">=",
    "and",
    "or",
    "not",
    "in",
    "if",
    "for",
    "?",
    ":",
    "??",
    "sum",
    "count",
    "min",
    "true",
    "none",
    "é",
    "牌",
    "'",
    "\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join) | st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (parse, parse_domain):
        try:
            root = read(text)
        except ExpressionError as error:
            assert 0 <= error.start <= error.end <= len(text)
        else:
            assert 0 <= root.start < root.end <= len(text)


def test_free_names_leave_out_what_a_fold_binds() -> None:
    root = parse("sum(a[o] + b for o in office if o != c)")
    assert sorted(name.name for name in tree.free_names(root)) == ["a", "b", "c", "office"]
