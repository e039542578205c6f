"""What bots do before they act: thinking with pauses, at which it can be stopped."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

Found = TypeVar("Found")

Thinking = Generator[float, bool | None, Found]
"""A generator that returns what it has found, such as an action. At a pause it yields the share of its limit that is
over. Sent True there, it ends with what it has found so far."""


def thought(thinking: Thinking[Found], stops: Callable[[float], bool | None] = lambda share: None) -> Found:
    """What is found at the end. At each pause `stops` gets the share that is over, and says whether to end there."""
    stop = None
    while True:
        try:
            stop = stops(thinking.send(stop))
        except StopIteration as end:
            found: Found = end.value
            return found
