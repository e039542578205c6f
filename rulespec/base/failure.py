"""Errors with a hint: of a run that cannot be completed, and of a change of files that cannot be made."""

from __future__ import annotations

from importlib.util import find_spec

from rulespec.base.messages import say


class SimulationError(Exception):
    """The games cannot be played or stored, for a reason outside the rules; `hint` says what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)  # both are arguments, so that the exception can be pickled by a worker
        self.hint = hint

    def __str__(self) -> str:
        return str(self.args[0])


def require(package: str, extra: str, what: str) -> None:
    """Raises SimulationError if the package of an optional extra is not installed; `what` needs it."""
    if find_spec(package) is None:
        raise SimulationError(
            say("{what} needs the package {package}, which is not installed.", what=what, package=package),
            say("Install it: pip install 'ftk[{extra}]'.", extra=extra),
        )


class Refusal(Exception):
    """Raised for a change of files that cannot be made, with the reason and a hint. No file has been changed."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
