"""The expectations of a case: every entry becomes a claim that a state meets or fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulespec.diagnostics import Span
from rulespec.document import Mapping, Node, Scalar, Sequence
from rulespec.engine.knowledge import Knowledge
from rulespec.engine.state import State
from rulespec.model.types import Type
from rulespec.scenario.vocabulary import Misfit, Read, Vocabulary, either, items, scalar, whole


@dataclass(frozen=True)
class Claim:
    """An expectation. `fails` returns the sentence "Expected … but …", or an empty text if the claim holds."""

    span: Span
    fails: Callable[[State], str]


Claims = Iterator[Claim]


def claims(vocabulary: Vocabulary, node: Mapping) -> Iterator[Claim | Misfit]:
    """The claims of an `expect:` mapping, and the misfits of entries that do not fit the game."""
    for key, value in node.entries:
        entries = value.entries if key.text in _BY_ENTRY and isinstance(value, Mapping) else ((key, value),)
        for name, content in entries:
            try:
                yield from _KINDS[key.text](vocabulary, name, content)
            except Misfit as misfit:
                yield misfit


def place(key: Scalar, value: Node) -> Span:
    """The span to report for an entry: its value if that is a scalar, else its key."""
    return value.span if isinstance(value, Scalar) else key.span


# the open decision


def _decides(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    nobody = isinstance(node, Scalar) and node.text == "nobody"
    wanted = [] if nobody else sorted(vocabulary.player(item) for item in items(node))

    def fails(state: State) -> str:
        asked = state.deciders()
        return "" if asked == wanted else f"Expected {_players(wanted)} to decide, but it is {deciding(state)}."

    yield Claim(place(key, node), fails)


def deciding(state: State) -> str:
    """The players to decide, in words."""
    return "nobody (the game is over)" if state.is_terminal() else _players(state.deciders())


def said(state: State, player: int) -> list[str]:
    """The legal actions of a player, in words."""
    return [state.action_to_string(player, action) for action in state.legal_actions(player)]


def _choices(state: State) -> list[list[str]]:
    """The legal actions of every player to decide, in words."""
    return [said(state, player) for player in state.deciders()] or [[]]


def _legal(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    if isinstance(node, Sequence):
        exact = [vocabulary.action(item) for item in items(node)]
        yield Claim(key.span, lambda state: next(filter(None, (_exactly(exact, c) for c in _choices(state))), ""))
        return
    assert isinstance(node, Mapping)
    for name, listed in node.entries:
        if name.text == "size":
            yield Claim(listed.span, _sized(whole(listed), "choices", lambda state: len(_choices(state)[0])))
            continue
        for item in items(listed):
            yield Claim(item.span, _legality(vocabulary.action(item), name.text == "includes"))


def _exactly(wanted: list[str], found: list[str]) -> str:
    missing, extra = [w for w in wanted if w not in found], [f for f in found if f not in wanted]
    parts = [f"{either(missing, 'and')} {_are(missing)} missing"] * bool(missing)
    parts += [f"{either(extra, 'and')} {_are(extra)} legal too"] * bool(extra)
    return f"Expected exactly these legal actions, but {' and '.join(parts)}." if parts else ""


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _legality(action: str, wanted: bool) -> Callable[[State], str]:
    def fails(state: State) -> str:
        if all((action in choices) == wanted for choices in _choices(state)):
            return ""
        return f"Expected `{action}` {'' if wanted else 'not '}to be legal, but it is{'' if not wanted else ' not'}."

    return fails


def _value(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    read, type_ = vocabulary.reader(key)
    yield Claim(node.span, _holds(vocabulary, key.text, read, type_, vocabulary.content(scalar(node), type_)))


def _holds(vocabulary: Vocabulary, name: str, read: Read, type_: Type, wanted: int) -> Callable[[State], str]:
    def fails(state: State) -> str:
        found = read(state)
        both = f"{vocabulary.word(wanted, type_)}, but it is {vocabulary.word(found, type_)}"
        return "" if found == wanted else f"Expected `{name}` to be {both}."

    return fails


# cards

Content = Callable[[State], Counter[int]]


def _zone(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    zone, faces = vocabulary.zone(key), vocabulary.program.faces

    def content(state: State) -> Counter[int]:
        return Counter(faces[card] for card in state.z[zone])

    yield from _cards(vocabulary, key, node, f"in `{key.text}`", content)


def _known(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    player = vocabulary.player(key)
    assert isinstance(node, Mapping)
    for name, content in node.entries:
        zone = vocabulary.zone(name)
        where = f"known to {key.text} in `{name.text}`"
        yield from _cards(vocabulary, name, content, where, _knowledge(player, zone))


def _cards(vocabulary: Vocabulary, key: Scalar, node: Node, where: str, content: Content) -> Claims:
    if isinstance(node, Sequence):
        exact = vocabulary.faces(node)
        yield Claim(key.span, lambda state: _same(vocabulary, where, exact, content(state)))
        return
    assert isinstance(node, Mapping)
    for name, wanted in node.entries:
        if name.text == "size":
            size = whole(wanted)
            yield Claim(wanted.span, _sized(size, f"cards {where}", lambda state: content(state).total()))
        else:
            yield Claim(name.span, _some(vocabulary, vocabulary.faces(wanted), name.text == "includes", where, content))


def _same(vocabulary: Vocabulary, where: str, wanted: Counter[int], found: Counter[int]) -> str:
    return (
        ""
        if wanted == found
        else f"Expected {vocabulary.cards(wanted)} {where}, but there is {vocabulary.cards(found)}."
    )


def _sized(size: int, what: str, count: Read) -> Callable[[State], str]:
    def fails(state: State) -> str:
        found = count(state)
        return "" if found == size else f"Expected {size} {what}, but there are {found}."

    return fails


def _some(
    vocabulary: Vocabulary, faces: Counter[int], wanted: bool, where: str, content: Content
) -> Callable[[State], str]:
    def fails(state: State) -> str:
        there = content(state) & faces
        if (there == faces) if wanted else not there:
            return ""
        if wanted:
            return f"Expected {vocabulary.cards(faces)} {where}, but {vocabulary.cards(faces - there)} is missing."
        return f"Expected no {vocabulary.cards(faces)} {where}, but there is {vocabulary.cards(there)}."

    return fails


def _knowledge(player: int, zone: int) -> Content:
    def known(state: State) -> Counter[int]:
        knowledge = Knowledge(state.game, player, state.position)
        for event in state.events or ():
            knowledge.take(event)
        knowledge.look()
        faces = state.game.program.faces
        return Counter(faces[card] for card in state.z[zone]) if knowledge.visible[zone] else knowledge.known(zone)

    return known


# rules and results


def _fires(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    for item in items(node):
        yield Claim(item.span, _fired(vocabulary.rule(item), key.text == "fires"))


def _fired(rule: str, wanted: bool) -> Callable[[State], str]:
    def fails(state: State) -> str:
        if (rule in state.fired()) == wanted:
            return ""
        return f"Expected the rule `{rule}` {'' if wanted else 'not '}to apply, but it did{' not' if wanted else ''}."

    return fails


def _score(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    yield Claim(node.span, _result("points", State.scores, vocabulary.player(key), whole(node)))


def _rank(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    yield Claim(node.span, _result("place", State.ranking, vocabulary.player(key), whole(node)))


def _returns(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    yield Claim(node.span, _result("returns", State.returns, vocabulary.player(key), whole(node)))


def _result(
    what: str, read: Callable[[State], list[int] | list[float]], player: int, wanted: int
) -> Callable[[State], str]:
    def fails(state: State) -> str:
        if not state.is_terminal():
            return _not_over(f"{what} {wanted} for player {player + 1}", state)
        found = read(state)[player]
        return "" if found == wanted else f"Expected {what} {wanted} for player {player + 1}, but it is {found:g}."

    return fails


def _not_over(wanted: str, state: State) -> str:
    return f"Expected {wanted} at the end, but the game is not over: {deciding(state)} must decide."


def _winner(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    wanted = sorted(vocabulary.player(item) for item in items(node))
    names = _players(wanted)

    def fails(state: State) -> str:
        if not state.is_terminal():
            return _not_over(f"{names} to win", state)
        found = [player for player, rank in enumerate(state.ranking()) if rank == 1]
        return "" if found == wanted else f"Expected {names} to win, but {_players(found)} won."

    yield Claim(place(key, node), fails)


def _players(seats: list[int]) -> str:
    return " and ".join(f"player {seat + 1}" for seat in seats) or "nobody"


def _says(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    for item in items(node):
        yield Claim(item.span, _explained(item.text))


def _explained(wanted: str) -> Callable[[State], str]:
    def fails(state: State) -> str:
        if not state.is_terminal():
            return _not_over("an explanation", state)
        lines = state.explain_result()
        if any(wanted in line for line in lines):
            return ""
        nearest = max(lines, key=lambda line: len(set(line.split()) & set(wanted.split())), default="nothing")
        return f"Expected `{wanted}` in the explanation of the result, but its closest line is `{nearest}`."

    return fails


_KINDS: dict[str, Callable[[Vocabulary, Scalar, Node], Claims]] = {
    "decides": _decides,
    "legal": _legal,
    "values": _value,
    "zones": _zone,
    "known": _known,
    "fires": _fires,
    "not_fires": _fires,
    "scores": _score,
    "ranking": _rank,
    "returns": _returns,
    "winner": _winner,
    "says": _says,
}
_BY_ENTRY = ("values", "zones", "known", "scores", "ranking", "returns")
"""The keys with a claim per entry."""
