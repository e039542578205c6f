"""Why a change of files is refused."""

from __future__ import annotations


class Refusal(Exception):
    """Raised for a change of files that cannot be made, with the reason and a hint. No file has been changed."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
