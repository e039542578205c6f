"""Compares a passage with many others at once, by the features that they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from rulespec.text.raw.features import Features


class Cosines:
    """Passages by feature. A comparison takes a time that grows with the features in common only."""

    def __init__(
        self, passages: Sequence[Features], weights: Mapping[str, float], length: Callable[[Features], float]
    ) -> None:
        self._length = length
        self._shares: dict[str, list[tuple[int, float]]] = {}
        for index, names in enumerate(passages):
            whole = length(names)
            for name in names:
                if weight := weights.get(name, 0.0):
                    self._shares.setdefault(name, []).append((index, weight**2 / whole))

    def of(self, names: Features, length: float | None = None) -> Mapping[int, float]:
        """The cosine of a passage and each that shares a feature with it, by their index."""
        found: defaultdict[int, float] = defaultdict(float)
        for name in names:
            for index, share in self._shares.get(name, ()):
                found[index] += share
        whole = self._length(names) if length is None else length
        return {index: value / whole for index, value in found.items()}
