"""The kinds of file that rulespec reads: how each is recognised and checked.

    report = rulespec.check("specs/scenarios/fortheking/auction.yaml")

A new kind of file is a row of `FILE_KINDS`, which names its function.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, cast

from rulespec.base.diagnostics import Finding, Report, Severity, finding
from rulespec.base.messages import quoted, say
from rulespec.base.project import JOINT, spec_for
from rulespec.base.source import Source, read
from rulespec.editing.language_files.places import UNREAD, name_of
from rulespec.games.saved_heads import game_of as game_of_saved
from rulespec.games.saved_heads import is_log, is_state
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MappingNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.formats.current import current
from rulespec.language.formats.table import FORMATS, Format
from rulespec.language.schema.validate import text as published

if TYPE_CHECKING:
    from rulespec.games.api import DeckFile

_START = 4000
"""How many characters of a file are searched for what identifies it: headers of PO and XLIFF files are shorter."""


@dataclass(frozen=True)
class Options:
    """What a file is checked with: the cards of a deck, other options of rulings (only specs take these)."""

    deck: DeckFile | None = None
    rulings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FileKind:
    """One kind of file.

    `checker` names the function that finds everything wrong with it, as `module:function`, and `takes` the options that
    it has besides the text: its module is loaded when a file of the kind is checked.

    A YAML file is recognised by the `key` of its format at its top level, or by other keys that it `has`, if it says no
    format; any other file by `is_one`. `no_game` names the finding for a file whose spec is missing or has errors.
    """

    name: str
    checker: str
    has: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    is_one: Callable[[Source], bool] | None = None
    no_game: str = ""

    def check(self, source: Source, options: Options) -> Iterable[Finding]:
        """Everything wrong with a file. Never raises for bad input; raises ValueError for an unknown ruling."""
        module, function = self.checker.split(":")
        found = getattr(import_module(module), function)(
            source, **{name: getattr(options, name) for name in self.takes}
        )
        # A report, what was read with its findings, or findings.
        return cast("Iterable[Finding]", found[1] if isinstance(found, tuple) else getattr(found, "findings", found))

    @property
    def format(self) -> Format | None:
        """The format of a YAML file."""
        return FORMATS[self.name] if self.has else None

    @property
    def key(self) -> str:
        """The key that says the format of a YAML file."""
        return self.format.key if self.format is not None else ""

    @property
    def schema(self) -> str:
        """The name of the JSON Schema of a YAML file."""
        return self.format.schema if self.format is not None else ""


def _is_po(source: Source) -> bool:
    return _ends(source, ".po", ".pot") or re.search(r'^msgid\s+"', source.text[:_START], re.MULTILINE) is not None


def _is_xliff(source: Source) -> bool:
    start = source.text[:_START].lstrip()
    return _ends(source, ".xlf", ".xliff") or (start.startswith("<") and "<xliff" in start)


def _is_tbx(source: Source) -> bool:
    start = source.text[:_START].lstrip()
    return _ends(source, ".tbx") or (start.startswith("<") and re.search("<(tbx|martif)\\b", start) is not None)


def _is_csv(source: Source) -> bool:
    header = source.text[:_START].lstrip().partition("\n")[0].replace('"', "").strip().lower()
    return _ends(source, ".csv") or {"concept", "term"} <= set(re.split(r"[,;\t]", header))


def _ends(source: Source, *endings: str) -> bool:
    return PurePath(source.path).suffix.lower() in endings


FILE_KINDS: dict[str, FileKind] = {
    kind.name: kind
    for kind in (
        FileKind("spec", "rulespec.games.api:check_spec", ("game", "play"), takes=("deck", "rulings")),
        FileKind(
            "overlay",
            "rulespec.games.rulebook:check_overlay",
            ("id", "extends", "title"),
            takes=("deck", "rulings"),
            no_game="overlay-no-base",
        ),
        FileKind(
            "scenario",
            "rulespec.games.scenario.runner:run_source",
            ("game", "cases"),
            takes=("deck",),
            no_game="scenario-no-game",
        ),
        FileKind("deck", "rulespec.games.api:check_deck", ("game", "replaces", "cards"), no_game="deck-no-game"),
        FileKind(
            "translation",
            "rulespec.games.rulebook:check_translation",
            ("game", "lang", "rules"),
            no_game="text-no-game",
        ),
        FileKind("glossary", "rulespec.games.rulebook:check_glossary", ("game", "concepts"), no_game="text-no-game"),
        FileKind("language", "rulespec.editing.language_files.checking:check", ("tag", "name", "alphabet")),
        FileKind(
            "review", "rulespec.games.rulebook:check_review", ("game", "passages", "unstated"), no_game="text-no-game"
        ),
        FileKind("looks", "rulespec.games.looks:check_looks", ("game", "members"), no_game="text-no-game"),
        FileKind(
            "log", "rulespec.games.saved_games:check_log", takes=("deck",), is_one=is_log, no_game="saved-game-no-game"
        ),
        FileKind(
            "state",
            "rulespec.games.saved_games:check_state",
            takes=("deck",),
            is_one=is_state,
            no_game="saved-game-no-game",
        ),
        FileKind("po", "rulespec.text.output.exchange.po:from_po", is_one=_is_po),
        FileKind("xliff", "rulespec.text.output.exchange.xliff:from_xliff", is_one=_is_xliff),
        FileKind("tbx", "rulespec.text.glossary.tbx:from_tbx", is_one=_is_tbx),
        FileKind("csv", "rulespec.text.glossary.table:from_csv", is_one=_is_csv),
    )
}
"""Every kind of file by its name. A file is of the first kind that recognises it."""

_BY_KEY = {kind.key: kind for kind in FILE_KINDS.values() if kind.key}
_PLAIN = {"language"}
"""Keys that other tools use as well, with values that are no numbers."""
_KEYS = "|".join(rf"{key}(?=[\"']?\s*:\s*\d)" if key in _PLAIN else key for key in _BY_KEY)
_KEY_LINE = re.compile(rf"""^["']?({_KEYS})["']?\s*:""", re.MULTILINE)


def kind_of(source: Source) -> FileKind | None:
    """The kind of a file, None if nothing in it identifies one."""
    for kind in FILE_KINDS.values():
        if kind.is_one is not None and kind.is_one(source):
            return kind
    if name_of(source.path):
        return FILE_KINDS["language"]
    # Nearly every YAML file has its key at the start of a line. Only a file that has none is parsed.
    line = _KEY_LINE.search(source.text)
    return _BY_KEY[line[1]] if line is not None else _kind_of_root(parse(source)[0])


def _kind_of_root(root: Node | None) -> FileKind | None:
    keys = [key for key, _ in root.items()] if isinstance(root, MappingNode) else []
    known = next((_BY_KEY[key] for key in keys if key in _BY_KEY and key not in _PLAIN), None)
    return known or next((kind for kind in _BY_KEY.values() if {*kind.has} <= {*keys}), None)


_GAME_LINE = re.compile(r"^(?:game|extends):[ \t]+([a-z][a-z0-9_]*)(?:\+[a-z0-9_+]*)?[ \t]*(?:#.*)?$", re.MULTILINE)


def schema_of(source: Source) -> str:
    """The name of the JSON Schema of a file, also of a data file of a language; "" for a file without one."""
    name, kind = name_of(source.path), kind_of(source)
    if name:
        return f"{name}-1" if name not in UNREAD else ""
    return kind.schema if kind is not None else ""


def schema_text(name: str) -> str:
    """The text of a JSON Schema, such as "rulespec-2", also of one that follows from code, such as "contrasts-1"."""
    from rulespec.editing.language_files.schemas import DATA

    data = name.removesuffix("-1")
    return schema_of_data(data) if data in DATA else published(name)


def schema_of_data(name: str) -> str:
    """The text of the JSON Schema of a data file of a language, such as "contrasts". Raises KeyError for others."""
    from rulespec.editing.language_files.schemas import schema_of

    return json.dumps(schema_of(name), ensure_ascii=False, indent=2) + "\n"


def game_of(source: Source) -> str:
    """The id of the game that a file of another kind than a spec is about, "" if it names none."""
    # As in `kind_of`, only a file without such a line is parsed.
    line = _GAME_LINE.search(source.text)
    if line is not None:
        return line[1]
    root, _ = parse(source)
    game = (root.get("game") or root.get("extends")) if isinstance(root, MappingNode) else None
    return game.text.partition(JOINT)[0] if isinstance(game, Scalar) else game_of_saved(source)


def spec_of(source: Source) -> str:
    """The path of the spec that a file of another kind is about."""
    return spec_for(game_of(source), source.path)


def check(name: str | Path, deck: DeckFile | None = None, rulings: Mapping[str, str] | None = None) -> Report:
    """Everything wrong with a file of any kind, given as a path or as the id of a game.

    A spec is checked with the cards of `deck` and with these options of `rulings`. Never raises for bad input;
    raises ValueError for a ruling that the spec does not have.
    """
    from rulespec.games.api import read_named

    source, found = read_named(name)
    if source is None:
        unreadable = [] if deck is None or isinstance(deck, Source) else read(deck)[1]
        return Report.of(found, unreadable)
    return Report.of(found, check_source(source, deck, rulings).findings)


def check_source(source: Source, deck: DeckFile | None = None, rulings: Mapping[str, str] | None = None) -> Report:
    """Like `check`, for a text already read."""
    kind = kind_of(source)
    if kind is None and (stranger := _stranger(source)) is not None:
        return Report.of([stranger])
    kind = kind or FILE_KINDS["spec"]
    report = Report.of(kind.check(source, Options(deck, rulings or {})))
    return _without_ignored(report, source, kind) if kind.schema and kind.name not in _OWN_IGNORES else report


_OWN_IGNORES = ("translation", "glossary")
"""Kinds of file whose checks read ignore comments themselves."""


def _without_ignored(report: Report, source: Source, kind: FileKind) -> Report:
    """The report without warnings and notes that an ignore comment in the file suppresses. An error stays: a game with
    one cannot be played. Files of older formats may have comments that are incomplete: a lift takes their sign."""
    if "ftk:" not in source.text:
        return report
    from rulespec.text.reading.ignores import without_ignored

    here = [one for one in report.findings if one.path == source.path and one.severity is not Severity.ERROR]
    left = without_ignored(Report.of(here), source, parse(source)[0]).findings
    # A file of the present format is given back as it is, an older one as another source.
    if current(source, kind.name)[0] is not source:
        left = tuple(one for one in left if one.name != "ignore-without-reason")
    return Report.of((one for one in report.findings if one not in here), left)


def _stranger(source: Source) -> Finding | None:
    """The finding for a YAML mapping without any identifying key; None for other YAML, which a spec's check explains
    better."""
    root, _ = parse(source)
    if not isinstance(root, MappingNode) or not root.entries:
        return None
    keys = quoted(list(_BY_KEY))
    message = say("This file does not say what it is: it has none of the keys {keys}.", keys=keys)
    hint = say(
        "Begin a spec with `{spec}`, scenarios with `{scenario}`, a deck with `{deck}`.",
        **{kind: FORMATS[kind].first_line for kind in ("spec", "scenario", "deck")},
    )
    return finding("missing-key", message, source, root.entries[0][0].span, hint)
