"""A section of a rulebook."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RuleSection:
    """One rule of a rulebook, with what its text says for the number of players. `depth` is 1 for a rule that is not
    inside another."""

    id: str
    title: str
    text: str
    depth: int
    examples: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The text and the worked examples."""
        return (self.text, *self.examples)
