"""Events as phrases, which a language writes as sentences at a table. Logs and information states have the words of the
engine instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from rulespec.base.messages import Message, say
from rulespec.engine.knowledge.observer import Observer
from rulespec.engine.knowledge.results import ranked
from rulespec.engine.program import ir
from rulespec.language.model.phrase import Phrase, number
from rulespec.language.model.types import NONE
from rulespec.play.table.changes import LEAST, Board, Change, Drawn, Piece, boards_of, grouped, piece, summed

if TYPE_CHECKING:
    from rulespec.engine.interpreter.running import Event, StartPosition
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.language.model.types import Type


MOST_CARDS = 20
"""So many cards are named when they move together; of more there is only their number."""


class Phrases:
    """Puts things of a game into phrases, as events and options name them. The seat `you` is “you”."""

    def __init__(self, game: Ruleset, you: int | None = None) -> None:
        self.game, self.you = game, you

    def person(self, seat: int) -> Phrase:
        """A player, by the seat from 0."""
        return Phrase("you", kind="player") if seat == self.you else _numbered("player_number", seat + 1, "player")

    def seat(self, said: Phrase) -> int | None:
        """The seat of the first player that a phrase names, None without one."""
        named = (one for one in said.walk() if one.constructor in ("you", "player_number"))
        return next((self.you if one.constructor == "you" else (one.number or 0) - 1 for one in named), None)

    def zone(self, zone: int) -> Phrase:
        """A zone with its owner and what else it is for."""
        name, index = self.game.program.zones[zone]
        declared = self.game.spec.zones[name]
        return self._thing(name, list(zip(declared.per, index, strict=True)), declared.owned_by)

    def value(self, value: str, cell: int) -> Phrase:
        """A cell of a value, with the first player that it is for as its owner."""
        index = self.game.names.indices(value, cell)
        return self._thing(value, index, next((at for at, one in enumerate(index) if one[0].kind == "player"), None))

    def _thing(self, name: str, index: Sequence[tuple[Type, int]], owned_by: int | None) -> Phrase:
        parts = [self.word(type_, at) for type_, at in index]
        if owned_by is None:
            return Phrase("thing", tuple(parts), name)
        owner = parts.pop(owned_by)
        return Phrase("owned", (owner, *parts), name, kind="yours" if owner.constructor == "you" else "")

    def piece(self, board: Board, piece: Piece, owned: bool = True) -> Phrase:
        """A piece on a board, with its owner or without: its kind, else a mark that it has, else what the board calls
        all of them."""
        marks = [name for name, is_set in zip(board.marks, piece.marks, strict=True) if is_set == 1]
        if piece.kind != NONE:
            name = self.word(self.game.spec.values[board.kind].type, piece.kind).name
        else:
            name = next(iter(marks), board.kind or board.owner)
        owner = (self.person(piece.owner),) if owned and piece.owner != NONE else ()
        return Phrase("piece", owner, name, kind="yours" if owner and owner[0].constructor == "you" else "")

    def content(self, value: str, content: int) -> Phrase:
        """What a stored value holds."""
        return self.word(self.game.spec.values[value].type, content)

    def word(self, type_: Type, at: int) -> Phrase:
        """What a value of a type stands for."""
        if at == NONE:
            return Phrase("nothing")
        if type_.kind == "set":
            members = self.game.names.word(type_, at).split()
            return Phrase("several", tuple(Phrase("named", name=f"{type_.name}.{one}") for one in members))
        return _WORDS[type_.kind](self, type_, at)

    def face(self, face: int) -> Phrase:
        """A card, by its face; -1 is a face that the player does not observe."""
        return Phrase("face", name=str(face), kind="card") if face >= 0 else Phrase("some_card")

    def cards(self, faces: Iterable[int]) -> tuple[Phrase, ...]:
        """Cards, equal ones in a row once with their number."""
        return counted(map(self.face, faces))

    def picks(self, action: int) -> dict[str, list[Phrase]]:
        """What an action picks: the elements of each variable of its option."""
        picks: dict[str, list[Phrase]] = {}
        for pick, at in self.game.actions.parts(action):
            # The elements of a set are picked in falling order (see program/sets.py), and named in rising order.
            picks.setdefault(pick.name, []).insert(0, self.pick(pick, at))
        return picks

    def pick(self, pick: ir.Pick, at: int) -> Phrase:
        """What a pick stands for: a card by its face, a member, a number."""
        return self.face(at) if pick.type.kind == "card" else self.word(pick.type, at)

    def option(self, action: int) -> Phrase:
        """An action in the words of its option, with what each variable stands for as a part."""
        picks = self.picks(action).values()
        parts = (one[0] if len(one) == 1 else Phrase("picked", counted(one)) for one in picks)
        return Phrase("message", tuple(parts), self.game.actions.said(action))


class TableNarrator(Phrases):
    """Puts events into phrases for one player (None: for an observer of everything), one by one, from the beginning or
    from a position set up by hand. With `addressed` the player is “you”; else every player is named."""

    def __init__(
        self, game: Ruleset, player: int | None, position: StartPosition | None = None, addressed: bool = False
    ) -> None:
        super().__init__(game, player if addressed else None)
        self.player, self.observer = player, Observer(game, player, position)
        self._position, self._held = position, dict[tuple[str, int], int]()

    def said(self, event: Event) -> list[Phrase]:
        """What the player observes of an event. Updates what they know."""
        said = (_SAYS[kind](self, *rest) for kind, *rest in self.observer.observe(event))
        return [one for one in said if one is not None]

    def holds(self, value: str, cell: int) -> int:
        """What a cell held when the player last observed it, else at the start."""
        register = self.game.program.value_base[value] + cell
        start = self._position.values if self._position is not None else {}
        return self._held.get((value, cell), start.get(register, self.game.program.start[register]))

    def stores(self, value: str, cell: int, content: int) -> None:
        """Remembers what a cell holds."""
        self._held[value, cell] = content

    def look(self) -> None:
        """Determines what the player sees after the events so far."""
        self.observer.look()


def counted(cards: Iterable[Phrase]) -> tuple[Phrase, ...]:
    """Cards, equal ones in a row once with their number."""
    runs = ((card, sum(1 for _ in equal)) for card, equal in groupby(cards))
    return tuple(card if times == 1 else Phrase("copies", (number(times), card)) for card, times in runs)


_WORDS: dict[str, Callable[[Phrases, Type, int], Phrase]] = {
    "player": lambda narrator, type_, at: narrator.person(at),
    "card": lambda narrator, type_, at: narrator.face(narrator.game.spec.deck.faces[at]),
    "int": lambda narrator, type_, at: _numbered("number", at, "number"),
    "bool": lambda narrator, type_, at: Phrase("true" if at else "false"),
    "enum": lambda narrator, type_, at: Phrase(
        "named", name=f"{type_.name}.{narrator.game.names.word(type_, at)}", kind=type_.name
    ),
}
"""What a value stands for, by the kind of its type."""


def _numbered(constructor: str, value: int, kind: str) -> Phrase:
    return Phrase(constructor, amount=((0, value),), kind=kind)


def message(text: Message) -> Phrase:
    """A message among phrases, which the catalogs translate."""
    return Phrase("message", name=text)


# --- events that are equal, and in a row ------------------------------------------------------------------------------


def together(said: Iterable[Phrase], narrator: TableNarrator) -> Iterator[Phrase]:
    """Phrases of events, those in a row as few that can be one sentence each."""
    for constructors, some in groupby(said, lambda one: _SUMMED.get(one.constructor)):
        run = list(some)
        if constructors == "changes":
            yield from summed(run, narrator)
        elif constructors == "moves":
            yield from _moved(run)
        else:
            yield from (joined(list(same)) for _, same in groupby(run, alike))


def _moved(said: Sequence[Phrase]) -> Iterator[Phrase]:
    """Cards that move one after the other: those that are dealt from one zone together for each target, and those that
    are gathered in one zone together."""
    if len({one.parts[0] for one in said}) == 1:
        yield from (joined(same) for same in grouped((alike(one), one) for one in _spread(said)).values())
        return
    for (_, target, constructor), some in groupby(said, lambda one: (one.parts[0].name, one.parts[1], one.constructor)):
        same = list(some)
        if constructor == "moves" and len({one.parts[0] for one in same}) > 1:
            yield Phrase("gathered", (target, *_alone(card for one in same for card in one.parts[2:])))
        else:
            yield from (joined(list(run)) for _, run in groupby(same, alike))


_SUMMED = {"now": "changes", "drawn": "changes", "moves": "moves", "moves_unseen": "moves", "moves_many": "moves"}
"""What is summed up although other things are between: changes of values, and cards that are dealt from one zone."""


def _spread(said: Sequence[Phrase]) -> Iterator[Phrase]:
    """Cards that move from one zone; those laid out on several places that are alike without the places."""
    places = grouped((one.parts[1].name, one.parts[1]) for one in said if one.parts[1].constructor == "thing")
    wide = {name for name, targets in places.items() if len({*targets}) >= LEAST}
    for one in said:
        source, target, *cards = one.parts
        target = replace(target, parts=()) if target.name in wide else target
        yield replace(one, parts=(source, target, *cards))


def alike(said: Phrase) -> Phrase:
    """What phrases of events have in common that can be one sentence: cards that move the same way, else all."""
    return Phrase(said.constructor, said.parts[:2]) if said.constructor in ("moves", "moves_unseen", "shown") else said


def joined(said: Sequence[Phrase]) -> Phrase:
    """Phrases of events that are alike as one: cards that move the same way as a list, or only their number where they
    are not seen. Anything else happens some times."""
    first = said[0]
    if len(said) == 1:
        return first
    if first.constructor == "moves":
        return moves(first.parts[:2], [card for one in said for card in one.parts[2:]])
    if first.constructor == "shown":
        cards = [one.parts[2] for one in said]
        return Phrase("shown", (*first.parts[:2], *cards), kind=_kind_shown(first.parts[0], len(cards)))
    if first.constructor == "moves_unseen":
        return _unseen(first.parts[:2], sum(one.parts[2].number or 0 for one in said))
    return Phrase("happens", (number(len(said)), first))


def with_effect(choice: Phrase, said: Phrase) -> Phrase | None:
    """One phrase for a choice and what follows at once: the piece that moves, or that the cards or the contents of a
    value are chosen; None if these are two things."""
    chosen = choice.parts[0] if choice.constructor == "only_choice" else choice
    option = chosen.parts[-1]
    picks = [one for part in option.parts for one in part.walk()]
    if (
        said.constructor in ("goes_to", "is_placed")
        and said.kind != "several"
        and any(one in picks for one in said.parts)
    ):
        both = said
    elif (
        said.constructor == "moves"
        and picks
        and _faces(said) == sorted(one.name for one in picks if one.kind == "card")
    ) or (said.constructor == "now" and _is_chosen(said, picks)):
        both = chosen
    else:
        return None
    return Phrase("only_choice", (both,)) if choice is not chosen else both


def _is_chosen(said: Phrase, picks: Sequence[Phrase]) -> bool:
    """Whether all that a change says are picks; a number alone can be one by chance."""
    value, content = said.parts
    named = {*value.parts, content} if value.constructor == "thing" else {*value.parts[1:], content}
    if content.constructor == "true":
        return len(named) > 1 and named - {content} <= {*picks}
    return named <= {*picks} and (len(named) > 1 or content.kind != "number")


def _faces(said: Phrase) -> list[str]:
    return sorted(one.name for card in said.parts[2:] for one in _copies(card))


def moves(way: tuple[Phrase, ...], cards: Sequence[Phrase]) -> Phrase:
    """Cards that move from a zone to another one; only their number if they are many."""
    listed = _alone(cards)
    if len(listed) > MOST_CARDS:
        return Phrase("moves_many", (*way, number(sum(len(_copies(card)) for card in listed))))
    several = len(listed) > 1 or listed[0].constructor == "copies"
    return Phrase("moves", (*way, *listed), kind="several" if several else "one")


def _alone(cards: Iterable[Phrase]) -> tuple[Phrase, ...]:
    return counted(each for card in cards for each in _copies(card))


def _copies(card: Phrase) -> list[Phrase]:
    return [card.parts[1]] * (card.parts[0].number or 0) if card.constructor == "copies" else [card]


# --- the phrases of events --------------------------------------------------------------------------------------------


def _choice(narrator: TableNarrator, player: int, action: int) -> Phrase:
    return _chooses(narrator, player, narrator.option(action))


def _kind(narrator: TableNarrator, player: int, title: str) -> Phrase:
    return _chooses(narrator, player, message(say(title)))


def _chooses(narrator: TableNarrator, player: int, option: Phrase) -> Phrase:
    by = narrator.person(player)
    return Phrase("chooses", (by, option), kind=by.constructor)


def _move(narrator: TableNarrator, face: int, source: int, target: int) -> Phrase:
    way = narrator.zone(source), narrator.zone(target)
    return moves(way, [narrator.face(face)]) if face >= 0 else _unseen(way, 1)


def _move_all(narrator: TableNarrator, source: int, target: int, count: int, *faces: int) -> Phrase:
    way = narrator.zone(source), narrator.zone(target)
    return moves(way, [narrator.face(face) for face in faces]) if faces else _unseen(way, count)


def _unseen(way: tuple[Phrase, ...], count: int) -> Phrase:
    return Phrase("moves_unseen", (*way, number(count)), kind="one" if count == 1 else "several")


def _show(narrator: TableNarrator, face: int, zone: int, place: int, to: int) -> Phrase:
    viewer = narrator.person(to) if to >= 0 else Phrase("everybody")
    return Phrase("shown", (viewer, narrator.zone(zone), narrator.face(face)), kind=_kind_shown(viewer, 1))


def _kind_shown(viewer: Phrase, cards: int) -> str:
    return viewer.constructor if viewer.constructor == "you" else "one" if cards == 1 else "several"


def _shuffle(narrator: TableNarrator, zone: int) -> Phrase:
    return Phrase("reshuffled", (narrator.zone(zone),))


def _sink(narrator: TableNarrator, zone: int, place: int) -> Phrase:
    return Phrase("sinks", (narrator.zone(zone), *([number(place + 1)] if place >= 0 else [])))


def _set(narrator: TableNarrator, value: str, cell: int, content: int) -> Phrase:
    to, was = narrator.content(value, content), narrator.holds(value, cell)
    narrator.stores(value, cell, content)
    parts, kind = (narrator.value(value, cell), to), to.kind or to.constructor
    enum = narrator.game.spec.enums.get(kind)
    if enum is not None and enum.places and parts[0].constructor == "owned":
        kind = "place"  # where a player’s piece stands
    declared, board = narrator.game.spec.values[value], boards_of(narrator.game.spec).get(value)
    change = Change("now", parts, kind=kind, cell=(value, cell), type=declared.type.required())
    if board is None:
        return replace(change, was=was if declared.sight.public else None, content=content)
    after = {name: narrator.holds(name, cell) for name in board.values}
    return replace(change, board=board, before=piece(board, {**after, value: was}), after=piece(board, after))


def _random(narrator: TableNarrator, place: int, content: int) -> Phrase | None:
    draw = narrator.game.program.code[place]
    assert isinstance(draw, ir.Draw)
    # A number up to another one that changes is the number of something: what it stands for follows.
    if isinstance(draw.domain, ir.Span) and not isinstance(draw.domain.high, ir.Const):
        return None
    return Drawn("drawn", (narrator.word(draw.type, content),), type=draw.type.required())


def _rank(narrator: TableNarrator, *ranks: int) -> Phrase | None:
    if len(ranks) == 1:
        return None  # the order of one player
    places = (Phrase("in_place", (number(rank), narrator.person(seat))) for seat, rank in ranked(ranks))
    return Phrase("final_order", tuple(places))


def _zone(narrator: TableNarrator, zone: int, *faces: int) -> Phrase:
    return _sees(narrator, narrator.zone(zone), Phrase("cards_seen", narrator.cards(faces)))


def _value(narrator: TableNarrator, value: str, cell: int, content: int) -> Phrase:
    return _sees(narrator, narrator.value(value, cell), narrator.content(value, content))


def _sees(narrator: TableNarrator, what: Phrase, content: Phrase) -> Phrase:
    by = narrator.person(narrator.player or 0)
    return Phrase("sees", (by, what, content), kind=by.constructor)


_SAYS: dict[str, Callable[..., Phrase | None]] = {
    "choice": _choice,
    "kind": _kind,
    "move": _move,
    "move_all": _move_all,
    "show": _show,
    "shuffle": _shuffle,
    "sink": _sink,
    "set": _set,
    "random": _random,
    "unseen": lambda narrator, place: Phrase("drawn_unseen"),
    "award": lambda narrator, words, *numbers: message(words),
    "rank": _rank,
    "stopped": lambda narrator, words, *numbers: message(words),
    "broken": lambda narrator, invariant: Phrase("broken", (number(invariant + 1),)),
    "zone": _zone,
    "value": _value,
}
"""The phrase for what is observed, by kind (see `rulespec.engine.knowledge.observer`)."""
