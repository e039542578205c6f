"""A small compiler: it compiles integer functions, given as `ast` nodes of a subset of Python, to machine code.

The subset: functions with annotated arguments; 64-bit integers, signed (`i64`) or unsigned (`u64`); arrays (`i64s`,
`u64s`, `i32s`, `i16s`, `u8s`, and `f32s` for 32-bit floats as their bits) and constant tables; assignments, `if`,
`while`, `for` over `range`, a tuple of constants or a slice of a table; `break`, `continue`, `return`; arithmetic and
comparisons as in Python (division rounds down); calls of each other; names for arrays (records.py). A
variable has the type of its first assignment.
A function whose body is `...` is one of C, which is found when the code is loaded.
There is no overflow check and no bounds check unless a module is checked: programs of sealed specs need none.

LLVM does the rest. Numba compiles the same functions, but takes some forty times as long (see decision 016).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from struct import pack, unpack
from typing import Any, TypeAlias, TypeVar

from llvmlite import binding
from llvmlite import ir as llvm

from rulespec.engine.backend.llvm.declarations import (
    ARRAYS,
    I64,
    Array,
    Declarations,
    Given,
    is_foreign,
    kind_of,
    name_of,
)
from rulespec.engine.backend.llvm.loading import Target, host
from rulespec.engine.backend.llvm.values import WIDE, Value, Values

i64: TypeAlias = int
u64: TypeAlias = int
i64s: TypeAlias = list[int]
u64s: TypeAlias = list[int]
i32s: TypeAlias = list[int]
f32s: TypeAlias = list[int]
i16s: TypeAlias = list[int]
u8s: TypeAlias = list[int]
F = TypeVar("F", bound=Callable[..., object])


def array(kind: type[list[int]], size: i64) -> list[int]:
    """A new array of a kind, with any content."""
    return kind([0] * size)


def part(kind: type[list[int]], whole: list[int], first: i64, size: i64) -> list[int]:
    """A part of an array, as an array of a kind."""
    return kind(whole[first : first + size])


def pointer(kind: type[list[int]], address: i64, size: i64) -> list[int]:
    """The array of a kind at an address."""
    raise NotImplementedError("only machine code has addresses")


def invoke(address: i64, *numbers: i64) -> None:
    """Calls a function at an address with numbers."""
    raise NotImplementedError("only machine code has addresses")


def fetch(array: i64s, index: i64) -> i64:
    """An element that another thread may have written, and with it all that this thread wrote before."""
    return array[index]


def publish(array: i64s, index: i64, number: i64) -> None:
    """Writes an element for another thread, after all that has been written before."""
    array[index] = number


def pause() -> None:
    """Lets the processor rest while the program waits."""


def equal_lanes(array: i16s, first: i64, number: i64) -> u64:
    """The positions of a number among WIDE elements of an array, as a bit mask."""
    return sum(1 << place for place in range(WIDE) if array[first + place] == number)


def equal_bits(array: i64s, first: i64, size: i64, number: i64) -> u64:
    """The positions of a number among elements of an array, as a bit mask. `size` is a constant from LANES to 64."""
    return sum(1 << place for place in range(size) if array[first + place] == number)


def copy(array: i16s, source: i64, target: i64) -> None:
    """Copies WIDE elements within an array."""
    array[target : target + WIDE] = array[source : source + WIDE]


def cold(function: F) -> F:
    """Marks a cold function, which is not inlined."""
    return function


def ones(word: u64) -> i64:
    """The number of bits of a word that are set."""
    return word.bit_count()


def lowest_bit(word: u64) -> i64:
    """The index of the lowest bit that is set."""
    return (word & -word).bit_length() - 1


def quotient(number: i64, divisor: i64) -> i64:
    """The bits of a quotient, computed with 64 bits, as a 32-bit float."""
    (bits,) = unpack("i", pack("f", number / divisor))
    return int(bits)


_LONGEST_INLINED = 1_000
"""Instructions of the longest function that is inlined in any case. To call a longer one costs little, and copies of it
take long to compile."""


class Module(Declarations):
    """Functions compiled to LLVM IR, with what they refer to."""

    def __init__(
        self,
        functions: Iterable[ast.FunctionDef],
        exported: frozenset[str],
        given: Given,
        target: Target | None = None,
    ) -> None:
        super().__init__(given, target or host())
        for node in functions:
            self.function(node, node.name in exported)
        for function, node in self.functions.values():
            if is_foreign(node):
                continue
            Body(self, function, node).compile()
            if sum(len(block.instructions) for block in function.blocks) > _LONGEST_INLINED:
                function.attributes.discard("alwaysinline")


class Body(Values):
    """The compiler of one function: its statements."""

    def compile(self) -> None:
        # The entry block gets the variables and arrays of the whole body: LLVM keeps only variables that are made there
        # in registers, and one made in a loop would take more of the stack in every turn.
        nodes = self.node.args.args
        sizes = iter(self.function.args[len(nodes) :])
        for argument, node in zip(self.function.args, nodes, strict=False):
            kind = kind_of(node.annotation)
            if kind in ARRAYS:
                self.arrays[node.arg] = Array(argument, ARRAYS[kind][1], next(sizes, self._given_size(node.arg)))
            else:
                self.b.store(argument, self._variable(node.arg, kind))
        begin = self.function.blocks[1]
        self._statements(self.node.body)
        if not self.b.block.is_terminated:
            self.b.ret_void() if kind_of(self.node.returns) == "None" else self.b.unreachable()
        llvm.IRBuilder(self.entry).branch(begin)

    def _variable(self, name: str, kind: str) -> llvm.Value:
        if name not in self.variables:
            place = llvm.IRBuilder(self.entry).alloca(I64, name=name)
            self.variables[name] = (place, "i64" if kind == "bool" else kind)
        return self.variables[name][0]

    def _given_size(self, array: str) -> llvm.Value | None:
        size = self.module.given.sizes.get(array)
        return None if size is None else llvm.Constant(I64, size)

    # statements

    def _statements(self, nodes: list[ast.stmt]) -> None:
        for node in nodes:
            if self.b.block.is_terminated:
                return  # unreachable code
            try:
                STATEMENTS[type(node)](self, node)
            except Exception as error:
                if not hasattr(error, "__notes__"):  # of a statement inside
                    error.add_note(f"in `{ast.unparse(node)}` of {self.node.name}, which has no machine code")
                raise

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
        elif isinstance(node.value, ast.Call) and name_of(node.value.func) == "array":
            assert isinstance(target, ast.Name)
            named, size = node.value.args
            (type_, content), elements = ARRAYS[name_of(named)], ast.literal_eval(size)
            place = llvm.IRBuilder(self.entry).alloca(llvm.ArrayType(type_, elements), name=target.id)
            first = self.b.bitcast(place, type_.as_pointer())
            self.arrays[target.id] = Array(first, content, llvm.Constant(I64, elements))
        elif isinstance(node.value, ast.Call) and name_of(node.value.func) == "part":
            assert isinstance(target, ast.Name)
            named, whole, *numbers = node.value.args
            start, size = (self._number(self.value(number)) for number in numbers)
            place = self.b.gep(self.arrays[name_of(whole)].place, [start], inbounds=True)
            self._name_array(target.id, named, self.b.bitcast, place, size)
        elif isinstance(node.value, ast.Call) and name_of(node.value.func) == "pointer":
            assert isinstance(target, ast.Name)
            named, *numbers = node.value.args
            address, size = (self._number(self.value(number)) for number in numbers)
            self._name_array(target.id, named, self.b.inttoptr, address, size)
        else:
            value = self.value(node.value)
            for each in node.targets:
                self._store(each, value)

    def _name_array(
        self, name: str, kind: ast.expr, cast: Callable[..., llvm.Value], place: llvm.Value, size: llvm.Value
    ) -> None:
        """Names the array of a kind that begins at a place, which `cast` makes a pointer."""
        type_, content = ARRAYS[name_of(kind)]
        self.arrays[name] = Array(cast(place, type_.as_pointer()), content, size)

    def _augassign(self, node: ast.AugAssign) -> None:
        self._store(node.target, self._operate(node.op, self.value(node.target), self.value(node.value)))

    def _store(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.b.store(self._number(value), self._variable(target.id, value[1]))
            return
        assert isinstance(target, ast.Subscript)
        place, type_ = self._element(target)
        number = self._number(value)
        self.b.store(self._narrowed(number, type_) if type_ != I64 else number, place)

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
            self.module.table(name := f"values_{'_'.join(map(str, values))}".replace("-", "m"), values)
            constant = llvm.Constant(I64, len(values))
            self._count(node, llvm.Constant(I64, 0), constant, 1, lambda i: self._load(name, i)[0])
        else:
            assert isinstance(node.iter, ast.Subscript) and isinstance(node.iter.slice, ast.Slice)
            part, name = node.iter.slice, name_of(node.iter.value)
            assert part.lower is not None and part.upper is not None
            low, high = (self._number(self.value(side)) for side in (part.lower, part.upper))
            self._count(node, low, high, 1, lambda i: self._load(name, i)[0])

    def _count(
        self, node: ast.For, first: llvm.Value, last: llvm.Value, step: int, element: Callable[[Any], llvm.Value]
    ) -> None:
        """A loop over integers. The counter is separate, so that the body may change the variable."""
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
        self._looped(node.body, self.b.block, on, end)
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

    def _jump(self, block: llvm.Block) -> None:
        if not self.b.block.is_terminated:
            self.b.branch(block)


STATEMENTS: dict[type[ast.stmt], Callable[[Body, Any], None]] = {
    ast.Pass: Body._pass,
    ast.Expr: Body._expr,
    ast.Assign: Body._assign,
    ast.AugAssign: Body._augassign,
    ast.If: Body._if,
    ast.While: Body._while,
    ast.For: Body._for,
    ast.Break: Body._break,
    ast.Continue: Body._continue,
    ast.Return: Body._return,
}
"""The statements of the subset."""


_LEVELS = ((25_000, 2), (100_000, 1))
"""Levels of optimisation, up to a number of instructions of the longest function. The time of level 2 grows with its
square, that of 1 nearly in proportion. Level 3 takes a fifth longer than 2 for the same speed."""


def object_code(module: Module, optimised: bool = True) -> bytes:
    """The machine code of a module, as an object file. Code that is not optimised is compiled eight times as fast."""
    longest = max(sum(len(block.instructions) for block in one.blocks) for one in module.module.functions)
    level = next((level for most, level in _LEVELS if longest <= most), 0) if optimised else 0
    target = module.target.machine(level > 0)
    parsed = binding.parse_assembly(str(module.module))
    if level:
        options = binding.create_pipeline_tuning_options(speed_level=level)
        # For a processor it doubles the compile time for hardly faster code.
        options.loop_unrolling = module.target.unrolls
        options.loop_interleaving = False
        passes = binding.create_pass_builder(target, options)
        passes.getModulePassManager().run(parsed, passes)
    return bytes(target.emit_object(parsed))
