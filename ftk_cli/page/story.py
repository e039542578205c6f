"""What a seat has seen of a game, in the words of any language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rulespec.messages import Message

if TYPE_CHECKING:
    from ftk_cli.page.words import Words
    from rulespec import Game, State


class Seen(NamedTuple):
    """One event: its kind, its rule, the seat that acted (-1 if none did), and what was seen of it."""

    kind: str
    rule: str
    seat: int
    said: tuple[Message, ...]


class Story:
    """What one seat (None: an observer of everything) sees of a game, from its beginning."""

    def __init__(self, game: Game, seat: int | None) -> None:
        from rulespec.engine import Narrator

        self.game, self._narrator = game, Narrator(game, seat)
        self._seen: list[Seen] = []
        self._heard = 0

    def follow(self, state: State) -> None:
        """Takes in the events since the last call."""
        events = state.events or []
        for kind, rule, *rest in events[self._heard :]:
            id_ = self.game.program.rules[rule] if rule >= 0 else ""
            said = tuple(self._narrator.said((kind, rule, *rest)))
            # Parts of a game have ids without a dot.
            if said or (kind == "rule" and id_ and "." not in id_):
                self._seen.append(Seen(kind, id_, rest[0] if kind == "choice" else -1, said))
        self._narrator.look()
        self._heard = len(events)

    def note(self, kind: str, seat: int, said: Message) -> None:
        """Adds what is no event of the game."""
        self._seen.append(Seen(kind, "", seat, (said,)))

    def __len__(self) -> int:
        return len(self._seen)

    def lines(self, words: Words, first: int = 0) -> list[dict[str, Any]]:
        """What was seen from a place on, in a language."""
        return [_line(words, one) for one in self._seen[first:]]


def _line(words: Words, seen: Seen) -> dict[str, Any]:
    text = words.rule_title(seen.rule) if seen.kind == "rule" else "\n".join(map(words.of, seen.said))
    return {"kind": seen.kind, "text": text, "rule": seen.rule, "seat": seen.seat}
