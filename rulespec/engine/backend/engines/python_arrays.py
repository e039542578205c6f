"""Sources for machine code, run as Python on the same arrays: slower by orders of magnitude, with the same results."""

from __future__ import annotations

import ast
import struct
from array import array
from collections.abc import Callable, Mapping
from typing import Any

from rulespec.engine.backend.forms.machine_source import Source

MASK = 2**64 - 1


class U64(int):
    """An unsigned 64-bit integer: results of its operators are unsigned, too, and lose what does not fit."""


def _operator(name: str) -> Callable[[U64, int], U64]:
    plain = getattr(int, name)
    return lambda left, right: int.__new__(U64, plain(left, right) & MASK)


for _name in ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor", "lshift", "rshift"):
    setattr(U64, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(U64, f"__r{_name}__", _operator(f"__r{_name}__"))


def _u64(number: int) -> U64:
    return U64(number & MASK)


def _i64(number: int) -> int:
    return (int(number) + 2**63 & MASK) - 2**63


def _part(kind: str, whole: array[int] | memoryview, first: int, size: int) -> memoryview:
    """The elements of an array from one on, as elements of a kind."""
    view = memoryview(whole)[first : first + size]
    # Python casts between two kinds of number only by way of bytes.
    return view if view.format == kind else view.cast("B").cast(kind)  # type: ignore[call-overload]


def _array(kind: str, size: int) -> Any:
    """New zeros of a kind."""
    return memoryview(bytearray(size * struct.calcsize(kind))).cast(kind)  # type: ignore[call-overload]


def _equal_bits(numbers: Any, first: int, size: int, number: int) -> int:
    return sum(1 << place for place in range(size) if numbers[first + place] == number)


def _equal_lanes(numbers: Any, first: int, number: int) -> int:
    return sum(1 << place for place in range(16) if numbers[first + place] == number)


def _copy(numbers: Any, source: int, target: int) -> None:
    numbers[target : target + 16] = numbers[source : source + 16]


NAMES: Mapping[str, Any] = {
    **{"u64": _u64, "i64": _i64, "i64s": "q", "u64s": "Q", "i16s": "h", "part": _part, "array": _array},
    **{"equal_lanes": _equal_lanes, "equal_bits": _equal_bits, "copy": _copy, "cold": lambda function: function},
    **{"ones": int.bit_count, "lowest_bit": lambda word: (word & -int(word)).bit_length() - 1},
}
"""What functions of a source refer to besides each other and their tables."""


def functions(source: Source) -> dict[str, Callable[..., Any]]:
    """The functions of a source, by name."""
    nodes = source.whole()
    names: dict[str, Any] = {**NAMES, **source.tables, **source.constants}
    exec(compile(ast.Module([*map(_untyped, nodes)], []), "<search>", "exec"), names)
    return {node.name: names[node.name] for node in nodes}


def _untyped(node: ast.FunctionDef) -> ast.FunctionDef:
    """A function without annotations, which Python would evaluate."""
    for argument in node.args.args:
        argument.annotation = None
    node.returns = None
    return ast.fix_missing_locations(node)
