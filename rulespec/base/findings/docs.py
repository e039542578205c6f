"""The pages of findings on the site of the documentation, made from the table of kinds and their pages."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.findings.kind import FindingKind, Group
from rulespec.base.findings.pages import anchor, page_of
from rulespec.base.findings.table import GROUPS, RETIRED


def documents() -> dict[str, str]:
    """The text of every file by its name: `README.md` is the index, every group of kinds has a file."""
    return {"README.md": _index(), **{f"{group.id}.md": _group(group) for group in GROUPS}}


def _index() -> str:
    rows = (line for group in GROUPS for line in _rows(group))
    return "\n".join(("# Findings", "", *_introduction(), *rows, *_retired())) + "\n"


def _introduction() -> Iterator[str]:
    yield "Every kind of finding has a code and a name that never change. Errors make a file unusable; warnings are"
    yield "probable mistakes; infos need no change. `ftk explain CODE` shows the same pages in a terminal."
    yield ""
    yield "A sample is a part of a file. Samples of specs are parts of"
    yield "[one small spec](../../tests/findings/sample.yaml); the tests check"
    yield "that a bad sample has its finding and that the good one does not."


def _rows(group: Group) -> Iterator[str]:
    yield from ("", f"## [{group.title}]({group.id}.md)", "", "| code | name | severity | |", "|---|---|---|---|")
    for kind in group.kinds:
        title = page_of(kind).title.replace("|", "\\|")
        yield f"| [{kind.code}]({group.id}.md#{anchor(kind)}) | `{kind.name}` | {kind.severity_text} | {title} |"


def _retired() -> Iterator[str]:
    yield from ("", "## Retired", "", "Nothing reports these any more, and no other kind gets their code or name.", "")
    yield from ("| code | name |", "|---|---|")
    yield from (f"| {code} | `{name}` |" for code, name in RETIRED.items())


def _group(group: Group) -> str:
    sections = (line for kind in group.kinds for line in _section(kind))
    return "\n".join((f"# {group.title}", "", "[All findings](README.md)", *sections)) + "\n"


def _section(kind: FindingKind) -> Iterator[str]:
    page = page_of(kind)
    yield from ("", f"## {kind.code} {kind.name}", "", f"**{page.title}** ({kind.severity_text})", "")
    yield page.prose().rstrip("\n")
    yield from _sample("Bad", page.bad)
    yield from _sample("Good", page.good)


def _sample(label: str, sample: str) -> Iterator[str]:
    # No language is named: samples are also rule texts, commands and lines of CSV.
    fence = "~~~" if "```" in sample else "```"
    yield from ("", f"{label}:", "", f"{fence}text", sample.rstrip("\n"), fence)
