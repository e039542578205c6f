"""Writes imported texts into a translation file. Everything else in the file stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from unicodedata import normalize

from rulespec.base.characters import STEERING
from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import Message, say
from rulespec.base.source import Source
from rulespec.base.wording import words
from rulespec.language.document.places import short
from rulespec.language.formats.current import lifted
from rulespec.language.model.spec import Spec
from rulespec.text.languages.registry import find
from rulespec.text.output.exchange import units
from rulespec.text.output.exchange.yaml_patch import written
from rulespec.text.reading.translation import Translation, read
from rulespec.text.seals.since import Kept, Since, beside, nothing

_BREAKS = re.compile(r" *\n[ \n]*")
"""What is a space in a title, which is one line."""


def apply(
    source: Source,
    entries: units.Entries,
    spec: Spec,
    made_from: Translation | None = None,
    kept: Kept = nothing,
    references: Iterable[Translation] = (),
) -> tuple[str, list[Finding]]:
    """The text of a translation file with the imported texts, and findings for those not imported. Never raises.

    Texts are compared in NFC and written without normalisation. Comments and order do not change. Rules without a text
    are added at the end of `rules:`. An empty text deletes nothing. A status is written if the passage has one, or if
    the imported text is a draft or reviewed.

    `made_from` is the text that the translation was made from, `kept` what both were confirmed with. Nothing is
    confirmed; but where all units whose source has changed come back as done, the seal gets the source as it is now.
    With `references`, the texts that the file may have been exported with, there is a finding for every unit with a
    source that is not theirs.
    """
    translation, unreadable = read(source)
    if translation is None:
        return source.text, unreadable
    wrong = list(_elsewhere(entries, translation))
    if wrong:
        return source.text, wrong
    known = _content(translation)
    found: list[Finding] = []
    first = dict(_first_of_each(entries, spec, known, found))
    left = frozenset(units.untranslated_units(translation, made_from))
    changed = {id_: entry.text for id_, entry in _changed(entries, first, known, found, left)}
    to_do = units.work(translation, spec, made_from, kept)
    known_sources = units.sources(translation, spec, references)
    found += _other_sources(entries, first.values(), known_sources, to_do) if known_sources else ()
    changed |= _new_statuses(first, known, changed, to_do)
    if made_from is not None:
        changed |= _up_to_date(first, translation, made_from, to_do)
    result, unwritable = _with(source, known, changed)
    return result, found + unwritable


def replaced(source: Source, changed: Mapping[str, str]) -> tuple[str, list[Finding]]:
    """The text of a translation file with changed texts by unit id, and findings. Never raises.

    A new rule needs both its title and its text.
    """
    translation, unreadable = read(source)
    if translation is None:
        return source.text, unreadable
    known = _content(translation)
    return _with(source, known, {id_: text for id_, text in changed.items() if known.get(id_) != text})


def confirm(source: Source, confirmed: Mapping[str, str]) -> tuple[str, list[Finding]]:
    """The text of a translation file with `confirmed:` set to these confirmations, and findings. Never raises.

    `confirmed` maps `rules/<rule id>` or `rulings/<id>` of existing passages to what `confirmed:` shall hold.
    """
    return replaced(source, {f"{passage}/confirmed": value for passage, value in confirmed.items()})


def _with(source: Source, known: dict[str, str], changed: dict[str, str]) -> tuple[str, list[Finding]]:
    """The file with the changed texts; the unchanged file if writing them would change other texts."""
    if not changed:
        return source.text, []
    result = written(lifted(source, "translation"), known, changed)
    again, _ = read(Source(source.path, result))
    if again is None or _content(again) != known | changed:
        message = say("The texts cannot be written without changing other texts of the file.")
        hint = say("Write the texts of the file as `|-` blocks, then import again.")
        return source.text, [finding("exchange-unwritable", message, source, Span(0, 0), hint)]
    return result, []


def _content(translation: Translation) -> dict[str, str]:
    """All texts, statuses and confirmations of a translation, by unit id or passage key."""
    said = {f"{passage}/status": status for passage, status in units.statuses(translation).items()}
    said |= {f"{passage}/confirmed": value for passage, value in units.confirmations(translation).items()}
    return units.texts(translation) | said


# --- imported entries -------------------------------------------------------------------------------------------------


def _elsewhere(entries: units.Entries, translation: Translation) -> Iterator[Finding]:
    game, lang = translation.game, translation.lang
    if entries.game != game:
        message = say("The file has texts of `{other}`, not of `{game}`.", other=entries.game, game=game)
        hint = say("Import it into the translation of its own game.")
        yield finding("exchange-other-game", message, entries.source, Span(0, 0), hint)
    elif not same_language(entries.lang, lang):
        message = say("The file has texts in {other}, not in {lang}.", other=entries.lang, lang=lang)
        hint = say("Import it into the translation of its own language.")
        yield finding("exchange-other-language", message, entries.source, Span(0, 0), hint, lang=lang)


def same_language(said: str, lang: str) -> bool:
    """Whether a language tag written by a tool, such as `zh-TW`, means a language of ours, such as `zh-Hant`."""
    return find(said).tag.casefold() == lang.casefold() or said.casefold().startswith(f"{lang.casefold()}-")


def _changed(
    entries: units.Entries,
    first: dict[str, units.UnitText],
    known: dict[str, str],
    found: list[Finding],
    untranslated: frozenset[str],
) -> Iterator[tuple[str, units.UnitText]]:
    """The entries to write, by unit id. The `untranslated` ones may be empty."""
    for id_, entry in first.items():
        empty, before = not entry.text.strip(), known.get(id_, "")
        # Exported without a target (`units`), so they come back empty.
        if empty and id_ in untranslated:
            continue
        if empty and before.strip():
            hint = say("Write the new text. To delete a rule, delete it in the spec.")
            message = say("The imported text of {id} is empty. The existing text is kept.", id=id_)
            found.append(_say("exchange-emptied", message, entries, entry, hint))
        elif empty or _is_same(entry, before):
            continue
        elif control := STEERING.search(entry.text):
            message = say("{id} holds the control character U+{code:04X}.", id=id_, code=ord(control[0]))
            found.append(_say("escaped-control", message, entries, entry, say("Delete it.")))
        elif id_ not in known and not _whole(id_, first):
            hint = say("Translate both the title and the text.")
            message = say("{id} is new and lacks its title or its text.", id=id_)
            found.append(_say("exchange-incomplete", message, entries, entry, hint))
        else:
            yield id_, entry


def _other_sources(
    entries: units.Entries,
    items: Iterable[units.UnitText],
    known: Mapping[str, Sequence[str]],
    to_do: Mapping[str, units.Work],
) -> Iterator[Finding]:
    """A warning for each text whose source in the file is not that of an export, now or before the source changed."""
    for entry in items:
        there = known.get(entry.id, ())
        before = to_do[entry.id].previous if entry.id in to_do else ""
        if entry.text.strip() and entry.source and words(entry.source) not in {words(one) for one in (*there, before)}:
            message = say(
                "{id} was translated from “{source}”; its source is “{now}”.",
                id=entry.id,
                source=short(entry.source),
                now=short(next(iter(there), "")),
            )
            hint = say("Compare the text with its source. An import changes no source.")
            yield _say("source-edited", message, entries, entry, hint)


def _is_same(entry: units.UnitText, before: str) -> bool:
    """Whether a tool has at most normalised a text, or broken the lines of one that is not laid out."""
    came, there = normalize("NFC", entry.text), normalize("NFC", before)
    return came == there or (not entry.laid_out and came.split() == there.split())


def _first_of_each(
    entries: units.Entries, spec: Spec, known: dict[str, str], found: list[Finding]
) -> Iterator[tuple[str, units.UnitText]]:
    seen: set[str] = set()
    for entry in entries.items:
        id_ = entry.id
        if not _is_known(id_, spec, known):
            what = say("Unknown id: {id}.", id=id_) if id_ else say("The text has no id.")
            hint = say("Use the exported ids. The rule may have been renamed since the export.")
            found.append(_say("exchange-unknown-unit", what, entries, entry, hint))
        elif id_ in seen:
            message = say("Duplicate id: {id}. The first text is used.", id=id_)
            found.append(
                _say("exchange-duplicate-unit", message, entries, entry, say("Delete one of the two entries."))
            )
        else:
            seen.add(id_)
            text = entry.text.replace("\r\n", "\n").replace("\r", "\n")
            is_title = id_.rpartition("/")[2] == units.TITLE
            yield id_, replace(entry, text=_BREAKS.sub(" ", text.strip("\n")) if is_title else text)


def _is_known(id_: str, spec: Spec, known: dict[str, str]) -> bool:
    path = units.path_of(id_)
    if path is None or id_ in known:
        return path is not None
    return len(path) == 3 and path[1] in (spec.rules if path[0] == "rules" else spec.rulings)


def _whole(id_: str, entries: dict[str, units.UnitText]) -> bool:
    """Whether all parts of a new rule were imported."""
    block, _, rest = id_.partition("/")
    parts = ("title", "text") if block == "rules" else ("text",)
    ids = [f"{block}/{rest.rpartition('/')[0]}/{part}" for part in parts]
    return all(id_ in entries and entries[id_].text.strip() for id_ in ids)


def _new_statuses(
    first: dict[str, units.UnitText], known: dict[str, str], changed: dict[str, str], to_do: Mapping[str, units.Work]
) -> dict[str, str]:
    """The statuses to write: for each passage the lowest status of its parts."""
    came: dict[str, str] = {}
    for id_, entry in first.items():
        passage = units.passage_of(id_)
        if passage and entry.text.strip() and (id_ in known or id_ in changed):
            # A unit that is still marked is no draft for that. Some tools keep the mark without its reason.
            marked = not entry.status or (entry.status == units.DRAFT and id_ in to_do)
            status = _status(passage, known) if marked else entry.status
            came[passage] = min(came.get(passage, status), status, key=units.STATUSES.index)
    return {f"{passage}/status": status for passage, status in came.items() if status != _status(passage, known)}


def _status(passage: str, known: dict[str, str]) -> str:
    """The status of a passage in a file, where "translated" is also that of a text without one."""
    return known.get(f"{passage}/status", units.TRANSLATED)


def _up_to_date(
    first: dict[str, units.UnitText], translation: Translation, source: Translation, to_do: Mapping[str, units.Work]
) -> Iterator[tuple[str, str]]:
    """The new seals of texts that follow their source again, by the ids of their confirmations."""
    there = units.texts(source)
    open_ = {id_ for id_, one in to_do.items() if one.since is Since.SOURCE}
    done = {id_ for id_ in open_ & first.keys() & there.keys() if _is_done(first[id_], there[id_])}
    for key, passage in units.passages(translation).items():
        own = {id_ for id_ in open_ if units.passage_of(id_) == key}
        if own and own <= done:
            lang, digest = beside(passage.id, source)
            yield f"{key}/confirmed", str(replace(passage.seal, lang=lang, source=digest))


def _is_done(entry: units.UnitText, source: str) -> bool:
    """Whether a unit came back without a mark, translated from its source as it is now."""
    return entry.status not in ("", units.DRAFT) and words(entry.source) == words(source)


def _say(name: str, message: Message, entries: units.Entries, entry: units.UnitText, hint: Message) -> Finding:
    path = units.path_of(entry.id) or ("",)
    return finding(name, message, entries.source, entry.span, hint, path[1] if path[1:] else "", entries.lang)
