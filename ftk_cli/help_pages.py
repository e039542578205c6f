"""Help pages in the language of the reader. click lays them out in English; in others, the catalogs word them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import click

from ftk_cli.report.display import folded, width
from rulespec.base.findings.help_texts import reworded
from rulespec.base.messages import Catalog

_DEFAULT = "default: "
"""What click writes before the default of an option."""
_PLACEHOLDER = re.compile("[A-Z]{2,}")
_BESIDE = re.compile(r"(.*?)(?:  \[([^\[\]]*)\])?", re.DOTALL)
"""The help of an option, and what click adds to it in brackets: a default, a range such as 1<=x<=9."""


class Pages(click.HelpFormatter):
    """Writes the help of commands with the words of a catalog, in cells: Chinese characters take two."""

    def __init__(self, catalog: Catalog, width: int) -> None:
        super().__init__(width=width)
        self.catalog = catalog

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, placeholders(args, self.catalog), self.catalog.template("Usage: "))

    def write_heading(self, heading: str) -> None:
        self.write(f"{'':>{self.current_indent}}{self.catalog.template(f'{heading}:')}\n")

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        for number, paragraph in enumerate(reworded(text, self.catalog.template).split("\n\n")):
            block = paragraph.removeprefix("\b\n")
            lines = block.split("\n") if block != paragraph else folded(paragraph, self.width - len(indent))
            self.write("\n" * (number > 0) + "".join(f"{indent}{line}\n" for line in lines))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        table = [(placeholders(first, self.catalog), self._second(second)) for first, second in rows]
        column = min(max(width(first) for first, _ in table), col_max) + col_spacing
        for first, second in table:
            head, *rest = folded(second, self.width - column - self.current_indent) or [""]
            fits = width(first) <= column - col_spacing
            gap = " " * (column - width(first)) if fits else f"\n{'':>{self.current_indent + column}}"
            self.write(f"{'':>{self.current_indent}}{first}{gap}{head}\n")
            self.write("".join(f"{'':>{self.current_indent + column}}{line}\n" for line in rest))

    def _second(self, text: str) -> str:
        """The help of an option or a command, with what click adds to it."""
        found = _BESIDE.fullmatch(text)
        assert found is not None
        besides = f"  [{'; '.join(map(self._beside, found[2].split('; ')))}]" if found[2] else ""
        return self.catalog.template(found[1]) + besides

    def _beside(self, text: str) -> str:
        if text.startswith(_DEFAULT):
            return self.catalog.template("default: {default}").format(default=text.removeprefix(_DEFAULT))
        return self.catalog.template(text)


def placeholders(text: str, catalog: Catalog | None) -> str:
    """A text such as `--output FILE` with its placeholders in the language of a catalog."""
    if catalog is None:
        return text
    return _PLACEHOLDER.sub(lambda found: catalog.template(found[0]), text)
