"""What the readers of all steps share: spans, rules, bound names, and the texts of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, cast

from rulespec.base.diagnostics import Span, related
from rulespec.base.messages import Message, quoted, say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model import declarations as m
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.names import suggest
from rulespec.language.model.narrowing import Assumptions, Facts, after, lasting
from rulespec.language.model.narrowing import known as narrowed
from rulespec.language.model.nodes import Broken, entries, items, mapping, scalar, text
from rulespec.language.model.reader import Reader
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps.fields import is_flat
from rulespec.language.model.typed import Domain, Members, TExpr
from rulespec.language.model.types import BOOL, PLAYER, Type, integer

Signature = dict[str, Type | None]
Common = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Refusal:
    """A step that makes an option illegal if there are too few tokens: `holds` is the condition that there are enough,
    `facts` what follows from it, `reads` the amount and the indices of the places that it reads."""

    step: Step
    node: Node
    holds: TExpr
    facts: Facts
    reads: tuple[TExpr, ...]


@dataclass(frozen=True)
class Effects:
    """What an enum declares about the effects of its members: each moment with its place, and the parameters."""

    enum: str
    moments: Mapping[str, Node]
    given: Signature

    def procedure(self, moment: str) -> str:
        """The procedure with the effects of all members at a moment."""
        return f"{self.enum}.{moment}"


@dataclass
class Loop:
    """A `repeat` or an `each` around the step that is being read; `ends` says whether a step inside ends it."""

    rule: str
    repeats: bool
    ends: bool = False


_BESIDE = ("note", "do")
"""The steps that may stand next to another one."""

MOST_STEPS = 20_000
"""Steps of a game, at most, with procedures and secret choices inlined: the largest
shipped game has 604."""

MOST_WEIGHT = 1000
"""The weight of an action, at most: bots add up those of all actions of a choice."""


class StepReader:
    """Reads the steps of one spec by the table of operations.

    `procedures` maps each procedure to its parameters, and `effects` each enum with effects to what it declares about
    them; `builds_on` is the game that this one adds to, or empty. For each procedure (`""`: setup and play), `calls`
    lists the procedures it runs, with the place and the number of copies, and `counts` its own steps. `ending` are the
    procedures that end the play themselves, and `unended` the repeats that only a procedure may end, with the
    procedures that run inside.
    """

    def __init__(
        self,
        reader: Reader,
        procedures: Mapping[str, Signature | None],
        operations: Mapping[str, Any],
        builds_on: str = "",
        effects: Mapping[str, Effects] = MappingProxyType({}),
    ) -> None:
        self.reader, self.procedures, self.operations, self.builds_on = reader, procedures, operations, builds_on
        self.effects = effects
        self.rules: dict[str, m.Rule] = {}
        self.weights: dict[Step, TExpr] = {}
        self.calls: dict[str, list[tuple[str, Scalar, int]]] = {"": []}
        self.counts: dict[str, int] = {}
        self.assumed = Assumptions()
        self.ending: set[str] = set()
        self.unended: list[tuple[Node, list[str]]] = []
        self.refusals: list[Refusal] = []
        self._ids: dict[str, Span] = {}
        self._inside = ""
        self._loops: list[Loop] = []
        self.invariants: list[m.Invariant] = []
        self._times = 1
        self.in_secret = False
        self._clashes: set[str] = set()

    def procedure(self, name: str, node: Node | None, parameters: Signature) -> Body:
        """The body of a procedure."""
        with self.inside_procedure(name):
            return self.body(node, parameters)

    @contextmanager
    def inside_procedure(self, name: str) -> Iterator[None]:
        """Reads the steps of a procedure. Its calls are recorded to find recursion."""
        self._inside = name
        self.calls[name] = []
        yield
        self._inside = ""

    @property
    def called(self) -> list[tuple[str, Scalar, int]]:
        """The calls of the procedure that is being read."""
        return self.calls[self._inside]

    def call(self, name: str, node: Scalar) -> None:
        self.called.append((name, node, self._times))

    def body(self, node: Node | None, scope: Locals) -> Body:
        """A list of steps, or a single step. Broken steps, which the schema reports, are left out."""
        steps: list[Step] = []
        before = self.reader.facts
        for item in items(node):
            step = self.reader.attempt(self._step, item, scope)
            steps += [step] if step is not None else []
            self.reader.facts = after(self.reader.facts, [step], self.reader.names) if step is not None else {}
            if step is not None and self.reader.facts:
                self.assumed.add_inside(step, self.reader.facts)
        self.reader.facts = before
        return tuple(steps)

    def _step(self, item: Node, scope: Locals) -> Step:
        node = mapping(item)
        common = self.common(node, scope)
        before = self.counts.get(self._inside, 0)
        self.counts[self._inside] = before + self._times
        if before <= MOST_STEPS < before + self._times:
            message, hint = (
                say("With this step the game has more than {most_steps:,} steps.", most_steps=MOST_STEPS),
                say("Use repeats and procedures."),
            )
            if self.in_secret:
                message = say(
                    "With this step the game has more than {most_steps:,} steps, "
                    "with one copy for each player who chooses.",
                    most_steps=MOST_STEPS,
                )
                hint = say("Nest fewer secret choices.")
            self.reader.report("too-many-steps", message, node, hint)
        present = [construct for key, construct in self.operations.items() if node.get(key) is not None]
        if not present:
            raise Broken
        construct = next((one for one in present if one.key not in _BESIDE), present[-1])
        # A block or a loop comes back to its steps.
        facts = self.reader.facts if construct.once else lasting(self.reader.facts)
        with self.assuming(common, facts):
            read = getattr(construct, "read", None)
            inner = node if is_flat(construct) else mapping(node.get(construct.key))
            step: Step = (
                construct(**self.read(construct, inner, scope), **common)
                if read is None
                else (read(self, node, scope, common))
            )
            return step

    def read(self, construct: type[Step], node: MapNode, scope: Locals) -> dict[str, Any]:
        """The fields of a construct whose keys can read themselves, by name, in the order of the class."""
        keyed = {item.name: item.metadata["key"] for item in fields(construct) if "key" in item.metadata}
        return {name: key.read(self, node.get(key.name), scope) for name, key in keyed.items() if key.read is not None}

    @contextmanager
    def assuming(self, common: Common, facts: Facts) -> Iterator[None]:
        """Reads a step, an option or a row for which facts hold, and its own `only_if`."""
        known = narrowed(facts, common["only_if"]) if common["only_if"] is not None else facts
        if common["rule"]:
            self.assumed.add(common["rule"], known)
        with self.reader.given(known):
            yield

    def common(self, node: MapNode, scope: Locals) -> Common:
        """What every step has: its span, its rule id and its `only_if`."""
        only_if = self.reader.fixed(node.get("only_if"), scope, BOOL) if node.get("only_if") else None
        id_node = node.get("id")
        rule = text(id_node) if id_node is not None else ""
        if id_node is not None:
            self.rule(rule, id_node, node, rule, only_if)
        return {"span": node.span, "rule": rule, "only_if": only_if}

    def rule(self, id_: str, place: Node, node: MapNode, unnamed: str, only_if: TExpr | None = None) -> None:
        """Registers a rule: the title of its mapping, else its `says`, else it is called as given."""
        title, note, says = (text(node.get(key)) if node.get(key) else "" for key in ("title", "note", "says"))
        self.declare(id_, place, node.span)
        origin = self._origin(node.get("origin"))
        shown, says = (title, "") if title else (m.title_of(says) or unnamed, says)
        self.rules.setdefault(id_, m.Rule(id_, shown, note, node.span, only_if, origin, says=says))

    def _origin(self, node: Node | None) -> m.Origin:
        said = text(node) if node is not None else m.RULEBOOK
        if node is not None and said == "base_game" and not self.builds_on:
            hint = say("Add `builds_on` to `game`, with the title of that game.")
            self.reader.report("unknown-name", say("`base_game` is unknown: `game` has no `builds_on`."), node, hint)
        return cast(m.Origin, said)  # the schema admits no other

    def declare(self, id_: str, node: Node, span: Span) -> None:
        """Registers a public id. Every rule and invariant needs its own."""
        if id_ in self._ids:
            (path, first, _), (here, *_) = map(self.reader.source.located, (self._ids[id_], node.span))
            where = say("line {number}", number=first.line) if path == here else f"{path}:{first.line}"
            hint = say("Give each rule an id of its own.")
            first_place = related(say("The first `{name}`.", name=id_), self.reader.source, self._ids[id_])
            message = say("The id `{id}` is already used in {where}.", id=id_, where=where)
            self.reader.report("duplicate-id", message, node, hint, related=[first_place])
        self._ids.setdefault(id_, span)

    # loops

    @contextmanager
    def inside_loop(self, rule: str, repeats: bool = False) -> Iterator[Loop]:
        """Reads a loop that steps inside may end; `rule` is its id or empty."""
        self._loops.append(Loop(rule, repeats))
        try:
            yield self._loops[-1]
        finally:
            self._loops.pop()

    @contextmanager
    def inside_secret(self) -> Iterator[None]:
        """Reads a part that is inlined for every player. It may not leave a loop around it."""
        outside = self._loops, self._times, self.in_secret
        self._loops, self._times, self.in_secret = [], self._times * self.reader.names.most_players, True
        try:
            yield
        finally:
            self._loops, self._times, self.in_secret = outside

    def leave(self, node: Node) -> None:
        """Reads a step that ends the innermost repeat."""
        at = next((at for at, loop in enumerate(self._loops[::-1], 1) if loop.repeats), 0)
        if not at:
            hint = say(
                "Put a `repeat` around it in the same procedure. To leave an `each`, give it an `id` and name that."
            )
            self._nothing_to_leave(say("There is no repeat around this to leave."), node, hint)
        self._end(at)

    def leave_named(self, node: Scalar) -> None:
        """Reads a step that ends the loop with an id."""
        around = {loop.rule: at for at, loop in reversed(list(enumerate(self._loops[::-1], 1)))}
        if not node.text or node.text not in around:
            named = say(
                "Write `leave: repeat`, or the `id` of a `repeat` or `each` around this step in the same procedure."
            )
            hint = suggest(node.text, filter(None, around)) or named
            if node.text in ("game", "play"):
                hint = say("To go on with the final ranking, write `end: play`.")
            self._nothing_to_leave(say("There is no loop `{loop}` around this to leave.", loop=node.text), node, hint)
        self._end(around.get(node.text, len(self._loops)))  # an unknown one may have been meant for any of them

    def _nothing_to_leave(self, message: Message, node: Node, hint: Message) -> None:
        if self.in_secret:
            message = say(
                "A secret choice cannot leave the loop around it, because the other choices still take effect."
            )
            hint = say("Put the `leave` under `then:`.")
        self.reader.report("nothing-to-leave", message, node, hint)

    def end(self) -> None:
        """Reads a step that ends the play, and so every loop around it."""
        self.ending.add(self._inside)
        self._end(len(self._loops))

    def _end(self, most: int) -> None:
        """Marks the innermost loops, `most` of them, as ended."""
        for loop in self._loops[len(self._loops) - most :]:
            loop.ends = True

    # names

    def binding(self, node: Node | None, scope: Locals) -> tuple[str, Domain | None, Locals]:
        """Reads `{name: domain}`: the name, the domain, and the scope with the name."""
        pairs = list(entries(node))
        if len(pairs) != 1:
            raise Broken
        key, value = pairs[0]
        if key.text == "player" != text(value):
            hint = say("Write the name before the domain: `{{{value}: player}}`.", value=text(value))
            self.reader.refuse("name-taken", say("`player` is already a word of the language."), key, hint)
        domain = self.reader.domain(value, scope)
        return key.text, domain, self.bind(key, value, domain, scope)

    def bind(self, key: Scalar, value: Node, domain: Domain | None, scope: Locals) -> Locals:
        """The scope with one more variable. If its name is taken, it has no type, so its uses are not reported."""
        free = self.reader.local(key, scope, value.text if isinstance(value, Scalar) else "")
        return {**scope, key.text: domain.type if domain is not None and free else None}

    def give(self, scope: Locals, place: Node, names: Mapping[str, Type | None]) -> Locals:
        """The scope with the names that an auction binds; each must be free."""
        names_ = self.reader.names
        inner = dict(scope)
        for name, type_ in names.items():
            taken = say("a variable") if name in scope else names_.meaning(name)
            if taken and name not in self._clashes:
                self._clashes.add(name)
                message = say(
                    "An auction binds the name `{name}`, but `{name}` is already {what}.", name=name, what=taken
                )
                self.reader.report("name-taken", message, place, say("Rename the other one."))
            inner[name] = None if taken else type_
        return inner

    # choices

    def require(self, refusal: Refusal, rule: str, body: Body) -> None:
        """Keeps what an option with a step that can make it illegal, and the steps up to it, rely on, if a position
        begins there."""
        if rule:
            self.assumed.add(rule, refusal.facts)
        for step in body[: body.index(refusal.step) + 1]:
            self.assumed.add_inside(step, refusal.facts)

    def weigh(self, option: Step, weight: TExpr | None) -> None:
        """Keeps the weight of an option or a place, apart from it."""
        if weight is not None:
            self.weights[option] = weight

    def weight(self, node: Node | None, scope: Locals, condition: TExpr | None = None) -> TExpr | None:
        """The weight of the actions of an option, which are legal where it is read."""
        if node is None:
            return None
        with self.reader.given(narrowed(self.reader.facts, condition) if condition is not None else self.reader.facts):
            return self.reader.expr(node, scope, integer(0, MOST_WEIGHT))

    def says(self, node: MapNode, picked: list[str]) -> str:
        """The text of an option; every `{name}` in it must be picked."""
        if node.get("says") is None:
            return ""
        said = scalar(node.get("says"))
        at = said.text.find("{")
        while at >= 0:
            end = said.text.find("}", at)
            self._said(said, picked, at, end if end >= 0 else len(said.text))
            at = said.text.find("{", at + 1)
        return said.text

    def _said(self, said: Scalar, picked: list[str], at: int, end: int) -> None:
        name = said.text[at + 1 : end]
        if name not in picked or end == len(said.text):
            sayable = quoted([f"{{{n}}}" for n in picked]) or say("nothing, because nothing is picked")
            closed = said.text[at : end + 1]
            message = say(
                "`{closed}` is not picked by this option; `says` can name {sayable}.", closed=closed, sayable=sayable
            )
            hint = suggest(name, picked, "{{{}}}") or (
                say("Write `{{{picked}}}`.", picked=picked[0]) if len(picked) == 1 else say("Pick it under `pick:`.")
            )
            self.reader.report("unknown-name", message, said.value_span(at, end + 1), hint)


def signature(reader: Reader, node: Node) -> Signature:
    """The parameters that a declaration names, each with its type; None for a broken one."""
    found: Signature = {}
    for key, type_ in entries(mapping(node).get("with")):
        free = reader.local(key, found)
        found[key.text] = reader.type(type_) if free else None
    return found


def known(domain: Domain | None) -> Domain:
    """The domain, or a stand-in for one that failed."""
    return domain if domain is not None else Members(PLAYER)
