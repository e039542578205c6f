"""What the functions of a module refer to: constant tables, each other, and functions of LLVM."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from llvmlite import ir as llvm

from rulespec.engine.backend.llvm.loading import Target

I64, I32, I16, I8, I1 = map(llvm.IntType, (64, 32, 16, 8, 1))
VOID = llvm.VoidType()
FAULT = llvm.ArrayType(I64, 3)
"""What a checked module writes where a test fails: what is wrong (see checked.py), the number, and the limit."""

ARRAYS = {
    "i64s": (I64, "i64"),
    "u64s": (I64, "u64"),
    "i32s": (I32, "i64"),
    "f32s": (I32, "i64"),
    "i16s": (I16, "i64"),
    "u8s": (I8, "i64"),
}
"""The kinds of arrays: their elements, and the type that these have in expressions. Bytes are unsigned."""


def widened(b: llvm.IRBuilder, number: llvm.Value) -> llvm.Value:
    """An element of an array as a 64-bit number."""
    if number.type == I64:
        return number
    return b.zext(number, I64) if number.type == I8 else b.sext(number, I64)


def name_of(node: ast.expr) -> str:
    """The name that an expression is."""
    assert isinstance(node, ast.Name)
    return node.id


def kind_of(annotation: ast.expr | None) -> str:
    """The type of an argument or result, by its annotation."""
    return ast.unparse(annotation) if annotation is not None else "i64"


def is_foreign(node: ast.FunctionDef) -> bool:
    """Whether a function is one of C, which the source only declares."""
    first = node.body[0] if node.body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and first.value.value is ...


@dataclass(frozen=True)
class Array:
    """An array that a function uses: where it begins, what it holds (i64 or u64), and its size, None if not known."""

    place: llvm.Value
    content: str
    size: llvm.Value | None = None


@dataclass(frozen=True)
class Given:
    """What the functions of a module refer to by name: constant tables, numbers, and the sizes of the arrays that its
    callers give. A `checked` module tests every index, and that no number becomes too large (see checked.py)."""

    tables: Mapping[str, tuple[int, ...]]
    constants: Mapping[str, int] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    checked: bool = False


class Declarations:
    """The declared tables and functions of an LLVM module for a target."""

    def __init__(self, given: Given, target: Target) -> None:
        self.given, self.target = given, target
        self.module = llvm.Module("game")
        self.module.triple, self.module.data_layout = target.triple, target.layout
        self.tables: dict[str, llvm.GlobalVariable] = {}
        self.functions: dict[str, tuple[llvm.Function, ast.FunctionDef]] = {}
        for name, values in given.tables.items():
            self.table(name, values)
        if given.checked:
            self.fault = llvm.GlobalVariable(self.module, FAULT, "fault")
            self.fault.initializer = llvm.Constant(FAULT, [0] * FAULT.count)

    def intrinsic(self, name: str, types: list[llvm.Type], returned: llvm.Type = I64) -> llvm.Function:
        """An intrinsic function of LLVM."""
        known = self.module.globals.get(name)
        return known or llvm.Function(self.module, llvm.FunctionType(returned, types), name)

    def table(self, name: str, values: tuple[int, ...]) -> None:
        """Declares a constant table, if there is none of this name yet."""
        if name in self.tables:
            return
        fits = max(map(abs, values), default=0) < 2**31
        number = I32 if fits else I64
        type_ = llvm.ArrayType(number, len(values))
        table = self.tables[name] = llvm.GlobalVariable(self.module, type_, name)
        table.linkage, table.global_constant = "internal", True
        # As text: a constant for each number of a large table takes most of the time of a module.
        kind = str(number)
        table.initializer = llvm.FormattedConstant(type_, f"[{', '.join(f'{kind} {value}' for value in values)}]")

    def function(self, node: ast.FunctionDef, exported: bool) -> None:
        """Declares a function of the source. Functions that are not exported are inlined, unless they are decorated."""
        kinds = [kind_of(a.annotation) for a in node.args.args]
        types = [ARRAYS[k][0].as_pointer() if k in ARRAYS else I64 for k in kinds]
        if self.given.checked and not exported and not is_foreign(node):
            types += [I64 for kind in kinds if kind in ARRAYS]  # their sizes
        function = llvm.Function(self.module, llvm.FunctionType(_returned(node), types), node.name)
        if not exported and not is_foreign(node):
            function.linkage = "internal"
            function.attributes.add("noinline" if node.decorator_list else "alwaysinline")
        for argument, kind in zip(function.args, kinds, strict=False):
            if kind in ARRAYS:
                argument.add_attribute("noalias")  # callers pass arrays that do not overlap
        self.functions[node.name] = function, node


def _returned(node: ast.FunctionDef) -> llvm.Type:
    kind = kind_of(node.returns)
    if kind == "None":
        return VOID
    return llvm.LiteralStructType([I64, I64]) if kind.startswith("tuple") else I64
