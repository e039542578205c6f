"""Writes what instructions do to the state."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.choosing import Choosing
from rulespec.engine.backend.tree.syntax import Code, Operand, assign, literal
from rulespec.engine.backend.tree.writer import REGISTERS
from rulespec.engine.interpreter.meaning import meaning, silent
from rulespec.engine.program import ir


class InstructionWriter(Choosing):
    """Writes the code of instructions and options."""

    records = False
    """Whether the code emits events."""

    # overridden by dialects

    own: Mapping[type[ir.Instruction], Callable[[Any, Any], None]] = MappingProxyType({})
    """What writes an instruction in place of its text: a method of the dialect."""

    @abstractmethod
    def draw(self, stream: str, bound: Operand, drawn: Code | None = None) -> Code:
        """Draws a random number below a bound; returns its variable (a new one unless `drawn` is given)."""

    # for every dialect

    def draw_from(self, domain: ir.Items | ir.Ring | ir.Span) -> Code:
        """A random element of a domain."""
        if isinstance(domain, ir.Span):
            low = self.once(self.value(domain.low))
            return low + self.draw("deal", self.value(domain.high) + 1 - low)
        if isinstance(domain, ir.Ring):
            table, begin, length = self.ring(domain)
            return table[begin + self.draw("deal", length)]
        drawn = self.draw("deal", len(domain.values))
        return drawn if domain.values == tuple(range(len(domain.values))) else self.table(domain.values)[drawn]

    def text(self, content: str) -> Code:
        """A text of the spec, in a dialect that records events."""
        raise NotImplementedError

    def emit(self, kind: str, *parts: Operand) -> None:
        """Writes an event, in a dialect that records events."""
        raise NotImplementedError

    def both(self, zone: ir.Expr) -> tuple[Code, Code]:
        """The number of a zone and the list of its cards, in a dialect that has lists."""
        raise NotImplementedError

    def instruction(self, i: ir.Instruction, place: int) -> None:
        """Writes what the instruction at a place does to the state."""
        if type(i) in self.own:
            self.own[type(i)](self, i)
        else:
            self.inline(i, place)

    def inline(self, i: ir.Instruction, place: int = -1) -> None:
        if self.records or not isinstance(i, ir.EventOnly):
            _Inlined(self, i, place).write()


class _Inlined:
    """The text of an instruction (see meaning.py) with the code of its expressions in it."""

    def __init__(self, w: InstructionWriter, i: ir.Instruction, place: int) -> None:
        self.text, fields = meaning(i, w.records, w.program.players)
        self.w, self.i, self.fields = w, i, {"place": place, **fields}
        self.own: dict[str, Code] = {}  # the variables of names that the text sets
        self.elements: dict[str, ir.Items | ir.Ring | ir.Span] = {}  # those of them that are domains
        self.cards: dict[str, Code] = {}  # the lists of those of them that are zones
        self.zones = ir.zones_of(i, ir.Role.CHANGED | ir.Role.FOUND)

    def write(self) -> None:
        self._all(_parsed(self.text if self.w.records else silent(self.text)))

    def _all(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            match statement:
                case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(), *_] as targets)], value=ast.Tuple(elts=values)):
                    for target, value in zip(targets, values, strict=True):
                        self._assign(target, value)
                case ast.Assign(targets=[target], value=value):
                    self._assign(target, value)
                case ast.For(target=target, iter=collection, body=body):
                    with self.w.inside(syntax.loop(self._target(target), self.code(collection))):
                        self._all(body)
                case ast.If():
                    self._if(statement)
                case ast.Expr(value=ast.Call(args=arguments) as call):
                    w = self.w
                    match called(call), arguments:
                        case "emit", [ast.Constant(value=str(kind)), *parts]:
                            w.emit(kind, self.i.rule, *self._codes(parts))
                        case "counted", [card]:
                            assert isinstance(self.i, ir.Move)
                            w.goes(self.i, self.own["a"], self.own["b"], self.code(card))
                        case "all_counted", _:
                            assert isinstance(self.i, ir.Move)
                            w.all_go(self.i, self.own["a"], self.own["b"])
                        case _:
                            w.put(syntax.do(self.code(call)))

    def _target(self, node: ast.expr) -> Code:
        if not isinstance(node, ast.Name):
            return self.code(node)
        return self.own.setdefault(node.id, self.w.name())

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        content: Any = self.fields.get(called(value))
        if not isinstance(target, ast.Name):
            stored = self.code(target)
            self.w.put(assign(self.code(value), stored))
            return
        identifier = target.id
        if isinstance(content, ir.Items | ir.Ring | ir.Span):
            self.elements[identifier] = content
        elif content in self.zones:
            self.own[identifier], self.cards[identifier] = self.w.both(content)
        elif called(value) == "draw":
            assert isinstance(value, ast.Call)
            self.own[identifier] = self.w.draw("deal", self.code(value.args[0]))
        elif content is not None or called(value) == "int":
            self.own[identifier] = self.w.once(self.code(value))
        else:
            made = self.code(value)
            self.w.put(assign(made, self._target(target)))

    def _if(self, node: ast.If) -> None:
        test = self.test(node.test)
        if (outcome := literal(test)) is not None:
            self._all(node.body if outcome else node.orelse)
            return
        with self.w.inside(syntax.when(test)) as branch:
            self._all(node.body)
        if node.orelse:
            with self.w.otherwise(branch):
                self._all(node.orelse)

    # expressions

    def test(self, node: ast.expr) -> Code:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return syntax.negation(self.test(node.operand))
        return self.w.test(self.fields[called(node)]) if called(node) in self.fields else self.code(node)

    def _codes(self, nodes: Sequence[ast.expr]) -> Iterator[Code]:
        for node in nodes:
            match node:
                case ast.Starred(
                    value=ast.GeneratorExp(
                        elt=element,
                        generators=[ast.comprehension(target=ast.Name(id=each), iter=ast.Name(id=field))],
                    )
                ):
                    for part in self.fields[field]:
                        self.fields[each] = part
                        yield self.code(element)
                case _:
                    yield self.code(node)

    def code(self, node: ast.expr) -> Code:
        """The code of an expression."""
        match node:
            case ast.Name(id=identifier):
                if identifier in self.own or identifier not in self.fields:
                    return self.own.get(identifier) or syntax.name(identifier)
                content = self.fields[identifier]
                return self.w.text(content) if isinstance(content, str) else syntax.number(content)
            case ast.Call(func=ast.Name(id="int"), args=[value]):
                return self.code(value)
            case ast.Call(func=ast.Name(id=identifier)) if identifier in self.fields:
                return self.w.value(self.fields[identifier])
            case ast.Call(func=function, args=arguments):
                return self.code(function)(*self._codes(arguments))
            case ast.Subscript(value=ast.Name(id="r"), slice=slot):
                return self._register(self.code(slot))
            case ast.Subscript(value=ast.Name(id="z"), slice=ast.Name(id=zone)):
                return self.cards[zone]
            case ast.Subscript(value=ast.Name(id=identifier)) if identifier in self.elements:
                return self.w.draw_from(self.elements[identifier])
            case ast.BinOp(left=ast.Name(id=base), right=offset) if self.fields.get(base) == 0:
                return self.code(offset)
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                return self.code(then if literal(self.code(test)) else otherwise)
            case _:
                return syntax.rebuilt(node, self.code)

    def _register(self, slot: Code) -> Code:
        known = literal(slot)
        return self.w.register(known) if known is not None else REGISTERS[slot]


@cache
def _parsed(text: str) -> Sequence[ast.stmt]:
    return ast.parse(text).body


def called(node: ast.AST) -> str:
    """The name of the function that an expression calls; empty for anything else."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
