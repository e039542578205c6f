"""Icons by name, as the path data of SVG in a square of 24 by 24: `icons.yaml`, under `icons-license.txt`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml


@cache
def icons() -> Mapping[str, str]:
    """The path of each icon by its name."""
    found: dict[str, str] = yaml.safe_load(files(__package__).joinpath("icons.yaml").read_text(encoding="utf-8"))
    return found
