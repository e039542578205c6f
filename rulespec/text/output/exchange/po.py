"""PO files, the format of gettext and most translation tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import Message, say
from rulespec.base.source import Source
from rulespec.language.model.spec import Spec
from rulespec.text.output.exchange.units import DRAFT, MARKS, REVIEWED, TRANSLATED, Entries, Unit, UnitText, Work, units
from rulespec.text.reading.translation import Translation

_FUZZY = "fuzzy"
_LINE = re.compile(
    r"\s*(?:#.*|(?:(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s*)?\"(?:[^\"\\]|\\.)*\"\s*)?", re.DOTALL
)


class _Text(str):
    """A text whose `splitlines` splits at line feeds only, as in PO files.

    polib uses `str.splitlines`, which also cuts at U+2028, form feeds and others, and then loses characters there.
    """

    def splitlines(self, keepends: bool = False) -> list[str]:
        lines = re.findall(r"[^\n]*\n|[^\n]+", self)
        return lines if keepends else [line.removesuffix("\n").removesuffix("\r") for line in lines]


def to_po(
    translation: Translation,
    spec: Spec,
    reference: Translation | None = None,
    notes: Mapping[str, Sequence[str]] | None = None,
    work: Mapping[str, Work] | None = None,
) -> str:
    """A PO file of a translation; see `units` for the arguments. Drafts and units that need work are fuzzy; reviewed
    texts have a flag."""
    import polib

    file = polib.POFile(wrapwidth=0)
    file.metadata = {
        "Project-Id-Version": spec.id,
        # Headers of gettext name locales, such as zh_Hant.
        "Language": translation.lang.replace("-", "_"),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    for unit in units(translation, spec, reference, notes, work):
        file.append(_entry(unit, polib.POEntry))
    return str(file)


def _entry(unit: Unit, made: Any) -> Any:
    flags = [_FUZZY, unit.work.mark] if unit.work else {DRAFT: [_FUZZY], REVIEWED: [REVIEWED]}.get(unit.status, [])
    previous = unit.work.previous if unit.work else ""
    return made(
        msgctxt=_Text(unit.id),
        msgid=_Text(unit.source),
        msgstr=_Text(unit.target),
        comment="\n".join(line for note in unit.notes for line in note.splitlines()),
        # Without a text a unit is untranslated: flags are about texts.
        flags=flags if unit.target else [],
        previous_msgctxt=_Text(unit.id) if previous else None,
        previous_msgid=_Text(previous) if previous else None,
    )


def from_po(source: Source) -> tuple[Entries | None, list[Finding]]:
    """The entries of a PO file; None and findings if it cannot be read. Never raises for bad input."""
    import polib

    broken = list(_misshapen(source))
    if broken:
        return None, broken
    try:
        file = polib.pofile(_Text(source.text), encoding="utf-8")
    except (OSError, ValueError, IndexError, TypeError, KeyError) as error:
        line = re.search(r"line (\d+)", str(error))
        number = min(int(line[1]), source.line_count) if line else 1
        return None, [_broken(source, max(1, number), say("The line is not valid in a PO file at this position."))]
    there = [entry for entry in file if not entry.obsolete]
    found = [_plural(source, entry) for entry in there if entry.msgid_plural]
    entries = tuple(_returned(source, entry) for entry in there if not entry.msgid_plural)
    game, lang = file.metadata.get("Project-Id-Version", ""), file.metadata.get("Language", "")
    if not game.split() or not lang:
        hint = say("Give its header `Project-Id-Version` (the id of the game) and `Language`, as they were exported.")
        message = say("The file does not say which game and language it is for.")
        return None, [finding("exchange-broken", message, source, Span(0, 0), hint)]
    return Entries(game.split()[0], lang.replace("_", "-"), entries, source), found


def _plural(source: Source, entry: Any) -> Finding:
    message = say("{id} has plural forms. A text of rules is one text, so it was not changed.", id=entry.msgctxt or "")
    hint = say("Write one `msgid` and one `msgstr`.")
    return finding("exchange-incomplete", message, source, _place(source, entry), hint)


def _misshapen(source: Source) -> Iterator[Finding]:
    # polib drops the last character of a line without a closing quote. It also opens a text without line breaks as a
    # file name, so the text must contain `msgid` and a line break.
    if not re.search(r"^\s*msgid\b.*\n", source.text, re.MULTILINE):
        yield _broken(source, 1, say("The file is not a PO file: it has no `msgid`."))
        return
    for number in range(1, source.line_count + 1):
        if not _LINE.fullmatch(source.line(number)):
            yield _broken(source, number, say("The line is neither a comment nor a text in double quotes."))
            return


def _broken(source: Source, number: int, message: Message) -> Finding:
    start = source.line_start(number)
    span = Span(start, start + len(source.line(number)))
    return finding(
        "exchange-broken", message, source, span, say("Export the text again, or correct the file in its tool.")
    )


def _returned(source: Source, entry: Any) -> UnitText:
    text = str(entry.msgstr)
    status = _status(entry.flags) if text else ""
    return UnitText(str(entry.msgctxt or ""), text, status, _place(source, entry), str(entry.msgid))


def _status(flags: Sequence[str]) -> str:
    if _FUZZY in flags:
        return "" if any(mark in flags for mark in MARKS) else DRAFT
    return REVIEWED if REVIEWED in flags else TRANSLATED


def _place(source: Source, entry: Any) -> Span:
    """The span of the `msgctxt` line of an entry. polib gives the first line, which is often a comment."""
    first = max(1, entry.linenum or 1)
    for number in range(first, source.line_count + 1):
        if source.line(number).lstrip().startswith("msg"):
            start = source.line_start(number)
            return Span(start, start + len(source.line(number)))
    return Span(0, 0)
