"""The expectations of a case: every entry becomes a claim that a state meets or fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulespec.base.diagnostics import Span
from rulespec.base.messages import NOTHING, Message, all_of, counted, say
from rulespec.engine.knowledge.hidden_zones import Knowledge
from rulespec.engine.states.state import State
from rulespec.games.scenario.vocabulary import Misfit, Read, Vocabulary, each, items, scalar, whole
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulespec.language.model.types import Type


@dataclass(frozen=True)
class Claim:
    """An expectation. `fails` returns the sentence "Expected … but …", or an empty text if the claim holds."""

    span: Span
    fails: Callable[[State], Message]


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

    def fails(state: State) -> Message:
        asked = state.deciders()
        if asked == wanted:
            return NOTHING
        return say("Expected {players} to decide, but it is {found}.", players=_players(wanted), found=deciding(state))

    yield Claim(place(key, node), fails)


def deciding(state: State) -> Message:
    """The players to decide, in words."""
    return say("nobody (the game is over)") if state.is_terminal() else _players(state.deciders())


def said(state: State, player: int) -> list[str]:
    """The legal actions of a player, in words."""
    return [state.action_to_string(player, action) for action in state.legal_actions(player)]


def _choices(state: State) -> list[list[str]]:
    """The legal actions of every player to decide, in words."""
    return [said(state, player) for player in state.deciders()] or [[]]


def _legal(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    if isinstance(node, Sequence):
        exact = [vocabulary.action(item) for item in items(node)]
        yield Claim(key.span, lambda state: next(filter(None, (_exactly(exact, c) for c in _choices(state))), NOTHING))
        return
    assert isinstance(node, Mapping)
    for name, listed in node.entries:
        if name.text == "size":
            yield Claim(listed.span, _number_of_choices(whole(listed)))
            continue
        for item in items(listed):
            yield Claim(item.span, _legality(vocabulary.action(item), name.text == "includes"))


def _number_of_choices(size: int) -> Callable[[State], Message]:
    def fails(state: State) -> Message:
        found = len(_choices(state)[0])
        if found == size:
            return NOTHING
        return counted(
            "Expected {number} choice, but there are {found}.",
            "Expected {number} choices, but there are {found}.",
            size,
            found=found,
        )

    return fails


def _exactly(wanted: list[str], found: list[str]) -> Message:
    missing, extra = [w for w in wanted if w not in found], [f for f in found if f not in wanted]
    parts = [counted("{names} is missing", "{names} are missing", len(missing), names=each(missing))] * bool(missing)
    parts += [counted("{names} is legal too", "{names} are legal too", len(extra), names=each(extra))] * bool(extra)
    return say("Expected exactly these legal actions, but {parts}.", parts=all_of(parts)) if parts else NOTHING


def _legality(action: str, wanted: bool) -> Callable[[State], Message]:
    def fails(state: State) -> Message:
        if all((action in choices) == wanted for choices in _choices(state)):
            return NOTHING
        if wanted:
            return say("Expected `{action}` to be legal, but it is not.", action=action)
        return say("Expected `{action}` not to be legal, but it is.", action=action)

    return fails


def _value(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    read, type_ = vocabulary.reader(key)
    yield Claim(node.span, _holds(vocabulary, key.text, read, type_, vocabulary.content(scalar(node), type_)))


def _holds(vocabulary: Vocabulary, name: str, read: Read, type_: Type, wanted: int) -> Callable[[State], Message]:
    def fails(state: State) -> Message:
        found = read(state)
        if found == wanted:
            return NOTHING
        right, wrong = vocabulary.word(wanted, type_), vocabulary.word(found, type_)
        return say("Expected `{name}` to be {wanted}, but it is {found}.", name=name, wanted=right, found=wrong)

    return fails


# cards

Content = Callable[[State], Counter[int]]


def _zone(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    zone, faces = vocabulary.zone(key), vocabulary.program.faces

    def content(state: State) -> Counter[int]:
        return Counter(faces[card] for card in state.z[zone])

    yield from _cards(vocabulary, key, node, say("in `{zone}`", zone=key.text), content)


def _known(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    player = vocabulary.player(key)
    assert isinstance(node, Mapping)
    for name, content in node.entries:
        zone = vocabulary.zone(name)
        where = say("known to {player} in `{zone}`", player=_player(player), zone=name.text)
        yield from _cards(vocabulary, name, content, where, _knowledge(player, zone))


def _cards(vocabulary: Vocabulary, key: Scalar, node: Node, where: Message, content: Content) -> Claims:
    if isinstance(node, Sequence):
        exact = vocabulary.faces(node)
        yield Claim(key.span, lambda state: _same(vocabulary, where, exact, content(state)))
        return
    assert isinstance(node, Mapping)
    for name, wanted in node.entries:
        if name.text == "size":
            size = whole(wanted)
            yield Claim(wanted.span, _number_of_cards(size, where, content))
        else:
            yield Claim(name.span, _some(vocabulary, vocabulary.faces(wanted), name.text == "includes", where, content))


def _same(vocabulary: Vocabulary, where: Message, wanted: Counter[int], found: Counter[int]) -> Message:
    if wanted == found:
        return NOTHING
    right, there = vocabulary.cards(wanted), vocabulary.cards(found)
    return say("Expected {cards} {where}, but there is {found}.", cards=right, where=where, found=there)


def _number_of_cards(size: int, where: Message, content: Content) -> Callable[[State], Message]:
    def fails(state: State) -> Message:
        found = content(state).total()
        if found == size:
            return NOTHING
        return counted(
            "Expected {number} card {where}, but there are {found}.",
            "Expected {number} cards {where}, but there are {found}.",
            size,
            where=where,
            found=found,
        )

    return fails


def _some(
    vocabulary: Vocabulary, faces: Counter[int], wanted: bool, where: Message, content: Content
) -> Callable[[State], Message]:
    def fails(state: State) -> Message:
        there = content(state) & faces
        if (there == faces) if wanted else not there:
            return NOTHING
        cards = vocabulary.cards(faces)
        if wanted:
            lacking = vocabulary.cards(faces - there)
            return say("Expected {cards} {where}, but {lacking} is missing.", cards=cards, where=where, lacking=lacking)
        found = vocabulary.cards(there)
        return say("Expected no {cards} {where}, but there is {found}.", cards=cards, where=where, found=found)

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


def _fired(rule: str, wanted: bool) -> Callable[[State], Message]:
    def fails(state: State) -> Message:
        if (rule in state.fired()) == wanted:
            return NOTHING
        if wanted:
            return say("Expected the rule `{rule}` to apply, but it did not.", rule=rule)
        return say("Expected the rule `{rule}` not to apply, but it did.", rule=rule)

    return fails


def _score(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    yield Claim(node.span, _result(say("points"), State.scores, vocabulary.player(key), whole(node)))


def _rank(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    yield Claim(node.span, _result(say("rank"), State.ranking, vocabulary.player(key), whole(node)))


def _returns(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    yield Claim(node.span, _result(say("returns"), State.returns, vocabulary.player(key), whole(node)))


def _result(
    what: Message, read: Callable[[State], list[int] | list[float]], player: int, wanted: int
) -> Callable[[State], Message]:
    def fails(state: State) -> Message:
        who = _player(player)
        if not state.is_terminal():
            return _not_over(say("{what} {number} for {player}", what=what, number=wanted, player=who), state)
        found = read(state)[player]
        if found == wanted:
            return NOTHING
        return say(
            "Expected {what} {number} for {player}, but it is {found:g}.",
            what=what,
            number=wanted,
            player=who,
            found=found,
        )

    return fails


def _not_over(wanted: Message, state: State) -> Message:
    return say(
        "Expected {wanted} at the end, but the game is not over: {players} must decide.",
        wanted=wanted,
        players=deciding(state),
    )


def _winner(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    wanted = sorted(vocabulary.player(item) for item in items(node))
    names = _players(wanted)

    def fails(state: State) -> Message:
        if not state.is_terminal():
            return _not_over(say("{players} to win", players=names), state)
        found = [player for player, rank in enumerate(state.ranking()) if rank == 1]
        if found == wanted:
            return NOTHING
        return say("Expected {players} to win, but {found} won.", players=names, found=_players(found))

    yield Claim(place(key, node), fails)


def _player(seat: int) -> Message:
    return say("player {number}", number=seat + 1)


def _players(seats: list[int]) -> Message:
    return say("{players}", players=all_of([_player(seat) for seat in seats])) if seats else say("nobody")


def _says(vocabulary: Vocabulary, key: Scalar, node: Node) -> Claims:
    for item in items(node):
        yield Claim(item.span, _explained(item.text))


def _explained(wanted: str) -> Callable[[State], Message]:
    def fails(state: State) -> Message:
        if not state.is_terminal():
            return _not_over(say("an explanation"), state)
        lines = state.explain_result()
        if any(wanted in line for line in lines):
            return NOTHING
        nearest = max(lines, key=lambda line: len(set(line.split()) & set(wanted.split())), default="")
        return say(
            "Expected `{wanted}` in the explanation of the result, but its closest line is `{nearest}`.",
            wanted=wanted,
            nearest=nearest,
        )

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
