"""Names and types of whole specs: bad samples, silence after a mistake, intervals, hostile input."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from samples import expectations, places, samples

from rulespec.base.diagnostics import Finding, Report, Severity
from rulespec.base.findings import names_in
from rulespec.base.source import Source, from_text, read
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulespec.language.expr import tree
from rulespec.language.expr.parser import parse as parse_expression
from rulespec.language.formats.table import FORMATS
from rulespec.language.model.build import build
from rulespec.language.model.cycles import arrange
from rulespec.language.model.infer.inference import Inference
from rulespec.language.model.names import Names, ValueShape
from rulespec.language.model.spec import Spec
from rulespec.language.model.types import NONE, integer
from rulespec.language.schema.validate import findings as schema_findings

GAME = (Path(__file__).parents[1] / "specs" / "fortheking.yaml").read_text(encoding="utf-8")


def built(text: str) -> tuple[Spec | None, list[Finding]]:
    """The model of a text that is fine YAML, and what is wrong with it."""
    source = Source("x", text)
    root, findings = parse(source)
    assert root is not None and not findings, findings
    return build(root, source)


def tiny(rest: str) -> tuple[Spec | None, list[Finding]]:
    head = """rulespec: 2
game: {id: tiny, version: 1.0.0, players: 2..4}
enums: {colour: [red, green]}
cards: {fields: {colour: colour?, value: 1..4}, manifest: [{colour: [red, green], value: 1..4}], start: deck}
zones: {deck: {order: stack, seen_by: nobody}, hand: {per: player, seen_by: owner}}
"""
    return built(head + rest)


# samples


@pytest.mark.parametrize("path", samples("model"), ids=lambda path: path.stem)
def test_bad_samples(path: Path) -> None:
    source, unreadable = read(path)
    assert source is not None and not unreadable
    root, unusable = parse(source)
    assert root is not None
    spec, found = build(root, source)
    report = Report((*unusable, *schema_findings(root, source, FORMATS["spec"].schema), *found))
    assert places(report.findings) == expectations(path)
    assert len(found) == len(set(found))
    assert (spec is None) == bool(report.errors)


def test_every_kind_has_a_bad_sample() -> None:
    shown = {name for path in samples("model") for _, _, name in expectations(path)}
    # Repeated cards are found in lists of cards, which tests/test_cli_cards.py reads. What an effect leaves out is
    # known only once the moments of its enum are read.
    named = names_in("names", "expressions", "cards", "steps") - {"repeated-card"}
    assert named == shown - {"open-question"}


@pytest.mark.parametrize(
    ("style", "line", "column"),
    [
        ("|\n      size(deck)\n      + size(dekc)", 10, 14),
        ("|-\n      розмір + size(deck)", 9, 7),
        ("|\n      size(deck) +\n      # 牌庫", 10, 7),
        ('"size(deck) \\\n      + size(dekc)"', 9, 14),
        ('"\\u0020size(dekc)"', 8, 21),
        ("'size(deck) == ''x'''", 8, 24),
    ],
)
def test_carets_inside_scalars(style: str, line: int, column: int) -> None:
    _, found = tiny(f"values:\n  power:\n    is: {style}\nplay: [{{note: x}}]\n")
    assert [(f.start.line, f.start.column) for f in found] == [(line, column)], found


# one mistake, one finding

EXPRESSIONS = set(
    [
        "is",
        "start",
        "if",
        "holds",
        "only_if",
        "in_play",
        "while",
        "until",
        "at_most",
        "limit",
        "means",
        "cap",
        "opening",
        "raise",
    ]
)
EXPRESSIONS |= set(["draws", "when", "by", "worth", "high", "low", "but"])
PLACES = set(["from", "to", "look", "lot", "shuffle", "gives", "type", "per"])


def scalars(node: Node, key: str = "") -> Iterator[tuple[str, Scalar]]:
    """Every scalar that is no key, with the key it stands under."""
    if isinstance(node, Scalar):
        yield key, node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item, key)
    elif isinstance(node, Mapping):
        for name, value in node.entries:
            yield from scalars(value, name.text)


def breakable() -> list[Scalar]:
    root, _ = parse(Source("x", GAME))
    assert root is not None
    return [node for key, node in scalars(root) if key in EXPRESSIONS | PLACES]


@pytest.mark.parametrize("node", breakable(), ids=lambda node: f"{node.span.start}")
@pytest.mark.sample(40)
@pytest.mark.slow("reads a whole game for each case")
def test_a_broken_piece_is_reported_once(node: Scalar) -> None:
    text = GAME[: node.span.start] + "qqqqqqqq" + GAME[node.span.end :]
    source = Source("x", text)
    root, unusable = parse(source)
    assert root is not None and not unusable
    found = [*schema_findings(root, source, FORMATS["spec"].schema), *build(root, source)[1]]
    assert len(found) == 1, [(f.start, f.message) for f in found]
    assert source.position(node.span.start) <= found[0].start <= source.position(node.span.start + 8)


# intervals

VALUES = {"lvl": integer(1, 6), "neg": integer(-5, 5), "big": integer(0, 1_000), "opt": integer(2, 9).maybe()}
NAMES = Names(range(2, 6), values={name: ValueShape((), type_, False) for name, type_ in VALUES.items()})
INTS = st.recursive(
    st.integers(0, 40).map(str) | st.sampled_from(["lvl", "neg", "big", "players", "(opt ?? 3)", "(opt ?? neg)"]),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
        | st.tuples(st.sampled_from(["min", "max"]), inner, inner, inner).map(
            lambda t: f"{t[0]}({t[1]}, {t[2]}, {t[3]})"
        )
        | st.tuples(inner, inner, inner).map(lambda t: f"clamp({t[0]}, {t[1]}, {t[2]})")
        | st.tuples(inner, st.sampled_from(["<", "<=", "==", "!="]), inner, inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]} ? {t[3]} : {t[0]})"
        )
        | inner.map(lambda t: f"-{t}")
        | inner.map(lambda t: f"abs({t})")
        | st.tuples(st.sampled_from(["sum", "min", "max"]), inner, st.integers(0, 9)).map(
            lambda t: f"({t[0]}({t[1]} * i for i in lvl..{t[2]}) {'+ 0' if t[0] == 'sum' else '?? 7'})"
        )
        | inner.map(lambda t: f"count(j in 1..3 if j > {t})")
    ),
    max_leaves=8,
)


def value(node: tree.Expr, known: dict[str, int | None]) -> int | None:
    """What an expression comes to, straight from its syntax tree."""
    match node:
        case tree.Number():
            return node.value
        case tree.Name():
            return known[node.name]
        case tree.Unary():
            operand = value(node.operand, known)
            return None if operand is None else -operand
        case tree.Conditional():
            return value(node.then if value(node.condition, known) else node.otherwise, known)
        case tree.Binary():
            return operation(node.operator, value(node.left, known), value(node.right, known))
        case tree.Call():
            return called(node.function, [value(a, known) for a in node.arguments])
        case tree.Fold():
            return folded(node, known)
    raise AssertionError(node)


def operation(operator: str, a: int | None, b: int | None) -> int | None:
    if operator == "??":
        return b if a is None else a
    results = {"==": a == b, "!=": a != b}
    if operator in results:
        return results[operator]
    assert a is not None and b is not None
    if operator in ("//", "%"):
        return a // b if operator == "//" else a % b
    return {"+": a + b, "-": a - b, "*": a * b, "<": a < b, "<=": a <= b, ">": a > b}[operator]


def called(function: str, arguments: list[int | None]) -> int:
    a = [x for x in arguments if x is not None]
    if function == "clamp":
        return min(max(a[0], a[1]), a[2])
    return {"min": min, "max": max, "abs": lambda x: abs(x[0])}[function](a)


def folded(node: tree.Fold, known: dict[str, int | None]) -> int | None:
    assert isinstance(node.domain, tree.RangeExpr)
    low, high = value(node.domain.low, known), value(node.domain.high, known)
    assert low is not None and high is not None
    scopes = [{**known, node.variable.name: i} for i in range(low, high + 1)]
    chosen = [s for s in scopes if node.condition is None or value(node.condition, s)]
    if node.body is None:
        return len(chosen)
    found = [v for s in chosen if (v := value(node.body, s)) is not None]
    return sum(found) if node.function == "sum" else {"min": min, "max": max}[node.function](found, default=None)


@settings(max_examples=100)
@given(INTS, st.data())
def test_values_stay_inside_their_intervals(text: str, data: st.DataObject) -> None:
    errors: list[str] = []

    def report(name: str, message: str, start: int, end: int, hint: str) -> None:
        if name not in ("always-same", "never-absent"):
            errors.append(name)

    assume(len(text) < 1_000 and text.count("(") < 25)
    typed = Inference(NAMES, {}, report).typed(parse_expression(text))
    assert (typed is None) == bool(errors)
    assume(typed is not None)
    assert typed is not None
    known: dict[str, int | None] = {"players": data.draw(st.integers(2, 5))}
    for name, type_ in VALUES.items():
        choices = st.sampled_from([type_.low, type_.high]) | st.integers(type_.low, type_.high)
        known[name] = data.draw((st.none() | choices) if type_.optional else choices)
    result = value(parse_expression(text), known)
    if result is None:
        assert typed.type.optional
    else:
        assert typed.type.low <= result <= typed.type.high and result != NONE


# hostile input


def quickly(text: str) -> None:
    """Whatever the text, reading it ends, and a spec that is refused has a finding that says why."""
    began = time.perf_counter()
    source, unreadable = from_text(text)
    root, unusable = parse(source) if source is not None else (None, unreadable)
    if root is not None and source is not None:
        spec, found = build(root, source)
        wrong = [f for f in (*unusable, *found) if f.severity == Severity.ERROR] or spec is not None
        assert wrong or [*schema_findings(root, source, FORMATS["spec"].schema)], "refused without a word"
    # No measure of speed, which a busy machine would fail: work that grows with powers of the text takes far longer.
    assert time.perf_counter() - began < 60


def mutated(pick: random.Random) -> str:
    """The game with one thing wrong, of the kind that happens to people or is done by them."""
    lines = GAME.split("\n")
    at, other = pick.randrange(len(lines)), pick.randrange(len(lines))
    match pick.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines[at], lines[other] = lines[other], lines[at]
        case 2:
            lines[at] = lines[at][: pick.randrange(len(lines[at]) + 1)]
        case 3:
            lines.insert(at, lines[other])
        case 4:
            lines[at] = re.sub(r"\d+", lambda m: pick.choice([m[0], "0", "-1", "999999999", "1" * 30]), lines[at])
        case _:
            return exchanged(pick)
    return "\n".join(lines)


def exchanged(pick: random.Random) -> str:
    """The game with one of its words, or a few, replaced by others of its own or by scraps."""
    text = GAME
    scraps = [
        "none",
        "true",
        "players",
        "player",
        "1..",
        "card",
        "[]",
        "{}",
        "null",
        "~",
        "'",
        "size(",
        "牌",
        "²",
        "0x1F",
    ]
    words = re.findall(r"[A-Za-z_][\w.]*", GAME)
    for _ in range(pick.choice([1, 1, 3])):
        tokens = list(re.finditer(r"[A-Za-z_][\w.]*|[\[\]{}:,]|\d+", text))
        token = pick.choice(tokens)
        text = text[: token.start()] + pick.choice(words + scraps * 3) + text[token.end() :]
    return text


@pytest.mark.parametrize("seed", range(120))
@pytest.mark.sample(16)
def test_mutations_of_the_game(seed: int) -> None:
    quickly(mutated(random.Random(seed)))


HEAD = "rulespec: 2\ngame: {id: tiny, version: 1.0.0, players: 2..5}\nplay: {note: x}\n"
DEEP = "{if: players == 2, then: " * 30 + "{note: x}" + "}" * 30


def chain(definition: str, last: str, count: int) -> str:
    """`count` values, each defined by the next."""
    body = "".join(f"  v{i}: {{is: {definition.format(f'v{i + 1}')!r}}}\n" for i in range(count))
    return HEAD + "values:\n" + body + f"  v{count}: {last}\n"


@pytest.mark.parametrize(
    "text",
    [
        chain("{0} + {0}", "{type: 0..1, start: 0}", 60),
        chain("min({0}, {0})", "{type: 0..1, start: 0}", 60),
        chain("{0} and {0}", "{type: bool, start: true}", 60),
        chain("{0} + 1", "{type: 0..1, start: 0}", 3_000),
        chain("{0} + 1", "{is: v0}", 3_000),
        chain("{0}", "{is: qqq}", 3_000),
        HEAD.replace("note: x", "do: " + DEEP),
        HEAD
        + "procedures:\n"
        + "".join(f"  p{i}: {{do: [{{run: p{i + 1}}}, {{run: p{i + 1}}}]}}\n" for i in range(60)),
        HEAD + "procedures:\n" + "".join(f"  p{i}: {{do: {{run: p{i + 1}}}}}\n" for i in range(3_000)),
        HEAD + "procedures:\n" + "".join(f"  p{i}: {{do: {{run: p{(i + 1) % 2000}}}}}\n" for i in range(2_000)),
        HEAD + "enums:\n" + "".join(f"  e{i}: [m{i}, m{i + 1}, e{i + 1}]\n" for i in range(2_000)),
        HEAD + "enums: {e: [" + ", ".join(f"m{i}" for i in range(20_000)) + "]}\nvalues: {v: {per: [e, e], is: '1'}}\n",
        HEAD + "values:\n" + "".join(f"  v{i}: {{is: w{i}}}\n" for i in range(1_000)),
        HEAD + "tables: {t: {by: -999999999..999999999, 1: 1}}\n",
        HEAD + "values: {v: {is: 'sum(1 for i in -2147483647..2147483647)'}, w: {is: '" + "9" * 1_900 + "'}}\n",
        HEAD + "values: {v: {is: '" + "(" * 900 + "1" + ")" * 900 + "'}, w: {is: '" + "-" * 1_900 + "1'}}\n",
        HEAD + "cards: {fields: {a: 1..9, b: 1..999999999}, manifest: [{a: 1..9, b: 1..999999999}], start: deck}\n",
        HEAD + "cards: {fields: {a: 1..9999}, manifest: [{a: [" + "1..9999, " * 3_000 + "1]}], start: deck}\n",
        HEAD + "cards: {fields: {a: 1..9}, manifest: [{a: 1, copies: 1000000000}], start: deck}\n",
        HEAD.replace("2..5", "99999..1"),
        HEAD.replace("2..5", "[2, 5]").replace("players:", "sources: [a, b], players:"),
    ],
)
@pytest.mark.slow("reads texts of thousands of definitions")
def test_texts_made_to_hurt(text: str) -> None:
    quickly(text)


@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefg"), max_size=3)))
def test_an_arrangement_puts_what_is_leaned_on_first(graph: dict[str, list[str]]) -> None:
    order, circles = arrange(graph)
    assert sorted(order) == sorted(graph)
    early = [(n, below) for n in graph for below in graph[n] if below in graph and order.index(below) >= order.index(n)]
    assert bool(early) == bool(circles)
    for circle in circles:
        assert all(after in graph[before] for before, after in zip(circle, [*circle[1:], circle[0]], strict=True))


LOOK_ALIKES = """
rulespec: 2
game: {id: tiny, version: 1.0.0, title: Tiny, players: 2..3}
enums: {su\u0456t: [red, blue]}
cards: {fields: {value: 1..6}, manifest: [{value: 1..6}], start: deck}
tables: {w\u043erth: {by: players, 2: 1, 3: 2}}
zones: {d\u0435ck: {seen_by: nobody}}
values: {p\u043eints: {per: player, type: 0..99, start: 0}, trump: {type: suit, start: red}}
setup: {shuffle: deck}
play:
  - {each: {p: player}, do: {set: {"points[p]": "worth[players]"}}}
  - {id: end, title: Most points, rank: {among: {p: player}, by: [{high: "points[p]", title: points}], left: share}}
"""


def test_a_name_with_a_cyrillic_letter_is_reported_only_where_it_is_declared() -> None:
    source = Source("x", LOOK_ALIKES)
    root, _ = parse(source)
    assert root is not None
    found = (*schema_findings(root, source, FORMATS["spec"].schema), *build(root, source)[1])
    assert [one.name for one in found] == ["bad-name"] * 4
