"""Public names that are imported when they are first used, so that `import rulespec` and small commands stay fast."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def importer(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package that exports names of its modules.

    `names` lists the names for each module, with spaces between them; `name=other` exports `name` as `other`.
    """
    homes = {public: (module, name) for module, listed in names.items() for name, public in map(_split, listed.split())}

    def get(public: str) -> Any:
        if public not in homes:
            raise AttributeError(f"module {package!r} has no attribute {public!r}")
        module, name = homes[public]
        value = getattr(import_module(module), name)
        # From now on the name is found in the module, without `__getattr__`.
        setattr(sys.modules[package], public, value)
        return value

    return get


def _split(listed: str) -> tuple[str, str]:
    name, _, public = listed.partition("=")
    return name, public or name
