"""The small compiler (llvm/compiler.py) means by every program of its corner of Python what Python means by it."""

from __future__ import annotations

import ast
import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulespec.engine.backend.forms.machine_source import functions_of
from rulespec.engine.backend.runtime import common
from rulespec.engine.interpreter.random import Generator, stream

pytest.importorskip("llvmlite")

from rulespec.engine.backend.llvm import compiler
from rulespec.engine.backend.llvm.declarations import Given
from rulespec.engine.backend.llvm.loading import loaded

RUNTIME = Path(common.__file__).read_text(encoding="utf-8")
TABLE = (3, -1, 4, 1, -5, 9, 2, 6)
LARGE = (2**40, -(2**40), 7, 0)
TABLES = {"T": TABLE, "W": LARGE}
NUMBERS = (-(2**15), -100, -7, -3, -1, 0, 1, 2, 3, 7, 64, 2**15)
WORDS = (0, 1, 2, 3, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 0x9E3779B97F4A7C15)
Function = Callable[..., int]
few = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
"""Examples of many functions each, since every module takes its time to be compiled."""


def wrapped(number: int) -> int:
    """A number as a signed one of 64 bits."""
    return (number + 2**63) % 2**64 - 2**63


def python(source: str) -> dict[str, Function]:
    """The functions of a source as Python has them."""
    names: dict[str, object] = {**vars(compiler), **TABLES}
    exec(compile(source, "<test>", "exec"), names)
    return names  # type: ignore[return-value]


def compiled(source: str, *more: str) -> dict[str, Function]:
    """The same as machine code; it takes arrays of ctypes."""
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    exported = frozenset(node.name for node in nodes)
    functions = [node for one in (source, *more) for node in functions_of(one)]
    engine = loaded(compiler.object_code(compiler.Module(functions, exported, Given(TABLES))))
    found: dict[str, Function] = {}
    for node in nodes:
        kinds = [ast.unparse(a.annotation) for a in node.args.args if a.annotation is not None]
        types = [ctypes.c_void_p if kind.endswith("s") else ctypes.c_int64 for kind in kinds]
        returned = ast.unparse(node.returns) if node.returns is not None else "i64"
        result = {"None": None, "u64": ctypes.c_uint64}.get(returned, ctypes.c_int64)
        call = ctypes.CFUNCTYPE(result, *types)(engine.get_function_address(node.name))
        call.engine = engine  # type: ignore[attr-defined]
        found[node.name] = call
    return found


# --- Random expressions and statements -------------------------------------------------------------------------------


def expressions(names: Sequence[str], depth: int) -> st.SearchStrategy[str]:
    """Signed numbers that never grow beyond 64 bits on the way; what divides is never 0."""
    leaves = st.one_of(st.sampled_from(names), st.integers(-9, 9).map(lambda n: f"({n})" if n < 0 else str(n)))
    if not depth:
        return leaves
    inner, test = expressions(names, depth - 1), conditions(names, depth - 1)
    return st.one_of(
        leaves,
        st.builds("({} {} {})".format, inner, st.sampled_from(("+", "-", "&", "|", "^")), inner),
        st.builds("({} * {} % 10007)".format, inner, inner),
        st.builds("({} {} ({} | 1))".format, inner, st.sampled_from(("//", "%")), inner),
        st.builds("({} {} ({} & 3))".format, inner, st.sampled_from(("<<", ">>")), inner),
        st.builds("({} if {} else {})".format, inner, test, inner),
        st.builds("{}({}, {})".format, st.sampled_from(("min", "max")), inner, inner),
        st.builds("abs({})".format, inner),
        st.builds("(-{})".format, inner),
        st.builds("T[{} & 7]".format, inner),
        st.builds("(1 if {} else 0)".format, test),
    )


def conditions(names: Sequence[str], depth: int) -> st.SearchStrategy[str]:
    side, sign = expressions(names, depth), st.sampled_from(("==", "!=", "<", "<=", ">", ">="))
    plain = st.builds("({} {} {})".format, side, sign, side)
    if not depth:
        return plain
    inner = conditions(names, depth - 1)
    return st.one_of(
        plain,
        st.builds("({} {} {} {} {})".format, side, sign, side, sign, side),
        st.builds("({} {} {})".format, inner, st.sampled_from(("and", "or")), inner),
        st.builds("({} and {} and {})".format, inner, inner, inner),
        st.builds("(not {})".format, inner),
        side,
    )


VALUES, CONDITIONS = expressions("abc", 2), conditions("abc", 1)


@st.composite
def statements(draw: st.DrawFn, depth: int, looping: bool = False) -> list[str]:
    """Lines over a, b, c and the array m; every loop ends."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(statement(depth, looping))
    return lines


@st.composite
def statement(draw: st.DrawFn, depth: int, looping: bool) -> list[str]:
    kinds = ["set", "add", "store", *["if", "for", "while"] * (depth > 0), *["break", "continue"] * looping]
    kind = draw(st.sampled_from(kinds))
    if kind in ("break", "continue"):
        return [f"if {draw(CONDITIONS)}:", f"    {kind}"]
    name = draw(st.sampled_from("abc"))
    if kind == "set":
        return [f"{name} = ({draw(VALUES)}) % 1000"]
    if kind == "add":
        return [f"{name} {draw(st.sampled_from(('+=', '-=')))} m[{draw(VALUES)} & 7]"]
    if kind == "store":
        return [f"m[{draw(VALUES)} & 7] = ({draw(VALUES)}) % 1000"]
    body = ["    " + line for line in draw(statements(depth - 1, looping or kind != "if"))]
    if kind == "if":
        other = ["else:", *("    " + line for line in draw(statements(depth - 1, looping)))]
        return [f"if {draw(CONDITIONS)}:", *body, *draw(st.sampled_from(([], other)))]
    if kind == "while":
        counter = f"w{depth}"
        return [f"{counter} = 0", f"while {counter} < 4 and {draw(CONDITIONS)}:", f"    {counter} += 1", *body]
    where = draw(st.sampled_from((
        f"range({draw(st.integers(0, 5))})",
        f"range(({draw(VALUES)}) % 4, ({draw(VALUES)}) % 7)",
        f"range(({draw(VALUES)}) % 7, ({draw(VALUES)}) % 4, -1)",
        f"range(0, ({draw(VALUES)}) % 9, 2)",
        "(4, -2, 7)",
        f"T[({draw(VALUES)}) & 3:({draw(VALUES)}) & 7]",
    )))  # fmt: skip
    return [f"for {draw(st.sampled_from(('a', f'i{depth}')))} in {where}:", *body]


def module(bodies: list[list[str]]) -> str:
    head = "def f{}(a: i64, b: i64, c: i64, m: i64s) -> i64:"
    parts = [[head.format(n), *("    " + line for line in body)] for n, body in enumerate(bodies)]
    return "\n".join(line for part in parts for line in part)


def agree(source: str, arguments: list[tuple[int, int, int]]) -> None:
    ours, theirs = compiled(source), python(source)
    for name, function in ours.items():
        for given_ in arguments:
            array, list_ = (ctypes.c_int64 * 8)(*TABLE), [*TABLE]
            expected = theirs[name](*given_, list_)
            assert (function(*given_, array), [*array]) == (expected, list_), (name, given_, source)


three = st.tuples(*[st.sampled_from(NUMBERS)] * 3)


@few
@given(st.lists(expressions("abc", 4), min_size=20, max_size=20), st.lists(three, min_size=10, max_size=10))
def test_expressions(values: list[str], arguments: list[tuple[int, int, int]]) -> None:
    agree(module([[f"return {value}"] for value in values]), arguments)


@few
@given(st.lists(statements(2), min_size=6, max_size=6), st.lists(three, min_size=6, max_size=6))
def test_statements(bodies: list[list[str]], arguments: list[tuple[int, int, int]]) -> None:
    ended = [[*body, "return (a * 31 + b * 7 + c) % 100003"] for body in bodies]
    agree(module(ended), arguments)


# --- What random programs hardly come across -------------------------------------------------------------------------

FIXED = """
def quotient(a: i64, b: i64) -> i64:
    return a // b
def rest(a: i64, b: i64) -> i64:
    return a % b
def nested(a: i64, b: i64) -> i64:
    found = 0
    for i in range(a):
        for j in (1, -2, 3):
            if j < 0:
                continue
            while True:
                found += j
                if found % 7 < b or found > 100 + i:
                    break
        if found > 90:
            break
    return found
def kept(a: i64, b: i64) -> i64:
    for i in range(3):
        i = i + a
    return i * b
def lazy(a: i64, b: i64) -> i64:
    if b != 0 and a // b > 1 or b == 0:
        return 1
    return 2
"""


def test_division_loops_and_tests_are_as_in_python() -> None:
    ours, theirs = compiled(FIXED), python(FIXED)
    for name in ours:
        for a in (-101, -7, -6, -1, 0, 1, 6, 7, 40):
            for b in (-7, -3, -1, 1, 2, 7, *([0] if name in ("nested", "lazy") else [])):
                assert ours[name](a, b) == theirs[name](a, b), (name, a, b)


UNSIGNED = """
def add(a: u64, b: u64) -> u64:
    return a + b
def sub(a: u64, b: u64) -> u64:
    return a - b
def mul(a: u64, b: u64) -> u64:
    return a * b
def div(a: u64, b: u64) -> u64:
    return a // (b | u64(1))
def mod(a: u64, b: u64) -> u64:
    return a % (b | u64(1))
def left(a: u64, b: u64) -> u64:
    return a << (b & u64(63))
def right(a: u64, b: u64) -> u64:
    return a >> (b & u64(63))
def less(a: u64, b: u64) -> i64:
    return 1 if a < b else 0
def most(a: u64, b: u64) -> i64:
    return 1 if a >= b and not a == b else 0
def count(a: u64, b: u64) -> i64:
    return ones(a) * 100 + ones(b)
def lowest(a: u64, b: u64) -> i64:
    return lowest_bit(a | (u64(1) << u64(63)))
def which(a: u64, b: u64) -> u64:
    return (a if a > b else b) >> u64(1)
def signed(a: u64, b: u64) -> i64:
    return i64(a) >> 3
"""


def test_words_of_64_bits_wrap_around() -> None:
    ours = compiled(UNSIGNED)
    expected: dict[str, Callable[[int, int], int]] = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a // (b | 1),
        "mod": lambda a, b: a % (b | 1),
        "left": lambda a, b: a << (b & 63),
        "right": lambda a, b: a >> (b & 63),
        "less": lambda a, b: a < b,
        "most": lambda a, b: a > b,
        "count": lambda a, b: a.bit_count() * 100 + b.bit_count(),
        "lowest": lambda a, b: ((a | 2**63) & -(a | 2**63)).bit_length() - 1,
        "which": lambda a, b: max(a, b) >> 1,
        "signed": lambda a, b: wrapped(a) >> 3,
    }
    for name, function in expected.items():
        for a in WORDS:
            for b in WORDS:
                assert ours[name](a, b) % 2**64 == function(a, b) % 2**64, (name, a, b)


CALLS = """
def both(a: u64, b: i64) -> tuple[u64, i64]:
    return a + u64(b), b - 1
def chained(a: u64, b: i64) -> u64:
    a, b = both(a, b)
    a, b = both(a, b)
    return a * u64(10) + u64(b)
def set_to(m: i64s, place: i64, number: i64) -> None:
    if number < 0:
        return
    m[place] = number
def calls(m: i64s, a: i64) -> i64:
    set_to(m, 0, a)
    set_to(m, 1, -a)
    set_to(m, 2, T[a & 7] * T[a & 7])
    own = array(i64s, 4)
    own[a & 3] = 5
    x = y = own[a & 3] + m[2]
    return x * 1000 + y + W[a & 3]
def narrow(z: i16s, a: i64) -> i64:
    z[1] = a
    z[2] = z[1] - 1
    return z[2] * z[1]
def wide(z: i16s, a: i64) -> u64:
    copy(z, 0, 16)
    return equal_lanes(z, 16, a)
"""


def test_calls_arrays_and_tables() -> None:
    ours = compiled(CALLS)
    assert ours["chained"](2**64 - 5, 7) == (2**64 - 5 + 7 + 6) % 2**64 * 10 + 5
    for a in (-6, -1, 0, 3, 5):
        numbers = (ctypes.c_int64 * 8)(*[9] * 8)
        square = TABLE[a & 7] ** 2
        assert ours["calls"](numbers, a) == (5 + square) * 1001 + LARGE[a & 3]
        assert [*numbers][:4] == [a if a >= 0 else 9, -a if a <= 0 else 9, square, 9]
    cards = (ctypes.c_int16 * 40)(*[i % 5 - 2 for i in range(40)])
    assert ours["narrow"](cards, -300) == 301 * 300 and [*cards][:3] == [-2, -300, -301]
    assert ours["wide"](cards, -300) == 0b10 and [*cards][16:32] == [*cards][:16]
    assert ours["wide"](cards, 1) == sum(1 << i for i in range(16) if cards[i] == 1)


# --- The runtime -----------------------------------------------------------------------------------------------------

DRAWS = """
def draw(state: u64, bound: i64, number: i64, out: i64s) -> u64:
    for i in range(number):
        state, found = below(state, bound)
        out[i] = found
    return state
def begin(seed: u64, a: i64, b: i64) -> u64:
    return stream(stream(seed, a), b)
def many(word: u64, index: i64) -> i64:
    return nth(word, index)
"""


@pytest.fixture(scope="module")
def runtime() -> dict[str, Function]:
    return compiled(DRAWS, RUNTIME)


BOUNDS = [1, 2, 3, 6, 88, 1000, 2**16, 2**31 - 1, 2**31, 2**31 + 1, 3_000_000_000, 2**32 - 2, 2**32 - 1]


@given(st.integers(0, 2**64 - 1), st.sampled_from(BOUNDS) | st.integers(1, 2**32 - 1))
def test_random_numbers_are_those_of_the_interpreter(runtime: dict[str, Function], seed: int, bound: int) -> None:
    generator, out = Generator(seed), (ctypes.c_int64 * 30)()
    expected = [generator.below(bound) for _ in range(30)]
    assert (runtime["draw"](wrapped(seed), bound, 30, out), [*out]) == (generator.state, expected)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**62), st.integers(0, 9))
def test_streams_are_those_of_the_interpreter(runtime: dict[str, Function], seed: int, a: int, b: int) -> None:
    assert runtime["begin"](wrapped(seed), a, b) == stream(seed, a, b)


@given(st.integers(1, 2**64 - 1), st.data())
def test_the_nth_bit(runtime: dict[str, Function], word: int, data: st.DataObject) -> None:
    places = [place for place in range(64) if word >> place & 1]
    index = data.draw(st.integers(0, len(places) - 1))
    assert runtime["many"](wrapped(word), index) == places[index]


def test_an_error_names_the_statement_that_has_no_machine_code() -> None:
    with pytest.raises(AttributeError) as raised:
        compiled("def f(a: i64, b: i64) -> i64:\n    if a:\n        a, b = b, a\n    return a")
    assert raised.value.__notes__ == ["in `a, b = (b, a)` of f, which has no machine code"]
