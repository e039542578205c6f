"""Compiles expressions to LLVM IR (see compiler.py)."""

from __future__ import annotations

import ast
from collections.abc import Callable

from llvmlite import ir as llvm

from rulespec.engine.backend.llvm.declarations import (
    ARRAYS,
    I1,
    I8,
    I16,
    I32,
    I64,
    VOID,
    Array,
    Declarations,
    kind_of,
    name_of,
    widened,
)
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


WIDE = 16
"""Elements of an array that are compared or copied at once: 16 of 16 bits fill a 256-bit register."""

LANES = 8
"""Elements of an array of 64 bits that are compared at once."""

UNKNOWN = 2**62
"""The size of an array that a caller gives without its size."""

_WIDE = llvm.VectorType(I16, WIDE)
Value = tuple[llvm.Value, str]
"""A value with its type: i64, u64 or bool."""


class Values(Checked):
    """The compiler of one function: its expressions."""

    def __init__(self, module: Declarations, function: llvm.Function, node: ast.FunctionDef) -> None:
        super().__init__(module, function)
        self.node = node
        self.entry = function.append_basic_block("entry")
        self.b = llvm.IRBuilder(function.append_basic_block("begin"))
        self.variables: dict[str, Value] = {}
        self.loops: list[tuple[llvm.Block, llvm.Block]] = []

    def value(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Constant):
            return llvm.Constant(I64, int(node.value)), "i64"  # type: ignore[arg-type]
        if isinstance(node, ast.Name):
            if node.id in self.module.given.constants:
                return llvm.Constant(I64, self.module.given.constants[node.id]), "i64"
            place, kind = self.variables[node.id]
            return self.b.load(place), kind
        if isinstance(node, ast.Subscript):
            return self._load(name_of(node.value), self._number(self.value(node.slice)))
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Add):
                # The remainder of a sum that is hardly ever twice the divisor or more, such as the seat after a seat
                left, right = self.value(node.left), self.value(node.right)
                a, b = left[0], right[0]
                # By a power of two, LLVM divides without a division.
                if not isinstance(b, llvm.Constant) or b.constant.bit_count() < 2 or "u64" in (left[1], right[1]):
                    return self._operate(ast.Mod(), left, right)
                # Unsigned, so that a negative sum takes the long way, too.
                once = self.b.icmp_unsigned("<", a, llvm.Constant(I64, 2 * b.constant))
                less = self.b.select(self.b.icmp_signed("<", a, b), a, self.b.sub(a, b))
                return self._either(once, lambda: (less, "i64"), lambda: (self._divide(a, b, True), "i64"))
            return self._operate(node.op, self.value(node.left), self.value(node.right))
        if isinstance(node, ast.IfExp):
            return self._either(self.test(node.test), lambda: self.value(node.body), lambda: self.value(node.orelse))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            if isinstance(node.operand, ast.Constant):
                return llvm.Constant(I64, -node.operand.value), "i64"  # type: ignore[operator]
            return self.b.neg(self._number(self.value(node.operand))), "i64"
        return self.test(node), "bool"

    def test(self, node: ast.expr) -> llvm.Value:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.b.not_(self.test(node.operand))
        if isinstance(node, ast.BoolOp):
            return self._bool(node)
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            values = [self.value(side) for side in sides]
            result = None
            for op, left, right in zip(node.ops, values, values[1:], strict=False):
                sign = self.b.icmp_unsigned if "u64" in (left[1], right[1]) else self.b.icmp_signed
                holds = sign(_COMPARES[type(op)], self._number(left), self._number(right))
                result = holds if result is None else self.b.and_(result, holds)
            return result
        if isinstance(node, ast.Constant):
            return llvm.Constant(I1, bool(node.value))
        value, kind = self.value(node)
        return value if kind == "bool" else self.b.icmp_signed("!=", value, llvm.Constant(I64, 0))

    def _bool(self, node: ast.BoolOp) -> llvm.Value:
        """The second operand is evaluated only if the first does not decide."""
        settled = int(isinstance(node.op, ast.Or))
        left = node.values[0] if len(node.values) == 2 else ast.BoolOp(node.op, node.values[:-1])
        first = self.test(left)
        before, more, end = self.b.block, self._block("more"), self._block("end")
        self.b.cbranch(first, *((end, more) if settled else (more, end)))
        self.b.position_at_end(more)
        second = self.test(node.values[-1])
        after = self.b.block  # where the second operand ends, which may have blocks of its own
        self.b.branch(end)
        self.b.position_at_end(end)
        result = self.b.phi(I1)
        result.add_incoming(llvm.Constant(I1, settled), before)
        result.add_incoming(second, after)
        return result

    def _either(self, condition: llvm.Value, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
        yes, no, end = self._block("yes"), self._block("no"), self._block("end")
        self.b.cbranch(condition, yes, no)
        found = []
        for block, part in ((yes, then), (no, otherwise)):
            self.b.position_at_end(block)
            value = part()
            found.append((self._number(value), self.b.block, value[1]))
            self.b.branch(end)
        self.b.position_at_end(end)
        result = self.b.phi(I64)
        for number, block, _ in found:
            result.add_incoming(number, block)
        return result, "u64" if found[0][2] == "u64" else "i64"

    def _operate(self, op: ast.operator, left: Value, right: Value) -> Value:
        a, b, unsigned = self._number(left), self._number(right), "u64" in (left[1], right[1])
        b = self._operand(op, a, b, unsigned)
        if isinstance(op, ast.FloorDiv | ast.Mod) and not unsigned:
            return self._divide(a, b, isinstance(op, ast.Mod)), "i64"
        name = _OPERATES[type(op)]
        if name == "ashr" and unsigned:
            name = "lshr"
        return getattr(self.b, name)(a, b), "u64" if unsigned else "i64"

    def _divide(self, a: llvm.Value, b: llvm.Value, rest: bool) -> llvm.Value:
        """Floor division, as in Python."""
        zero, remainder = llvm.Constant(I64, 0), self.b.srem(a, b)
        apart = self.b.icmp_signed("<", self.b.xor(remainder, b), zero)
        wrong = self.b.and_(self.b.icmp_signed("!=", remainder, zero), apart)
        if rest:
            return self.b.select(wrong, self.b.add(remainder, b), remainder)
        quotient = self.b.sdiv(a, b)
        return self.b.select(wrong, self.b.sub(quotient, llvm.Constant(I64, 1)), quotient)

    def _call(self, node: ast.Call) -> Value:
        name = name_of(node.func)
        known = self.module.functions.get(name)
        if name == "nth" and self.module.target.deposits:
            return self._nth(*(self._number(self.value(a)) for a in node.args))
        if known is None:
            if name in _OF_ARRAYS:
                numbers = [self._number(self.value(argument)) for argument in node.args[1:]]
                return _OF_ARRAYS[name](self, name_of(node.args[0]), *numbers)
            if name == "pause":
                return self._pause()
            if name == "u64" and isinstance(node.args[0], ast.Constant):
                return llvm.Constant(I64, int(node.args[0].value)), "u64"  # type: ignore[arg-type]
            return self._built_in(name, [self.value(a) for a in node.args])
        function, declared = known
        arguments, sizes = [], []
        for given, parameter in zip(node.args, declared.args.args, strict=True):
            if kind_of(parameter.annotation) in ARRAYS:
                array = self.arrays[name_of(given)]
                arguments.append(array.place)
                sizes.append(array.size or llvm.Constant(I64, UNKNOWN))
            else:
                arguments.append(self._number(self.value(given)))
        arguments += sizes if self.module.given.checked else []
        return self.b.call(function, arguments), "u64" if kind_of(declared.returns) == "u64" else "i64"

    def _nth(self, word: llvm.Value, index: llvm.Value) -> Value:
        """The function `nth` of runtime/common.py by the instruction PDEP."""
        deposit = self.module.intrinsic("llvm.x86.bmi.pdep.64", [I64, I64])
        bit = self.b.call(deposit, [self.b.shl(llvm.Constant(I64, 1), index), word])
        return self.b.cttz(bit, llvm.Constant(I1, 1)), "i64"

    def _pause(self) -> Value:
        for processor, (instruction, numbers) in _PAUSES.items():
            if self.module.target.triple.startswith(processor):
                arguments = [llvm.Constant(I32, number) for number in numbers]
                self.b.call(self.module.intrinsic(instruction, [I32] * len(numbers), VOID), arguments)
        return llvm.Constant(I64, 0), "i64"

    def _fetch(self, array: str, index: llvm.Value) -> Value:
        return self.b.load_atomic(self._place(array, index), "acquire", 8), "i64"

    def _publish(self, array: str, index: llvm.Value, number: llvm.Value) -> Value:
        self.b.store_atomic(number, self._place(array, index), "release", 8)
        return number, "i64"

    def _built_in(self, name: str, values: list[Value]) -> Value:
        numbers = [self._number(value) for value in values]
        if name in ("u64", "i64"):
            return numbers[0], name
        if name in ("min", "max"):
            smaller = self.b.icmp_signed("<" if name == "min" else ">", *numbers)
            return self.b.select(smaller, *numbers), "i64"
        if name == "abs":
            negative = self.b.icmp_signed("<", numbers[0], llvm.Constant(I64, 0))
            return self.b.select(negative, self.b.neg(numbers[0]), numbers[0]), "i64"
        if name == "ones":
            return self.b.ctpop(numbers[0]), "i64"
        if name == "invoke":
            return self._invoke(*numbers), "i64"
        if name == "quotient":
            return self._quotient(*numbers), "i64"
        assert name == "lowest_bit", f"{name} is no function of the source"
        return self.b.cttz(numbers[0], llvm.Constant(I1, 1)), "i64"

    def _invoke(self, address: llvm.Value, *numbers: llvm.Value) -> llvm.Value:
        type_ = llvm.FunctionType(VOID, [I64] * len(numbers))
        return self.b.call(self.b.inttoptr(address, type_.as_pointer()), numbers)

    def _quotient(self, number: llvm.Value, divisor: llvm.Value) -> llvm.Value:
        dividend, divisor = (self.b.sitofp(one, llvm.DoubleType()) for one in (number, divisor))
        rounded = self.b.fptrunc(self.b.fdiv(dividend, divisor), llvm.FloatType())
        return self.b.sext(self.b.bitcast(rounded, I32), I64)

    def _places(self, array: str, first: llvm.Value) -> llvm.Value:
        self._index(array, self.b.add(first, llvm.Constant(I64, WIDE - 1)))
        return self.b.bitcast(self._place(array, first), _WIDE.as_pointer())

    def _equal_lanes(self, array: str, first: llvm.Value, number: llvm.Value) -> Value:
        same = self._everywhere(self._narrowed(number, I16))
        holds = self.b.icmp_signed("==", self.b.load(self._places(array, first), align=2), same)
        return self.b.zext(self.b.bitcast(holds, I16), I64), "u64"

    def _equal_bits(self, array: str, first: llvm.Value, size: llvm.Value, number: llvm.Value) -> Value:
        lanes, same, bits = llvm.VectorType(I64, LANES), self._everywhere(number, LANES), llvm.Constant(I64, 0)
        last = size.constant - LANES
        for start in sorted({*range(0, last, LANES), last}):  # the last ones may have been compared before
            self._index(array, self.b.add(first, llvm.Constant(I64, start + LANES - 1)))
            place = self._place(array, self.b.add(first, llvm.Constant(I64, start)))
            numbers = self.b.load(self.b.bitcast(place, lanes.as_pointer()), align=8)
            found = self.b.zext(self.b.bitcast(self.b.icmp_signed("==", numbers, same), I8), I64)
            bits = self.b.or_(bits, self.b.shl(found, llvm.Constant(I64, start)))
        return bits, "u64"

    def _everywhere(self, number: llvm.Value, lanes: int = WIDE) -> llvm.Value:
        one = self.b.insert_element(
            llvm.Constant(llvm.VectorType(number.type, lanes), llvm.Undefined), number, llvm.Constant(I32, 0)
        )
        return self.b.shuffle_vector(one, one, llvm.Constant(llvm.VectorType(I32, lanes), [0] * lanes))

    def _copy(self, array: str, source: llvm.Value, target: llvm.Value) -> Value:
        cards = self.b.load(self._places(array, source), align=2)
        self.b.store(cards, self._places(array, target), align=2)
        return llvm.Constant(I64, 0), "i64"

    def _number(self, value: Value) -> llvm.Value:
        return self.b.zext(value[0], I64) if value[1] == "bool" else value[0]

    # arrays

    def _element(self, node: ast.Subscript) -> tuple[llvm.Value, llvm.Type]:
        place = self._place(name_of(node.value), self._number(self.value(node.slice)))
        return place, place.type.pointee

    def _place(self, array: str, index: llvm.Value) -> llvm.Value:
        return self.b.gep(self.arrays[array].place, [self._index(array, index)], inbounds=True)

    def _load(self, name: str, index: llvm.Value) -> Value:
        if name in self.arrays:
            kind, place = self.arrays[name].content, self._place(name, index)
        else:
            kind, table, index = "i64", self.module.tables[name], self._index(name, index)
            place = self.b.gep(table, [llvm.Constant(I64, 0), index], inbounds=True)
        return widened(self.b, self.b.load(place)), kind


_COMPARES = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_OPERATES = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "udiv",
    ast.Mod: "urem",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "ashr",
}
_OF_ARRAYS: dict[str, Callable[..., Value]] = {
    "equal_lanes": Values._equal_lanes,
    "equal_bits": Values._equal_bits,
    "copy": Values._copy,
    "fetch": Values._fetch,
    "publish": Values._publish,
}
"""The built-in functions of an array."""
_YIELD = "llvm.aarch64.hint", (1,)
_PAUSES = {"x86_64": ("llvm.x86.sse2.pause", ()), "aarch64": _YIELD, "arm64": _YIELD}
"""The intrinsic function by which a processor learns that a program is waiting, and its arguments."""
