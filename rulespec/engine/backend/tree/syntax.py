"""Generated code as a tree: the nodes of Python's `ast`, with functions and operators that build them.

Both compilers read this tree, CPython's and the one in llvm/compiler.py, and `text` prints it. Nodes carry line 1,
which CPython requires; `remark` gives a statement a comment.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from sys import intern
from typing import Any, TypeAlias, TypeVar

_LOAD, _STORE = ast.Load(), ast.Store()
_NEGATE, _NOT = ast.USub(), ast.Not()
_JUNCTIONS = {"and": ast.And(), "or": ast.Or()}
_LINE: dict[str, Any] = {"lineno": 1, "col_offset": 0}

Statement = TypeVar("Statement", bound=ast.stmt)
Compound: TypeAlias = ast.If | ast.While | ast.For


def _arithmetic(operator: type[ast.operator]) -> Callable[[Code, Operand], Code]:
    return lambda left, right: Code(ast.BinOp(left.node, operator(), _node(right), **_LINE))


def _order(operator: type[ast.cmpop]) -> Callable[[Code, Operand], Code]:
    return lambda left, right: _compared(left, (operator(), right))


class Code:
    """An expression of generated code. Arithmetic operators, `<`, `<=`, `>`, `>=`, indices and calls build larger ones;
    `==` says whether two expressions are the same code."""

    __slots__ = ("node",)

    def __init__(self, node: ast.expr) -> None:
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Code) and ast.dump(self.node) == ast.dump(other.node)

    def __hash__(self) -> int:
        return hash(ast.dump(self.node))

    def __repr__(self) -> str:
        return ast.unparse(self.node)

    @property
    def is_atomic(self) -> bool:
        """Whether it is a name or a number, which cost nothing to repeat."""
        return isinstance(self.node, ast.Name) or self.is_number

    @property
    def is_number(self) -> bool:
        node = self.node.operand if isinstance(self.node, ast.UnaryOp) else self.node
        return isinstance(node, ast.Constant)

    @property
    def is_element(self) -> bool:
        return isinstance(self.node, ast.Subscript)

    @property
    def negated(self) -> Code | None:
        """The test of which this one is the negation; None if it is no negation."""
        node = self.node
        return Code(node.operand) if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else None

    __add__, __sub__, __mul__ = _arithmetic(ast.Add), _arithmetic(ast.Sub), _arithmetic(ast.Mult)
    __floordiv__, __mod__ = _arithmetic(ast.FloorDiv), _arithmetic(ast.Mod)
    __and__, __or__ = _arithmetic(ast.BitAnd), _arithmetic(ast.BitOr)
    __lshift__, __rshift__ = _arithmetic(ast.LShift), _arithmetic(ast.RShift)
    __lt__, __le__, __gt__, __ge__ = _order(ast.Lt), _order(ast.LtE), _order(ast.Gt), _order(ast.GtE)

    def __getitem__(self, index: Operand | slice) -> Code:
        return Code(ast.Subscript(self.node, _index(index), _LOAD, **_LINE))

    def __call__(self, *arguments: Operand) -> Code:
        return Code(ast.Call(self.node, [_node(a) for a in arguments], [], **_LINE))

    def method(self, name: str, *arguments: Operand) -> Code:
        """A call of a method."""
        return Code(ast.Attribute(self.node, name, _LOAD, **_LINE))(*arguments)


Operand: TypeAlias = Code | int


def _node(operand: Operand) -> ast.expr:
    return operand.node if isinstance(operand, Code) else number(operand).node


def _compared(first: Operand, *others: tuple[ast.cmpop, Operand]) -> Code:
    operators, operands = [op for op, _ in others], [_node(operand) for _, operand in others]
    return Code(ast.Compare(_node(first), operators, operands, **_LINE))


def _index(index: Operand | slice) -> ast.expr:
    if not isinstance(index, slice):
        return _node(index)
    low, high = (None if end is None else _node(end) for end in (index.start, index.stop))
    return ast.Slice(low, high, None, **_LINE)


# expressions


def name(text: str) -> Code:
    # The parser interns names, too; bytecode of the same code is only then the same.
    return Code(ast.Name(intern(text), _LOAD, **_LINE))


def number(value: int) -> Code:
    if value < 0:
        return Code(ast.UnaryOp(_NEGATE, ast.Constant(-value, **_LINE), **_LINE))
    return Code(ast.Constant(value, **_LINE))


def word(text: str) -> Code:
    """A constant text."""
    return Code(ast.Constant(text, **_LINE))


NOTHING = Code(ast.Constant(None, **_LINE))
"""The constant None."""

TRUE = Code(ast.Constant(True, **_LINE))
"""The constant True."""


def call(function: str, *arguments: Operand) -> Code:
    return name(function)(*arguments)


def equal(left: Operand, right: Operand) -> Code:
    return _compared(left, (ast.Eq(), right))


def unequal(left: Operand, right: Operand) -> Code:
    return _compared(left, (ast.NotEq(), right))


def identical(left: Operand, right: Operand) -> Code:
    return _compared(left, (ast.Is(), right))


def among(element: Operand, collection: Code) -> Code:
    return _compared(element, (ast.In(), collection))


def missing_in(element: Operand, collection: Code) -> Code:
    return _compared(element, (ast.NotIn(), collection))


def within(low: Operand, value: Operand, high: Operand) -> Code:
    """`low <= value < high`."""
    return _compared(low, (ast.LtE(), value), (ast.Lt(), high))


def between(low: Operand, value: Operand, high: Operand) -> Code:
    """`low < value < high`."""
    return _compared(low, (ast.Lt(), value), (ast.Lt(), high))


def negation(test: Code) -> Code:
    return Code(ast.UnaryOp(_NOT, test.node, **_LINE))


def junction(operator: str, *tests: Code) -> Code:
    """Tests joined by `and` or by `or`. One test stays as it is."""
    nodes = [test.node for test in tests]
    return tests[0] if len(tests) == 1 else Code(ast.BoolOp(_JUNCTIONS[operator], nodes, **_LINE))


def either(test: Code, then: Operand, otherwise: Operand) -> Code:
    """`then if test else otherwise`."""
    return Code(ast.IfExp(test.node, _node(then), _node(otherwise), **_LINE))


def total(terms: Sequence[Code]) -> Code:
    """The sum of one or more terms."""
    first, *others = terms
    for term in others:
        first = first + term
    return first


def tuple_of(*elements: Operand) -> Code:
    return Code(ast.Tuple([_node(e) for e in elements], _LOAD, **_LINE))


def list_of(*elements: Operand) -> Code:
    return Code(ast.List([_node(e) for e in elements], _LOAD, **_LINE))


def set_of(*elements: Operand) -> Code:
    return Code(ast.Set([_node(e) for e in elements], **_LINE))


def dictionary(entries: Mapping[int, Code]) -> Code:
    return Code(ast.Dict([number(key).node for key in entries], [value.node for value in entries.values()], **_LINE))


def unpacked(collection: Code) -> Code:
    """`*collection`, an argument or element."""
    return Code(ast.Starred(collection.node, _LOAD, **_LINE))


def attribute(of: Code, called: str) -> Code:
    return Code(ast.Attribute(of.node, called, _LOAD, **_LINE))


def each_of(value: Code, variable: Code, collection: Code) -> Code:
    """`[value for variable in collection]`."""
    loop = ast.comprehension(_stored(variable), collection.node, [], 0)
    return Code(ast.ListComp(value.node, [loop], **_LINE))


def filled(template: str, *arguments: Code) -> Code:
    """The expression of a template in which `{0}`, `{1}`, … stand for arguments."""
    parts = {_place(i): argument for i, argument in enumerate(arguments)}

    def code(node: ast.expr) -> Code:
        return parts[node.id] if isinstance(node, ast.Name) and node.id in parts else rebuilt(node, code)

    return code(_parsed(template, len(arguments)))


def _place(argument: int) -> str:
    return f"_{argument}"


@lru_cache(maxsize=256)
def _parsed(template: str, arguments: int) -> ast.expr:
    return ast.parse(template.format(*map(_place, range(arguments))), mode="eval").body


def rebuilt(node: ast.expr, code: Callable[[ast.expr], Code]) -> Code:
    """An expression with what `code` returns in place of its parts."""

    def part(of: Any) -> Any:
        if isinstance(of, list):
            return [part(one) for one in of]
        return code(of).node if isinstance(of, ast.expr) else of

    return Code(type(node)(*(part(getattr(node, field)) for field in node._fields), **_LINE))


def literal(code: Code) -> int | None:
    """The value of an expression of numbers; None for other expressions."""
    node = code.node
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if not isinstance(node, ast.Compare | ast.BinOp | ast.UnaryOp):
        return None
    if any(literal(Code(part)) is None for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)):
        return None
    value: int = eval(compile(ast.Expression(node), "<numbers>", "eval"))
    return value


# statements


def _stored(target: Code) -> ast.expr:
    node = target.node
    if isinstance(node, ast.Name):
        return ast.Name(node.id, _STORE, **_LINE)
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_stored(Code(element)) for element in node.elts], _STORE, **_LINE)
    assert isinstance(node, ast.Subscript | ast.Attribute)
    return type(node)(node.value, getattr(node, node._fields[1]), _STORE, **_LINE)


def assign(value: Operand, *targets: Code) -> ast.Assign:
    """Sets all targets to a value."""
    return ast.Assign([_stored(target) for target in targets], _node(value), **_LINE)


def exchange(a: Code, b: Code) -> ast.Assign:
    """`a, b = b, a`, for Python only: machine code has no tuples."""
    return assign(tuple_of(b, a), tuple_of(a, b))


def constants(tables: Mapping[str, Sequence[int]]) -> list[ast.stmt]:
    """Statements that set constant tables, by name."""
    return [assign(_constant(values), name(table)) for table, values in tables.items()]


def _constant(values: Sequence[int]) -> Code:
    """A tuple as one node: a board has tables of tens of thousands of numbers."""
    return Code(ast.Constant(tuple(values), **_LINE))  # type: ignore[arg-type]  # typeshed leaves tuples out


def _augment(operator: type[ast.operator]) -> Callable[[Code, Operand], ast.AugAssign]:
    def augment(target: Code, value: Operand) -> ast.AugAssign:
        return ast.AugAssign(_stored(target), operator(), _node(value), **_LINE)  # type: ignore[arg-type]

    return augment


increase, decrease, scale, unite = map(_augment, (ast.Add, ast.Sub, ast.Mult, ast.BitOr))
"""`target += value`, `-=`, `*=` and `|=`."""


def do(call: Code) -> ast.Expr:
    return ast.Expr(call.node, **_LINE)


def give(value: Operand | None = None) -> ast.Return:
    return ast.Return(None if value is None else _node(value), **_LINE)


def leave() -> ast.Break:
    return ast.Break(**_LINE)


def again() -> ast.Continue:
    return ast.Continue(**_LINE)


def nothing() -> ast.Pass:
    return ast.Pass(**_LINE)


def when(test: Code, body: Sequence[ast.stmt] = (), otherwise: Sequence[ast.stmt] = ()) -> ast.If:
    return ast.If(test.node, list(body), list(otherwise), **_LINE)


def repeat(test: Code, body: Sequence[ast.stmt] = ()) -> ast.While:
    return ast.While(test.node, list(body), [], **_LINE)


def loop(variable: Code, collection: Code, body: Sequence[ast.stmt] = ()) -> ast.For:
    return ast.For(_stored(variable), collection.node, list(body), [], None, **_LINE)


def function(called: str, arguments: Mapping[str, str], body: list[ast.stmt], returns: str = "") -> ast.FunctionDef:
    """A function; its arguments by name with their types. A type is empty if the function is not typed."""
    listed = [
        ast.arg(intern(named), name(kind).node if kind else None, None, **_LINE) for named, kind in arguments.items()
    ]
    signature = ast.arguments([], listed, None, [], [], None, [])
    returned = name(returns).node if returns else None
    types: dict[str, Any] = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}
    return ast.FunctionDef(intern(called), signature, body, [], returned, None, **types, **_LINE)


def imports(module: str, *names: str) -> ast.ImportFrom:
    return ast.ImportFrom(module, [ast.alias(one, None, **_LINE) for one in names], 0, **_LINE)


def module(statements: list[ast.stmt]) -> ast.Module:
    return ast.Module(statements, [])


# text


def remark(statement: Statement, comment: str) -> Statement:
    """The statement, with a comment."""
    statement.remark = comment  # type: ignore[attr-defined]
    return statement


def text(statements: Sequence[ast.stmt]) -> str:
    """The source text of statements, with their comments."""
    return "\n".join([*_lines(statements, ""), ""])


def _lines(statements: Sequence[ast.stmt], indent: str) -> Iterator[str]:
    for statement in statements:
        comment = getattr(statement, "remark", "")
        end = f"  # {comment}" if comment else ""
        if isinstance(statement, ast.If):
            yield from _branches(statement, indent, "if", end)
        elif isinstance(statement, ast.While | ast.For | ast.FunctionDef):
            before = ["", ""] if isinstance(statement, ast.FunctionDef) else []
            *decorators, head = (indent + line for line in _head(statement))
            yield from (*before, *decorators, head + end, *_lines(statement.body, indent + "    "))
        else:
            yield indent + ast.unparse(statement) + end


def _branches(statement: ast.If, indent: str, keyword: str, end: str) -> Iterator[str]:
    yield f"{indent}{keyword} {ast.unparse(statement.test)}:{end}"
    yield from _lines(statement.body, indent + "    ")
    other = statement.orelse
    if len(other) == 1 and isinstance(other[0], ast.If):
        yield from _branches(other[0], indent, "elif", "")
    elif other:
        yield indent + "else:"
        yield from _lines(other, indent + "    ")


def _head(statement: ast.While | ast.For | ast.FunctionDef) -> list[str]:
    """The first line of a compound statement, below its decorators."""
    parts = {field: getattr(statement, field) for field in statement._fields}
    return ast.unparse(type(statement)(**parts | {"body": [nothing()]}, **_LINE)).split("\n")[:-1]
