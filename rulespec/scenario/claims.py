"""What a case expects: every entry becomes a claim that holds of a state or says in what way it does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulespec.diagnostics import Span
from rulespec.document import Mapping, Node, Scalar, Sequence
from rulespec.engine.knowledge import Knowledge
from rulespec.engine.state import State
from rulespec.model.types import Type
from rulespec.scenario.words import Ask, Misfit, Words, either, items, scalar, whole


@dataclass(frozen=True)
class Claim:
    """`fails` gives the sentence "expected … but …", or nothing where the claim holds."""

    span: Span
    fails: Callable[[State], str]


Claims = Iterator[Claim]


def claims(words: Words, node: Mapping) -> Iterator[Claim | Misfit]:
    """The claims of an `expect:` mapping, and what in it means nothing in this game."""
    for key, value in node.entries:
        entries = value.entries if key.text in _BY_ENTRY and isinstance(value, Mapping) else ((key, value),)
        for name, content in entries:
            try:
                yield from _KINDS[key.text](words, name, content)
            except Misfit as misfit:
                yield misfit


def place(key: Scalar, value: Node) -> Span:
    """Where people look for an entry: at its value if that is a single one, else at its key."""
    return value.span if isinstance(value, Scalar) else key.span


# the state of play


def _decides(words: Words, key: Scalar, node: Node) -> Claims:
    nobody = isinstance(node, Scalar) and node.text == "nobody"
    wanted = [] if nobody else sorted(words.player(item) for item in items(node))

    def fails(state: State) -> str:
        asked = state.deciders()
        return "" if asked == wanted else f"Expected {_players(wanted)} to decide, but it is {deciding(state)}."

    yield Claim(place(key, node), fails)


def deciding(state: State) -> str:
    """Who decides, in words."""
    return "nobody (the game is over)" if state.is_terminal() else _players(state.deciders())


def said(state: State, player: int) -> list[str]:
    """What a player may choose, in words."""
    return [state.action_to_string(player, action) for action in state.legal_actions(player)]


def _choices(state: State) -> list[list[str]]:
    """What may be chosen, by everybody who decides now."""
    return [said(state, player) for player in state.deciders()] or [[]]


def _legal(words: Words, key: Scalar, node: Node) -> Claims:
    if isinstance(node, Sequence):
        exact = [words.action(item) for item in items(node)]
        yield Claim(key.span, lambda state: next(filter(None, (_exactly(exact, c) for c in _choices(state))), ""))
        return
    assert isinstance(node, Mapping)
    for name, listed in node.entries:
        if name.text == "size":
            yield Claim(listed.span, _sized(whole(listed), "choices", lambda state: len(_choices(state)[0])))
            continue
        for item in items(listed):
            yield Claim(item.span, _legality(words.action(item), name.text == "includes"))


def _exactly(wanted: list[str], found: list[str]) -> str:
    missing, extra = [w for w in wanted if w not in found], [f for f in found if f not in wanted]
    parts = [f"{either(missing, 'and')} may not be chosen"] * bool(missing)
    parts += [f"{either(extra, 'and')} may be chosen too"] * bool(extra)
    return f"Expected other choices, but {' and '.join(parts)}." if parts else ""


def _legality(action: str, wanted: bool) -> Callable[[State], str]:
    def fails(state: State) -> str:
        if all((action in choices) == wanted for choices in _choices(state)):
            return ""
        return f"Expected `{action}` {'' if wanted else 'not '}to be legal, but it is{'' if not wanted else ' not'}."

    return fails


def _value(words: Words, key: Scalar, node: Node) -> Claims:
    ask, type_ = words.asked(key)
    yield Claim(node.span, _holds(words, key.text, ask, type_, words.content(scalar(node), type_)))


def _holds(words: Words, name: str, ask: Ask, type_: Type, wanted: int) -> Callable[[State], str]:
    def fails(state: State) -> str:
        found = ask(state)
        both = f"{words.word(wanted, type_)}, but it is {words.word(found, type_)}"
        return "" if found == wanted else f"Expected `{name}` to be {both}."

    return fails


# cards

Content = Callable[[State], Counter[int]]


def _zone(words: Words, key: Scalar, node: Node) -> Claims:
    zone, faces = words.zone(key), words.program.faces

    def content(state: State) -> Counter[int]:
        return Counter(faces[card] for card in state.z[zone])

    yield from _cards(words, key, node, f"in `{key.text}`", content)


def _known(words: Words, key: Scalar, node: Node) -> Claims:
    player = words.player(key)
    assert isinstance(node, Mapping)
    for name, content in node.entries:
        zone = words.zone(name)
        where = f"known to {key.text} in `{name.text}`"
        yield from _cards(words, name, content, where, _knowledge(player, zone))


def _cards(words: Words, key: Scalar, node: Node, where: str, content: Content) -> Claims:
    if isinstance(node, Sequence):
        exact = words.faces(node)
        yield Claim(key.span, lambda state: _same(words, where, exact, content(state)))
        return
    assert isinstance(node, Mapping)
    for name, wanted in node.entries:
        if name.text == "size":
            size = whole(wanted)
            yield Claim(wanted.span, _sized(size, f"cards {where}", lambda state: content(state).total()))
        else:
            yield Claim(name.span, _some(words, words.faces(wanted), name.text == "includes", where, content))


def _same(words: Words, where: str, wanted: Counter[int], found: Counter[int]) -> str:
    return "" if wanted == found else f"Expected {words.cards(wanted)} {where}, but there is {words.cards(found)}."


def _sized(size: int, what: str, count: Ask) -> Callable[[State], str]:
    def fails(state: State) -> str:
        found = count(state)
        return "" if found == size else f"Expected {size} {what}, but there are {found}."

    return fails


def _some(words: Words, faces: Counter[int], wanted: bool, where: str, content: Content) -> Callable[[State], str]:
    def fails(state: State) -> str:
        there = content(state) & faces
        if (there == faces) if wanted else not there:
            return ""
        if wanted:
            return f"Expected {words.cards(faces)} {where}, but {words.cards(faces - there)} is missing."
        return f"Expected no {words.cards(faces)} {where}, but there is {words.cards(there)}."

    return fails


def _knowledge(player: int, zone: int) -> Content:
    def known(state: State) -> Counter[int]:
        knowledge = Knowledge(state.game, player, state.position)
        for event in state.events or ():
            knowledge.take(event)
        faces = state.game.program.faces
        return Counter(faces[card] for card in state.z[zone]) if knowledge.visible[zone] else knowledge.known(zone)

    return known


# rules and results


def _fires(words: Words, key: Scalar, node: Node) -> Claims:
    for item in items(node):
        yield Claim(item.span, _fired(words.rule(item), key.text == "fires"))


def _fired(rule: str, wanted: bool) -> Callable[[State], str]:
    def fails(state: State) -> str:
        if (rule in state.fired()) == wanted:
            return ""
        return f"Expected the rule `{rule}` {'' if wanted else 'not '}to apply, but it did{' not' if wanted else ''}."

    return fails


def _score(words: Words, key: Scalar, node: Node) -> Claims:
    yield Claim(node.span, _result("points", State.scores, words.player(key), whole(node)))


def _rank(words: Words, key: Scalar, node: Node) -> Claims:
    yield Claim(node.span, _result("place", State.ranking, words.player(key), whole(node)))


def _result(what: str, ask: Callable[[State], list[int]], player: int, wanted: int) -> Callable[[State], str]:
    def fails(state: State) -> str:
        if not state.is_terminal():
            return _not_over(f"{what} {wanted} for player {player + 1}", state)
        found = ask(state)[player]
        return "" if found == wanted else f"Expected {what} {wanted} for player {player + 1}, but it is {found}."

    return fails


def _not_over(wanted: str, state: State) -> str:
    return f"Expected {wanted} at the end, but the game is not over: it is for {deciding(state)} to decide."


def _winner(words: Words, key: Scalar, node: Node) -> Claims:
    wanted = sorted(words.player(item) for item in items(node))
    names = _players(wanted)

    def fails(state: State) -> str:
        if not state.is_terminal():
            return _not_over(f"{names} to win", state)
        found = [player for player, rank in enumerate(state.ranking()) if rank == 1]
        return "" if found == wanted else f"Expected {names} to win, but {_players(found)} won."

    yield Claim(place(key, node), fails)


def _players(seats: list[int]) -> str:
    return " and ".join(f"player {seat + 1}" for seat in seats) or "nobody"


def _says(words: Words, key: Scalar, node: Node) -> Claims:
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
        return f"Expected the explanation to say `{wanted}`, but the nearest it says is `{nearest}`."

    return fails


_KINDS: dict[str, Callable[[Words, Scalar, Node], Claims]] = {
    "decides": _decides,
    "legal": _legal,
    "values": _value,
    "zones": _zone,
    "known": _known,
    "fires": _fires,
    "not_fires": _fires,
    "scores": _score,
    "ranking": _rank,
    "winner": _winner,
    "says": _says,
}
_BY_ENTRY = ("values", "zones", "known", "scores", "ranking")
"""Those whose entries are claims of their own."""
