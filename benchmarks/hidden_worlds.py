"""What each player is entitled to see of a game, and what the engine shows them. The former is derived from events and
`seen_by`, without what the engine keeps of their knowledge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hidden_specs import PLAYERS, Parts

import rulespec
from rulespec.engine.knowledge.events import Narrator
from rulespec.engine.knowledge.observer import Observer
from rulespec.play.table.story import Story


def options(parts: Any) -> Iterator[Parts]:
    """All options of a spec."""
    for inner in parts.values() if isinstance(parts, dict) else parts if isinstance(parts, list) else ():
        yield from options(inner)
    if isinstance(parts, dict) and "says" in parts:
        yield parts


def plain(value: str) -> str:
    """An expression without the bounds of its number."""
    found = re.fullmatch(r"clamp\((\w+), 0, \d\)", str(value))
    return found[1] if found else str(value)


@dataclass
class World:
    """A game in progress, with what each seat is entitled to see since the world began."""

    parts: Parts
    state: rulespec.State
    zones: dict[int, list[int]]
    values: dict[tuple[str, int], int] = field(default_factory=dict)
    read: int = 0
    entitled: list[list[object]] = field(default_factory=lambda: [[] for _ in range(PLAYERS)])
    views: dict[int, dict[str, list[Any]]] = field(default_factory=dict)

    def copy(self) -> World:
        zones = {zone: list(cards) for zone, cards in self.zones.items()}
        return World(self.parts, self.state.clone(), zones, dict(self.values), self.read)

    def act(self, actions: dict[int, int]) -> World:
        """Applies actions of seats and follows the events."""
        for seat, action in actions.items():
            self.state.apply_action(action, seat)
        events = self.state.events or []
        for event in events[self.read :]:
            items = [self.item(event, seat) for seat in range(PLAYERS)]
            self.follow(event)
            for seat, seen in enumerate(self.entitled):
                seen += [item for item in (items[seat], self.visible(seat)) if item and item not in seen[-1:]]
        for seen in self.entitled:
            seen.append(self.state.deciders())
        self.read, self.views = len(events), {}
        return self

    def follow(self, event: tuple[Any, ...]) -> None:
        match event:
            case ("set", _, name, offset, number):
                self.values[name, offset] = number
            case ("move", _, _, source, place, target):
                self.zones.setdefault(target, []).append(self.zones[source].pop(place))
            case ("move_all", _, source, target, *cards):
                self.zones.setdefault(target, []).extend(cards)
                self.zones[source] = []
            case ("shuffle", _, zone, *cards):
                self.zones[zone] = cards

    def item(self, event: tuple[Any, ...], seat: int) -> tuple[object, ...]:
        """What a seat sees of an event itself, beside what is visible after it. Rules called `k…` apply under a
        condition, which may be hidden."""
        name = self.state.game.card_name
        match event:
            case ("rule", rule):
                return () if self.state.game.program.rules[rule].startswith("k") else event
            case ("set" | "setup", *_):
                return ()
            case ("choice", rule, player, action):
                return "choice", rule, player, *self.written(action)
            case ("move", _, card, source, place, target):
                face = name(card) if self.sees(source, seat) or self.sees(target, seat) else None
                return "move", source, target, place if self.is_stack(source) else None, face
            case ("move_all" | "shuffle", _, *zones):
                return event[0], *zones[: 1 + (event[0] == "move_all")]
            case ("show", _, card, zone, _, to, number):
                return "show", zone, to, number, name(card) if to in (seat, -1) else None
            case ("random", _, place, number, observers):
                return "random", place, number if observers == -1 or observers >> seat & 1 else None
        return event

    def written(self, action: int) -> list[tuple[str, str]]:
        """The picks that an option in any case writes into a value that all see, or uses as its index."""
        game = self.state.game
        picks, name = game.picks_of(action), game.action_to_string(action).split()[0]
        option = next(one for one in options(self.parts) if one["says"].split()[0] == name)
        names = set(self.open_names(option["do"], {pick: pick for pick in picks}))
        return [(pick, word) for pick, word in picks.items() if pick in names]

    def open_names(self, steps: Any, picks: dict[str, str]) -> Iterator[str]:
        """The picks that steps write in any case, by what `picks` says they are called."""
        for step in steps if isinstance(steps, list) else [steps]:
            if "run" in step:
                given = {name: picks[plain(value)] for name, value in step["with"].items() if plain(value) in picks}
                yield from self.open_names(self.parts["procedures"][step["run"]]["do"], given)
            elif not step.keys() - {"id", "title", "do"}:
                yield from self.open_names(step["do"], picks)
            for place, value in step.get("set", {}).items():
                if place.partition("[")[0] in ("pub", "tally"):
                    indices = place.partition("[")[2].removesuffix("]")
                    yield from (picks[name] for name in (indices, plain(value)) if name in picks)

    def visible(self, seat: int | None) -> tuple[object, ...]:
        """The values and cards that a seat sees, or without one all that have a title; and how many cards there are."""
        zones = {zone: self.cards(zone) if self.sees(zone, seat) else [len(self.zones[zone])] for zone in self.zones}
        return {place: number for place, number in self.values.items() if self.reads(*place, seat)}, zones

    def cards(self, zone: int) -> list[Any]:
        """The faces in a zone, each with what lies on it, in an order that players know."""
        faces = [(self.state.game.card_name(card), self.values.get(("mark", card), 0)) for card in self.zones[zone]]
        return faces if self.is_stack(zone) else sorted(faces)

    def is_stack(self, zone: int) -> bool:
        return "order" in self.parts["zones"][self.state.game.zone_id(zone).partition("[")[0]]

    def sees(self, zone: int, seat: int | None) -> bool:
        name, _, index = self.state.game.zone_id(zone).partition("[")
        owner = int(index[0]) - 1 if index[:1].isdigit() else -1
        return self.grants(self.parts["zones"][name]["seen_by"], owner, seat)

    def reads(self, name: str, offset: int, seat: int | None) -> bool:
        """Whether a seat sees a place of a value; those of cards are seen with the cards."""
        places = self.parts["stocks"]["tokens"]["places"] if "stocks" in self.parts else {}
        declared = self.parts["values"].get(name) or places[name]
        if declared.get("per") == "card" or "title" not in declared:
            return False
        suits = len(self.parts["enums"]["suit"]) if name in places or isinstance(declared.get("per"), list) else 1
        return self.grants(declared.get("seen_by", "everybody"), offset // suits, seat)

    def grants(self, sight: Any, owner: int, seat: int | None) -> bool:
        if seat is None or not isinstance(sight, dict):
            return seat is None or {"owner": owner == seat, "others": owner != seat}.get(sight, sight == "everybody")
        return self.values.get(("scout", 0), 0) == seat if "scout" in sight["where"] else ("guide", seat) in self.values

    def shown(self, seat: int) -> dict[str, list[Any]]:
        """What the engine shows a seat."""
        if seat not in self.views:
            state, observer = self.state, Observer(self.state.game, seat)
            words = Narrator(state.game, seat).words
            legal = state.legal_actions(seat) if seat in state.deciders() else []
            self.views[seat] = {
                "legal actions": [state.action_to_string(seat, action) for action in legal],
                "events": [words(one) for event in state.events or [] for one in observer.observe(event)],
                "story": [str(line) for line in Story(state, seat).news(state)],
                "observation": state.observation_string(seat).splitlines(),
                "information state": state.information_state_string(seat).splitlines(),
                "key": [state.information_state_key(seat).hex()],
                "tensors": [*state.observation_tensor(seat), *state.information_state_tensor(seat)],
            }
        return self.views[seat]
