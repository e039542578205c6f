"""Records of the compiler's subset: arrays that functions pass on under one name, and elements of an array with names.

Functions use them like objects with attributes. `flattened` rewrites a function before LLVM or Python compiles it: each
array of a record becomes an argument of its own, each attribute an element of an array. So a record costs nothing, and
LLVM knows that its arrays do not overlap.
"""

from __future__ import annotations

import ast
from array import array
from collections.abc import Iterable, Iterator, Mapping
from inspect import isfunction
from types import ModuleType
from typing import Any, Generic, TypeVar

Row = TypeVar("Row")


class Record:
    """Arrays under one name. A function has no variable, and no other argument, with the name of a field."""


class Numbers(array):  # type: ignore[type-arg]
    """An array of 64-bit integers, the first of which have names; a last field `i64s` stands for all others."""

    def __init_subclass__(cls) -> None:
        for index, name in enumerate(cls.__annotations__):
            setattr(cls, name, _element(index))


class Rows(Generic[Row]):
    """An array of 64-bit integers in rows of one length, whose elements have the names of the fields of a class."""

    def __getitem__(self, row: int) -> Row:
        raise NotImplementedError("`flattened` rewrites rows")


def _element(index: int) -> property:
    def put(numbers: Numbers, number: int) -> None:
        numbers[index] = number

    return property(lambda numbers: numbers[index], put)


def flattened(functions: Iterable[ast.FunctionDef], given: ModuleType) -> list[ast.FunctionDef]:
    """Functions without records. `given` is the module of the classes and of all names that the functions get from
    outside."""
    functions, names = list(functions), vars(given)
    calls = {name: [*one.__annotations__.values()][:-1] for name, one in names.items() if isfunction(one)}
    calls |= {one.name: [ast.unparse(a.annotation) for a in one.args.args if a.annotation] for one in functions}
    return [_Flat(names, calls).visit(function) for function in functions]


class _Flat(ast.NodeTransformer):
    """Rewrites a function. `calls` has the kinds of the arguments of all functions; `kinds` those of its own arguments,
    of their fields and of rows, and `named` what its variables stand for."""

    def __init__(self, classes: Mapping[str, Any], calls: Mapping[str, list[str]]) -> None:
        self.classes, self.calls = classes, calls
        self.kinds: dict[str, str] = {}
        self.named: dict[str, str] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        arguments = [(one.arg, ast.unparse(one.annotation)) for one in node.args.args if one.annotation]
        flat = [field for name, kind in arguments for field in self._fields(name, kind)]
        self.kinds = dict([*arguments, *flat])
        node.args.args = [ast.arg(name, ast.Name(self._array(kind), ast.Load())) for name, kind in flat]
        node.body = [new for old in node.body if (new := self.visit(old)) is not None]
        arrays = {name for name, kind in flat if self._array(kind) not in ("i64", "u64")}
        stored = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        assert len(dict(flat)) == len(flat) and not arrays & stored, f"{node.name} has two variables of one name"
        return ast.fix_missing_locations(node)

    def _fields(self, name: str, kind: str) -> Iterator[tuple[str, str]]:
        """The arrays, with their kinds, that an argument stands for."""
        if not self._is(kind, Record):
            yield name, kind
            return
        for class_ in reversed(self.classes[kind].__mro__):
            for field, its_kind in vars(class_).get("__annotations__", {}).items():
                yield from self._fields(field, its_kind)

    def _is(self, kind: str, class_: type) -> bool:
        return kind in self.classes and issubclass(self.classes[kind], class_)

    def _array(self, kind: str) -> str:
        return "i64s" if kind.startswith("Rows[") or self._is(kind, Numbers) else kind

    def _row(self, node: ast.Subscript) -> tuple[str, ast.expr]:
        """The array in which a row lies, and where it begins there."""
        rows = self.visit(node.value).id
        size = len(self._names(self.kinds[rows]))
        return rows, ast.BinOp(self.visit(node.slice), ast.Mult(), ast.Constant(size))

    def _names(self, kind: str) -> list[str]:
        """The names of the elements of an array, or of its rows."""
        return [*self.classes[kind.removeprefix("Rows[").removesuffix("]")].__annotations__]

    def _is_rows(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Subscript) or not isinstance(whole := self.visit(node.value), ast.Name):
            return False
        return self.kinds.get(whole.id, "").startswith("Rows[")

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.named.get(node.id, node.id), node.ctx)

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | None:
        """A variable for an array is another name for it, one for a row is where that begins."""
        (target,) = node.targets
        if isinstance(target, ast.Name):
            if isinstance(node.value, ast.Subscript) and self._is_rows(node.value):
                rows, first = self._row(node.value)
                self.kinds[target.id] = f"row {rows}"
                return ast.Assign([target], first)
            if isinstance(node.value, ast.Attribute):
                value = self.visit(node.value)
                if isinstance(value, ast.Name) and value.id in self.kinds:
                    self.named[target.id] = value.id
                    return None
        return ast.Assign([self.visit(target)], self.visit(node.value))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if self._is_rows(node.value):
            assert isinstance(node.value, ast.Subscript)
            rows, first = self._row(node.value)
            return _element_of(rows, first, self._names(self.kinds[rows]).index(node.attr), node.ctx)
        whole = self.visit(node.value)
        kind = self.kinds[whole.id]
        if kind.startswith("row "):
            rows = kind.removeprefix("row ")
            return _element_of(rows, whole, self._names(self.kinds[rows]).index(node.attr), node.ctx)
        if self._is(kind, Record):
            return ast.Name(node.attr, node.ctx)
        return ast.Subscript(whole, ast.Constant(self._names(kind).index(node.attr)), node.ctx)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        whole, index = self.visit(node.value), self.visit(node.slice)
        if isinstance(whole, ast.Subscript):  # the others of an array of numbers
            assert isinstance(whole.value, ast.Name) and isinstance(whole.slice, ast.Constant)
            return _element_of(whole.value.id, index, whole.slice.value, node.ctx)  # type: ignore[arg-type]
        return ast.Subscript(whole, index, node.ctx)

    def visit_Call(self, node: ast.Call) -> ast.Call:
        called, arguments = self.visit(node.func), list[ast.expr]()
        kinds = self.calls.get(called.id, [""] * len(node.args))
        for argument, kind in zip(node.args, kinds, strict=True):
            if self._is(kind, Record):
                arguments += [ast.Name(field, ast.Load()) for field, _ in self._fields("", kind)]
            else:
                arguments.append(self.visit(argument))
        return ast.Call(called, arguments, [])


def _element_of(array: str, first: ast.expr, more: int, context: ast.expr_context) -> ast.Subscript:
    """An element of an array, some after another one."""
    index = ast.BinOp(first, ast.Add(), ast.Constant(more)) if more else first
    return ast.Subscript(ast.Name(array, ast.Load()), index, context)
