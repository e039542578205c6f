"""The font families of printed texts and pages, by the script of their language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

__all__ = ["Fonts", "fonts_for"]


@dataclass(frozen=True)
class Fonts:
    """Families for a script, the preferred ones first: `body` for texts, `display` for titles.

    `latin` are those for the letters that the others lack, `install` is what to install if there is none.
    """

    body: tuple[str, ...]
    display: tuple[str, ...]
    latin: tuple[str, ...]
    install: str

    @property
    def is_special(self) -> bool:
        """Whether the script has families of its own."""
        return bool(self.body)


@cache
def fonts_for(script: str) -> Fonts:
    """The families for a script, given by its code in ISO 15924 such as `Jpan`; those for Latin if it has none."""
    data = _data()
    latin, name = tuple(data["latin"]), data["noto"].get(script, "")
    if row := data["scripts"].get(script):
        return Fonts(tuple(row["body"]), tuple(row["display"]), latin, row["install"])
    named = (f"Noto Serif {name}", f"Noto Sans {name}") if name else ()
    return Fonts(named, named, latin, named[-1] if named else "one of the Noto fonts")


@cache
def _data() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(files(__package__).joinpath("fonts.yaml").read_text(encoding="utf-8"))
    return found
