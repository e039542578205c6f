"""`ftk check --fix`: corrects the findings whose correction is certain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ftk_cli import inputs
from ftk_cli.output import Rewritten, differences, replace_all
from rulespec.base.project import is_packaged

if TYPE_CHECKING:
    from rulespec.editing.fixes import Check


@dataclass(frozen=True)
class Wanted:
    """What is to be fixed: whether fixes are written or only shown, and whether unsafe ones are made too."""

    write: bool
    show: bool
    unsafe: bool

    def __bool__(self) -> bool:
        return self.write or self.show

    def refuse(self, names: Iterable[str], watch: bool, variant: str, format_: str) -> None:
        """Raises UsageError for options that do not go together, and for a name that is no file to write."""
        if self.unsafe and not self:
            raise click.UsageError("--unsafe-fixes needs --fix or --diff.")
        if self and watch:
            raise click.UsageError("--watch changes no files: run --fix alone.")
        if self and variant:
            raise click.UsageError("--fix and --diff correct files as they are: leave out --variant.")
        if self.show and format_ != "text":
            raise click.UsageError("--diff prints differences: leave out --format.")
        fixed = next((name for name in names if name == inputs.STDIN or inputs.is_revision(name)), None)
        if self and fixed is not None:
            raise click.UsageError(f"`{fixed}` is no file that can be changed.")


def fix(names: Iterable[str], wanted: Wanted, check: Check, quiet: bool) -> str:
    """Fixes what `check` finds in files; returns the differences if they are to be shown instead. Raises Failure."""
    found = list(_fixed(names, wanted.unsafe, check))
    files = [one for one, _ in found]
    if not quiet:
        click.echo(_summary(sum(number for _, number in found), len(files), wanted.show), err=True)
    if wanted.show:
        return "".join(differences(files))
    replace_all({one.path: one.after for one in files})
    return ""


def _fixed(names: Iterable[str], unsafe: bool, check: Check) -> Iterator[tuple[Rewritten, int]]:
    """The files that have fixes, with the number of these. Packaged games are read-only and have none."""
    from rulespec.editing.file_kinds import kind_of
    from rulespec.editing.fixes import fixed

    for name, named in list(inputs.expand(names)) or inputs.default_files():
        source, _ = inputs.read(name)
        if source is None or is_packaged(source.path) or (not named and kind_of(source) is None):
            continue
        done = fixed(source, check, unsafe)
        if done.findings:
            yield Rewritten(source.path, source.text, done.source.text), len(done.findings)


def _summary(fixes: int, files: int, shown: bool) -> str:
    if not fixes:
        return "Nothing can be fixed with certainty."
    made = f"{fixes} fix{'es' * (fixes != 1)} in {files} file{'s' * (files != 1)}"
    return f"{made}. Write them with: --fix" if shown else f"{made}."
