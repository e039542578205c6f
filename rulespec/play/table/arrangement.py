"""Where things lie on a table and how they are drawn, if nothing says it: derived from a spec."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulespec.language.model.types import NONE, Type

if TYPE_CHECKING:
    from rulespec.language.model.spec import Spec

MOST_ON_TRACK = 40
"""A value with more different numbers is no track."""

COLOURS = ("#b5443c", "#2b6fb0", "#4f7f1d", "#a36600", "#7d46a8", "#1c7d6c", "#a8327a", "#5b5f6b")
"""The colours of members, in their order: white words on each of them have a contrast of at least 4.5."""


class Arrangement:
    """How a spec is drawn. A place is where a zone lies, a shape how its cards lie there."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec

    def mark(self, type_: Type, value: int) -> dict[str, str] | None:
        """The colour of a member with `ink` for words on it, and its symbol, if any; None for what has no mark."""
        enum = self.spec.enums.get(type_.name)
        if type_.kind != "enum" or value == NONE or enum is None or len(enum.members) > len(COLOURS):
            return None
        return {"colour": COLOURS[value], "ink": "#fff"}

    def face(self, card: Sequence[int]) -> dict[str, str]:
        """What a card has besides its fields: `picture`, or `svg` drawn by a template."""
        return {}

    def zone(self, name: str) -> dict[str, str]:
        """The `place` of a zone (hand, front, market, piles, board, aside or hidden) and the `shape` of its cards there
        (fan, row, stack or grid)."""
        zone = self.spec.zones[name]
        public = zone.sight.public
        per = [type_ for type_ in zone.per if type_.kind != "player"]
        if len(per) == 1 and per[0].kind == "enum" and self.spec.enums[per[0].name].places:
            return {"place": "board", "shape": "stack"}
        if zone.owned_by is not None:
            return {"place": "front", "shape": "row"} if public else {"place": "hand", "shape": "fan"}
        if not public or zone.ordered:
            return {"place": "piles", "shape": "stack"}
        return {"place": "market", "shape": "row"}

    def value(self, name: str) -> dict[str, str]:
        """How a value is drawn: on the squares of a `board`, as `tokens`, on a `track`, or as a `number`."""
        value = self.spec.values[name]
        per = [index.type for index in value.per]
        if len(per) == 1 and per[0].kind == "enum" and self.spec.enums[per[0].name].places:
            return {"draw": "board"}
        if value.stock:
            return {"draw": "tokens"}
        width = value.type.high - value.type.low
        if value.type.kind == "int" and value.start is not None and width <= MOST_ON_TRACK and len(per) == 1:
            return {"draw": "track"}
        return {"draw": "number"}
