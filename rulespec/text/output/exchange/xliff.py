"""Reads XLIFF files of every known version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element

import regex

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.text.output.exchange import markup, xliff_1, xliff_2
from rulespec.text.output.exchange.markup import Version
from rulespec.text.output.exchange.units import Entries, UnitText

VERSIONS = {f"{{{version.namespace}}}xliff": version for version in (xliff_2.VERSION, xliff_1.VERSION)}
"""The known versions by the tag of their root element."""


def from_xliff(source: Source) -> tuple[Entries | None, list[Finding]]:
    """The entries of an XLIFF 1.2 or 2.0 file; None and findings if it cannot be read. Never raises for bad input."""
    root, places, found = markup.read(source)
    version = VERSIONS.get(root.tag) if root is not None else None
    files = root.findall(f"{{{version.namespace}}}file") if root is not None and version is not None else []
    if root is None or version is None or not files:
        return None, found or [_not_xliff(source, root)]
    game, lang = version.game(files[0]), version.language(root, files[0])
    if not game or not lang:
        message = say("The file does not say which game and language it is for.")
        return None, [finding("exchange-broken", message, source, places[files[0]], version.hint)]
    found.extend(_other_games(version, files, game, source, places))
    own = (file for file in files if version.game(file) == game)
    around = {below: above for above in root.iter() for below in above}
    items = tuple(_entries(version, own, source, places, around, found))
    return Entries(game, lang, items, source), found


def _not_xliff(source: Source, root: Element | None) -> Finding:
    message, hint = say("The file is not XLIFF 1.2 or 2.0."), say("Save it as XLIFF 1.2 or 2.0.")
    namespace, _, name = root.tag.rpartition("}") if root is not None and root.tag not in VERSIONS else ("", "", "")
    number = root.get("version") or namespace.rpartition(":")[2] if root is not None and name == "xliff" else ""
    if number:
        message = say("The file is XLIFF {version}, not 1.2 or 2.0.", version=number)
        space = next((one.namespace for one in VERSIONS.values() if one.namespace.endswith(f":{number}")), "")
        if space:
            message = say("The file is XLIFF {version} without the namespace of it.", version=number)
            hint = say('Write `<xliff xmlns="{namespace}" …>`.', namespace=space)
    return finding("exchange-broken", message, source, markup.line_at(source, 0), hint)


def _other_games(
    version: Version, files: Iterable[Element], game: str, source: Source, places: Mapping[Element, Span]
) -> Iterator[Finding]:
    for file in files:
        if version.game(file) != game:
            name = version.game(file) or say("an unnamed game")
            message = say("The file also has texts of {game}, which are not imported.", game=name)
            yield finding("exchange-other-game", message, source, places[file], say("Import one game at a time."))


def _entries(
    version: Version,
    files: Iterator[Element],
    source: Source,
    places: Mapping[Element, Span],
    around: Mapping[Element, Element],
    found: list[Finding],
) -> Iterator[UnitText]:
    for unit in (unit for file in files for unit in file.iter(version.unit)):
        id_, problem = version.id(unit), version.problem(unit)
        if problem is not None:
            message = say("{problem} {id} was not changed.", problem=problem.message, id=id_)
            found.append(finding(problem.name, message, source, places[unit], problem.hint))
        else:
            text, laid_out = version.text(unit) or "", _is_laid_out(unit, around)
            status = version.status(unit) if text else ""
            text = text if laid_out else _folded(text)
            yield UnitText(id_, text, status, places[unit], version.source(unit), laid_out)


_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def _is_laid_out(unit: Element, around: Mapping[Element, Element]) -> bool:
    """Whether the blanks and line breaks of a unit belong to its text: XML says so of its target, or of the nearest
    element around it that says anything."""
    said = [one.get(_SPACE) for one in unit.iter() if one.tag.endswith("}target")]
    above: Element | None = unit
    while above is not None:
        said.append(above.get(_SPACE))
        above = around.get(above)
    return next(filter(None, said), "default") == "preserve"


_BREAK = regex.compile(r"[ \t]*\r?\n\s*(?=[-*+•>|#]|\d+[.)]\s)|[ \t]*\r?\n[ \t]*\r?\n\s*")
_FOLD = regex.compile(r"(?<=\p{Han}|\p{P})\s*\n\s*(?=\p{Han})|(?<=\p{Han})\s*\n\s*(?=\p{P})")


def _folded(text: str) -> str:
    """A text on one line for each paragraph and list item, without indentation."""
    paragraphs = _BREAK.sub(lambda found: "\0\0" if found[0].count("\n") > 1 else "\0", text.strip())
    lines = (" ".join(_FOLD.sub("", line).split()) for line in paragraphs.split("\0"))
    return "\n".join(lines)
