"""The random generators of one game: one for each name, that is for a rule and the owner of what it draws.

Each is a SplitMix64 generator that starts at a number made of the seed and the name. What is drawn is the candidate
with the smallest key, where a key is made of the next number and the label of the candidate. So every candidate has the
same chance, and if another version has a candidate more or less, all others keep their keys: the same one is drawn
unless the additional one has the smallest key (min-wise hashing, Broder 1997). The key of a candidate is the product
of the number and its odd label, modulo 2**32, which is uniform (multiplicative hashing, Dietzfelbinger et al. 1997) and
cheap: players compare dozens of legal actions in a decision, which machine code does several at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulespec.engine.interpreter.random import GAMMA, MASK, mixed, stream
from rulespec.engine.named_chance.labels import Labels

KEY_MASK = 2**32 - 1
"""The bits of a number and a label whose product is a key. Processors multiply eight pairs of this size at once. The
keys of two candidates are the same once in 4 * 10**9 draws, and the first of them is taken."""


class NamedChance:
    """The generators of a game in progress. `states` holds the state of each that has been used, by rule and owner."""

    __slots__ = ("base", "labels", "states")

    def __init__(self, seed: int, labels: Labels) -> None:
        self.base, self.labels = stream(seed, 0), labels
        self.states: dict[tuple[int, int], int] = {}

    def clone(self) -> NamedChance:
        copy = object.__new__(NamedChance)
        copy.base, copy.labels, copy.states = self.base, self.labels, self.states.copy()
        return copy

    def next(self, rule: int, owner: int = 0) -> int:
        """The next number for a rule (its index in the program) and an owner."""
        before = self.states.get((rule, owner))
        if before is None:
            before = self.base + start_of(self.labels.rules[rule], owner)
        self.states[rule, owner] = state = (before + GAMMA) & MASK
        return mixed(state)

    def shuffle(self, rule: int, zone: int, cards: list[int]) -> None:
        """Shuffles the cards of a zone in place."""
        keys = self._keys(rule, zone, cards)
        cards[:] = [card for _, card in sorted(zip(keys, cards, strict=True), key=_first)]

    def position(self, rule: int, zone: int, cards: Sequence[int]) -> int:
        """The position of a random card of a zone."""
        keys = list(self._keys(rule, zone, cards))
        return keys.index(min(keys))

    def _keys(self, rule: int, zone: int, cards: Sequence[int]) -> Iterable[int]:
        """A key for each card: by its face, and its number among the cards of that face."""
        labels, number, faces = self.labels, self.next(rule, self.labels.owners[zone]), self.labels.card_faces
        copies: dict[int, int] = {}
        for card in cards:
            face = faces[card]
            copy = copies[face] = copies.get(face, 0) + 1
            yield mixed((number + labels.faces[face] + copy * GAMMA) & MASK)

    def choose(self, rule: int, owner: int, labels: Sequence[int]) -> int:
        """The index of a random candidate with these labels, which are odd."""
        number = self.next(rule, owner)
        keys = [number * label & KEY_MASK for label in labels]
        return keys.index(min(keys))


def start_of(rule: int, owner: int) -> int:
    """What a generator's start adds to the base: the label of a rule and an owner."""
    return stream(rule, owner)


def _first(pair: tuple[int, int]) -> int:
    return pair[0]
