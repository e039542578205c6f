"""What one player may know of a game at one moment: as data (`View`) and as text; as numbers in tensors.py."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import compress, count, groupby
from operator import is_not
from typing import NamedTuple, Protocol, TypeVar

from rulespec.engine.backend.runtime.digest import Digest, as_bytes, bits_of, extended
from rulespec.engine.interpreter.running import RunningState, StartPosition
from rulespec.engine.knowledge.events import Narrator, cards_words, faces_words
from rulespec.engine.knowledge.hidden_zones import Knowledge
from rulespec.engine.knowledge.memo import Memo, most_zones
from rulespec.engine.knowledge.observer import Observed, Observer
from rulespec.engine.knowledge.results import players_words
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.rules.viewers import Content

T = TypeVar("T")


class WaitingState(Protocol):
    """The parts of a state that say who decides."""

    pc: int
    asked: dict[int, list[int]]

    @property
    def game(self) -> Ruleset:
        """The ruleset of the state."""

    def deciders(self) -> list[int]:
        """The seats that have still to decide."""


class ObservedState(WaitingState, RunningState, Protocol):
    """The parts of a state that a view reads."""

    decided: dict[int, int]
    position: StartPosition | None

    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of a player."""


NOTHING_KNOWN: Counter[int] = Counter()
"""No faces. Never changed."""


class ZoneView(NamedTuple):
    """A zone as a player knows it.

    `faces` are those of a zone that they see: from the bottom to the top, or sorted, if the order is hidden. Of any
    other zone, `places` holds the face known to be at each place (None for an unknown one, always so in a zone without
    order), and `known` counts the faces known to be somewhere else in it.
    """

    number: int
    size: int
    visible: bool
    faces: Sequence[int]
    places: Sequence[int | None]
    known: Counter[int]


KnownZone = tuple[int, tuple[int, ...] | None, int, bytes, bytes]
"""A zone as a player knows it, as a key of what is made of that: its number; its cards, None if they are not seen; what
is known of a zone that is not seen (see `Knowledge.hidden_zone`)."""


class Seen(NamedTuple):
    """What a player knows at a moment. Never changed."""

    values: list[Content]
    zones: list[KnownZone]


class Kept(NamedTuple):
    """The latest view of a player, and the latest ones that were written as a tensor and as lines. Never changed."""

    seen: Seen | None = None
    tensor: tuple[Seen, array[float]] | None = None
    lines: tuple[Seen, list[str], list[str]] | None = None


NOTHING_KEPT = Kept()


class View:
    """What one player may know of a state now. Make a new one when the state has gone on.

    Everything follows from what the player has observed (see observer.py), so it depends on nothing they cannot know.
    """

    def __init__(self, state: ObservedState, player: int, observer: Observer) -> None:
        self.state, self.player, self._observer = state, player, observer
        self._now: Seen | None = None

    @property
    def deciders(self) -> list[int]:
        """The seats that the player sees decide. All who decide at once, whether they have or not: who has chosen is
        hidden."""
        return deciders(self.state, self.player)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.is_terminal()

    def legal_actions(self) -> list[int]:
        """The legal actions of this player, rising; none if they are not to decide."""
        return self.state.legal_actions(self.player)

    @property
    def values(self) -> list[Content]:
        """Every titled value that the player may know; what lies on cards is not among them."""
        return self.seen.values[:]

    @property
    def zones(self) -> list[ZoneView]:
        """Every zone as the player knows it."""
        return [zone_view(self.state.game, zone) for zone in self.seen.zones]

    @property
    def kept(self) -> Kept:
        """What the observer keeps of the latest view; of none if sight depends on the state."""
        kept = self._observer.kept
        return kept if isinstance(kept, Kept) else NOTHING_KEPT

    def keep(self, kept: Kept) -> None:
        """Keeps this view for the next one."""
        if not self.state.game.viewers.changing:
            self._observer.kept = kept

    @property
    def seen(self) -> Seen:
        """What the player knows, made from what they knew last: the same objects where nothing has changed."""
        if self._now is None:
            kept = self.kept
            self._now = self._anew() if kept.seen is None else self._after(kept.seen)
            if self._now is not kept.seen:
                self.keep(Kept(self._now, kept.tensor, kept.lines))
        return self._now

    def _anew(self) -> Seen:
        self.knowledge.changes()
        values = list(self.state.game.viewers.values(self.state, self.player))
        return Seen(values, [self._zone(*one) for one in enumerate(self.state.z)])

    def _after(self, before: Seen) -> Seen:
        state, (changed, registers) = self.state, self.knowledge.changes()
        known = state.game.viewers.known_values(self.player)
        if not changed and not registers and not known.unreported:
            return before
        zones = before.zones[:]
        for zone in changed:
            zones[zone] = self._zone(zone, state.z[zone])
        return Seen(known.after(before.values, registers, changed, state), zones)

    @property
    def knowledge(self) -> Knowledge:
        """What the player knows of hidden zones."""
        knowledge = self._observer.knowledge
        assert knowledge is not None
        return knowledge

    def _zone(self, number: int, cards: Sequence[int]) -> KnownZone:
        knowledge = self.knowledge
        if knowledge.visibility.zones[number]:
            return number, tuple(cards), len(cards), b"", b""
        return number, None, *knowledge.hidden_zone(number)

    def key(self) -> bytes:
        """The information state: 16 bytes, equal if and only if the player has observed and done the same since the
        beginning. The same on every engine and machine."""
        state, deciding = self.state, bits_of(self.deciders)
        return key(self._observer.digest, self.player, deciding, state.pc, state.decided)


def deciders(state: WaitingState, player: int) -> list[int]:
    """The seats that a player sees decide."""
    found = list(state.asked) or state.deciders()
    return found if player in found or state.pc not in state.game.program.unnoticed else []


def zone_view(game: Ruleset, zone: KnownZone) -> ZoneView:
    """A zone as a player knows it."""
    number, cards, size, at, loose = zone
    if cards is None:
        places = tuple(face - 1 if face else None for face in array("h", at)) or (None,) * size
        known = (
            Counter({face: count for face, count in enumerate(array("h", loose)) if count}) if loose else NOTHING_KNOWN
        )
        return ZoneView(number, size, False, (), places, known)
    faces = [game.program.faces[card] for card in cards]
    return ZoneView(number, size, True, faces if game.ordered[number] else sorted(faces), (), NOTHING_KNOWN)


def key(digest: Digest, player: int, deciding: int, place: int, decided: Mapping[int, int]) -> bytes:
    """The key of a player who has observed what a digest stands for, at a decision point in the program. `deciding` has
    a bit for each seat that decides there."""
    # The place and the action count from 1: 0 stands for a player who does not decide, or has not yet.
    own = place + 1 if deciding >> player & 1 else 0
    return as_bytes(extended(digest, (deciding, (own << 32) + decided.get(player, -1) + 1)))


@lru_cache(maxsize=64)
def _words_for(game: Ruleset, player: int | None) -> Memo[Observed, str]:
    """The words for what one player observes: in a game, much is observed again."""
    return Memo(Narrator(game, player).words)


@lru_cache(maxsize=16)
def _lines_of(game: Ruleset) -> tuple[Memo[Content, str], Memo[KnownZone, str]]:
    """The lines of what values hold, and of zones without values on cards."""
    zones = Memo(partial(_zone_line, game), most_zones(len(game.program.cards)))
    return Memo(lambda content: value_line(game, *content)), zones


def observation(view: View) -> str:
    """What a player knows now, line by line."""
    game, kept, seen = view.state.game, view.kept, view.seen
    value, zone = _lines_of(game)
    # Values on cards are part of the lines of zones, which then change without the zones.
    if game.names.on_cards:
        lines = [*map(value.__getitem__, seen.values), *map(partial(_labelled, view.state), seen.zones)]
        return "\n".join([_turn(view), *lines])
    if kept.lines is None:
        values, zones = [*map(value.__getitem__, seen.values)], [*map(zone.__getitem__, seen.zones)]
    else:
        before, values, zones = kept.lines
        values = renewed(values, before.values, seen.values, value)
        zones = renewed(zones, before.zones, seen.zones, zone)
    view.keep(Kept(seen, kept.tensor, (seen, values, zones)))
    return "\n".join([_turn(view), *values, *zones])


def changes(before: Sequence[object], now: Sequence[object]) -> Iterable[int]:
    """The places where two sequences hold other objects."""
    return compress(count(), map(is_not, before, now)) if before is not now else ()


def renewed(lines: list[str], before: Sequence[T], now: Sequence[T], made: Mapping[T, str]) -> list[str]:
    """The lines of what is known now, from those of what was known before."""
    found = lines[:]
    for place in changes(before, now):
        found[place] = made[now[place]]
    return found


def history(observer: Observer) -> str:
    """What a player has observed and done since the beginning, line by line."""
    number, text = observer.opening
    if number < observer.settled:
        words = _words_for(observer.game, observer.player)
        new = filter(None, map(words.__getitem__, observer.history[number : observer.settled]))
        observer.opening = observer.settled, "\n".join([text, *new] if text else new)
    return observer.opening[1]


def _turn(view: View) -> str:
    return turn_line(tuple(view.deciders), view.over, view.state.pc in view.state.game.program.unnoticed)


@lru_cache(maxsize=1024)
def turn_line(deciders: tuple[int, ...], over: bool, unnoticed: bool = False) -> str:
    """Who decides."""
    if len(deciders) > 1:
        return f"{players_words(deciders)} decide at once"
    if deciders:
        return f"player {deciders[0] + 1} decides"
    return "the game is over" if over else "a player decides unseen" if unnoticed else "chance decides"


def value_line(game: Ruleset, value: str, cell: int, content: int) -> str:
    """What a cell of a value holds."""
    return f"{game.value_name(value, cell)}: {game.value_word(value, content)}"


def _zone_line(game: Ruleset, known: KnownZone) -> str:
    return zone_line(game, zone_view(game, known))


def _labelled(state: ObservedState, known: KnownZone) -> str:
    """The line of a zone where cards have values of their own."""
    zone = zone_view(state.game, known)
    return zone_line(state.game, zone, _labels(state, zone) if zone.visible else "")


def zone_line(game: Ruleset, zone: ZoneView, seen: str = "") -> str:
    """What a player knows of a zone; `seen` are its cards in words if these are more than their faces."""
    known = seen or faces_words(game, zone.faces) if zone.visible else f"{cards_words(zone.size)}{_known(game, zone)}"
    return f"{game.zone_name(zone.number)}: {known or 'empty'}"


def _labels(state: ObservedState, zone: ZoneView) -> str:
    label = state.game.names.card_label
    cards = [(state.game.program.faces[card], label(state.r, card)) for card in state.z[zone.number]]
    return ", ".join(word for _, word in (cards if state.game.ordered[zone.number] else sorted(cards)))


def _known(game: Ruleset, zone: ZoneView) -> str:
    """The known part of a hidden zone: the cards whose position is known, bottom to top, then the others."""
    ordered = f", bottom to top: {_placed(game, zone)}" if zone.places.count(None) < len(zone.places) else ""
    loose = faces_words(game, sorted(zone.known.elements())) if zone.known else ""
    return ordered + (f", known: {loose}" if loose else "")


def _placed(game: Ruleset, zone: ZoneView) -> str:
    words, names = [], game.names.face_names
    for placed, cards in groupby(zone.places, lambda face: face is not None):
        listed = list(cards)
        words += [names[face] for face in listed if face is not None] if placed else [f"{len(listed)} unknown"]
    return ", ".join(words)
