"""Merges one overlay into the document of a spec, by id. What does not fit is a finding with both places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass

from rulespec.base.diagnostics import Finding, Related, related
from rulespec.base.messages import Message, say
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence, plain
from rulespec.language.model.names import suggest
from rulespec.language.model.renamed import NOUNS
from rulespec.language.overlay.file import ABOUT_ROW, LISTED, MANIFEST, RULES, WHOLE, Edit, Overlay, row_name
from rulespec.language.overlay.patch import absent, edited, patched
from rulespec.language.overlay.rules import Rewriter, rules_in

Merging = tuple[Mapping, list[Finding]]


def declared(root: Mapping, section: str) -> dict[str, Node]:
    """The things of a section of a spec, by name."""
    if section == RULES:
        return {id_: rule.node for id_, rule in rules_in(root).items()}
    if section == MANIFEST:
        return {row_name(row): row for row in _items(_cards(root).get(MANIFEST)) if isinstance(row, Mapping)}
    if section in WHOLE:
        return {section: node} if (node := root.get(section)) is not None else {}
    node = root.get(section)
    if section in LISTED:
        return {id_.text: item for item in _items(node) if isinstance(id_ := _get(item, "id"), Scalar)}
    return dict(node.items()) if isinstance(node, Mapping) else {}


def merged(root: Mapping, overlay: Overlay) -> Merging:
    """The document with the edits of an overlay, and the edits that do not fit it."""
    found = [*_twice(overlay.edits), *_misfits(root, overlay.edits)]
    # By identity: two edits of an overlay may be equal, and only the second one is refused.
    fitting = [edit for edit in overlay.edits if not any(edit is one.edit for one in found)]
    rewriter = Rewriter.of(fitting)
    result = rewriter.root(root)
    found += _covered(root, [edit for edit in fitting if edit.section == RULES], rewriter.reached)
    for section in dict.fromkeys(edit.section for edit in fitting if edit.section != RULES):
        result = _SECTIONS.get(section, _with_names)(result, [edit for edit in fitting if edit.section == section])
    return _without_facts_of(_gone(root, result), result, fitting), [one.finding for one in found]


# --- edits that do not fit ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Misfit:
    """An edit that does not fit the spec, and the finding about it."""

    edit: Edit
    finding: Finding


def place(node: Node) -> str:
    """The place of a node, to be named in a message: its file and line."""
    path, start, _ = node.source.located(node.span)
    return f"{path}:{start.line}"


def beside(node: Node, label: Message) -> Related:
    """The other place of two that are about one thing."""
    return related(say("{label} stands here.", label=label), node.source, node.span)


def _twice(edits: Iterable[Edit]) -> Iterator[Misfit]:
    """Edits of a thing that another edit of the same overlay is about as well."""
    first: dict[tuple[str, str], Edit] = {}
    for edit in edits:
        # Insertions have no name: several may stand beside one rule.
        other = first.setdefault((edit.section, edit.name), edit) if edit.name else edit
        if other is not edit:
            message = say(
                "This overlay has two edits of {label}; the other is at {key}.", label=edit.label, key=place(other.key)
            )
            yield Misfit(edit, edit.report("overlay-clash", message, say("Join them under `change`.")))


def _misfits(root: Mapping, edits: Iterable[Edit]) -> Iterator[Misfit]:
    for edit in edits:
        there = declared(root, edit.section)
        if edit.beside is not None:
            yield from _without_place(root, edit, there)
        elif edit.verb == "add" and edit.name in there:
            node = there[edit.name]
            message = say("The game already has {label}, at {node}.", label=edit.label, node=place(node))
            hint = say("Write it under `change`, or give it another name.")
            yield Misfit(edit, edit.report("overlay-already-there", message, hint, [beside(node, edit.label)]))
        elif edit.verb != "add" and edit.name not in there:
            lacks = _LACKS.get(edit.section, say("The game has no {kind} {label}."))
            words = say(lacks, kind=_NOUNS.get(edit.section, ""), label=edit.label)
            near = suggest(edit.name, there) or say("Correct the name, or write it under `add`.")
            yield Misfit(edit, edit.report("overlay-unknown", words, near))
        elif edit.verb == "change" and edit.value is not None:
            yield from _without_effect(edit, there[edit.name], edit.value)


def _without_place(root: Mapping, edit: Edit, there: AbstractMapping[str, Node]) -> Iterator[Misfit]:
    assert edit.beside is not None
    name = edit.beside.text
    if name not in there:
        hint = suggest(name, there) or say("Name a rule of the game.")
        yield Misfit(edit, edit.report("overlay-unknown", say("The game has no rule `{name}`.", name=name), hint))
    elif not rules_in(root)[name].in_list:
        message = say(_NO_STEP[edit.side], name=name, there=place(there[name]))
        yield Misfit(edit, edit.report("overlay-no-place", message, say("Change the rule around it.")))


_NO_STEP = {
    "before": say("No step can stand before `{name}`, which is no item of a list ({there})."),
    "after": say("No step can stand after `{name}`, which is no item of a list ({there})."),
}


_NOUNS = {
    **{f"{kind}s": noun for kind, noun in NOUNS.items()},
    "stocks": say("stock"),
    "invariants": say("invariant"),
    "claims": say("claim"),
    "game": say("game"),
    "cards": say("card"),
}
"""What a thing of each section is called."""

_LACKS = {
    MANIFEST: say("The manifest does not have {label}."),
    "states": say("The game states no facts of {label}."),
}
"""What is said of a thing that a section lacks, where it has no name of its own."""


def _without_effect(edit: Edit, base: Node, value: Node) -> Iterator[Misfit]:
    """A change to what the spec says already, or the removal of a key that it does not have."""
    for key in absent(base, value):
        message = say("There is no `{key}` in {label}, at {base}.", label=edit.label, key=key.text, base=place(base))
        hint = suggest(key.text, [name for name, _ in base.items()] if isinstance(base, Mapping) else ())
        yield Misfit(edit, edit.report("overlay-unknown", message, hint))
        return
    if plain(patched(base, value)) == plain(base):
        message = say("This changes nothing: {label} is the same at {base}.", label=edit.label, base=place(base))
        yield Misfit(edit, edit.report("overlay-no-change", message, say("Delete it.")))


def _covered(root: Mapping, edits: Iterable[Edit], reached: list[Edit]) -> Iterator[Misfit]:
    """Edits of a rule inside another one that the overlay removes or writes anew."""
    by_name = {edit.name: edit for edit in reached if edit.name}
    for edit in edits:
        if not any(edit is one for one in reached):
            name = edit.beside.text if edit.beside is not None else edit.name
            outer = next(by_name[id_] for id_ in rules_in(root)[name].around if id_ in by_name)
            inside = (
                say("`{name}` is inside `{outer}`, which is removed at {place}.")
                if outer.verb == "remove"
                else say("`{name}` is inside `{outer}`, which is written anew at {place}.")
            )
            message = say(inside, name=name, outer=outer.name, place=place(outer.key))
            yield Misfit(edit, edit.report("overlay-clash", message, say("Make this edit there.")))


# --- sections -------------------------------------------------------------------------------------------------------


def _with_names(root: Mapping, edits: list[Edit]) -> Mapping:
    """The document with edits of a section that is a mapping of names."""
    section = edits[0].section
    node, by_name = root.get(section), {edit.name: edit for edit in edits}
    old = node.entries if isinstance(node, Mapping) else ()
    entries = [entry for key, value in old for entry in _entry(key, value, by_name.get(key.text))]
    for edit in edits:
        if edit.verb == "add" and isinstance(edit.key, Scalar) and edit.value is not None:
            entries.append((edit.key, edit.value))
    home = node if node is not None else edits[0].key
    return put(root, section, Mapping(home.span, tuple(entries), home.source))


def _entry(key: Scalar, value: Node, edit: Edit | None) -> Iterator[tuple[Scalar, Node]]:
    if edit is None:
        yield key, value
    elif edit.value is not None:
        yield edit.key if isinstance(edit.key, Scalar) else key, edited(value, edit.value)


def _with_items(root: Mapping, edits: list[Edit]) -> Mapping:
    """The document with edits of a section that is a list of statements with ids."""
    section = edits[0].section
    return put(root, section, _list(root.get(section), edits, lambda item: _text(_get(item, "id"))))


def _with_rows(root: Mapping, edits: list[Edit]) -> Mapping:
    """The document with edits of the manifest: what is changed about a row is what does not identify it."""
    about = [_about(edit) for edit in edits]
    rows = _list(_cards(root).get(MANIFEST), about, lambda row: row_name(row) if isinstance(row, Mapping) else "")
    return put_rows(root, rows)


def put_rows(root: Mapping, rows: Sequence) -> Mapping:
    """The document with other rows of the manifest."""
    return put(root, "cards", put(_cards(root), MANIFEST, rows))


def _about(edit: Edit) -> Edit:
    row = edit.value
    if edit.verb != "change" or not isinstance(row, Mapping):
        return edit
    entries = tuple((key, value) for key, value in row.entries if key.text in ABOUT_ROW)
    return Edit(edit.verb, edit.section, edit.name, edit.key, Mapping(row.span, entries, row.source))


def _list(node: Node | None, edits: list[Edit], name: Callable[[Node], str]) -> Sequence:
    by_name = {edit.name: edit for edit in edits if edit.verb != "add"}
    items = [kept for item in _items(node) for kept in _kept(item, by_name.get(name(item)))]
    items += [edit.value for edit in edits if edit.verb == "add" and edit.value is not None]
    home = node if node is not None else edits[0].key
    return Sequence(home.span, tuple(items), home.source)


def _kept(item: Node, edit: Edit | None) -> Iterator[Node]:
    if edit is None:
        yield item
    elif edit.verb == "change" and edit.value is not None:
        yield edited(item, edit.value)


def _whole(root: Mapping, edits: list[Edit]) -> Mapping:
    node, value = root.get(edits[0].section), edits[0].value
    return root if node is None or value is None else put(root, edits[0].section, patched(node, value))


_SECTIONS: AbstractMapping[str, Callable[[Mapping, list[Edit]], Mapping]] = {
    MANIFEST: _with_rows,
    **dict.fromkeys(WHOLE, _whole),
    **dict.fromkeys(LISTED, _with_items),
}
"""How edits of a section are applied; those of any other section by name."""


def _gone(old: Mapping, new: Mapping) -> set[str]:
    """The rules and rulings that an overlay removes, those inside removed rules included."""
    return {name for section in (RULES, "rulings") for name in declared(old, section).keys() - declared(new, section)}


def _without_facts_of(gone: set[str], root: Mapping, edits: Iterable[Edit]) -> Mapping:
    """The document without the facts that texts of removed rules had to state."""
    node = root.get("states")
    if not isinstance(node, Mapping):
        return root
    # What the overlay itself states of them stays, and is reported as facts of an unknown rule.
    own = {edit.name for edit in edits if edit.section == "states"}
    entries = tuple((key, value) for key, value in node.entries if key.text not in gone or key.text in own)
    return put(root, "states", Mapping(node.span, entries, node.source))


def put(node: Mapping, key: str, value: Node) -> Mapping:
    """The mapping with another value of a key, which is added if it is missing."""
    entries = tuple((k, value if k.text == key else v) for k, v in node.entries)
    if node.get(key) is None:
        entries = (*entries, (Scalar(value.span, key, key, "", value.source), value))
    return Mapping(node.span, entries, node.source)


def _cards(root: Mapping) -> Mapping:
    node = root.get("cards")
    return node if isinstance(node, Mapping) else Mapping(root.span, (), root.source)


def _items(node: Node | None) -> tuple[Node, ...]:
    return node.items if isinstance(node, Sequence) else (node,) if node is not None else ()


def _get(node: Node, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""
