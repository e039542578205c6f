"""What a player observes of each event, as plain numbers and words that hold nothing else.

`Observer.observe` turns an event (see events.py) into what one player observes of it. Cards are named by their faces,
-1 for a face that is not seen:
  choice     player, action
  kind       player, title             the secret choice of another player: only its kind, or nothing
  move       face, zone, zone
  move_all   zone, zone, number, *faces    no faces if they are not seen
  show       face, zone, place, player     place: from the bottom, -1 in a zone without order
  shuffle    zone
  set        value, cell, content
  random     place in the program, content
  unseen     place in the program      something is drawn that this player does not see
  award      words, *numbers           the numbers that the words are made of
  rank       *ranks
  stopped    words, rule, number, thing
  broken     invariant                 only for an observer of everything
  zone       zone, *faces              the player begins to see a zone
  value      value, cell, content      the player begins to see a value
Faces of cards in a zone without order are sorted: how they lie there is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import Any

from rulespec.engine.backend.runtime.digest import EMPTY, Digest, Kind, extended, from_bytes, headed, together
from rulespec.engine.interpreter.running import Event, StartPosition, cards_at_start
from rulespec.engine.knowledge.hidden_zones import LEARNED, NOTHING_BEGUN, Begun, Knowledge, Replica
from rulespec.engine.knowledge.memo import Memo
from rulespec.engine.knowledge.results import award_numbers, award_words, bound_words
from rulespec.engine.rules.ruleset import Ruleset

Observed = tuple[Any, ...]
"""A kind and what the kind adds, as above."""


class Observer:
    """One player (None: an observer of everything) who follows a game event by event, from the beginning or from a
    position set up by hand: what they observe of each event and what they know.

    `history` is all that was observed so far, in order. `digest` stands for it: it is equal for equal observations.
    `opening` is the text of what was observed first: how much of it, and its lines. `kept` is the latest view, from
    which the next one is made (see observation.py for both).
    """

    def __init__(self, game: Ruleset, player: int | None, position: StartPosition | None = None) -> None:
        self.game, self.player = game, player
        self.knowledge = Knowledge(game, player, position) if player is not None else None
        # Where every card with values of its own is: decides what this player may be shown, and is never shown itself.
        program = game.program
        self._changing = player is not None and game.viewers.changing
        # Whether a cell of a value is seen, once it was asked for; not where that depends on the state.
        self._seen: dict[tuple[str, int], bool] | None = None if self._changing or game.names.on_cards else {}
        self._zone_of = cards_at_start(program.cards, program.start_zone, position) if game.names.on_cards else {}
        self._digest = EMPTY if position is None or player is None else from_bytes(self._seen_at(player, position))
        self._digested = 0  # how much of the history the digest stands for
        self.history: list[Observed] = []
        self.opening = 0, ""
        self.kept: object = None
        self.events = 0  # how many it has learned from
        self.settled = 0  # how much of the history events have shown; the rest is what the player sees after them
        self.shared = False  # with a state that was cloned: to be copied before it learns more

    def _seen_at(self, player: int, position: StartPosition) -> bytes:
        """A digest of what the player sees in a position set up by hand."""
        viewers, replica = self.game.viewers, Replica(self.game, position)
        visible = viewers.visibility(player, replica.r, replica.z).zones
        zones = [self._listed(zone, cards) for zone, cards in enumerate(replica.z) if visible[zone]]
        seen = [tuple(value) for value in viewers.values(replica, player)], zones
        return blake2b(repr(seen).encode(), digest_size=16).digest()

    # all events so far, for a state

    def learn(self, events: list[Event]) -> Observer:
        """The observer after these events. The first of them may be known already."""
        if len(events) == self.events:
            return self
        later = self.copy() if self.shared else self
        later._hear_all(events[self.events :])
        later.settled = len(later.history)
        if self._changing:
            later.history += later._begun(later._look())
        later.events = len(events)
        return later

    def _hear_all(self, events: list[Event]) -> None:
        knowledge = self.knowledge
        if knowledge is None or self._changing or self._zone_of:
            for event in events:
                self._hear(event, self.history)
            return
        # The usual case without the calls that the others need: views are asked for after a few events.
        static, learned, add = _static(self.game, self.player), LEARNED.get, self.history.append
        for event in events:
            kind = event[0]
            if (learn := learned(kind)) is not None:
                learn(knowledge, event)
            observed = static[event] if kind not in _NEVER_TWICE else _PROJECTIONS[kind](self, event)
            if observed is not None:
                add(observed)

    @property
    def digest(self) -> Digest:
        """Two numbers for all that was observed so far."""
        numbers = _numbers(self.game)
        new = chain.from_iterable(map(numbers.__getitem__, self.history[self._digested :]))
        self._digest, self._digested = extended(self._digest, new), len(self.history)
        return self._digest

    def copy(self) -> Observer:
        """An independent copy."""
        copy = object.__new__(Observer)
        copy.game, copy.player, copy.events, copy.settled = self.game, self.player, self.events, self.settled
        copy._digest, copy._digested, copy.history, copy.opening = (
            self._digest,
            self._digested,
            self.history[:],
            self.opening,
        )
        copy.knowledge = self.knowledge.copy() if self.knowledge is not None else None
        copy._changing, copy._seen = self._changing, self._seen
        copy._zone_of, copy.shared, copy.kept = dict(self._zone_of), False, self.kept
        return copy

    def placed(self, position: StartPosition) -> Observer:
        """The same player in a possible world, where the cards lie in a position, before any event."""
        copy = self.copy()
        copy.events, copy.kept = 0, None
        if copy.knowledge is not None:
            copy.knowledge.placed(position)
        if copy._zone_of:
            copy._zone_of = cards_at_start(self.game.program.cards, 0, position)
        return copy

    # event by event

    def observe(self, event: Event) -> list[Observed]:
        """What the player begins to see before an event, and what they observe of it. Updates what they know."""
        found: list[Observed] = []
        self._hear(event, found)
        return found

    def _hear(self, event: Event, found: list[Observed]) -> None:
        knowledge = self.knowledge
        if self._changing and knowledge is not None:
            found += self._begun(knowledge.before(event))
        if knowledge is not None:
            knowledge.take(event)
        project = _PROJECTIONS.get(event[0])
        if project is not None and (observed := project(self, event)) is not None:
            found.append(observed)
        if self._zone_of:
            if event[0] == "move":
                self._zone_of[event[2]] = event[5]
            elif event[0] == "move_all":
                self._zone_of.update(dict.fromkeys(event[4:], event[3]))

    def look(self) -> None:
        """Determines what the player sees after the events so far."""
        self._look()

    def _look(self) -> Begun:
        return self.knowledge.look() if self.knowledge is not None else NOTHING_BEGUN

    def _begun(self, begun: Begun) -> Iterator[Observed]:
        """Each zone with cards, and each titled value, that the player begins to see."""
        for zone, cards in begun.zones:
            if cards:
                yield "zone", zone, *self._listed(zone, cards)
        for slot, content in begun.registers:
            value, cell = self.game.viewers.cell_of(slot)
            if self.game.spec.values[value].title:
                yield "value", value, cell, content

    # what the player may see

    def observes(self, *zones: int) -> bool:
        """Whether this player may look into one of the zones."""
        return self.knowledge is None or any(self.knowledge.visible[zone] for zone in zones)

    def observes_value(self, value: str, cell: int) -> bool:
        """Whether this player sees a cell of a stored value. Only those who may look at a card learn what changes on
        it: the name alone would reveal where the card is."""
        if self._seen is None:
            return self._sees(value, cell)
        if (value, cell) not in self._seen:
            self._seen[value, cell] = self._sees(value, cell)
        return self._seen[value, cell]

    def _sees(self, value: str, cell: int) -> bool:
        game = self.game
        if not game.spec.values[value].title:
            return False
        if not all(self.observes(self._zone_of[card]) for card in game.names.cards_of(value, cell)):
            return False
        return self.knowledge is None or game.program.value_base[value] + cell not in self.knowledge.visibility.hidden

    def _listed(self, zone: int, cards: Iterable[int]) -> list[int]:
        """The faces of cards; sorted, if players do not see the order of the zone."""
        faces = [self.game.program.faces[card] for card in cards]
        return faces if self.game.ordered[zone] else sorted(faces)


def _choice(observer: Observer, event: Event) -> Observed | None:
    _, _, player, action = event
    actions = observer.game.actions
    # A picked card shows only where it goes, and a pick that goes into a hidden place only what it changes there: the
    # events of moves and values say as much as this player may know.
    if actions.sees(observer.player, player, action):
        return "choice", player, action
    return ("kind", player, actions.title(action)) if actions.option(action).noticed else None


def _move(observer: Observer, event: Event) -> Observed:
    _, _, card, source, _, target = event
    knowledge = observer.knowledge
    face = observer.game.program.faces[card] if knowledge is None else knowledge.moved
    return "move", face, source, target


def _move_all(observer: Observer, event: Event) -> Observed:
    _, _, source, target, *cards = event
    faces = observer._listed(source, cards) if observer.observes(source, target) else ()
    return "move_all", source, target, len(cards), *faces


def _show(observer: Observer, event: Event) -> Observed:
    _, _, card, zone, position, to, _ = event
    known = to in (-1, observer.player) or observer.observes(zone)
    place = position if observer.game.ordered[zone] else -1
    return "show", observer.game.program.faces[card] if known else -1, zone, place, to


def _shuffle(observer: Observer, event: Event) -> Observed:
    return "shuffle", event[2]


def _sink(observer: Observer, event: Event) -> Observed:
    _, _, zone, position = event
    return "sink", zone, position if observer.game.ordered[zone] else -1


def _set(observer: Observer, event: Event) -> Observed | None:
    _, _, value, cell, content = event
    return ("set", value, cell, content) if observer.observes_value(value, cell) else None


def _random(observer: Observer, event: Event) -> Observed:
    _, _, place, content, viewers = event
    sees = observer.player is None or viewers >> observer.player & 1
    return ("random", place, content) if sees else ("unseen", place)


def _award(observer: Observer, event: Event) -> Observed:
    visible = observer.knowledge.visibility if observer.knowledge else None
    return "award", award_words(observer.game, event, visible), *award_numbers(observer.game, event, visible)


def _rank(observer: Observer, event: Event) -> Observed:
    return "rank", *event[4 : 4 + observer.game.players]


def _stopped(observer: Observer, event: Event) -> Observed:
    return "stopped", bound_words(observer.game, event), *event[1:]


def _broken(observer: Observer, event: Event) -> Observed | None:
    # An invariant may read what is hidden from players.
    return ("broken", event[2]) if observer.player is None else None


_PROJECTIONS: dict[str, Callable[[Observer, Event], Observed | None]] = {
    "choice": _choice,
    "move": _move,
    "move_all": _move_all,
    "show": _show,
    "shuffle": _shuffle,
    "sink": _sink,
    "set": _set,
    "random": _random,
    "award": _award,
    "rank": _rank,
    "stopped": _stopped,
    "broken": _broken,
}
"""What a player observes of an event, by the kind of the event; nothing of other kinds."""


_NEVER_TWICE = frozenset({"move", "shuffle"})
"""Kinds of events of which more is observed than follows from the event, or which hardly happen again."""


@lru_cache(maxsize=64)
def _static(game: Ruleset, player: int | None) -> Memo[Event, Observed | None]:
    """What a player observes of events of other kinds, where their sight does not depend on the state."""
    observer = Observer(game, player)

    def observed(event: Event) -> Observed | None:
        project = _PROJECTIONS.get(event[0])
        return project(observer, event) if project is not None else None

    return Memo(observed)


# what is observed, as numbers


@lru_cache(maxsize=16)
def _numbers(game: Ruleset) -> Memo[Observed, tuple[int, ...]]:
    """The numbers that stand for what is observed, in the digest of all that a player has observed."""
    return Memo(lambda observed: tuple(_NUMBERS[observed[0]](game, *observed[1:])))


def _face_numbers(game: Ruleset, zone: int, faces: tuple[int, ...]) -> Iterable[int]:
    """The faces of cards in a zone, as one number if their order is hidden."""
    return faces if game.ordered[zone] or not faces else (together(faces),)


_NUMBERS: dict[str, Callable[..., Iterable[int]]] = {
    "choice": lambda g, player, action: (headed(Kind.CHOICE, player, 0), action),
    "kind": lambda g, player, title: (headed(Kind.KIND, player, 0), g.actions.titles.index(title)),
    "move": lambda g, face, source, target: (headed(Kind.MOVE, face, source, target),),
    "move_all": lambda g, source, target, count, *faces: (
        headed(Kind.MOVE_ALL, count, source, target),
        *_face_numbers(g, source, faces),
    ),
    "show": lambda g, face, zone, place, to: (headed(Kind.SHOW, face, zone, place + 1), to),
    "shuffle": lambda g, zone, *faces: (headed(Kind.SHUFFLE, -1, zone), *faces),
    "sink": lambda g, zone, place: (headed(Kind.SINK, -1, zone, place + 1),),
    "set": lambda g, value, cell, content: (headed(Kind.SET, -1, 0, g.program.value_base[value] + cell), content),
    "random": lambda g, place, content: (headed(Kind.RANDOM, -1, 0, place), content),
    "unseen": lambda g, place: (headed(Kind.UNSEEN, -1, 0, place), 0),
    "award": lambda g, words, place, *numbers: (headed(Kind.AWARD, -1, 0, place), *numbers),
    "rank": lambda g, *ranks: (headed(Kind.RANK, -1, 0), *ranks),
    "stopped": lambda g, words, *numbers: (headed(Kind.STOPPED, -1, 0), *numbers),
    "broken": lambda g, invariant: (headed(Kind.BROKEN, -1, 0), invariant),
    "zone": lambda g, zone, *faces: (headed(Kind.ZONE, len(faces), zone), *_face_numbers(g, zone, faces)),
    "value": lambda g, value, cell, content: (headed(Kind.VALUE, -1, 0, g.program.value_base[value] + cell), content),
}
"""The numbers of what is observed, by its kind."""
