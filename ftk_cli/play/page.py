"""A page over the game: the rules, the rule behind a choice, what a player knows, help."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown


class Page(ModalScreen[None]):
    """Markdown that can be scrolled and is closed with Escape, Enter or q."""

    BINDINGS: ClassVar[list[Any]] = [("escape,enter,q", "app.pop_screen", "")]

    def __init__(self, title: str, lines: list[str]) -> None:
        super().__init__()
        self.title, self.lines = title, lines

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page") as box:
            box.border_title = self.title
            yield Markdown("\n".join(self.lines))

    def scroll(self, lines: int) -> None:
        """Scrolls by lines, upwards if they are negative."""
        self.query_one("#page").scroll_relative(y=lines, animate=False)

    def on_mount(self) -> None:
        self.query_one("#page").focus()
