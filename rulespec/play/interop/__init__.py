"""Games for libraries of other projects: OpenSpiel, PettingZoo, Gymnasium and PufferLib.

Each module imports its library when it is first used, so that none of them is needed for anything else.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def library(name: str, extra: str) -> Any:
    """A module of a library. Raises ImportError with the command that installs it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        # The library is there and lacks something itself: its own message says more.
        if error.name is None or error.name.partition(".")[0] != name.partition(".")[0]:
            raise
        package = name.partition(".")[0]
        raise ImportError(f"this needs the package {package}: pip install 'ftk[{extra}]'", name=package) from None
