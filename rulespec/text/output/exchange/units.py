"""Translation units: one per title, text and worked example, and which of them need work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.base.wording import words
from rulespec.language.model.spec import Spec
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.seals.since import Kept, Since, since, source_then, untranslated_ids

DRAFT, TRANSLATED, REVIEWED = STATUSES = ("draft", "translated", "reviewed")

TITLE = "title"
"""The unit id of the title of the book."""

EXAMPLES = "examples"
"""The part of the unit ids of worked examples."""


@dataclass(frozen=True)
class Work:
    """Why a confirmed unit needs work: its rule or its source has changed `since`. `previous` is the source that it was
    compared with, "" if that is the same or not kept."""

    since: Since
    previous: str = ""

    @property
    def mark(self) -> str:
        """The name of the reason in files: one of MARKS."""
        return self.since.replace(" ", "-")


MARKS = tuple(Work(since).mark for since in (Since.RULE, Since.SOURCE))
"""What exported files say of units that need work, and drafts do not."""


@dataclass(frozen=True)
class Unit:
    """An exported title, text or example. `status` is draft, translated, reviewed or "" (unknown); `work` is None for a
    unit that needs none, or has no text yet.

    `id` is `title`, `rules/<rule id>/title`, `rules/<rule id>/text`, `rules/<rule id>/examples/<case>` or
    `rulings/<id>/text`.
    """

    id: str
    source: str
    target: str
    status: str = ""
    notes: tuple[str, ...] = ()
    work: Work | None = None


@dataclass(frozen=True)
class UnitText:
    """An imported title or text, "" if untranslated. `span` is its place in the imported file, `source` the text that
    it was translated from.

    `status` is "" if untranslated, and for a unit that still has one of MARKS: it says nothing about drafts. Of a text
    that is not `laid_out` a tool may have changed blanks and line breaks.
    """

    id: str
    text: str
    status: str
    span: Span
    source: str = ""
    laid_out: bool = True


@dataclass(frozen=True)
class Entries:
    """The content of an imported file. `lang` is the tag that the file uses."""

    game: str
    lang: str
    items: tuple[UnitText, ...]
    source: Source = field(repr=False)


def keys(unit: str) -> tuple[str, ...]:
    """The key path of a unit, or of the status of a passage; that of an example has its case. The id must be well
    formed."""
    path = tuple(unit.split("/"))
    return path if len(path) > 2 else (unit,)


def passage_of(unit: str) -> str:
    """The passage of a unit: `rules/<rule id>` or `rulings/<id>`; "" for the title of the book."""
    return "/".join(keys(unit)[:2]) if "/" in unit else ""


def path_of(unit: str) -> tuple[str, ...] | None:
    """The key path of a unit in a translation; None if it is not a valid unit id."""
    path = keys(unit)
    parts = {"rules": ("title", "text"), "rulings": ("text",)}.get(path[0], ())
    plain = len(path) == 3 and path[1] and path[2] in parts
    example = len(path) == 4 and path[0] == "rules" and path[2] == EXAMPLES and all(path)
    return path if path == (TITLE,) or plain or example else None


def units(
    translation: Translation,
    spec: Spec,
    reference: Translation | None = None,
    notes: Mapping[str, Sequence[str]] | None = None,
    work: Mapping[str, Work] | None = None,
) -> tuple[Unit, ...]:
    """All titles and texts of a game in the order of the spec, including untranslated ones.

    The source text of a unit is the text of `reference`, or else the title of the rule (the question of the ruling) in
    the spec. `notes` are keyed by unit id or by passage: `rules/<rule id>`, `rulings/<id>`, or `title` for the title of
    the book. `work` is by unit id (see `work`); its previous sources are left out beside a reference in another
    language. Texts that are still those of the source have no target.
    """
    notes, status = notes or {}, statuses(translation)
    before, targets = texts(reference) if reference else {}, texts(translation)
    same = reference is not None and reference.lang == translation.made_from
    targets |= dict.fromkeys(untranslated_units(translation, reference) if same else (), "")
    to_do = {id_: one if same else Work(one.since) for id_, one in (work or {}).items() if targets.get(id_)}
    return tuple(
        Unit(
            id=id_,
            source=before.get(id_) or fallback,
            target=targets.get(id_, ""),
            status=status.get(passage, ""),
            notes=tuple(notes.get(id_, notes.get(passage, ()))),
            work=to_do.get(id_),
        )
        for passage, id_, fallback in _all(translation, spec)
    )


def untranslated_units(translation: Translation, source: Translation | None) -> Iterator[str]:
    """The ids of the units of texts that have the words of their source, and of a title beside them that has."""
    left, before = untranslated_ids(translation, source), texts(source) if source is not None else {}
    same = {id_ for id_, text in texts(translation).items() if before.get(id_) == text}
    yield from (id_ for id_ in same if passage_of(id_).partition("/")[2] in left)


def texts(translation: Translation) -> dict[str, str]:
    """The texts of a translation by unit id."""
    rules = ((f"rules/{p.id}/{part}", text) for p in translation.rules.values() for part, text in parts(p))
    rulings = ((f"rulings/{p.id}/text", p.written.text) for p in translation.rulings.values())
    return {TITLE: translation.title, **dict(rules), **dict(rulings)}


def sources(translation: Translation, spec: Spec, references: Iterable[Translation]) -> Mapping[str, Sequence[str]]:
    """The sources that each unit of a text may be exported with: its text in the references, and its title in the spec.

    Without references none."""
    before = [texts(one) for one in references if one.lang != translation.lang]
    fallbacks = {id_: fallback for _, id_, fallback in _all(translation, spec)} if before else {}
    return {id_: (*(one[id_] for one in before if id_ in one), said) for id_, said in fallbacks.items()}


def statuses(translation: Translation) -> dict[str, str]:
    """The statuses of the passages, by `rules/<rule id>` and `rulings/<id>`."""
    return {key: passage.status for key, passage in passages(translation).items() if passage.status}


def confirmations(translation: Translation) -> dict[str, str]:
    """The confirmations of the passages, by `rules/<rule id>` and `rulings/<id>`."""
    return {key: str(passage.seal) for key, passage in passages(translation).items() if passage.confirmed}


def passages(translation: Translation) -> dict[str, Passage]:
    """The passages by `rules/<rule id>` and `rulings/<id>`."""
    blocks = (("rules", translation.rules), ("rulings", translation.rulings))
    return {f"{block}/{id_}": passage for block, among in blocks for id_, passage in among.items()}


def parts(passage: Passage) -> Iterator[tuple[str, str]]:
    """The ends of the unit ids of a passage with their texts, in the order of `Passage.parts`."""
    yield "title", passage.title
    yield "text", passage.written.text
    yield from ((f"{EXAMPLES}/{example.case.text}", example.text.text) for example in passage.examples)


def _all(translation: Translation, spec: Spec) -> Iterator[tuple[str, str, str]]:
    """Triples of passage key, unit id and title in the spec. Texts of unknown rules come last."""
    yield TITLE, TITLE, spec.title
    for id_ in _joined(spec.rules, translation.rules):
        about = spec.rules[id_].title if id_ in spec.rules else id_
        yield f"rules/{id_}", f"rules/{id_}/title", about or id_
        yield f"rules/{id_}", f"rules/{id_}/text", about or id_
        examples = translation.rules[id_].examples if id_ in translation.rules else ()
        yield from ((f"rules/{id_}", f"rules/{id_}/{EXAMPLES}/{one.case.text}", about or id_) for one in examples)
    for id_ in _joined(spec.rulings, translation.rulings):
        about = spec.rulings[id_].question if id_ in spec.rulings else id_
        yield f"rulings/{id_}", f"rulings/{id_}/text", about or id_


def _joined(first: Iterable[str], second: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))


# --- what a translator has to do --------------------------------------------------------------------------------------


def work(translation: Translation, spec: Spec, source: Translation | None, kept: Kept) -> Mapping[str, Work]:
    """The units of confirmed texts whose rule or source has changed since, by id.

    `source` is the translation that this one was made from, None if from none. Where a source has changed, these are
    the units that differ there, or the text if none of ours does; where a rule has, its text.
    """
    known = texts(translation)
    found: dict[str, Work] = {}
    for key, passage in passages(translation).items():
        changed = since(passage, spec, source)
        if Since.RULE in changed:
            found[f"{key}/text"] = Work(Since.RULE)
        if Since.SOURCE in changed and source is not None:
            other = {f"{key}/{part}": was for part, was in _changed(passage, source, kept) if f"{key}/{part}" in known}
            found |= {id_: Work(Since.SOURCE, was) for id_, was in (other or {f"{key}/text": ""}).items()}
    return found


def _changed(passage: Passage, source: Translation, kept: Kept) -> Iterator[tuple[str, str]]:
    """The parts of a source that have changed since a text was compared with it, each with what it was then, "" if that
    is not known. The cases of worked examples are not kept: an example that is gone was the next one that is new."""
    there, was = source.passages.get(passage.id), source_then(passage, source, kept)
    if there is None:
        return
    now = {words(one) for one in there.parts[2:]}
    before = {words(one) for one in (was or ())[2:]}
    gone = (one for one in (was or ())[2:] if words(one) not in now)
    for at, (part, text) in enumerate(parts(there)):
        if was is None:
            yield part, ""
        elif at < 2 and words(text) != words(was[at]):
            yield part, was[at]
        elif at >= 2 and words(text) not in before:
            yield part, next(gone, "")
