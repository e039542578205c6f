"""Events as sentences at a table. Logs and information states have the words of the engine instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rulespec.base.messages import NAMED, Message, counted, say
from rulespec.engine.knowledge.events import DETERMINER, Narrator, drawn
from rulespec.engine.knowledge.results import player_words, ranked

if TYPE_CHECKING:
    from rulespec.engine.interpreter.running import Event, StartPosition
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.play.table.words import Words


class TableNarrator(Narrator):
    """Puts events into sentences for one player (None: for an observer of everything).

    With `addressed` the player is “you”; else every player is named. The sentences have no full stop and begin as their
    first value does: `sentence` completes them in a language.
    """

    def __init__(
        self, game: Ruleset, player: int | None, position: StartPosition | None = None, addressed: bool = False
    ) -> None:
        super().__init__(game, player, position)
        self.you = player if addressed else None

    def said(self, event: Event) -> list[Message]:
        """What the player observes of an event, as sentences."""
        return [self._sentence(kind, rest) for kind, *rest in self.observer.observe(event)]

    def _sentence(self, kind: str, rest: Sequence[Any]) -> Message:
        made = _SENTENCES[kind](self, *rest)
        # What an option says is written with players by their numbers, in cases that “you” need not fit.
        if self.you is None or kind in ("choice", "kind"):
            return made
        return _addressed(made, player_words(self.you))

    def place(self, zone: int) -> Message:
        """A zone after a preposition: “the deck”, “your hand”, “player 2's hand”, “the row (spring)”."""
        name, index = self.game.program.zones[zone]
        declared = self.game.spec.zones[name]
        pairs = zip(declared.per, index, strict=True)
        others = [self.word(type_, at) for place, (type_, at) in enumerate(pairs) if place != declared.owned_by]
        named = self._owned(say(declared.title), declared.owner(index))
        return say("{value} ({index})", value=named, index=others) if others else named

    def faces(self, faces: Iterable[int]) -> Message:
        """Card faces in words, equal ones in a row once with their number."""
        runs = [(self.face(face), sum(1 for _ in equal)) for face, equal in groupby(faces)]
        return say("{cards}", cards=[_times(face, number) for face, number in runs])

    def _owned(self, title: Message, owner: int | None) -> Message:
        if owner is None:
            return say(NAMED, named=title) if DETERMINER.match(title) else say("the {zone}", zone=title)
        if owner == self.you:
            return say("your {zone}", zone=title)
        return say("player {number}'s {zone}", number=owner + 1, zone=title)


def _times(face: Message, number: int) -> Message:
    return face if number == 1 else say("{name} x{number}", name=face, number=number)


def together(said: Iterable[Message]) -> Iterator[Message]:
    """Sentences of events, those that are equal and in a row as one."""
    return (repeated(one, sum(1 for _ in equal)) for one, equal in groupby(said))


def repeated(said: Message, times: int) -> Message:
    """The sentence of equal events in a row: cards that move unseen are counted, anything else happens some times."""
    if times == 1:
        return said
    if said.template == _UNSEEN.template:
        return _unseen_cards(times, said.values)
    return counted("{event} ({number} time)", "{event} ({number} times)", times, event=said)


def sentence(said: Message, words: Words) -> str:
    """A sentence in a language, with its full stop and a capital letter."""
    text = words.of(say("{event}.", event=said)).replace("_", " ").replace("….", "…").replace("…。", "…")
    return text[:1].upper() + text[1:]


def _addressed(said: Message, player: Message) -> Message:
    """A message that says “you” where it named a player."""
    if said == player:
        return say("you")
    return Message(said.template, {name: _within(value, player) for name, value in said.values.items()}, said.many)


def _within(value: Any, player: Message) -> Any:
    if isinstance(value, tuple):
        return tuple(_within(one, player) for one in value)
    return _addressed(value, player) if isinstance(value, Message) else value


def _choice(narrator: TableNarrator, player: int, action: int) -> Message:
    return _chosen(narrator, player, narrator.game.actions.said(action))


def _kind(narrator: TableNarrator, player: int, title: str) -> Message:
    return _chosen(narrator, player, say(title))


def _chosen(narrator: TableNarrator, player: int, action: Message) -> Message:
    if player == narrator.you:
        return say("you: {action}", action=action)
    return say("player {number}: {action}", number=player + 1, action=action)


def _move(narrator: TableNarrator, face: int, source: int, target: int) -> Message:
    places = _places(narrator, source, target)
    if face < 0:
        return say(_UNSEEN.template, **places)
    return say("{card} goes from {source} to {target}", card=narrator.face(face), **places)


def _move_all(narrator: TableNarrator, source: int, target: int, count: int, *faces: int) -> Message:
    if count == 1:
        return _move(narrator, faces[0] if faces else -1, source, target)
    places = _places(narrator, source, target)
    if not faces:
        return _unseen_cards(count, places)
    return say("{cards} go from {source} to {target}", cards=narrator.faces(faces), **places)


def _places(narrator: TableNarrator, source: int, target: int) -> dict[str, Message]:
    return {"source": narrator.place(source), "target": narrator.place(target)}


def _unseen_cards(number: int, places: Mapping[str, Message]) -> Message:
    return counted(
        "{number} card goes from {source} to {target}, unseen",
        "{number} cards go from {source} to {target}, unseen",
        number,
        **places,
    )


def _show(narrator: TableNarrator, face: int, zone: int, place: int, to: int) -> Message:
    named = {"card": narrator.face(face), "zone": narrator.place(zone)}
    if to < 0:
        return say("{card} in {zone} is shown to everybody", **named)
    if to == narrator.you:
        return say("{card} in {zone} is shown to you", **named)
    return say("{card} in {zone} is shown to player {number}", number=to + 1, **named)


def _shuffle(narrator: TableNarrator, zone: int) -> Message:
    return say("the cards in {zone} are shuffled", zone=narrator.place(zone))


def _sink(narrator: TableNarrator, zone: int, place: int) -> Message:
    if place < 0:
        return say("the top card of {zone} goes to a place among the others", zone=narrator.place(zone))
    return say("the top card of {zone} goes to place {n} from the bottom", zone=narrator.place(zone), n=place + 1)


def _set(narrator: TableNarrator, value: str, cell: int, content: int) -> Message:
    named = {"value": narrator.value(value, cell), "content": narrator.content(value, content)}
    return say("{value}: now {content}", **named)


def _random(narrator: TableNarrator, place: int, content: int) -> Message:
    return say("drawn at random: {content}", content=narrator.word(drawn(narrator.game, place).type, content))


def _unseen(narrator: TableNarrator, place: int) -> Message:
    return say("there is a random draw, unseen")


def _rank(narrator: TableNarrator, *ranks: int) -> Message:
    places = [say("{rank}. {player}", rank=rank, player=player_words(player)) for player, rank in ranked(ranks)]
    return say("final order: {places}", places=places)


def _worded(narrator: TableNarrator, words: Message, *numbers: int) -> Message:
    return words


def _broken(narrator: TableNarrator, invariant: int) -> Message:
    return say("the invariant {id} does not hold", id=narrator.game.spec.invariants[invariant].id)


def _zone(narrator: TableNarrator, zone: int, *faces: int) -> Message:
    named = {"zone": narrator.place(zone), "cards": narrator.faces(faces)}
    if narrator.you is not None:
        return say("you see {zone}: {cards}", **named)
    return say("player {number} sees {zone}: {cards}", number=(narrator.player or 0) + 1, **named)


def _value(narrator: TableNarrator, value: str, cell: int, content: int) -> Message:
    named = {"value": narrator.value(value, cell), "content": narrator.content(value, content)}
    if narrator.you is not None:
        return say("you see {value}: {content}", **named)
    return say("player {number} sees {value}: {content}", number=(narrator.player or 0) + 1, **named)


_SENTENCES: dict[str, Callable[..., Message]] = {
    "choice": _choice,
    "kind": _kind,
    "move": _move,
    "move_all": _move_all,
    "show": _show,
    "shuffle": _shuffle,
    "sink": _sink,
    "set": _set,
    "random": _random,
    "unseen": _unseen,
    "award": _worded,
    "rank": _rank,
    "stopped": _worded,
    "broken": _broken,
    "zone": _zone,
    "value": _value,
}
"""The sentence for what is observed, by kind (see `rulespec.engine.knowledge.observer`)."""

_UNSEEN = say("a card goes from {source} to {target}, unseen", source="", target="")
"""The move of a card whose face the player does not see."""
