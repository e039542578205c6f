"""English in what is printed in another language."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

_DATA = yaml.safe_load((Path(__file__).parent / "english.yaml").read_text(encoding="utf-8"))
_WORDS = frozenset(_DATA["words"].split())
_CODE = re.compile(r"`[^`]*`|'[^']*'|\[[^\]]*\|[^\]]*\]|\S*[-_.:/|=\[#][\w.\[\]|-]*|^ +ftk .*?(?:  +|$)", re.MULTILINE)
"""Code, names of options, choices, placeholders with marks, and commands in examples."""


def english(text: str) -> list[str]:
    """The lines with English words."""
    lines = _CODE.sub(" ", text).splitlines()
    return [line for line in lines if _WORDS & set(re.findall(r"[^\W\d_]+", line.lower()))]
