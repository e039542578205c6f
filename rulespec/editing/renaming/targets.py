"""The names of a spec that can be renamed, and where each is declared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulespec.base.diagnostics import Span
from rulespec.base.failure import Refusal
from rulespec.base.messages import Message, say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar, Sequence
from rulespec.language.model.enums import listed
from rulespec.language.model.names import suggest

NAME = re.compile(r"[a-z][a-z0-9_]*")
MEMBER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
RULE = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*")


_FREE = r"(?<!\w)(?<!(?<!\.)\.)"
"""Not in a word, and not behind a single dot: two dots are a range."""


@dataclass(frozen=True)
class Target:
    """A declared name: its kind, its owner (the enum, ruling or procedure that it is part of) and its place."""

    kind: str
    name: str
    span: Span
    owner: str = ""

    @property
    def full(self) -> str:
        """The name with its owner, as commands take it."""
        return f"{self.owner}.{self.name}" if self.owner else self.name

    @property
    def pattern(self) -> re.Pattern[str]:
        """What a reference to the name looks like; the first group is what stands before the name itself."""
        name = re.escape(self.name)
        if self.kind == "rule":
            return re.compile(rf"{_FREE}(){name}(?!\w|\.\w)")
        if self.kind in ("member", "answer"):
            return re.compile(rf"{_FREE}((?:{self.owner}\.)?){name}(?!\w)")
        return re.compile(rf"(?<!\w)(){name}(?!\w)" if self.kind == "field" else rf"{_FREE}(){name}(?!\w)")

    def wanted(self, new: str) -> str:
        """The new name without the owner, which may be written before it. Raises Refusal for a name that is none."""
        plain = new.removeprefix(f"{self.owner}.") if self.owner else new
        form = RULE if self.kind == "rule" else NAME
        form = MEMBER if self.kind in ("member", "answer") else form
        if plain == self.name:
            raise Refusal(say("`{full}` is already called `{plain}`.", full=self.full, plain=plain))
        if not form.fullmatch(plain):
            raise Refusal(
                say("`{new}` is no name of {kind_with_article}.", new=new, kind_with_article=self.kind_with_article),
                say("Use the letters a to z, digits and `_`."),
            )
        return plain

    @property
    def kind_in_words(self) -> Message:
        return _KINDS[self.kind][0]

    @property
    def kind_with_article(self) -> Message:
        return _KINDS[self.kind][1]


_KINDS = {
    "enum": (say("enum"), say("an enum")),
    "table": (say("table"), say("a table")),
    "zone": (say("zone"), say("a zone")),
    "value": (say("value"), say("a value")),
    "ruling": (say("ruling"), say("a ruling")),
    "procedure": (say("procedure"), say("a procedure")),
    "field": (say("field"), say("a field")),
    "member": (say("member"), say("a member")),
    "answer": (say("answer"), say("an answer")),
    "parameter": (say("parameter"), say("a parameter")),
    "rule": (say("rule"), say("a rule")),
}
"""What a name can be the name of: without an article, and with one."""


def targets(root: Node) -> Iterator[Target]:
    """All names of a spec that can be renamed."""
    for kind in ("enum", "table", "zone", "value", "ruling", "procedure"):
        for key, _ in _entries(_at(root, f"{kind}s")):
            yield Target(kind, key.text, key.span)
    for _, stock in _entries(_at(root, "stocks")):
        yield from (Target("value", key.text, key.span) for key, _ in _entries(_at(stock, "places")))
    for key, _ in _entries(_at(root, "cards", "fields")):
        yield Target("field", key.text, key.span)
    for enum, node in _entries(_at(root, "enums")):
        yield from _listed("member", enum.text, listed(node))
    for ruling, node in _entries(_at(root, "rulings")):
        yield from _listed("answer", ruling.text, _at(node, "answer"))
        yield from _listed("answer", ruling.text, _at(node, "or"))
    for procedure, node in _entries(_at(root, "procedures")):
        for key, _ in _entries(_at(node, "with")):
            yield Target("parameter", key.text, key.span, procedure.text)
    for section in ("cards", "setup", "play", "procedures"):
        yield from _rules(_at(root, section))
    for _, effect in _effects(root):
        yield from _rules(effect)


def rules_of_members(root: Node) -> Iterator[Target]:
    """The rules that the effects of members are, each at its member. They cannot be renamed: their names are those of
    the members."""
    for target, effect in _effects(root):
        moments = [value for _, value in _entries(effect)] or [effect]
        if not all(isinstance(one, Scalar) for one in moments):
            yield target


def _effects(root: Node) -> Iterator[tuple[Target, Node]]:
    """The effects of members, each with its rule."""
    for enum, node in _entries(_at(root, "enums")):
        for key, member in _entries(_at(node, "members")) if _at(node, "effect") is not None else ():
            if (effect := _at(member, "effect")) is not None:
                yield Target("rule", f"{enum.text}.{key.text}", inner_span(key)), effect


def _listed(kind: str, owner: str, node: Node | None) -> Iterator[Target]:
    """The names in a list, or of a mapping; those of a range of letters are not written one by one."""
    keys = (key for key, _ in _entries(node)) if isinstance(node, MapNode) else iter([node])
    for item in node.items if isinstance(node, Sequence) else keys:
        if isinstance(item, Scalar) and MEMBER.fullmatch(item.text):
            yield Target(kind, item.text, inner_span(item), owner)


def _rules(node: Node | None) -> Iterator[Target]:
    """The ids of rules in a part of a spec, in its order."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Sequence):
            waiting += reversed(one.items)
        elif isinstance(one, MapNode):
            id_ = one.get("id")
            if isinstance(id_, Scalar):
                yield Target("rule", id_.text, inner_span(id_))
            waiting += reversed([value for _, value in one.entries])


def inner_span(node: Scalar) -> Span:
    """The span of a scalar without its quotes."""
    return Span(node.offset(0), node.offset(len(node.text))) if node.style else node.span


def _at(node: Node | None, *keys: str) -> Node | None:
    for key in keys:
        node = node.get(key) if isinstance(node, MapNode) else None
    return node


def _entries(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    yield from node.entries if isinstance(node, MapNode) else ()


def candidates(root: Node, name: str, kind: str = "") -> Target:
    """The declared name that a command means: a name, one with its owner, or that of a member alone.

    Raises Refusal if there is none, or several.
    """
    known = [one for one in targets(root) if not kind or one.kind == kind]
    found = [one for one in known if one.full == name] or [one for one in known if one.owner and one.name == name]
    if len(found) == 1:
        return found[0]
    if found:
        listed = [say("{kind} `{name}`", kind=one.kind_with_article, name=one.full) for one in found]
        raise Refusal(
            say("`{name}` means several things: {listed}.", name=name, listed=listed),
            say("Write it in full, or add --kind."),
        )
    kinds = _KINDS[kind][0] if kind else say("name")
    raise Refusal(say("There is no {kind} `{name}` that can be renamed.", kind=kinds, name=name), _near(name, known))


_SHARED = ("enum", "table", "zone", "value", "ruling")
"""The kinds whose names must differ from each other: an expression may use any of them."""


def refuse_taken(root: Node, target: Target, new: str) -> None:
    """Raises Refusal if another name of the same space is the new one."""
    for one in targets(root):
        shared = one.kind in _SHARED and target.kind in _SHARED
        if one.name == new and (shared or (one.kind, one.owner) == (target.kind, target.owner)):
            raise Refusal(
                say(
                    "`{full}` cannot be called `{new}`: that is already {kind_with_article}.",
                    full=target.full,
                    new=new,
                    kind_with_article=one.kind_with_article,
                )
            )


def _near(name: str, known: list[Target]) -> str:
    by: Mapping[str, Target] = {one.full: one for one in known}
    return suggest(name, by) or say("A member of an enum is written with it, as in `enum.member`.")
