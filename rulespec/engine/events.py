"""Events in words, and who may hear them.

An event is a tuple: its kind, the index of the rule that caused it, and
  rule                                 the rule applies now
  choice     player, action
  move       card, zone, position, zone
  move_all   zone, zone, *cards        a whole zone at once
  shuffle    zone, *cards              bottom to top, afterwards
  set        value, offset, number
  random     place, number
  award      place, subject, winner, deciding key, worth, *who stood, *keys by player
  rank       place, deciding key, *ranks, *keys by player; in both, keys that were not needed hold nothing of use
  setup      *sizes of all zones       the setup is over
  broken     invariant, *sides         an invariant does not hold; the sides of its comparison
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rulespec.engine import ir
from rulespec.engine.closures import Event
from rulespec.engine.knowledge import Knowledge
from rulespec.model.types import LIMIT, NONE

if TYPE_CHECKING:
    from rulespec.engine.game import Game
    from rulespec.engine.state import StartPosition, State


class Narrator:
    """Tells one player (or, for None, somebody who sees everything) what happens, event by event, from the beginning or
    from a position set up by hand."""

    def __init__(self, game: Game, player: int | None, position: StartPosition | None = None) -> None:
        self.game, self.player = game, player
        self.knowledge = Knowledge(game, player, game.sizes_at_start(position)) if player is not None else None
        # Where every card really lies: only to tell what may be told of it, never told itself.
        self.lies = game.places_at_start(position)

    def narrate(self, event: Event) -> str:
        """The event in words, empty where there is nothing to tell; what was seen is remembered."""
        words = _WORDS[event[0]](self, event)
        if self.knowledge is not None:
            self.knowledge.take(event)
        if event[0] == "move":
            self.lies[event[2]] = event[5]
        elif event[0] == "move_all":
            self.lies.update(dict.fromkeys(event[4:], event[3]))
        return words

    def observes(self, *zones: int) -> bool:
        return self.knowledge is None or any(self.knowledge.visible[zone] for zone in zones)

    def card(self, event: Event) -> str:
        """The card of a move, as far as this player knows it."""
        _, _, card, source, position, target = event
        if self.observes(source, target):
            return self.game.card_name(card)
        assert self.knowledge is not None
        known = self.knowledge.at[source][position] if self.knowledge.ordered[source] else None
        return self.game.face_name(known) if known is not None else "a card"


def _nothing(narrator: Narrator, event: Event) -> str:
    return ""


def _choice(narrator: Narrator, event: Event) -> str:
    _, _, player, action = event
    picks_card = any(pick.kind == "card" for pick in narrator.game._option_of(action).picks)
    hidden = picks_card and narrator.player is not None and narrator.player != player
    # Which card was picked shows only where the card goes; the move tells as much as may be told.
    words = narrator.game.title_of_action(action) if hidden else narrator.game.action_to_string(action)
    return f"player {player + 1}: {words}"


def _move(narrator: Narrator, event: Event) -> str:
    name = narrator.game.zone_name
    return f"{narrator.card(event)} goes from {name(event[3])} to {name(event[5])}"


def _move_all(narrator: Narrator, event: Event) -> str:
    _, _, source, target, *cards = event
    name = narrator.game.zone_name
    seen = narrator.observes(source, target)
    what = ", ".join(narrator.game.card_name(card) for card in cards) if seen else cards_word(len(cards))
    return f"{what} {'go' if len(cards) > 1 else 'goes'} from {name(source)} to {name(target)}"


def _shuffle(narrator: Narrator, event: Event) -> str:
    return f"{narrator.game.zone_name(event[2])} is shuffled"


def _set(narrator: Narrator, event: Event) -> str:
    _, _, value, offset, number = event
    cards = narrator.game.cards_of(value, offset)
    # What changes on a card is seen by those who see the card: its name alone would tell the others that it is there.
    if not narrator.game.spec.values[value].title or not all(narrator.observes(narrator.lies[card]) for card in cards):
        return ""
    return f"{narrator.game.value_name(value, offset)} is now {narrator.game.value_word(value, number)}"


def _random(narrator: Narrator, event: Event) -> str:
    return f"drawn at random: {_drawn(narrator.game, event[2], event[3])}"


def _drawn(game: Game, place: int, value: int) -> str:
    draw = game.program.code[place]
    assert isinstance(draw, ir.Draw)
    return f"{draw.name} {game.word(draw.kind, draw.enum, value)}"


def _award(narrator: Narrator, event: Event) -> str:
    return award_words(narrator.game, event, narrator.player)


def _rank(narrator: Narrator, event: Event) -> str:
    ranks = event[4 : 4 + narrator.game.players]
    return "final order: " + ", ".join(f"{rank}. player {p + 1}" for p, rank in _ranked(list(ranks)))


def _ranked(ranks: list[int]) -> list[tuple[int, int]]:
    """Players and their ranks, best first."""
    return sorted(enumerate(ranks), key=lambda ranked: ranked[1])


def _broken(narrator: Narrator, event: Event) -> str:
    if narrator.player is not None:
        return ""  # what an invariant looks at may be hidden from players
    return f"the invariant {narrator.game.spec.invariants[event[2]].id} does not hold"


_WORDS: dict[str, Callable[[Narrator, Event], str]] = {
    "rule": _nothing,
    "setup": _nothing,
    "choice": _choice,
    "move": _move,
    "move_all": _move_all,
    "shuffle": _shuffle,
    "set": _set,
    "random": _random,
    "award": _award,
    "rank": _rank,
    "broken": _broken,
}


# the end of a game explains itself


def award_words(game: Game, event: Event, listener: int | None = None) -> str:
    """Who took a place, with how much, and what broke a tie; a `listener` hears only figures they could work out."""
    _, _, place, subject, winner, decided, worth, *rest = event
    telling = game.program.code[place]
    assert isinstance(telling, ir.Note) and isinstance(telling.telling, ir.Award)
    award = telling.telling
    stood = [p for p in range(game.players) if rest[p]]
    table = _Keys(game, award.keys, rest[game.players :], listener)
    head = f"{game.word('enum', award.enum, subject) or subject}, {award.title}"
    head += f" ({worth})" if worth != NONE else ""
    if winner == NONE:
        return f"{head}: nobody" + (f", {table.compare(0, stood)} is level" if len(stood) > 1 else "")
    words = f"{head}: player {winner + 1}, {table.compare(0, [winner, *(p for p in stood if p != winner)])}"
    if decided > 0:
        tied = table.tied(winner, stood, decided)
        words += f"; tied with {_players(tied)}, decided by {table.compare(decided, [winner, *tied])}"
    return words


def cards_word(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


class _Keys:
    """The values of a chain of tie-breaks, by key and player."""

    def __init__(self, game: Game, keys: tuple[ir.Key, ...], values: list[int], listener: int | None = None) -> None:
        self.game, self.keys, self.values, self.listener = game, keys, values, listener

    def at(self, key: int, player: int) -> int:
        return self.values[key * self.game.players + player]

    def title(self, key: int) -> str:
        found = self.keys[key]
        return f"{found.title} ({found.of})" if found.of else found.title

    def word(self, key: int, player: int) -> str:
        observers = self.game.observers
        if self.listener is not None and any(self.listener not in observers[z] for z in self.keys[key].zones[player]):
            return "?"
        value = self.at(key, player)
        return "none" if value in (NONE, LIMIT) else self.game.word(self.keys[key].kind, self.keys[key].enum, value)

    def compare(self, key: int, players: list[int]) -> str:
        """`influence 7 (player 2: 5, player 3: 2)`."""
        if not players:
            return self.title(key)
        others = ", ".join(f"player {p + 1}: {self.word(key, p)}" for p in players[1:])
        joint = " " if self.keys[key].kind == "int" else ": "
        return f"{self.title(key)}{joint}{self.word(key, players[0])}" + (f" ({others})" if others else "")

    def tied(self, winner: int, stood: list[int], decided: int) -> list[int]:
        """Those who were level with the winner up to the deciding key."""
        level = [p for p in stood if all(self.at(k, p) == self.at(k, winner) for k in range(decided))]
        return [p for p in level if p != winner]


def _players(players: list[int]) -> str:
    return " and ".join(f"player {p + 1}" for p in players) if players else "nobody"


def explain_result(state: State) -> list[str]:
    """The end of the game in words, line by line: every place awarded, the scores, what decided between the leaders.

    Empty before the end, and where the state keeps no events.
    """
    if not state.is_terminal() or state.events is None:
        return []
    lines = [award_words(state.game, event) for event in state.events if event[0] == "award"]
    return lines + [line for event in state.events if event[0] == "rank" for line in _ranking(state.game, event)]


def _ranking(game: Game, event: Event) -> list[str]:
    _, _, place, decided, *rest = event
    telling = game.program.code[place]
    assert isinstance(telling, ir.Note) and isinstance(telling.telling, ir.Ranking)
    ranks, table = rest[: game.players], _Keys(game, telling.telling.keys, rest[game.players :])
    order = [p for p, _ in _ranked(ranks)]
    lines = [f"place {ranks[p]}: player {p + 1}, {table.compare(0, [p])}" for p in order]
    winners = [p for p in order if ranks[p] == 1]
    if len(winners) > 1:
        return [*lines, f"{_players(winners)} are level in everything and share the win"]
    if decided > 0:
        tied = table.tied(winners[0], order, decided)
        line = (
            f"player {winners[0] + 1} wins the tie with {_players(tied)}: {table.compare(decided, [winners[0], *tied])}"
        )
        return [*lines, line]
    return [*lines, f"player {winners[0] + 1} wins"]


# what a player sees


def observation(state: State, player: int) -> str:
    """Everything a player knows now, as lines: whose turn it is, the values, each zone as far as they know it."""
    known = state.known.get(player) or Knowledge(state.game, player, state.game.sizes_at_start(state.position))
    state.known[player] = known = known.learn(_events(state))
    return "\n".join([_turn(state), *_values(state, player), *_zones(state, known)])


def information_state(state: State, player: int) -> str:
    """Everything a player has seen and done, from the beginning, as lines."""
    narrator = Narrator(state.game, player, state.position)
    lines = [words for event in _events(state) if (words := narrator.narrate(event))]
    assert narrator.knowledge is not None
    return "\n".join([*lines, *_values(state, player), *_zones(state, narrator.knowledge)])


def _events(state: State) -> list[Event]:
    return state.events or []


def _turn(state: State) -> str:
    if state.asked:
        # All who were asked, whether they have chosen or not: nobody may see who has.
        return f"{_players(list(state.asked))} decide at once"
    return "the game is over" if state.is_terminal() else f"player {state.player + 1} decides"


def _values(state: State, player: int) -> list[str]:
    game = state.game
    return [f"{game.value_name(name, cell)}: {word}" for name, cell, word in game.values_seen(state, player)]


def _zones(state: State, knowledge: Knowledge) -> list[str]:
    game, lines = state.game, []
    for number, cards in enumerate(state.z):
        if not knowledge.visible[number]:
            lines.append(f"{game.zone_name(number)}: {cards_word(len(cards))}{_known(game, knowledge, number)}")
            continue
        # Where the order does not matter it must not show: it could tell how the cards came there.
        shown = [(game.program.faces[card], game.card_label(state, card)) for card in cards]
        words = ", ".join(word for _, word in (shown if knowledge.ordered[number] else sorted(shown)))
        lines.append(f"{game.zone_name(number)}: {words or 'empty'}")
    return lines


def _known(game: Game, knowledge: Knowledge, zone: int) -> str:
    """What is known of a zone nobody may look into: the cards whose place is known, bottom to top, then the others."""
    words = []
    for placed, cards in groupby(knowledge.at[zone], lambda face: face is not None):
        listed = list(cards)
        words += [game.face_name(f) for f in listed if f is not None] if placed else [f"{len(listed)} unknown"]
    ordered = f", bottom to top: {', '.join(words)}" if any(face is not None for face in knowledge.at[zone]) else ""
    loose = ", ".join(game.face_name(face) for face in sorted((+knowledge.loose[zone]).elements()))
    return ordered + (f", known: {loose}" if loose else "")


def plain(state: State, event: Event) -> dict[str, Any]:
    """An event as JSON for logs: everything, with the rule's id and names instead of numbers."""
    game = state.game
    kind, rule, *rest = event
    line: dict[str, Any] = {"event": kind, "rule": game.program.rules[rule] if rule >= 0 else ""}
    return line | _PLAIN[kind](game, rest)


_PLAIN: dict[str, Callable[[Game, list[Any]], dict[str, Any]]] = {
    "rule": lambda g, a: {},
    "choice": lambda g, a: {"player": a[0] + 1, "action": a[1], "says": g.action_to_string(a[1])},
    "move": lambda g, a: {"card": g.card_name(a[0]), "from": g.zone_id(a[1]), "position": a[2], "to": g.zone_id(a[3])},
    "move_all": lambda g, a: {"cards": [g.card_name(c) for c in a[2:]], "from": g.zone_id(a[0]), "to": g.zone_id(a[1])},
    "shuffle": lambda g, a: {"zone": g.zone_id(a[0]), "order": [g.card_name(c) for c in a[1:]]},
    "set": lambda g, a: {"value": g.value_id(a[0], a[1]), "to": g.value_word(a[0], a[2])},
    "random": lambda g, a: {"drawn": _drawn(g, a[0], a[1])},
    "award": lambda g, a: {"says": award_words(g, ("award", 0, *a))},
    "rank": lambda g, a: {"says": _ranking(g, ("rank", 0, *a)), "ranks": a[2 : 2 + g.players]},
    "setup": lambda g, a: {},
    "broken": lambda g, a: {"invariant": g.spec.invariants[a[0]].id},
}
