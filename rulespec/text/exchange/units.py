"""What goes out to translators and what comes back: one unit per title and text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulespec.diagnostics import Span
from rulespec.model.spec import Spec
from rulespec.source import Source
from rulespec.text.translation import Passage, Translation

DRAFT, TRANSLATED, REVIEWED = STATUSES = ("draft", "translated", "reviewed")

TITLE = "title"
"""The unit id of the title of the book."""


@dataclass(frozen=True)
class Unit:
    """One title or text on its way out. `status` is draft, translated or reviewed, "" where nobody has said.

    `id` is `title`, `rules/<rule id>/title`, `rules/<rule id>/text` or `rulings/<id>/text`.
    """

    id: str
    source: str
    target: str
    status: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class UnitText:
    """One title or text that came back, "" where there is none yet; `span` is its place in the file it came in."""

    id: str
    text: str
    status: str
    span: Span


@dataclass(frozen=True)
class Entries:
    """All that came back in one file. `lang` is the tag that the file itself uses."""

    game: str
    lang: str
    items: tuple[UnitText, ...]
    source: Source = field(repr=False)


def keys(unit: str) -> tuple[str, ...]:
    """The keys that lead to a unit, or to the status of a passage, whose id is well formed."""
    block, _, rest = unit.partition("/")
    id_, _, part = rest.rpartition("/")
    return (block, id_, part) if part else (unit,)


def path_of(unit: str) -> tuple[str, ...] | None:
    """The keys that lead to a unit in a translation; None where no unit can be called so."""
    path = keys(unit)
    parts = {"rules": ("title", "text"), "rulings": ("text",)}.get(path[0], ())
    return path if path == (TITLE,) or (len(path) == 3 and path[1] and path[2] in parts) else None


def units(
    translation: Translation,
    spec: Spec,
    reference: Translation | None = None,
    notes: Mapping[str, Sequence[str]] | None = None,
    status: Mapping[str, str] | None = None,
) -> tuple[Unit, ...]:
    """Every title and text of a game, in the order of the spec, those without a translation too.

    The source side is the text of `reference`; where that has none, the title of the rule (the question of the
    ruling) in the spec, because there is no source language. `notes` and `status` go by passage: `rules/<rule id>`,
    `rulings/<id>`, or `title` for the title of the book; `notes` also by unit. Without an entry in `status`, what the
    passage says counts.
    """
    notes, status = notes or {}, statuses(translation) | dict(status or {})
    before, targets = texts(reference) if reference else {}, texts(translation)
    return tuple(
        Unit(
            id=id_,
            source=before.get(id_) or fallback,
            target=targets.get(id_, ""),
            status=status.get(passage, ""),
            notes=tuple(notes.get(id_, notes.get(passage, ()))),
        )
        for passage, id_, fallback in _all(translation, spec)
    )


def texts(translation: Translation) -> dict[str, str]:
    """Every text of a translation by the id of its unit."""
    rules = ((f"rules/{p.id}/{part}", text) for p in translation.rules.values() for part, text in _parts(p))
    rulings = ((f"rulings/{p.id}/text", p.text.text) for p in translation.rulings.values())
    return {TITLE: translation.title, **dict(rules), **dict(rulings)}


def statuses(translation: Translation) -> dict[str, str]:
    """What the passages say of their status, by `rules/<rule id>` and `rulings/<id>`."""
    return {key: passage.status for key, passage in passages(translation).items() if passage.status}


def confirmations(translation: Translation) -> dict[str, str]:
    """The digests of the facts that the passages were read against, by `rules/<rule id>` and `rulings/<id>`."""
    return {key: passage.confirmed for key, passage in passages(translation).items() if passage.confirmed}


def passages(translation: Translation) -> dict[str, Passage]:
    """The passages by `rules/<rule id>` and `rulings/<id>`."""
    blocks = (("rules", translation.rules), ("rulings", translation.rulings))
    return {f"{block}/{id_}": passage for block, among in blocks for id_, passage in among.items()}


def _parts(passage: Passage) -> Iterator[tuple[str, str]]:
    yield "title", passage.title
    yield "text", passage.text.text


def _all(translation: Translation, spec: Spec) -> Iterator[tuple[str, str, str]]:
    """Every passage with its units and what stands in the spec; texts that the spec does not know come last."""
    yield TITLE, TITLE, spec.title
    for id_ in _joined(spec.rules, translation.rules):
        about = spec.rules[id_].title if id_ in spec.rules else id_
        yield f"rules/{id_}", f"rules/{id_}/title", about or id_
        yield f"rules/{id_}", f"rules/{id_}/text", about or id_
    for id_ in _joined(spec.rulings, translation.rulings):
        about = spec.rulings[id_].question if id_ in spec.rulings else id_
        yield f"rulings/{id_}", f"rulings/{id_}/text", about or id_


def _joined(first: Iterable[str], second: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))
