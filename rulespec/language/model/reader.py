"""Reads typed expressions, zones, domains and types out of positioned nodes, and collects findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NoReturn, ParamSpec, TypeAlias, TypeVar

from rulespec.base.diagnostics import Finding, Related, Severity, Span, finding
from rulespec.base.messages import NOTHING, Message, say
from rulespec.base.source import Source
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.document.places import short
from rulespec.language.document.slips import as_meant, impostor_in
from rulespec.language.expr import parser, tree
from rulespec.language.model import typed as t
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.infer.inference import Inference
from rulespec.language.model.measure import excess, measure
from rulespec.language.model.names import RESERVED, Names, ValueShape, suggest
from rulespec.language.model.narrowing import Facts
from rulespec.language.model.nodes import Broken, named, scalar
from rulespec.language.model.types import ABSENT, BOOL, NONE, PLAYER, Type, enum, integer

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound=tree.Node)
Reading: TypeAlias = "Callable[[Inference, tree.Expr], t.TExpr | None]"

FAILED: t.TExpr = t.Const(ABSENT, NONE)
"""Stands for an expression that could not be read. A model that contains it is never sealed."""

NOWHERE = t.ZoneRef("")
NO_VALUE = t.Value(ABSENT, "", ())
_KINDS_OF_TYPE = {
    "card": say("A card cannot be stored or passed to a procedure: move it to a zone, and name the zone."),
    **dict.fromkeys(("int", "integer", "number"), say("Write a range, such as `0..20`.")),
    **dict.fromkeys(("boolean", "flag"), say("Write `bool`.")),
    "players": say("Write `player` for a single player."),
}
_RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")


def is_range(written: str) -> bool:
    """Whether a type is written as a range such as `0..9`."""
    return _RANGE.fullmatch(written) is not None


def _wrote(node: tree.Node, found: t.TExpr) -> bool:
    """Whether a value or a fold was read from a node of the syntax tree."""
    if isinstance(found, t.Value):
        base = node.base if isinstance(node, tree.Index) else node
        return isinstance(base, tree.Name) and base.name == found.name
    return isinstance(found, t.Fold) and isinstance(node, tree.Fold) and node.variable.name == found.variable


def type_of(expression: t.TExpr) -> Type | None:
    """The type of an expression; None for one that failed."""
    return None if expression is FAILED else expression.type


MISCOUNTS = frozenset({"wrong-total", "broken-invariant"})
"""Errors in redundant numbers. The model is complete and can be read, but it is not sealed."""


def whole(findings: Iterable[Finding]) -> bool:
    """Whether the findings leave a complete model."""
    return all(found.severity != Severity.ERROR or found.name in MISCOUNTS for found in findings)


@dataclass
class Reader:
    """Turns scalars into typed expressions, zones, domains and types. A failed one becomes a silent stand-in.

    `facts` hold for the expressions that are read next.
    """

    source: Source
    names: Names
    findings: list[Finding] = field(default_factory=list)
    facts: Facts = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether no model can be built."""
        return self.names.broken or not whole(self.findings)

    def report(
        self,
        name: str,
        message: Message,
        place: Node | Span,
        hint: Message = NOTHING,
        rule: str = "",
        related: Iterable[Related] = (),
    ) -> None:
        # A node may come from another file than the rest, such as a row of a deck.
        source, span = (self.source, place) if isinstance(place, Span) else (place.source, place.span)
        self.findings.append(finding(name, message, source, span, hint, rule, related=related))

    def refuse(self, name: str, message: Message, place: Node | Span, hint: Message = NOTHING) -> NoReturn:
        """Reports what stops the reading of a part, and raises Broken."""
        self.report(name, message, place, hint)
        raise Broken

    def attempt(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """The result of `read`; None if a shape that the schema reports stops it."""
        try:
            return read(*args, **kwargs)
        except Broken:
            self.names.broken = True
            return None

    @contextmanager
    def given(self, facts: Facts) -> Iterator[None]:
        """Reads expressions for which other facts hold."""
        before, self.facts = self.facts, facts
        try:
            yield
        finally:
            self.facts = before

    # names

    def claim(self, key: Scalar) -> None:
        """Reports a name with two meanings: an expression cannot say which one it means."""
        if what := self.names.meaning(key.text):
            self.report(
                "name-taken",
                say("`{name}` is already {what}.", name=key.text, what=what),
                key,
                say("Choose another name."),
            )
            if key.text not in RESERVED:
                self.names.contested.add(key.text)

    def local(self, key: Scalar, scope: Locals, ranges_over: str = "") -> bool:
        """Whether a variable may have this name: a new one, or the name of the domain it ranges over."""
        if key.text in (ranges_over, "card") and key.text not in scope:
            return True
        what, new = self.names.clash(key.text, scope)
        if what and new:
            self.report(
                "name-taken",
                say("`{name}` is already {what}.", name=key.text, what=what),
                key,
                say("Choose another name."),
            )
        return not what

    # expressions

    def _parsed(self, node: Scalar, parse: Callable[[str], S]) -> S | None:
        """The syntax tree of a scalar; None after a finding. The schema reports fractions."""
        if not node.style and isinstance(node.value, float):
            self.names.broken = True
            return None
        try:
            if node.style != ">":
                return parse(node.text)
            hint = say("Write it on one line, or name parts of it under `values:`.")
            self.report("folded-expression", say("An expression cannot be a folded block (`>`)."), node, hint)
        except parser.ExpressionError as error:
            self.report("bad-expression", error.message, node.value_span(error.start, error.end), error.hint)
        self.names.broken = True
        return None

    def _inference(self, node: Scalar, locals_: Locals) -> Inference:
        def report(name: str, message: Message, start: int, end: int, hint: Message) -> None:
            self.report(name, message, node.value_span(start, end), hint)

        return Inference(self.names, locals_, report, facts=self.facts)

    def expr(self, node: Node | None, locals_: Locals, wanted: Type | None = None, target: str = "") -> t.TExpr:
        """A typed expression; `wanted` is the type it must have, that of the stored value `target` if it has a name."""
        return self._expr(
            scalar(node),
            locals_,
            lambda inference, tree: inference.fits(tree, wanted, target) if wanted else inference.typed(tree),
        )

    def number(self, node: Node | None, locals_: Locals, least: int | None = None) -> t.TExpr:
        """An expression for a number that is never below `least`."""
        found = self._expr(scalar(node), locals_, Inference.number)
        if least is not None and found is not FAILED and found.type.low < least:
            message = say("This can be {low}, but must be at least {least}.", low=found.type.low, least=least)
            self.report("out-of-range", message, scalar(node), say("Limit it: `max({least}, …)`.", least=least))
            return FAILED
        return found

    def _expr(self, node: Scalar, locals_: Locals, read: Reading, free: tuple[str, ...] | None = None) -> t.TExpr:
        parsed = self._parsed(node, parser.parse)
        inference = replace(self._inference(node, locals_), free=free)
        found = read(inference, parsed) if parsed is not None else None
        if found is not None and measure(found, self.names).fits:
            return found
        if found is not None and parsed is not None:
            over = excess(found, self.names)
            written = (part for part, _ in tree.walk(parsed) if _wrote(part, over.part))
            place = min(written, key=lambda part: part.start, default=parsed)
            whole = (place.start, place.end) == (parsed.start, parsed.end)
            part = short(node.text[place.start : place.end])
            more = say(".") if whole else say("; `{part}` alone has {taken:,}.", part=part, taken=over.taken)
            hint = say("Store a part of it with `set`, or use smaller domains.")
            self.report("too-costly", over.message + more, node.value_span(place.start, place.end), hint)
        self.names.broken = True
        return FAILED

    def fixed(self, node: Node | None, locals_: Locals, wanted: Type | None, free: tuple[str, ...] = ()) -> t.TExpr:
        """An expression that is constant for a game, for each value of the `free` names."""
        return self._expr(
            scalar(node), locals_, lambda i, tree: i.fits(tree, wanted) if wanted else i.number(tree), free
        )

    def condition(self, node: Node | None, locals_: Locals) -> t.TExpr | None:
        """A condition; None if the key is absent."""
        return self.expr(node, locals_, BOOL) if node is not None else None

    def zone(self, node: Node | None, locals_: Locals) -> t.ZoneRef:
        parsed = self._parsed(named(node), parser.parse)
        found = self._inference(scalar(node), locals_).zone(parsed) if parsed is not None else None
        self.names.broken |= found is None
        return found or NOWHERE

    def domain(self, node: Node | None, locals_: Locals) -> t.Domain | None:
        """The domain of a variable; None after a finding."""
        parsed = self._parsed(named(node), parser.parse_domain)
        found = self._inference(scalar(node), locals_).domain(parsed) if parsed is not None else None
        self.names.broken |= found is None
        return found

    def amounts(self, node: Scalar, locals_: Locals) -> tuple[t.TExpr, t.TExpr] | None:
        """The bounds of a number: of `low..high`, or twice the same expression. None after a finding."""
        parsed = self._parsed(node, parser.parse_domain)
        inference = self._inference(node, locals_)
        if isinstance(parsed, tree.RingExpr):
            self.report(
                "wrong-from", say("A number takes no `from`."), node, say("Write a number or a range, such as `0..3`.")
            )
        elif isinstance(parsed, tree.RangeExpr):
            if (ends := inference.ends(parsed)) is not None:
                return ends
        elif parsed is not None and (number := inference.number(parsed)) is not None:
            return number, number
        self.names.broken = True
        return None

    def stored(self, node: Node | None, locals_: Locals) -> t.Value:
        """A stored value, as the target of an assignment."""
        found = self.expr(node, locals_)
        if found is FAILED:
            return NO_VALUE
        if not isinstance(found, t.Value):
            zone = isinstance(found, t.TopCard)
            hint = say("Move cards with `move`.") if zone else say("Declare it under `values:`.")
            self.report("not-a-value", say("Only a stored value can be set."), scalar(node), hint)
            return NO_VALUE
        shape = self.names.values[found.name]
        if any(one.type.optional for one in found.arguments):
            message = say("The square may be absent, and then there is no `{found}` to set.", found=found.name)
            self.report(
                "may-be-absent", message, scalar(node), say("Put the step under an `if:` that it is not `none`.")
            )
            return NO_VALUE
        if shape is not None and shape.stock:
            message = say("`{found}` holds tokens and cannot be set.", found=found.name)
            self.report("not-a-value", message, scalar(node), say("Move tokens with `transfer`."))
            return NO_VALUE
        if shape is not None and shape.derived:
            message = say("`{found}` is a derived value and cannot be set.", found=found.name)
            self.report("not-a-value", message, scalar(node), say("Set the values it depends on."))
            return NO_VALUE
        # With its declared type: facts narrow what it holds now, not what it may be set to.
        return replace(found, type=shape.type) if shape is not None and shape.type is not None else found

    def place(self, node: Node | None, locals_: Locals) -> t.Value:
        """A place of tokens, without the index for their kind."""
        written = scalar(node)
        parsed = self._parsed(written, parser.parse)
        base, given = (parsed.base, parsed.arguments) if isinstance(parsed, tree.Index) else (parsed, ())
        name = base.name if isinstance(base, tree.Name) else written.text
        shape = self._shape_of_place(name, written) if parsed is not None else None
        if parsed is None or shape is None or shape.type is None:
            self.names.broken = True
            return NO_VALUE
        indices = shape.index if self.names.stocks[shape.stock] is None else shape.index[:-1]
        wanted = tuple(index.type for index in indices)
        typed = self._inference(written, locals_).arguments(parsed, name, given, wanted)
        self.names.broken |= typed is None
        return t.Value(shape.type, name, typed) if typed is not None else NO_VALUE

    def _shape_of_place(self, name: str, written: Scalar) -> ValueShape | None:
        """The shape of a place of tokens; None for a broken one, and after a finding."""
        known = {place: shape for place, shape in self.names.values.items() if shape is None or shape.stock}
        if name not in known and not self.names.incomplete:
            hint = suggest(name, known) or say("Declare it under `places:` of a stock.")
            self.report("unknown-name", say("There is no place `{name}` for tokens.", name=name), written, hint)
        return known.get(name)

    # types

    def type(self, node: Node | None) -> Type | None:
        """A type as it is written: `1..6`, `bool`, `player` or an enum, with `?` if it may be absent."""
        written = named(node).text
        core = written.removesuffix("?")
        found = self._core_type(core, scalar(node))
        self.names.broken |= found is None
        return found.maybe() if found and written.endswith("?") else found

    def _core_type(self, core: str, node: Scalar) -> Type | None:
        if match := _RANGE.fullmatch(core):
            low, high = int(match[1]), int(match[2])
            if low > high:
                self.report(
                    "empty-range",
                    say("The range {range} is empty.", range=core),
                    node,
                    say("Write the smaller number first."),
                )
            return integer(low, high) if low <= high else None
        if core in ("bool", "player"):
            return BOOL if core == "bool" else PLAYER
        if core in self.names.enums:
            return enum(core) if self.names.domain(core) else None
        if found := impostor_in(node):
            self.findings.append(found)
        elif not self.names.incomplete:
            known = suggest(core, [*self.names.enums, "player", "bool"])
            hint = known or _KINDS_OF_TYPE.get(core, say("Write a range such as `1..6`, `bool`, `player` or an enum."))
            if re.fullmatch(r"\d+ *- *\d+", as_meant(core)):
                hint = say("Write `{better}`.", better=re.sub(" *- *", "..", as_meant(core)))
            self.report("unknown-type", say("There is no type `{core}`.", core=core), node, hint)
        return None
