"""What names, indices and fields refer to."""

from __future__ import annotations

from rulespec.base.messages import NOTHING, Message, all_of, quoted, say
from rulespec.language.expr import tree
from rulespec.language.model import typed as t
from rulespec.language.model.infer.advice import each, example
from rulespec.language.model.infer.base import A_ZONE, Base
from rulespec.language.model.names import suggest
from rulespec.language.model.types import ABSENT, BOOL, CARD, NONE, Type, describe, enum, integer

_TRUTH = {
    **dict.fromkeys(("no", "No", "off", "False"), say("Write `false`.")),
    **dict.fromkeys(("yes", "Yes", "on", "True"), say("Write `true`.")),
}
_NEW = say("Declare it under `values:`, or bind it with `each`, `pick` or `random` around this.")
_WORDS: dict[str, t.TExpr] = {"true": t.Const(BOOL, 1), "false": t.Const(BOOL, 0), "none": t.Const(ABSENT, NONE)}


class References(Base):
    def zone(self, node: tree.Expr, wanted: Message = A_ZONE) -> t.ZoneRef | None:
        base, arguments = (node.base, node.arguments) if isinstance(node, tree.Index) else (node, ())
        if not isinstance(base, tree.Name) or base.name in self.locals or base.name not in self.names.zones:
            self._no_zone(base, wanted)
            return None
        per = self.names.zones[base.name]
        if per is None or base.name in self.names.contested:
            return None
        indexed = self.arguments(node, base.name, arguments, per)
        return t.ZoneRef(base.name, indexed) if indexed is not None else None

    def _no_zone(self, node: tree.Expr, wanted: str) -> None:
        if not isinstance(node, tree.Name):
            self.fail("type-mismatch", say("Here, {wanted} is needed.", wanted=wanted), node)
        elif node.name in self.locals:
            if (known := self.locals[node.name]) is not None:
                self.fail(
                    "type-mismatch",
                    say("This is {type}, but {wanted} is needed.", type=describe(known), wanted=wanted),
                    node,
                )
        elif what := self.names.meaning(node.name):
            if node.name not in self.names.contested:
                hint = say("Write `player` for all players.") if node.name == "players" else NOTHING
                self.fail(
                    "type-mismatch",
                    say("`{node}` is {what}, but {wanted} is needed.", node=node.name, what=what, wanted=wanted),
                    node,
                    hint,
                )
        elif not self.names.incomplete:
            hint = suggest(node.name, [*self.names.zones, *self.names.enums, "player"])
            hint = hint or (say("Declare it under `zones:`.") if wanted == A_ZONE else NOTHING)
            self.fail(
                "unknown-name",
                say("There is no `{node}`; {wanted} is needed here.", node=node.name, wanted=wanted),
                node,
                hint,
            )

    def name(self, node: tree.Name, expected: Type | None) -> t.TExpr | None:
        name, names = node.name, self.names
        if name in self.locals:
            type_ = self.locals[name]
            return t.Local(type_, name) if type_ else None
        if name in _WORDS or name in names.contested:
            return _WORDS.get(name)
        if name == "players":
            return t.Players(integer(names.players[0], names.players[-1])) if names.players else None
        if name in names.values:
            return self._value(node, name, ())
        if name in names.rulings:
            return t.Ruling(enum(f"ruling:{name}"), name) if names.rulings[name] else None
        if name in names.zones:
            return self._top(node)
        return self._member(node, expected)

    def _top(self, node: tree.Expr) -> t.TExpr | None:
        zone = self.zone(node)
        return t.TopCard(CARD.maybe(), zone) if zone else None

    def _member(self, node: tree.Name, expected: Type | None) -> t.TExpr | None:
        found = self.names.members_named(node.name)
        wanted = expected if expected is not None and expected.kind == "enum" else None
        fitting = [(kind, i) for kind, i in found if wanted is None or kind.name == wanted.name]
        if len(fitting) == 1:
            return t.Const(*fitting[0])
        if fitting and expected is not None and expected.kind != "enum":
            message = say(
                "`{node}` is a member of an enum, but {expected} is needed.",
                node=node.name,
                expected=describe(expected),
            )
            self.fail("type-mismatch", message, node)
        elif fitting:
            owners = all_of(quoted([kind.name.removeprefix("ruling:") for kind, _ in fitting]))
            message = say("`{node}` is ambiguous: it is a member of {owners}.", node=node.name, owners=owners)
            hint = say("Compare it with a value of one of them, or rename one `{node}`.", node=node.name)
            self.fail("unclear-name", message, node, hint)
        elif wanted is not None and (found or not self._elsewhere(node)):
            self._no_member(node, wanted)
        elif not self._elsewhere(node) and not self.names.incomplete:
            hint = _TRUTH.get(node.name) or suggest(node.name, self.names.everything(self.locals)) or _NEW
            self.fail("unknown-name", say("There is no `{node}` here.", node=node.name), node, hint)
        return None

    def _elsewhere(self, node: tree.Name) -> bool:
        """Whether the name is a table or a domain, which cannot stand alone; reports it."""
        if node.name in self.names.tables:
            if (table := self.names.tables[node.name]) is not None:
                self.shape(node, node.name, table[0])
            return True
        if self.names.is_domain(node.name):
            hint = say(
                "Name one, such as the variable of `each: {{{letter}: {node}}}`.", letter=node.name[0], node=node.name
            )
            self.fail(
                "type-mismatch",
                say("`{node}` means all of them, but a single one is needed.", node=node.name),
                node,
                hint,
            )
            return True
        return False

    def _no_member(self, node: tree.Name, wanted: Type) -> None:
        members = self.names.members_of(wanted)
        listed = quoted(members[:8]) + ["…"] * (len(members) > 8)
        hint = suggest(node.name, members) or suggest(node.name, self.names.everything(self.locals))
        hint = hint or say("Write another one, or add it to `{name}`.", name=wanted.name.removeprefix("ruling:"))
        if members and not (self.names.incomplete and not self.names.members_named(node.name)):
            self.fail(
                "unknown-name", say("`{node}` is not one of {listed}.", node=node.name, listed=listed), node, hint
            )

    def _value(self, node: tree.Node, name: str, arguments: tuple[tree.Expr, ...]) -> t.TExpr | None:
        shape = self.names.values[name]
        if shape is None:
            return None
        # Beyond the edge of a board, there is nothing: the value of an absent square is absent.
        wanted = (i.type.maybe() if i.type.name in self.names.boards else i.type for i in shape.index)
        typed = self.arguments(node, name, arguments, tuple(wanted))
        if typed is None or shape.type is None:
            return None
        return t.Value(shape.type.maybe() if any(one.type.optional for one in typed) else shape.type, name, typed)

    def arguments(
        self, node: tree.Node, name: str, given: tuple[tree.Expr, ...], wanted: tuple[Type, ...]
    ) -> tuple[t.TExpr, ...] | None:
        """The typed indices of `name`; None after a finding."""
        if len(given) != len(wanted):
            self.shape(node, name, wanted)
            return None
        typed = [self.fits(argument, type_) for argument, type_ in zip(given, wanted, strict=True)]
        return tuple(one for one in typed if one is not None) if None not in typed else None

    def shape(self, node: tree.Node, name: str, wanted: tuple[Type, ...]) -> None:
        if not wanted:
            self.fail(
                "wrong-index",
                say("`{name}` is a single value and takes no index.", name=name),
                node,
                say("Write `{better}`.", better=name),
            )
            return
        shown = example(name, wanted, self.locals, self.names)
        message = say("There is one `{name}` for each {wanted}, so it needs an index.", name=name, wanted=each(wanted))
        if isinstance(node, tree.Index):
            message = say("The indices of `{name}` must be {wanted}.", name=name, wanted=each(wanted))
        self.fail("wrong-index", message, node, say("Write `{better}`.", better=shown))

    def index(self, node: tree.Index, expected: Type | None) -> t.TExpr | None:
        if not isinstance(node.base, tree.Name):
            self.fail("wrong-index", say("Only a value, a table or a zone takes an index."), node.base)
            return None
        name, names = node.base.name, self.names
        if name in self.locals:
            self.fail(
                "wrong-index", say("`{name}` takes no index.", name=name), node, say("Write `{better}`.", better=name)
            )
        elif name in names.contested:
            return None
        elif name in names.values:
            return self._value(node, name, node.arguments)
        elif name in names.tables:
            declared = self.names.tables[name]
            if declared is None:
                return None
            by, result = declared
            typed = self.arguments(node, name, node.arguments, by)
            return t.Table(result, name, typed) if typed is not None else None
        elif name in names.zones:
            return self._top(node)
        elif names.meaning(name):
            self.fail(
                "wrong-index",
                say("`{name}` is {what} and takes no index.", name=name, what=names.meaning(name)),
                node,
            )
        else:
            # Called for its finding about an unknown name.
            self._member(node.base, None)
        return None
