"""Reads XLIFF files of every known version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.text.output.exchange import markup, xliff_1, xliff_2
from rulespec.text.output.exchange.units import Entries, UnitText
from rulespec.text.output.exchange.xliff_version import Version

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
    items = tuple(_entries(version, own, source, places, found))
    return Entries(game, lang, items, source), found


def _not_xliff(source: Source, root: Element | None) -> Finding:
    other = root is not None and root.tag.endswith("}xliff")
    message = say("The file is XLIFF of another version.") if other else say("The file is not XLIFF 1.2 or 2.0.")
    hint = say("Save it as XLIFF 1.2 or 2.0.")
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
    version: Version, files: Iterator[Element], source: Source, places: Mapping[Element, Span], found: list[Finding]
) -> Iterator[UnitText]:
    for unit in (unit for file in files for unit in file.iter(version.unit)):
        id_, problem = version.id(unit), version.problem(unit)
        if problem is not None:
            message = say("{problem} {id} was not changed.", problem=problem.message, id=id_)
            found.append(finding(problem.name, message, source, places[unit], problem.hint))
        else:
            text = version.text(unit) or ""
            yield UnitText(id_, text, version.status(unit) if text else "", places[unit], version.source(unit))
