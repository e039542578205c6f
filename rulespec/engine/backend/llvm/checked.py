"""Tests in checked machine code: of every index, divisor, shift, sum, product and number that is stored in 16 bits.

Where one fails, the code writes what is wrong into the global array `fault` and goes on with a harmless number, so that
the process lives; `native.Library` raises MachineFault after the call. A module that is not checked has none of this.
"""

from __future__ import annotations

import ast

from llvmlite import ir as llvm

from rulespec.engine.backend.llvm.declarations import I64, Array, Declarations, widened
from rulespec.engine.backend.llvm.faults import DIVISOR, NARROW, OVERFLOW, SHIFT, code_of

_LAST_SHIFT = 63
_OVERFLOWS = {ast.Add: "sadd", ast.Sub: "ssub", ast.Mult: "smul"}


class Checked:
    """The part of the compiler of one function that writes tests."""

    b: llvm.IRBuilder

    def __init__(self, module: Declarations, function: llvm.Function) -> None:
        self.module, self.function = module, function
        self.arrays: dict[str, Array] = {}

    def _block(self, name: str) -> llvm.Block:
        return self.function.append_basic_block(name)

    def _index(self, name: str, index: llvm.Value) -> llvm.Value:
        """An index of an array or table, or 0 if there is no such element."""
        if not self.module.given.checked or (size := self._size(name)) is None:
            return index
        return self._tested(self.b.icmp_unsigned("<", index, size), name, index, size, llvm.Constant(I64, 0))

    def _size(self, name: str) -> llvm.Value | None:
        if name in self.arrays:
            return self.arrays[name].size
        return llvm.Constant(I64, self.module.tables[name].type.pointee.count)

    def _operand(self, op: ast.operator, a: llvm.Value, b: llvm.Value, unsigned: bool) -> llvm.Value:
        """The second operand, or a harmless one if the operation has no result."""
        if not self.module.given.checked:
            return b
        one, zero = llvm.Constant(I64, 1), llvm.Constant(I64, 0)
        if isinstance(op, ast.FloorDiv | ast.Mod):
            return self._tested(self.b.icmp_signed("!=", b, zero), DIVISOR, b, zero, one)
        if isinstance(op, ast.LShift | ast.RShift):
            last = llvm.Constant(I64, _LAST_SHIFT)
            return self._tested(self.b.icmp_unsigned("<=", b, last), SHIFT, b, last, zero)
        if not unsigned and type(op) in _OVERFLOWS:
            pair = getattr(self.b, f"{_OVERFLOWS[type(op)]}_with_overflow")(a, b)
            self._require(self.b.not_(self.b.extract_value(pair, 1)), OVERFLOW, a, b)
        return b

    def _narrowed(self, number: llvm.Value, type_: llvm.Type) -> llvm.Value:
        """A number in fewer bits."""
        narrow = self.b.trunc(number, type_)
        if self.module.given.checked:
            same = self.b.icmp_signed("==", widened(self.b, narrow), number)
            self._require(same, NARROW, number, llvm.Constant(I64, type_.width))
        return narrow

    def _tested(
        self, holds: llvm.Value, what: str, number: llvm.Value, limit: llvm.Value, instead: llvm.Value
    ) -> llvm.Value:
        """A number, or another one if a test does not hold."""
        self._require(holds, what, number, limit)
        return self.b.select(holds, number, instead)

    def _require(self, holds: llvm.Value, what: str, number: llvm.Value, limit: llvm.Value) -> None:
        """Writes the fault if a test does not hold."""
        wrong, on = self._block("wrong"), self._block("on")
        self.b.cbranch(holds, on, wrong)
        self.b.position_at_end(wrong)
        for place, part in enumerate((llvm.Constant(I64, code_of(what)), number, limit)):
            indices = [llvm.Constant(I64, 0), llvm.Constant(I64, place)]
            self.b.store(part, self.b.gep(self.module.fault, indices, inbounds=True))
        self.b.branch(on)
        self.b.position_at_end(on)
