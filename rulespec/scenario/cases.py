"""Cases as they are written: setting, position, choices and expectations, read against the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulespec.api import Spec
from rulespec.diagnostics import Finding, finding
from rulespec.document import Mapping as MappingNode
from rulespec.document import Node, Scalar, Sequence
from rulespec.engine.running import StartPosition
from rulespec.model.spec import nested
from rulespec.scenario.claims import Claim, claims
from rulespec.scenario.words import Misfit, Words, items, near, scalar, whole


@dataclass(frozen=True)
class Choice:
    """What a player (a seat from 0) chooses, in the words of the action."""

    player: int
    words: Scalar
    by: Scalar


@dataclass(frozen=True)
class Case:
    """A case ready to run. `position` is None for a fresh deal."""

    id: str
    title: str
    node: MappingNode
    words: Words
    seed: int
    position: StartPosition | None
    steps: tuple[Choice | Claim, ...]


class Games:
    """The games of one spec, each set up once however many cases want it."""

    def __init__(self, spec: Spec, engine: str) -> None:
        self.spec, self.engine = spec, engine
        self._known: dict[tuple[int, tuple[tuple[str, str], ...]], Words] = {}

    def words(self, players: int, rulings: Mapping[str, str]) -> Words:
        """The words for a number of players and rulings, which are known to exist."""
        key = players, tuple(sorted(rulings.items()))
        if key not in self._known:
            self._known[key] = Words(self.spec.game(players, rulings, self.engine))
        return self._known[key]

    @cached_property
    def inside_procedures(self) -> frozenset[str]:
        """The rules that run from several places."""
        procedures = self.spec.model.procedures.values()
        inner = {step.rule for p in procedures for outer in p.body for step in nested(outer)}
        return frozenset(inner | {p.rule for p in procedures}) - {""}


def read_case(node: MappingNode, games: Games) -> tuple[Case | None, list[Finding]]:
    """A case of the right form, or what in it does not fit the game."""
    reader = _Reader(node, games)
    words = reader.setting()
    if words is None:
        return None, reader.findings
    position, steps = reader.position(words), tuple(reader.steps(words))
    if reader.findings:
        return None, reader.findings
    if not any(isinstance(step, Claim) for step in steps):
        message, hint = f"The case {reader.id} expects nothing, so it can never fail.", "Add `expect:`."
        place = scalar(node.get("id") or node).span
        reader.findings.append(finding("scenario-expects-nothing", message, node.source, place, hint, reader.id))
    title = scalar(node.get("title") or node).text
    return Case(reader.id, title, node, words, whole(node.get("seed")), position, steps), reader.findings


class _Reader:
    """Reads one case and collects what is wrong with it."""

    def __init__(self, node: MappingNode, games: Games) -> None:
        self.node, self.games, self.model = node, games, games.spec.model
        self.id = scalar(node.get("id") or node).text
        self.findings: list[Finding] = []

    def say(self, misfit: Misfit) -> None:
        found = finding(misfit.name, misfit.message, self.node.source, misfit.span, misfit.hint, self.id)
        self.findings.append(found)

    def below(self, key: str, node: MappingNode | None = None) -> tuple[tuple[Scalar, Node], ...]:
        """The entries of the mapping under a key, none where it is left out."""
        value = (node or self.node).get(key)
        return value.entries if isinstance(value, MappingNode) else ()

    # players and rulings

    def setting(self) -> Words | None:
        """The words of the case's game; None where players, rulings or sources do not exist."""
        for misfit in (*self._wrong_players(), *self._wrong_rulings(), *self._wrong_sources()):
            self.say(misfit)
        if self.findings:
            return None
        rulings = {key.text: scalar(value).text for key, value in self.below("rulings")}
        return self.games.words(whole(self.node.get("players")), rulings)

    def _wrong_players(self) -> Iterator[Misfit]:
        node, players = scalar(self.node.get("players") or self.node), self.model.players
        if whole(node) not in players:
            fewest_to_most = f"{players.start} to {players[-1]}"
            message = f"{self.model.title} is for {fewest_to_most} players, not {node.text}."
            yield Misfit("scenario-bad-value", message, node.span, f"Write a number from {fewest_to_most}.")

    def _wrong_rulings(self) -> Iterator[Misfit]:
        for key, value in self.below("rulings"):
            ruling, answer = self.model.rulings.get(key.text), scalar(value)
            if ruling is None:
                message = f"There is no ruling `{key.text}` in this game."
                yield Misfit("scenario-unknown-name", message, key.span, near(key.text, self.model.rulings))
            elif answer.text not in ruling.options:
                message = f"`{answer.text}` is not an answer to `{key.text}`."
                yield Misfit("scenario-bad-value", message, answer.span, near(answer.text, ruling.options))

    def _wrong_sources(self) -> Iterator[Misfit]:
        node = self.node.get("source")
        for item in items(node) if node is not None else ():
            if item.text not in self.model.sources:
                message = f"The spec has no source `{item.text}`."
                yield Misfit("scenario-unknown-name", message, item.span, near(item.text, self.model.sources))

    # the position

    def position(self, words: Words) -> StartPosition | None:
        """The position given, None for a fresh deal and where something in it is wrong."""
        given = self.node.get("given")
        if not isinstance(given, MappingNode):
            return None
        try:
            at = self._start(words, scalar(given.get("at") or given))
            rest = self._rest(words, given)
        except Misfit as misfit:
            self.say(misfit)
            at, rest = "", 0
        values = dict(self._values(words, self.below("values", given)))
        return StartPosition(at, values, self._zones(words, self.below("zones", given)), rest)

    def _rest(self, words: Words, given: MappingNode) -> int:
        """The zone for all cards that the position does not place; without cards there is nothing to place."""
        if (node := given.get("rest")) is not None:
            return words.zone(scalar(node))
        if words.program.cards:
            message = "This position does not say where all other cards lie."
            place = (self.node.key("given") or given).span
            raise Misfit("missing-key", message, place, "Add `rest:` with the name of a zone.")
        return 0

    def _start(self, words: Words, node: Scalar) -> str:
        rule = words.rule(node)
        if rule in self.games.inside_procedures:
            message = f"The rule `{rule}` runs from several places, so a case cannot begin with it."
            raise Misfit("scenario-no-start", message, node.span, "Begin with a rule that leads to it.")
        if rule not in words.program.entries:
            message = f"The rule `{rule}` has no place of its own in this game, so a case cannot begin with it."
            hint = "Check `only_if:` of the rule against players and rulings, or begin with the rule round it."
            raise Misfit("scenario-no-start", message, node.span, hint)
        return rule

    def _values(self, words: Words, entries: tuple[tuple[Scalar, Node], ...]) -> Iterator[tuple[int, int]]:
        for key, value in entries:
            try:
                slot, type_ = words.stored(key)
                yield slot, words.content(scalar(value), type_)
            except Misfit as misfit:
                self.say(misfit)

    def _zones(self, words: Words, entries: tuple[tuple[Scalar, Node], ...]) -> dict[int, tuple[int, ...]]:
        free = {face: [c for c in words.program.cards if words.program.faces[c] == face] for face in words.copies}
        found: dict[int, tuple[int, ...]] = {}
        for key, value in entries:
            try:
                zone, listed = words.zone(key), words.listed(value)
                cards = tuple(self._deal(words, face, place, free) for face, place in listed)
                found[zone] = cards[::-1] if words.is_pile(zone) else cards  # people read a pile from its top
            except Misfit as misfit:
                self.say(misfit)
        return found

    def _deal(self, words: Words, face: int, place: Scalar, free: dict[int, list[int]]) -> int:
        if free[face]:
            return free[face].pop(0)
        name, copies = words.game.names.face_names[face], words.copies[face]
        message = f"This is more than the {copies} card{'s' * (copies > 1)} `{name}` in the game."
        raise Misfit("scenario-card-taken", message, place.span, "Take another card, or count those above.")

    # choices and expectations

    def steps(self, words: Words) -> Iterator[Choice | Claim]:
        """The choices and claims of the case in order."""
        done = self.node.get("do")
        for item in done.items if isinstance(done, Sequence) else ():
            assert isinstance(item, MappingNode)
            key, value = item.entries[0]
            yield from self._claims(words, value) if key.text == "expect" else self._choices(words, key, value)
        expected = self.node.get("expect")
        yield from self._claims(words, expected) if expected is not None else ()

    def _choices(self, words: Words, key: Scalar, value: Node) -> Iterator[Choice]:
        try:
            player = words.player(key)
        except Misfit as misfit:
            self.say(misfit)
            return
        yield from (Choice(player, item, key) for item in items(value))

    def _claims(self, words: Words, node: Node) -> Iterator[Claim]:
        assert isinstance(node, MappingNode)
        for found in claims(words, node):
            if isinstance(found, Misfit):
                self.say(found)
            else:
                yield found
