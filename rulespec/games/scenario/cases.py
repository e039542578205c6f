"""Reads cases: their setting, position, choices and expectations, resolved against the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import counted, say
from rulespec.engine.interpreter.running import StartPosition
from rulespec.engine.states.game import setting
from rulespec.engine.states.start_positions import miscounted
from rulespec.games.api import Spec
from rulespec.games.scenario.claims import Claim, claims
from rulespec.games.scenario.vocabulary import Misfit, Vocabulary, items, near, scalar, whole
from rulespec.language.document.nodes import Mapping as MappingNode
from rulespec.language.document.nodes import Node, Scalar, Sequence
from rulespec.language.model.spec import nested


@dataclass(frozen=True)
class Choice:
    """An action that a player (a seat from 0) takes, in words."""

    player: int
    action: Scalar
    by: Scalar


@dataclass(frozen=True)
class Case:
    """A case ready to run. `position` is None for a fresh deal."""

    id: str
    title: str
    node: MappingNode
    vocabulary: Vocabulary
    seed: int
    position: StartPosition | None
    steps: tuple[Choice | Claim, ...]

    @property
    def rulings(self) -> Mapping[str, str]:
        """The options that the case chooses, by ruling."""
        chosen = self.node.get("rulings")
        entries = chosen.entries if isinstance(chosen, MappingNode) else ()
        return {key.text: scalar(value).text for key, value in entries}


class Games:
    """The games of one spec, one per setting, each compiled once and shared by all cases."""

    def __init__(self, spec: Spec, engine: str) -> None:
        self.spec, self.engine = spec, engine
        self._known: dict[tuple[int, tuple[int, ...]], Vocabulary] = {}

    def vocabulary(self, players: int, rulings: Mapping[str, str]) -> Vocabulary:
        """The vocabulary for a player count and rulings that the spec has."""
        # By the options that hold: a case may name one that holds anyway.
        key = players, tuple(setting(self.spec.model, players, rulings).chosen.values())
        if key not in self._known:
            self._known[key] = Vocabulary(self.spec.game(players, rulings, self.engine))
        return self._known[key]

    @cached_property
    def inside_procedures(self) -> frozenset[str]:
        """The rules inside procedures: they run from several places, so no position can start at them."""
        procedures = self.spec.model.procedures.values()
        inner = {step.rule for p in procedures for outer in p.body for step in nested(outer)}
        return frozenset(inner | {p.rule for p in procedures}) - {""}


def read_case(node: MappingNode, games: Games) -> tuple[Case | None, list[Finding]]:
    """A case that has the right shape, resolved against its game; None and findings if it does not fit the game."""
    reader = _Reader(node, games)
    vocabulary = reader.setting()
    if vocabulary is None:
        return None, reader.findings
    position, steps = reader.position(vocabulary), tuple(reader.steps(vocabulary))
    if reader.findings:
        return None, reader.findings
    if not any(isinstance(step, Claim) for step in steps):
        message, hint = (
            say("The case {reader} has no expectation, so it cannot fail.", reader=reader.id),
            say("Add `expect:`."),
        )
        place = scalar(node.get("id") or node).span
        reader.findings.append(finding("scenario-expects-nothing", message, node.source, place, hint, reader.id))
    title = scalar(node.get("title") or node).text
    return Case(reader.id, title, node, vocabulary, whole(node.get("seed")), position, steps), reader.findings


class _Reader:
    """Reads one case and collects its findings."""

    def __init__(self, node: MappingNode, games: Games) -> None:
        self.node, self.games, self.model = node, games, games.spec.model
        self.id = scalar(node.get("id") or node).text
        self.findings: list[Finding] = []

    def say(self, misfit: Misfit) -> None:
        found = finding(misfit.name, misfit.message, self.node.source, misfit.span, misfit.hint, self.id)
        self.findings.append(found)

    def below(self, key: str, node: MappingNode | None = None) -> tuple[tuple[Scalar, Node], ...]:
        """The entries of the mapping under a key; none if the key is missing."""
        value = (node or self.node).get(key)
        return value.entries if isinstance(value, MappingNode) else ()

    # players and rulings

    def setting(self) -> Vocabulary | None:
        """The vocabulary of the case's game; None if its players, rulings or sources do not exist."""
        for misfit in (*self._wrong_players(), *self._wrong_rulings(), *self._wrong_sources()):
            self.say(misfit)
        if self.findings:
            return None
        rulings = {key.text: scalar(value).text for key, value in self.below("rulings")}
        return self.games.vocabulary(whole(self.node.get("players")), rulings)

    def _wrong_players(self) -> Iterator[Misfit]:
        node, players = scalar(self.node.get("players") or self.node), self.model.players
        if whole(node) not in players:
            fewest_to_most = say("{low} to {high}", low=players.start, high=players[-1])
            message = say(
                "{model} is for {fewest_to_most} players, not {node}.",
                model=self.model.title,
                fewest_to_most=fewest_to_most,
                node=node.text,
            )
            yield Misfit(
                "scenario-bad-value",
                message,
                node.span,
                say("Write a number from {fewest_to_most}.", fewest_to_most=fewest_to_most),
            )

    def _wrong_rulings(self) -> Iterator[Misfit]:
        for key, value in self.below("rulings"):
            ruling, answer = self.model.rulings.get(key.text), scalar(value)
            if ruling is None:
                message = say("Unknown ruling: `{key}`.", key=key.text)
                yield Misfit("scenario-unknown-name", message, key.span, near(key.text, self.model.rulings))
            elif answer.text not in ruling.options:
                message = say("`{answer}` is not an answer to `{key}`.", answer=answer.text, key=key.text)
                yield Misfit("scenario-bad-value", message, answer.span, near(answer.text, ruling.options))

    def _wrong_sources(self) -> Iterator[Misfit]:
        node = self.node.get("source")
        for item in items(node) if node is not None else ():
            if item.text not in self.model.sources:
                message = say("Unknown source: `{item}`.", item=item.text)
                yield Misfit("scenario-unknown-name", message, item.span, near(item.text, self.model.sources))

    # the position

    def position(self, vocabulary: Vocabulary) -> StartPosition | None:
        """The position under `given:`; None for a fresh deal, and if the position has findings."""
        given = self.node.get("given")
        if not isinstance(given, MappingNode):
            return None
        try:
            at = self._start(vocabulary, scalar(given.get("at") or given))
            rest = self._rest(vocabulary, given)
        except Misfit as misfit:
            self.say(misfit)
            at, rest = "", 0
        values = dict(self._values(vocabulary, self.below("values", given)))
        zones = self._zones(vocabulary, self.below("zones", given))
        if at and isinstance(node := given.get("rest"), Scalar) and vocabulary.program.cards:
            self._check_rest(vocabulary, rest, zones, node)
        self._check_tokens(vocabulary, values, given)
        return StartPosition(at, values, zones, rest)

    def _check_tokens(self, vocabulary: Vocabulary, values: Mapping[int, int], given: MappingNode) -> None:
        """Reports a position with more or fewer tokens than the game."""
        if stock := miscounted(vocabulary.game, values):
            message = say("There are not as many tokens of `{stock}` as when the game begins.", stock=stock)
            hint = say("Tokens only move: write how many are in the other places, too.")
            self.say(Misfit("scenario-bad-value", message, (given.key("values") or given).span, hint))

    def _rest(self, vocabulary: Vocabulary, given: MappingNode) -> int:
        """The zone of all cards that the position does not place; 0 in a game without cards."""
        if (node := given.get("rest")) is not None:
            return vocabulary.zone(scalar(node))
        if vocabulary.program.cards:
            message = say("Missing key: `rest`, the zone of all other cards.")
            place = (self.node.key("given") or given).span
            raise Misfit("missing-key", message, place, say("Add `rest:` with the name of a zone."))
        return 0

    def _start(self, vocabulary: Vocabulary, node: Scalar) -> str:
        rule = vocabulary.rule(node)
        if rule in self.games.inside_procedures:
            message = say(
                "A case cannot start at the rule `{rule}`: it is part of a procedure, which runs from several places.",
                rule=rule,
            )
            raise Misfit("scenario-no-start", message, node.span, say("Start at a rule that runs the procedure."))
        if rule not in vocabulary.program.entries:
            message = say("A case cannot start at the rule `{rule}`: it has no step in this game.", rule=rule)
            hint = say(
                "Check `only_if:` of the rule against players and rulings, or start at the rule that contains it."
            )
            raise Misfit("scenario-no-start", message, node.span, hint)
        return rule

    def _values(self, vocabulary: Vocabulary, entries: tuple[tuple[Scalar, Node], ...]) -> Iterator[tuple[int, int]]:
        for key, value in entries:
            try:
                slot, type_ = vocabulary.stored(key)
                yield slot, vocabulary.content(scalar(value), type_)
            except Misfit as misfit:
                self.say(misfit)

    def _zones(self, vocabulary: Vocabulary, entries: tuple[tuple[Scalar, Node], ...]) -> dict[int, tuple[int, ...]]:
        free = {
            face: [c for c in vocabulary.program.cards if vocabulary.program.faces[c] == face]
            for face in vocabulary.copies
        }
        found: dict[int, tuple[int, ...]] = {}
        for key, value in entries:
            try:
                zone, listed = vocabulary.zone(key), vocabulary.listed(value)
                self._has_room(vocabulary, zone, len(listed), key)
                cards = tuple(self._deal(vocabulary, face, place, free) for face, place in listed)
                found[zone] = cards[::-1] if vocabulary.is_pile(zone) else cards  # scenarios list a pile from its top
            except Misfit as misfit:
                self.say(misfit)
        return found

    def _check_rest(
        self, vocabulary: Vocabulary, rest: int, zones: Mapping[int, tuple[int, ...]], place: Scalar
    ) -> None:
        """Reports a zone of all other cards that cannot hold them."""
        try:
            self._has_room(vocabulary, rest, len(vocabulary.program.cards) - sum(map(len, zones.values())), place)
        except Misfit as misfit:
            self.say(misfit)

    def _has_room(self, vocabulary: Vocabulary, zone: int, cards: int, place: Scalar) -> None:
        """Raises Misfit if a zone cannot hold so many cards."""
        name = vocabulary.program.zones[zone][0]
        declared = self.model.zones[name].holds
        holds = vocabulary.game.setting.value(declared) if declared is not None else cards
        if cards > holds:
            message = counted(
                "`{name}` holds {number} card, not {cards}.",
                "`{name}` holds {number} cards, not {cards}.",
                holds,
                name=name,
                cards=cards,
            )
            raise Misfit(
                "scenario-bad-value", message, place.span, say("Give it fewer cards, or raise `holds` in the spec.")
            )

    def _deal(self, vocabulary: Vocabulary, face: int, place: Scalar, free: dict[int, list[int]]) -> int:
        if free[face]:
            return free[face].pop(0)
        name, copies = vocabulary.game.names.face_names[face], vocabulary.copies[face]
        message = say("Too many copies of `{name}`: the game has {copies}.", name=name, copies=copies)
        raise Misfit(
            "scenario-card-taken", message, place.span, say("Use another card, or remove a copy from the zones above.")
        )

    # choices and expectations

    def steps(self, vocabulary: Vocabulary) -> Iterator[Choice | Claim]:
        """The choices and claims of the case, in order."""
        done = self.node.get("do")
        for item in done.items if isinstance(done, Sequence) else ():
            assert isinstance(item, MappingNode)
            key, value = item.entries[0]
            yield from (
                self._claims(vocabulary, value) if key.text == "expect" else self._choices(vocabulary, key, value)
            )
        expected = self.node.get("expect")
        yield from self._claims(vocabulary, expected) if expected is not None else ()

    def _choices(self, vocabulary: Vocabulary, key: Scalar, value: Node) -> Iterator[Choice]:
        try:
            player = vocabulary.player(key)
        except Misfit as misfit:
            self.say(misfit)
            return
        yield from (Choice(player, item, key) for item in items(value))

    def _claims(self, vocabulary: Vocabulary, node: Node) -> Iterator[Claim]:
        assert isinstance(node, MappingNode)
        for found in claims(vocabulary, node):
            if isinstance(found, Misfit):
                self.say(found)
            else:
                yield found
