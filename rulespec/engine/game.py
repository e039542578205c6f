"""A game set up from a sealed spec: player count and rulings fixed, ready to be played any number of times."""

from __future__ import annotations

import json
import secrets
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from rulespec.engine import choices, closures, engines, evaluate, ir
from rulespec.engine.expressions import ExpressionLowering
from rulespec.engine.program import compile_program
from rulespec.engine.state import StartPosition, State, StateError
from rulespec.model.constants import Setting
from rulespec.model.spec import Spec
from rulespec.model.types import NONE, Type, set_of

if TYPE_CHECKING:
    from rulespec.engine.backend.machine_playout import TallyLayout
    from rulespec.engine.backend.native import MachinePlayouts
    from rulespec.engine.native import Segments


class Chosen(NamedTuple):
    """The register that notes the option a player took in a secret choice, and the option's number."""

    slot: int
    number: int


class Game:
    """One setting of a spec. Make it with `spec.game(...)`; it is never changed and may be shared.

    With `setup_only` the game is over when its setup is: enough to look at the cards, and quicker to make. `engine` is
    what runs it, one of `engines.ENGINES`: all give the same states, events and results. Raises ValueError, in words
    for people, where this machine lacks what the engine needs.
    """

    def __init__(self, setting: Setting, setup_only: bool = False, engine: str = "interpreter") -> None:
        if engine not in engines.ENGINES:
            raise ValueError(f"there is no engine `{engine}`; there are {', '.join(engines.ENGINES)}")
        if engine == "native" and (missing := engines.native_missing()):
            raise ValueError(missing)
        self.setting, self.setup_only = setting, setup_only
        self.engine = "compiled" if engine == "auto" else engine
        self.spec: Spec = setting.spec
        self.players: int = setting.players
        self.program = compile_program(setting, setup_only)
        self._code: dict[bool, engines.Code] = {}
        self._players: dict[bool, engines.Player | None] = {}
        self._machines: dict[TallyLayout | None, MachinePlayouts | None] = {}
        self._observable: dict[int | None, list[tuple[ir.TitledValue, evaluate.Evaluate]]] = {}
        self._value_names: dict[tuple[str, int, int | None], str] = {}
        self._options: dict[int, list[tuple[int, ir.Option, choices.Bind]]] = {}
        self._secret: dict[tuple[int, int], list[tuple[Chosen, ir.Option, choices.Bind]]] = {}
        self._starts = [o.first for o in self.program.options]

    # making states

    def new_initial_state(self, seed: int | None = None, record: bool = True) -> State:
        """A new game. The same seed gives the same draws; without one a fresh seed is taken (see `state.seed`).

        `record=False` keeps no events: faster, but nothing can be observed, explained or logged.
        """
        return self._state(secrets.randbits(48) if seed is None else seed, record)

    def state_at(self, position: StartPosition, seed: int = 0) -> State:
        """A game from a position set up by hand."""
        return self._state(seed, True, position)

    def _state(self, seed: int, record: bool, position: StartPosition | None = None) -> State:
        if self.engine == "native" and self.segments is not None:
            from rulespec.engine.native import NativeState

            return NativeState(self, self.segments, seed, record, position)
        return State(self, seed, record, position)

    def state_from_json(self, text: str) -> State:
        """The state that `State.to_json` wrote down; it goes on exactly as the first one would.

        Raises StateError where the text is none, belongs to another game, or no longer leads to the same state.
        """
        data = _checked(text, self.identity())
        state = self.new_initial_state(data["seed"])
        for player, action in [*data["history"], *data.get("decided", [])]:
            state.apply_action(action, player)
        if state.snapshot() != data.get("state"):
            raise StateError("this state was written with another version of the rules: its choices lead elsewhere now")
        return state

    def sizes_at_start(self, position: StartPosition | None = None) -> list[int]:
        """How many cards lie in each zone before anything happens."""
        placed = position.zones if position is not None else {}
        sizes = [len(placed.get(zone, ())) for zone in range(len(self.program.zones))]
        if sizes:
            sizes[position.rest if position else self.program.start_zone] += len(self.program.cards) - sum(sizes)
        return sizes

    def places_at_start(self, position: StartPosition | None = None) -> dict[int, int]:
        """The zone of every card in the game before anything happens."""
        elsewhere = position.rest if position is not None else self.program.start_zone
        placed = position.zones.items() if position is not None else ()
        lying = {card: zone for zone, cards in placed for card in cards}
        return {card: lying.get(card, elsewhere) for card in self.program.cards}

    def identity(self) -> dict[str, Any]:
        """What names this setting in logs and states."""
        answers = {id_: ruling.options[self.setting.chosen[id_]] for id_, ruling in self.spec.rulings.items()}
        return {
            "format": 1,
            "game": self.spec.id,
            "version": self.spec.version,
            "digest": self.spec.digest,
            "players": self.players,
            "rulings": answers,
        }

    # for states

    def code(self, record: bool) -> engines.Code:
        if record not in self._code:
            made = engines.made(lambda: engines.compiled(self, record)) if self.engine != "interpreter" else None
            self._code[record] = made or engines.interpreted(self, record)
        return self._code[record]

    # Each of these three is None where the game comes to too much for it (see `engines.made`).

    def player(self, tally: bool) -> engines.Player | None:
        """What plays whole games in plain Python (see playout.py)."""
        if tally not in self._players:
            self._players[tally] = engines.made(lambda: engines.player(self, tally))
        return self._players[tally]

    @cached_property
    def segments(self) -> Segments | None:
        """Machine code that carries a state on from decision to decision."""
        from rulespec.engine.native import Segments

        return engines.made(lambda: Segments(self))

    def machine(self, tally: TallyLayout | None = None) -> MachinePlayouts | None:
        """What plays whole games in machine code, with what a tally counts."""
        if tally not in self._machines:
            from rulespec.engine.backend.native import MachinePlayouts

            self._machines[tally] = engines.made(lambda: MachinePlayouts(self.setting, self.program, tally))
        return self._machines[tally]

    @cached_property
    def always(self) -> list[Callable[[State], None]]:
        """The checks of the invariants that hold whenever somebody decides."""
        return [closures.checker(check) for check in self.program.always]

    def option(self, place: int, action: int) -> tuple[ir.Option, choices.Bind]:
        """The option an action belongs to at a choice of the program, and the function that binds its variables."""
        options = self._options.get(place)
        if options is None:
            choose = self.program.code[place]
            assert isinstance(choose, ir.Choose)
            options = [(o.first + o.size, o, choices.chooser(o, self.program)) for o in choose.options]
            self._options[place] = options
        return next((option, bind) for end, option, bind in options if option.first <= action < end)

    def secret_option(self, place: int, player: int, action: int) -> tuple[Chosen, ir.Option, choices.Bind]:
        """The same for a player's action in a secret choice, and where to note which option it was."""
        found = self._secret.get((place, player))
        if found is None:
            secret = self.program.code[place]
            assert isinstance(secret, ir.Secret)
            asking = next(a for a in secret.askings if a.player == player)
            found = [
                (Chosen(asking.chosen, number), option, choices.chooser(option, self.program))
                for number, option in enumerate(asking.options)
            ]
            self._secret[place, player] = found
        return next(entry for entry in found if entry[1].first <= action < entry[1].first + entry[1].size)

    # what values hold

    @cached_property
    def titled_values(self) -> tuple[ir.TitledValue, ...]:
        """Every titled value, cell by cell. Apart from the program: a game that nobody watches never needs them."""
        return tuple(self._lowering.titled_values())

    @cached_property
    def _lowering(self) -> ExpressionLowering:
        return ExpressionLowering(self.setting)

    def _titled_values_of(self, player: int | None) -> list[tuple[ir.TitledValue, evaluate.Evaluate]]:
        """What may be told to a player, worked out once."""
        if player not in self._observable:
            zones = [zone for zone, who in enumerate(self.observers) if player is None or player in who]
            titled = [one for one in self.titled_values if one.zones.issubset(zones)]
            self._observable[player] = [(one, evaluate.evaluator(one.expression)) for one in titled]
        return self._observable[player]

    def values_seen(self, state: State, player: int | None) -> Iterator[tuple[str, int, str]]:
        """Name, cell and content in words of every titled value that a player (None: somebody who sees everything) may
        know: not those worked out from zones they cannot look into."""
        values, zones = self._titled_values_of(player), state.z
        registers = state.r[: len(self.program.start)] + [0] * len(self._lowering.scratch)
        for titled, value in values:
            yield titled.value, titled.cell, self.value_word(titled.value, int(value(registers, zones)))

    def card_label(self, state: State, card: int) -> str:
        """A card in words, with what lies on it: its stored values with a title, where they are not as at the start."""
        notes = [f"{title} {word}" for title, word in self._notes(state, card)]
        return self.card_name(card) + (f" ({', '.join(notes)})" if notes else "")

    def _notes(self, state: State, card: int) -> Iterator[tuple[str, str]]:
        for value, cells in self._of_cards:
            for cell, title in cells[card]:
                address = self.program.value_base[value] + cell
                if state.r[address] != self.program.start[address]:
                    yield title, self.value_word(value, state.r[address])

    @cached_property
    def _of_cards(self) -> list[tuple[str, list[list[tuple[int, str]]]]]:
        """For every titled value of cards the cells of each card, with the words for each."""
        found = []
        for value in self.spec.values.values():
            kinds = [index.type.kind for index in value.per]
            # What lies between two cards is no one card's: nobody is told of it.
            if value.title and value.start is not None and kinds.count("card") == 1:
                cells: list[list[tuple[int, str]]] = [[] for _ in self.spec.deck.cards]
                for cell in range(prod(self.extent(index.type) for index in value.per)):
                    indices = self._indices(value.name, cell)
                    others = [self.word(t.kind, t.name, at) for t, at in indices if t.kind != "card"]
                    cells[indices[kinds.index("card")][1]].append((cell, " ".join([value.title, *others])))
                found.append((value.name, cells))
        return found

    @cached_property
    def observers(self) -> list[frozenset[int]]:
        """For every zone the players who may look into it."""
        everybody, found = frozenset(range(self.players)), []
        for name, index in self.program.zones:
            zone = self.spec.zones[name]
            who = zone.seen_by if zone.seen_if is None or self.setting.value(zone.seen_if) else zone.or_seen_by
            owner: frozenset[int] = frozenset((index,)) if index is not None else frozenset()
            found.append({"everybody": everybody, "nobody": frozenset(), "owner": owner}[who])
        return found

    # action space

    def num_distinct_actions(self) -> int:
        """Actions are the numbers from 0 up to this one."""
        return self.program.actions

    def num_players(self) -> int:
        return self.players

    def _option_of(self, action: int) -> ir.Option:
        if not 0 <= action < self.program.actions:
            raise StateError(f"there is no action {action}; the action space ends at {self.program.actions - 1}")
        return self.program.options[bisect_right(self._starts, action) - 1]

    def rule_of_action(self, action: int) -> str:
        """The id of the rule that gives an action."""
        return self.program.rules[self._option_of(action).rule]

    def picks_of(self, action: int) -> dict[str, str]:
        """The variables of an action and what they stand for, in words."""
        option = self._option_of(action)
        number, found = action - option.first, {}
        for pick in reversed(option.picks):
            number, digit = divmod(number, pick.size)
            least = pick.domain.least if isinstance(pick.domain, ir.Span) else 0
            found[pick.name] = (
                self.face_name(digit) if pick.kind == "card" else self.word(pick.kind, pick.enum, digit + least)
            )
        return dict(reversed(found.items()))

    def action_to_string(self, action: int) -> str:
        """An action in words, from the option's own."""
        option = self._option_of(action)
        words = option.says or self.program.rules[option.rule]
        for name, value in self.picks_of(action).items():
            words = words.replace("{" + name + "}", value)
        return words

    def title_of_action(self, action: int) -> str:
        """What kind of action it is, without what was picked: the title of its rule."""
        rule = self.rule_of_action(action)
        return self.spec.rules[rule].title if rule else "chooses"

    # names

    @cached_property
    def face_names(self) -> tuple[str, ...]:
        """The name of every card face: its fields in words."""
        return tuple(self._face(card) for card in self.spec.deck.first_of_face)

    def _face(self, card: int) -> str:
        deck = self.spec.deck
        fields = zip(deck.fields.items(), deck.cards[card], strict=True)
        words = {name: self.word(type_.kind, type_.name, value) for (name, type_), value in fields}
        name = deck.names.get(deck.cards[card][deck.column(deck.face[0])]) if deck.face else None
        if name is None:
            return " ".join(words[field] for field in deck.face if words[field])
        for field in deck.face:
            name = name.replace("{" + field + "}", words[field])
        return " ".join(name.split())

    def face_name(self, face: int) -> str:
        return self.face_names[face]

    def card_name(self, card: int) -> str:
        """A card in words, as its face shows it."""
        return self.face_names[self.program.faces[card]]

    def word(self, kind: str, enum: str, value: int) -> str:
        """A stored value in words; nothing for what is absent."""
        if value == NONE:
            return ""
        if kind == "enum":
            answers = self.spec.rulings[enum.removeprefix("ruling:")].options if enum.startswith("ruling:") else ()
            return (answers or self.spec.enums[enum].members)[value]
        if kind == "card":
            return self.card_name(value)
        if kind == "set":
            return self.spec.member(set_of(enum), value)
        if kind == "bool":
            return "yes" if value else "no"
        return f"player {value + 1}" if kind == "player" else str(value)

    def zone_name(self, zone: int) -> str:
        """A zone in words, with its owner."""
        return self._zone_names[zone]

    @cached_property
    def _zone_names(self) -> list[str]:
        return [self._zone_name(zone) for zone in range(len(self.program.zones))]

    def _zone_name(self, zone: int) -> str:
        name, index = self.program.zones[zone]
        declared = self.spec.zones[name]
        if index is None or declared.per is None:
            return declared.title
        return f"{declared.title} of {self.word(declared.per.kind, declared.per.name, index)}"

    def zone_id(self, zone: int) -> str:
        """A zone as in the spec: `hand[2]`, `deck`; players count from 1."""
        name, index = self.program.zones[zone]
        return name if index is None else f"{name}[{self._index(self.spec.zones[name].per, index)}]"

    def _index(self, type_: Type | None, index: int) -> str:
        assert type_ is not None
        if type_.kind == "card":
            return self.card_name(index)
        return str(index + 1) if type_.kind == "player" else self.spec.member(type_, index)

    def extent(self, type_: Type) -> int:
        """How many contents an index of this type has, in play or not."""
        if type_.kind == "card":
            return len(self.spec.deck.cards)
        return self.players if type_.kind == "player" else len(self.spec.enums[type_.name].members)

    def _indices(self, value: str, offset: int) -> list[tuple[Type, int]]:
        found = []
        for index in reversed(self.spec.values[value].per):
            offset, at = divmod(offset, self.extent(index.type))
            found.append((index.type, at))
        return found[::-1]

    def cards_of(self, value: str, offset: int) -> list[int]:
        """The cards that a cell of a stored value belongs to; none as a rule."""
        return [at for type_, at in self._indices(value, offset) if type_.kind == "card"]

    def value_id(self, value: str, offset: int) -> str:
        """A cell of a stored value as in the spec: `esteem[military]`."""
        indices = [self._index(type_, at) for type_, at in self._indices(value, offset)]
        return value + (f"[{', '.join(indices)}]" if indices else "")

    def value_name(self, value: str, offset: int, indices: int | None = None) -> str:
        """A cell of a value in words, with all of its indices or the first few."""
        key = value, offset, indices
        if key not in self._value_names:
            self._value_names[key] = self._value_name(*key)
        return self._value_names[key]

    def _value_name(self, value: str, offset: int, indices: int | None) -> str:
        words = [self.word(type_.kind, type_.name, at) for type_, at in self._indices(value, offset)[:indices]]
        return (self.spec.values[value].title or value) + (f" ({', '.join(words)})" if words else "")

    def value_word(self, value: str, number: int) -> str:
        """What a stored value holds, in words."""
        type_ = self.spec.values[value].type
        return self.word(type_.kind, type_.name, number) or "none"

    def zone_number(self, name: str, index: int = 0) -> int:
        """A zone's number. Raises StateError where there is no such zone."""
        declared = self.spec.zones.get(name)
        extent = self.extent(declared.per) if declared is not None and declared.per is not None else 1
        if declared is None or not 0 <= index < extent:
            raise StateError(f"there is no zone `{name}`" + (f" with index {index}" if declared is not None else ""))
        return self.program.zone(name, index)

    def address(self, name: str, index: Sequence[int]) -> int:
        """The register of a stored value. Raises StateError where there is none."""
        declared = self.spec.values.get(name)
        if declared is None or declared.start is None:
            raise StateError(f"there is no stored value `{name}`")
        if len(index) != len(declared.per):
            raise StateError(f"`{name}` takes {len(declared.per)} indices, not {len(index)}")
        offset = 0
        for at, wanted in zip(index, declared.per, strict=True):
            extent = self.extent(wanted.type)
            if not 0 <= at < extent:
                raise StateError(f"`{name}` has no index {at}")
            offset = offset * extent + at
        return self.program.value_base[name] + offset


def setting(spec: Spec, players: int | None = None, rulings: Mapping[str, str] | None = None) -> Setting:
    """The setting for a number of players (by default the smallest) and rulings by name.

    Raises ValueError, in words for people, for a player count, ruling or answer the game does not have.
    """
    count = spec.players.start if players is None else players
    if not isinstance(count, int) or count not in spec.players:
        raise ValueError(f"{spec.title} is for {spec.players.start} to {spec.players[-1]} players, not {count}")
    answers = dict.fromkeys(spec.rulings, 0)
    for id_, answer in (rulings or {}).items():
        if id_ not in spec.rulings:
            raise ValueError(f"there is no ruling `{id_}`; there are {', '.join(spec.rulings) or 'none'}")
        if answer not in spec.rulings[id_].options:
            raise ValueError(f"the answers to `{id_}` are {', '.join(spec.rulings[id_].options)}, not `{answer}`")
        answers[id_] = spec.rulings[id_].options.index(answer)
    return Setting(spec, count, answers)


def _choices(listed: list[Any]) -> bool:
    """Whether a list holds pairs of player and action."""
    return all(isinstance(c, list) and len(c) == 2 and all(type(part) is int for part in c) for c in listed)


def _checked(text: str, identity: Mapping[str, Any]) -> dict[str, Any]:
    """The parsed text of a state of this very game."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StateError(f"this is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise StateError("this is no state of a game")
    for key, value in identity.items():
        if data.get(key) != value:
            raise StateError(f"this state belongs to another game: its {key} is {data.get(key)!r}, not {value!r}")
    history, seed = data.get("history"), data.get("seed")
    lists = [history, data.get("decided", [])]
    if not isinstance(seed, int) or not all(isinstance(found, list) and _choices(found) for found in lists):
        raise StateError("this state lacks its seed or its history")
    return data
