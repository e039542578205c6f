"""The source of machine code: functions as a tree, and what they refer to."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulespec.engine.backend.tree import syntax

_RUNTIME = Path(__file__).parents[1] / "runtime"


@dataclass(frozen=True)
class Source:
    """Functions for llvm/compiler.py and their constant tables, the file of `runtime` with more functions besides
    common.py, its constants, and the sizes of arrays that callers give."""

    functions: list[ast.FunctionDef]
    tables: dict[str, tuple[int, ...]]
    runtime: str
    constants: Mapping[str, int] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The same as Python text, without the functions of `runtime`."""
        return syntax.text([*syntax.constants(self.tables), *self.functions])

    def parts(self) -> Iterator[str]:
        """Texts that are the same for the same source only."""
        yield from map(ast.dump, self.functions)
        yield repr((self.tables, self.runtime, self.constants, self.sizes))

    def whole(self) -> list[ast.FunctionDef]:
        """All functions, those of `runtime` first."""
        return [*runtime_functions("common.py", self.runtime), *self.functions]


def runtime_functions(*files: str) -> list[ast.FunctionDef]:
    """The functions written by hand in files of `runtime`, with a name for each `given.NAME`."""
    read = (node for file in files for node in functions_of((_RUNTIME / file).read_text(encoding="utf-8")))
    return [_Named().visit(node) for node in read]


class _Named(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == "given":
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        self.generic_visit(node)
        return node


def functions_of(source: str) -> list[ast.FunctionDef]:
    """The functions in Python text."""
    return [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
