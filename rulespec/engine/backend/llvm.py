"""A small compiler: functions of whole numbers, in a corner of Python, become machine code through LLVM.

What it takes: functions with annotated arguments; numbers of 64 bits, signed (`i64`) or not (`u64`); arrays (`i64s`,
`u64s`, `i16s`) and constant tables; assignments, `if`, `while`, `for` over `range`, a few numbers or a part of a table;
`break`, `continue`, `return`; arithmetic and comparisons as in Python (division rounds down); calls of each other. A
variable has the type it is first given. There is no overflow check and no bounds check: programs that come from sealed
specs need none.

Numba does the same from the same source, but takes some forty times as long for it (see decision 016).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from llvmlite import binding
from llvmlite import ir as llvm

from rulespec.engine.backend.loading import machine

i64: TypeAlias = int
u64: TypeAlias = int
i64s: TypeAlias = list[int]
u64s: TypeAlias = list[int]
i16s: TypeAlias = list[int]

WIDE = 16
"""So many places of an array can be looked at or copied at once."""


def alike(array: i16s, first: i64, number: i64) -> u64:
    """Which of the places from one on hold a number, as bits."""
    return sum(1 << place for place in range(WIDE) if array[first + place] == number)


def copy(array: i16s, source: i64, target: i64) -> None:
    """Copies what is at some places of an array to others."""
    array[target : target + WIDE] = array[source : source + WIDE]


def rarely(function: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a function that is hardly ever called."""
    return function


def ones(word: u64) -> i64:
    """How many bits of a word are set."""
    return word.bit_count()


def lowest_bit(word: u64) -> i64:
    """The place of the lowest bit that is set."""
    return (word & -word).bit_length() - 1


I64, I32, I16, I1 = llvm.IntType(64), llvm.IntType(32), llvm.IntType(16), llvm.IntType(1)
_WIDE = llvm.VectorType(I16, WIDE)
_VOID = llvm.VoidType()
_ARRAYS = {"i64s": (I64, "i64"), "u64s": (I64, "u64"), "i16s": (I16, "i64")}
Value = tuple[llvm.Value, str]
"""A value with its type: i64, u64 or bool."""


class Module:
    """Source as LLVM's intermediate code; `tables` are constants of the source by name."""

    def __init__(self, sources: list[str], tables: Mapping[str, tuple[int, ...]], exported: frozenset[str]) -> None:
        self.module = llvm.Module("game")
        self.module.triple = binding.get_process_triple()
        self.deposits = binding.get_host_cpu_features().get("bmi2", False)
        self.tables = {name: self._table(name, values) for name, values in tables.items()}
        self.functions: dict[str, tuple[llvm.Function, ast.FunctionDef]] = {}
        nodes = [n for source in sources for n in ast.parse(source).body if isinstance(n, ast.FunctionDef)]
        for node in nodes:
            self.functions[node.name] = (self._declare(node, node.name in exported), node)
        for function, node in self.functions.values():
            Body(self, function, node).compile()

    def intrinsic(self, name: str, types: list[llvm.Type]) -> llvm.Function:
        """A function of LLVM's own that gives a number."""
        known = self.module.globals.get(name)
        return known or llvm.Function(self.module, llvm.FunctionType(I64, types), name)

    def _table(self, name: str, values: tuple[int, ...]) -> llvm.GlobalVariable:
        fits = max(map(abs, values), default=0) < 2**31
        type_ = llvm.ArrayType(I32 if fits else I64, len(values))
        table = llvm.GlobalVariable(self.module, type_, name)
        table.linkage, table.global_constant = "internal", True
        table.initializer = llvm.Constant(type_, list(values))
        return table

    def _declare(self, node: ast.FunctionDef, exported: bool) -> llvm.Function:
        kinds = [_kind(a.annotation) for a in node.args.args]
        types = [_ARRAYS[k][0].as_pointer() if k in _ARRAYS else I64 for k in kinds]
        function = llvm.Function(self.module, llvm.FunctionType(_returned(node), types), node.name)
        if not exported:
            function.linkage = "internal"
            function.attributes.add("noinline" if node.decorator_list else "alwaysinline")
        for argument, kind in zip(function.args, kinds, strict=True):
            if kind in _ARRAYS:
                argument.add_attribute("noalias")
        return function


def _kind(annotation: ast.expr | None) -> str:
    return ast.unparse(annotation) if annotation is not None else "i64"


def _returned(node: ast.FunctionDef) -> llvm.Type:
    kind = _kind(node.returns)
    if kind == "None":
        return _VOID
    return llvm.LiteralStructType([I64, I64]) if kind.startswith("tuple") else I64


class Body:
    """One function being compiled."""

    def __init__(self, module: Module, function: llvm.Function, node: ast.FunctionDef) -> None:
        self.module, self.function, self.node = module, function, node
        self.entry = function.append_basic_block("entry")
        self.b = llvm.IRBuilder(function.append_basic_block("begin"))
        self.variables: dict[str, Value] = {}
        self.arrays: dict[str, tuple[llvm.Value, str]] = {}
        self.loops: list[tuple[llvm.Block, llvm.Block]] = []

    def compile(self) -> None:
        for argument, node in zip(self.function.args, self.node.args.args, strict=True):
            kind = _kind(node.annotation)
            if kind in _ARRAYS:
                self.arrays[node.arg] = (argument, _ARRAYS[kind][1])
            else:
                self.b.store(argument, self._variable(node.arg, kind))
        begin = self.function.blocks[1]
        self._statements(self.node.body)
        if not self.b.block.is_terminated:
            self.b.ret_void() if _kind(self.node.returns) == "None" else self.b.unreachable()
        llvm.IRBuilder(self.entry).branch(begin)

    def _variable(self, name: str, kind: str) -> llvm.Value:
        if name not in self.variables:
            place = llvm.IRBuilder(self.entry).alloca(I64, name=name)
            self.variables[name] = (place, "i64" if kind == "bool" else kind)
        return self.variables[name][0]

    # statements

    def _statements(self, nodes: list[ast.stmt]) -> None:
        for node in nodes:
            if self.b.block.is_terminated:
                return  # nothing leads here
            getattr(self, "_" + type(node).__name__.lower())(node)

    def _pass(self, node: ast.Pass) -> None:
        """Nothing to do."""

    def _expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def _assign(self, node: ast.Assign) -> None:
        (target,) = node.targets if len(node.targets) == 1 else (None,)
        if isinstance(target, ast.Tuple):
            pair, kinds = self._call(node.value), ("u64", "i64")  # type: ignore[arg-type]
            for i, (name, kind) in enumerate(zip(target.elts, kinds, strict=True)):
                assert isinstance(name, ast.Name)
                self.b.store(self.b.extract_value(pair[0], i), self._variable(name.id, kind))
        elif isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "array":
            assert isinstance(target, ast.Name)
            named, size = node.value.args
            type_, content = _ARRAYS[ast.unparse(named)]
            place = llvm.IRBuilder(self.entry).alloca(llvm.ArrayType(type_, ast.literal_eval(size)), name=target.id)
            self.arrays[target.id] = (self.b.bitcast(place, type_.as_pointer()), content)
        elif isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "part":
            assert isinstance(target, ast.Name)
            named, whole, first = node.value.args
            start = llvm.Constant(I64, ast.literal_eval(first))
            place = self.b.gep(self.arrays[ast.unparse(whole)][0], [start], inbounds=True)
            self.arrays[target.id] = (place, _ARRAYS[ast.unparse(named)][1])
        else:
            value = self.value(node.value)
            for each in node.targets:
                self._store(each, value)

    def _augassign(self, node: ast.AugAssign) -> None:
        load = ast.copy_location(ast.parse(ast.unparse(node.target), mode="eval").body, node)
        self._store(node.target, self._operate(node.op, self.value(load), self.value(node.value)))

    def _store(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.b.store(self._number(value), self._variable(target.id, value[1]))
            return
        assert isinstance(target, ast.Subscript)
        place, type_ = self._element(target)
        number = self._number(value)
        self.b.store(self.b.trunc(number, type_) if type_ != I64 else number, place)

    def _if(self, node: ast.If) -> None:
        then, end = self._block("then"), self._block("end")
        otherwise = self._block("else") if node.orelse else end
        self.b.cbranch(self.test(node.test), then, otherwise)
        for block, body in ((then, node.body), (otherwise, node.orelse)):
            if body:
                self.b.position_at_end(block)
                self._statements(body)
                self._jump(end)
        self.b.position_at_end(end)

    def _while(self, node: ast.While) -> None:
        top, body, end = self._block("while"), self._block("body"), self._block("end")
        self.b.branch(top)
        self.b.position_at_end(top)
        self.b.cbranch(self.test(node.test), body, end)
        self._looped(node.body, body, top, end)
        self._jump(top)
        self.b.position_at_end(end)

    def _looped(self, nodes: list[ast.stmt], body: llvm.Block, on: llvm.Block, end: llvm.Block) -> None:
        self.loops.append((on, end))
        self.b.position_at_end(body)
        self._statements(nodes)
        self.loops.pop()

    def _for(self, node: ast.For) -> None:
        assert isinstance(node.target, ast.Name)
        if isinstance(node.iter, ast.Call):
            bounds = [self._number(self.value(a)) for a in node.iter.args]
            first, last = bounds[:2] if len(bounds) > 1 else (llvm.Constant(I64, 0), bounds[0])
            step = bounds[2].constant if len(bounds) == 3 else 1
            self._count(node, first, last, step, lambda index: index)
        elif isinstance(node.iter, ast.Tuple):
            values = tuple(ast.literal_eval(e) for e in node.iter.elts)
            table = self.module.tables.get(name := f"values_{'_'.join(map(str, values))}".replace("-", "m"))
            self.module.tables[name] = table or self.module._table(name, values)
            constant = llvm.Constant(I64, len(values))
            self._count(node, llvm.Constant(I64, 0), constant, 1, lambda i: self._load(name, i)[0])
        else:
            assert isinstance(node.iter, ast.Subscript) and isinstance(node.iter.slice, ast.Slice)
            part, name = node.iter.slice, ast.unparse(node.iter.value)
            assert part.lower is not None and part.upper is not None
            low, high = (self._number(self.value(side)) for side in (part.lower, part.upper))
            self._count(node, low, high, 1, lambda i: self._load(name, i)[0])

    def _count(
        self, node: ast.For, first: llvm.Value, last: llvm.Value, step: int, element: Callable[[Any], llvm.Value]
    ) -> None:
        """A loop over numbers; the count is kept apart, so that the body may change the variable."""
        assert isinstance(node.target, ast.Name)
        count = llvm.IRBuilder(self.entry).alloca(I64)
        top, body, on, end = (self._block(name) for name in ("for", "body", "on", "end"))
        self.b.store(first, count)
        self.b.branch(top)
        self.b.position_at_end(top)
        index = self.b.load(count)
        self.b.cbranch(self.b.icmp_signed("<" if step > 0 else ">", index, last), body, end)
        self.b.position_at_end(body)
        self.b.store(element(index), self._variable(node.target.id, "i64"))
        self._looped(node.body, body, on, end)
        self._jump(on)
        self.b.position_at_end(on)
        self.b.store(self.b.add(self.b.load(count), llvm.Constant(I64, step)), count)
        self.b.branch(top)
        self.b.position_at_end(end)

    def _break(self, node: ast.Break) -> None:
        self.b.branch(self.loops[-1][1])

    def _continue(self, node: ast.Continue) -> None:
        self.b.branch(self.loops[-1][0])

    def _return(self, node: ast.Return) -> None:
        if node.value is None:
            self.b.ret_void()
        elif isinstance(node.value, ast.Tuple):
            pair = llvm.Constant(llvm.LiteralStructType([I64, I64]), llvm.Undefined)
            for i, part in enumerate(node.value.elts):
                pair = self.b.insert_value(pair, self._number(self.value(part)), i)
            self.b.ret(pair)
        else:
            self.b.ret(self._number(self.value(node.value)))

    def _block(self, name: str) -> llvm.Block:
        return self.function.append_basic_block(name)

    def _jump(self, block: llvm.Block) -> None:
        if not self.b.block.is_terminated:
            self.b.branch(block)

    # expressions

    def value(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Constant):
            return llvm.Constant(I64, int(node.value)), "i64"  # type: ignore[arg-type]
        if isinstance(node, ast.Name):
            place, kind = self.variables[node.id]
            return self.b.load(place), kind
        if isinstance(node, ast.Subscript):
            return self._load(ast.unparse(node.value), self._number(self.value(node.slice)))
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.BinOp):
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
            return self._compare(node)
        if isinstance(node, ast.Constant):
            return llvm.Constant(I1, bool(node.value))
        value, kind = self.value(node)
        return value if kind == "bool" else self.b.icmp_signed("!=", value, llvm.Constant(I64, 0))

    def _bool(self, node: ast.BoolOp) -> llvm.Value:
        """The second is asked only where the first does not settle it."""
        settled = int(isinstance(node.op, ast.Or))
        left = node.values[0] if len(node.values) == 2 else ast.BoolOp(node.op, node.values[:-1])
        first = self.test(left)
        before, more, end = self.b.block, self._block("more"), self._block("end")
        self.b.cbranch(first, *((end, more) if settled else (more, end)))
        self.b.position_at_end(more)
        second = self.test(node.values[-1])
        after = self.b.block
        self.b.branch(end)
        self.b.position_at_end(end)
        result = self.b.phi(I1)
        result.add_incoming(llvm.Constant(I1, settled), before)
        result.add_incoming(second, after)
        return result

    def _compare(self, node: ast.Compare) -> llvm.Value:
        sides = [node.left, *node.comparators]
        values = [self.value(side) for side in sides]
        result = None
        for op, left, right in zip(node.ops, values, values[1:], strict=False):
            sign = self.b.icmp_unsigned if "u64" in (left[1], right[1]) else self.b.icmp_signed
            holds = sign(_COMPARES[type(op)], self._number(left), self._number(right))
            result = holds if result is None else self.b.and_(result, holds)
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
        if isinstance(op, ast.FloorDiv | ast.Mod) and not unsigned:
            return self._divide(a, b, isinstance(op, ast.Mod)), "i64"
        name = _OPERATES[type(op)]
        if name == "ashr" and unsigned:
            name = "lshr"
        return getattr(self.b, name)(a, b), "u64" if unsigned else "i64"

    def _divide(self, a: llvm.Value, b: llvm.Value, rest: bool) -> llvm.Value:
        """Division that rounds down, as Python's."""
        zero, remainder = llvm.Constant(I64, 0), self.b.srem(a, b)
        apart = self.b.icmp_signed("<", self.b.xor(remainder, b), zero)
        wrong = self.b.and_(self.b.icmp_signed("!=", remainder, zero), apart)
        if rest:
            return self.b.select(wrong, self.b.add(remainder, b), remainder)
        quotient = self.b.sdiv(a, b)
        return self.b.select(wrong, self.b.sub(quotient, llvm.Constant(I64, 1)), quotient)

    def _call(self, node: ast.Call) -> Value:
        name = ast.unparse(node.func)
        known = self.module.functions.get(name)
        if name == "nth" and self.module.deposits:
            return self._nth(*(self._number(self.value(a)) for a in node.args))
        if known is None:
            if name in ("alike", "copy"):
                array = self.arrays[ast.unparse(node.args[0])][0]
                first, second = (self._number(self.value(a)) for a in node.args[1:])
                return self._alike(array, first, second) if name == "alike" else self._copy(array, first, second)
            if name == "u64" and isinstance(node.args[0], ast.Constant):
                return llvm.Constant(I64, int(node.args[0].value)), "u64"  # type: ignore[arg-type]
            return self._built_in(name, [self.value(a) for a in node.args])
        function, declared = known
        arguments = [
            self.arrays[ast.unparse(a)][0] if _kind(d.annotation) in _ARRAYS else self._number(self.value(a))
            for a, d in zip(node.args, declared.args.args, strict=True)
        ]
        return self.b.call(function, arguments), "u64" if _kind(declared.returns) == "u64" else "i64"

    def _nth(self, word: llvm.Value, index: llvm.Value) -> Value:
        """What the function of this name does, where the machine has an instruction for it."""
        deposit = self.module.intrinsic("llvm.x86.bmi.pdep.64", [I64, I64])
        bit = self.b.call(deposit, [self.b.shl(llvm.Constant(I64, 1), index), word])
        return self.b.cttz(bit, llvm.Constant(I1, 1)), "i64"

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
        assert name == "lowest_bit", f"{name} is no function of the source"
        return self.b.cttz(numbers[0], llvm.Constant(I1, 1)), "i64"

    def _places(self, array: llvm.Value, first: llvm.Value) -> llvm.Value:
        return self.b.bitcast(self.b.gep(array, [first], inbounds=True), _WIDE.as_pointer())

    def _alike(self, array: llvm.Value, first: llvm.Value, number: llvm.Value) -> Value:
        same = self._everywhere(self.b.trunc(number, I16))
        holds = self.b.icmp_signed("==", self.b.load(self._places(array, first), align=2), same)
        return self.b.zext(self.b.bitcast(holds, I16), I64), "u64"

    def _everywhere(self, number: llvm.Value) -> llvm.Value:
        one = self.b.insert_element(
            llvm.Constant(llvm.VectorType(number.type, WIDE), llvm.Undefined), number, llvm.Constant(I32, 0)
        )
        return self.b.shuffle_vector(one, one, llvm.Constant(llvm.VectorType(I32, WIDE), [0] * WIDE))

    def _copy(self, array: llvm.Value, source: llvm.Value, target: llvm.Value) -> Value:
        cards = self.b.load(self._places(array, source), align=2)
        self.b.store(cards, self._places(array, target), align=2)
        return llvm.Constant(I64, 0), "i64"

    def _number(self, value: Value) -> llvm.Value:
        return self.b.zext(value[0], I64) if value[1] == "bool" else value[0]

    # arrays

    def _element(self, node: ast.Subscript) -> tuple[llvm.Value, llvm.Type]:
        array, _ = self.arrays[ast.unparse(node.value)]
        index = self._number(self.value(node.slice))
        return self.b.gep(array, [index], inbounds=True), array.type.pointee

    def _load(self, name: str, index: llvm.Value) -> Value:
        if name in self.arrays:
            array, kind = self.arrays[name]
            place = self.b.gep(array, [index], inbounds=True)
        else:
            kind, table = "i64", self.module.tables[name]
            place = self.b.gep(table, [llvm.Constant(I64, 0), index], inbounds=True)
        value = self.b.load(place)
        return (self.b.sext(value, I64) if value.type != I64 else value), kind


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


def object_code(module: Module) -> bytes:
    """Machine code of a module, as an object file for this machine."""
    target = machine()
    parsed = binding.parse_assembly(str(module.module))
    options = binding.create_pipeline_tuning_options(speed_level=3)
    options.loop_unrolling = False  # it doubles the time this takes, for hardly faster code
    options.loop_interleaving = False
    passes = binding.create_pass_builder(target, options)
    passes.getModulePassManager().run(parsed, passes)
    return bytes(target.emit_object(parsed))
