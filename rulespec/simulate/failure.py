"""What ends a run before its last game."""

from __future__ import annotations

from importlib.util import find_spec


class SimulationError(Exception):
    """The games cannot be played or kept, for a reason outside the rules; `hint` says what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)  # both are arguments, so that it survives the way from a worker
        self.hint = hint

    def __str__(self) -> str:
        return str(self.args[0])


def require(package: str, extra: str, what: str) -> None:
    """Raises SimulationError where the package of an optional extra is not installed; `what` needs it."""
    if find_spec(package) is None:
        raise SimulationError(
            f"{what} needs the package {package}, which is not installed.", f"Install it: pip install 'ftk[{extra}]'."
        )
