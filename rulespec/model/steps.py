"""What all steps share: their place, their rule, the names they bind, and the words of a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rulespec.diagnostics import Span
from rulespec.document import Mapping as MapNode
from rulespec.document import Node, Scalar
from rulespec.model import spec as m
from rulespec.model.infer import Locals
from rulespec.model.names import suggest
from rulespec.model.nodes import Broken, entries, items, mapping, scalar, text
from rulespec.model.reader import Reader
from rulespec.model.typed import Domain, Members
from rulespec.model.types import BOOL, PLAYER, Type

Signature = dict[str, Type | None]
Common = dict[str, Any]
Parser = Callable[["StepReader", MapNode, Locals, Common], m.Step]


@dataclass(frozen=True)
class Operation:
    """One row of the table of steps: the key it is known by, the dataclass it becomes (inside a `Do`, for `set`), what
    reads it, and the keys of a step that go with it, some of them required."""

    key: str
    step: type[m.Step]
    read: Parser
    companions: tuple[str, ...] = ()
    required: tuple[str, ...] = ()


MOST_STEPS = 20_000
"""How many steps a game may have once its procedures, and secret choices for every player, are written out."""

MOST_ACTIONS = 20_000
"""How many actions one option may stand for."""


class StepReader:
    """Reads the steps of one spec by a table of operations.

    `procedures` maps each procedure to its parameters, None for a broken one. `calls` and `counts` hold what each
    procedure (`""`: setup and play) runs, where and how many times it is written out, and how many steps it has itself.
    """

    def __init__(
        self, reader: Reader, procedures: Mapping[str, Signature | None], operations: Mapping[str, Operation]
    ) -> None:
        self.reader, self.procedures, self.operations = reader, procedures, operations
        self.rules: dict[str, m.Rule] = {}
        self.calls: dict[str, list[tuple[str, Scalar, int]]] = {"": []}
        self.counts: dict[str, int] = {}
        self._ids: dict[str, Span] = {}
        self._inside = ""
        self._left: list[bool] = []
        self._times = 1
        self._in_secret = False
        self._clashes: set[str] = set()

    def procedure(self, name: str, node: Node | None, parameters: Signature) -> m.Body:
        """The body of a procedure; its calls are remembered to find recursion."""
        self._inside = name
        self.calls[name] = []
        body = self.body(node, parameters)
        self._inside = ""
        return body

    def call(self, name: str, node: Scalar) -> None:
        self.calls[self._inside].append((name, node, self._times))

    def body(self, node: Node | None, scope: Locals) -> m.Body:
        """A list of steps, or one step; broken steps are left out, the schema has named them."""
        steps = (self.reader.attempt(self._step, item, scope) for item in items(node))
        return tuple(step for step in steps if step is not None)

    def _step(self, item: Node, scope: Locals) -> m.Step:
        node = mapping(item)
        common = self.common(node, scope)
        self._written(node)
        row = next((row for row in self.operations.values() if node.get(row.key) is not None), None)
        if row is None:
            raise Broken
        return row.read(self, node, scope, common)

    def _written(self, node: MapNode) -> None:
        before = self.counts.get(self._inside, 0)
        self.counts[self._inside] = before + self._times
        if before <= MOST_STEPS < before + self._times:
            message, hint = f"with this step there are more than {MOST_STEPS:,} steps", "Use repeats and procedures."
            if self._in_secret:
                message += ", each written out for every player who chooses"
                hint = "Put fewer secret choices one inside the other."
            self.reader.say("too-many-steps", message, node, hint)

    def common(self, node: MapNode, scope: Locals) -> Common:
        """What every step has: its place, its rule id, and whether it is there at all."""
        only_if = self.reader.fixed(node.get("only_if"), scope, BOOL) if node.get("only_if") else None
        id_node = node.get("id")
        rule = text(id_node) if id_node is not None else ""
        if id_node is not None:
            title, note = (text(node.get(key)) if node.get(key) else "" for key in ("title", "note"))
            self.declare(rule, id_node, node.span)
            self.rules.setdefault(rule, m.Rule(rule, title or rule, note, node.span, only_if))
        return {"span": node.span, "rule": rule, "only_if": only_if}

    def declare(self, id_: str, node: Node, span: Span) -> None:
        """Takes a public id; every rule and invariant has its own."""
        if id_ in self._ids:
            line = self.reader.source.position(self._ids[id_].start).line
            hint = "Ids are public names: give each rule its own."
            self.reader.say("duplicate-id", f"the id `{id_}` is already used at line {line}", node, hint)
        self._ids.setdefault(id_, span)

    # repeats

    @contextmanager
    def inside_repeat(self) -> Iterator[list[bool]]:
        """What is read inside may leave this repeat; the list that comes out then ends with True."""
        self._left.append(False)
        left = self._left
        yield left
        self._left.pop()

    @contextmanager
    def inside_secret(self) -> Iterator[None]:
        """What is read inside is written out for every player; nobody may leave a repeat before all have acted."""
        outside = self._left, self._times, self._in_secret
        self._left, self._times, self._in_secret = [], self._times * self.reader.names.most_players, True
        yield
        self._left, self._times, self._in_secret = outside

    @property
    def in_repeat(self) -> bool:
        return bool(self._left)

    def leave(self, node: Node) -> None:
        if self._left:
            self._left[-1] = True
        elif self._in_secret:
            message = "who chooses in secret cannot leave the repeat around it, for the others' choices still count"
            self.reader.say("nothing-to-leave", message, node, "Leave it under `then:`.")
        else:
            hint = "Only a repeat in the same procedure can be left; an `each` goes through everything."
            self.reader.say("nothing-to-leave", "there is no repeat around this to leave", node, hint)

    # names

    def binding(self, node: Node | None, scope: Locals) -> tuple[str, Domain | None, Locals]:
        """`{name: domain}`: the name, the domain, and the scope with the name in it."""
        pairs = list(entries(node))
        if len(pairs) != 1:
            raise Broken
        key, value = pairs[0]
        if key.text == "player" != text(value):
            hint = f"Write the new name first: `{{{text(value)}: player}}`."
            self.reader.say("name-taken", "`player` is already a word of the language", key, hint)
            raise Broken
        domain = self.reader.domain(value, scope)
        return key.text, domain, self.bind(key, value, domain, scope)

    def bind(self, key: Scalar, value: Node, domain: Domain | None, scope: Locals) -> Locals:
        """The scope with one more variable; one whose name is taken is there without a type, and so silent."""
        free = self.reader.local(key, scope, text(value))
        return {**scope, key.text: domain.type if domain is not None and free else None}

    def give(self, scope: Locals, place: Node, what: str, names: Mapping[str, Type | None]) -> Locals:
        """The scope with the names a block gives; each must be free."""
        names_ = self.reader.names
        inner = dict(scope)
        for name, type_ in names.items():
            taken = "a variable" if name in scope else names_.meaning(name)
            if taken and name not in self._clashes:
                self._clashes.add(name)
                message = f"{what} gives the name `{name}`, but `{name}` is already {taken}"
                self.reader.say("name-taken", message, place, "Rename the other one.")
            inner[name] = None if taken else type_
        return inner

    # choices

    def option(self, node: MapNode, scope: Locals, given: tuple[str, ...] = ()) -> m.Option:
        """One kind of thing a player may do; every pick goes through its own domain, whatever the other picks are.

        `given` names are picked by the block around it. An action's number tells what was picked and nothing else, so
        only that can be said.
        """
        common = self.common(node, scope)
        picks: list[tuple[str, Domain]] = []
        inner, actions = scope, 1
        for key, value in entries(node.get("pick")):
            domain = self.reader.domain(value, scope)
            picks.append((key.text, known(domain)))
            inner = self.bind(key, value, domain, inner)
            actions *= max(1, self.reader.names.most(domain)) if domain else 1
        self._few(actions, node.get("pick") or node)
        condition = self.reader.condition(node.get("if"), inner)
        said, body = self.says(node, [*given, *(name for name, _ in picks)]), self.body(node.get("do"), inner)
        return m.Option(says=said, picks=tuple(picks), condition=condition, body=body, **common)

    def _few(self, actions: int, place: Node) -> None:
        if actions > MOST_ACTIONS:
            message = f"this stands for up to {actions:,} different actions, more than {MOST_ACTIONS:,}"
            self.reader.say("too-many-choices", message, place, "Let the player choose one thing after the other.")

    def says(self, node: MapNode, picked: list[str]) -> str:
        """The words of a choice; every `{name}` in them must be one that is picked."""
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
            sayable = ", ".join(f"`{{{n}}}`" for n in picked) or "only what is picked"
            closed = said.text[at : end + 1]
            message = f"`{closed}` cannot be said here; what can: {sayable}"
            self.reader.say("unknown-name", message, said.value_span(at, end + 1), suggest(name, picked))


def known(domain: Domain | None) -> Domain:
    """The domain, or a harmless one in place of one that failed."""
    return domain if domain is not None else Members(PLAYER)
