"""XLIFF 2.0, the exchange format of professional translation tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

from rulespec.base.messages import say
from rulespec.language.model.spec import Spec
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.output.exchange import markup
from rulespec.text.output.exchange.markup import INLINE_CODE, Problem, Version, character
from rulespec.text.output.exchange.units import DRAFT, MARKS, REVIEWED, TRANSLATED, Unit, Work, units
from rulespec.text.reading.translation import Translation

NAMESPACE = "urn:oasis:names:tc:xliff:document:2.0"

_IN = f"{{{NAMESPACE}}}"
_STATES = {DRAFT: "initial", TRANSLATED: "translated", REVIEWED: "reviewed"}
_STATUS = {"translated": TRANSLATED, "reviewed": REVIEWED, "final": REVIEWED}
_CODES = tuple(f"{_IN}{name}" for name in ("ph", "pc", "sc", "ec"))
_PREFIX = "ftk:"
"""The start of our sub-states, which the standard asks for."""
_NO_NAME = re.compile(r"[^\w.:-]")


def to_xliff_2(
    translation: Translation,
    spec: Spec,
    reference: Translation | None = None,
    notes: Mapping[str, Sequence[str]] | None = None,
    work: Mapping[str, Work] | None = None,
) -> str:
    """An XLIFF 2.0 file of a translation; see `units` for the arguments."""
    source, target = reference.lang if reference else LANGUAGE_OF_SPECS, translation.lang
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<xliff xmlns="{NAMESPACE}" version="2.0" srcLang="{source}" trgLang="{target}">',
        f'  <file id="{spec.id}" canResegment="no" xml:space="preserve">',
        *(line for unit in units(translation, spec, reference, notes, work) for line in _unit(unit)),
        "  </file>",
        "</xliff>",
    ]
    return "\n".join(lines) + "\n"


def _unit(unit: Unit) -> Iterator[str]:
    # The id of an XLIFF unit must not contain a slash; `name` holds our id.
    token = _NO_NAME.sub(lambda sign: f"_{ord(sign[0]):x}_", unit.id.replace("/", ":"))
    yield f"    <unit id={markup.attribute(token)} name={markup.attribute(unit.id)}>"
    notes = [f"<note>{markup.words(note)}</note>" for note in unit.notes]
    if unit.work and unit.work.previous:
        notes.append(f'<note category="previous-source">{markup.words(unit.work.previous)}</note>')
    if notes:
        yield f"      <notes>{''.join(notes)}</notes>"
    state = _STATES.get(unit.status, "translated") if unit.target and not unit.work else "initial"
    why = f' subState="{_PREFIX}{unit.work.mark}"' if unit.work else ""
    yield f'      <segment state="{state}"{why}>'
    yield f"        <source>{markup.lossless(unit.source, _element)}</source>"
    if unit.target:
        yield f"        <target>{markup.lossless(unit.target, _element)}</target>"
    yield "      </segment>"
    yield "    </unit>"


def _element(index: int, code: str) -> str:
    return f'<cp hex="{code}"/>'


# --- import -----------------------------------------------------------------------------------------------------------


def _parts(unit: Element) -> list[Element]:
    """The segments and ignorable parts, in the order of the target."""
    parts = [part for part in unit if part.tag in (f"{_IN}segment", f"{_IN}ignorable")]
    order = {part: _order(part, at) for at, part in enumerate(parts, 1)}
    return sorted(parts, key=lambda part: order[part])


def _order(part: Element, at: int) -> int:
    target = part.find(f"{_IN}target")
    said = "" if target is None else target.get("order", "")
    return int(said) if re.fullmatch("[1-9][0-9]{0,5}", said) else at


def _problem(unit: Element) -> Problem | None:
    targets = [segment.find(f"{_IN}target") for segment in unit.iter(f"{_IN}segment")]
    if any(t is None for t in targets) and any(t is not None for t in targets):
        return Problem("exchange-incomplete", say("Some segments have no translation."), say("Translate all segments."))
    elements = [element for target in unit.iter(f"{_IN}target") for element in target.iter()]
    codes = (e.tag in _CODES or (e.tag == f"{_IN}cp" and character(e.get("hex", "")) is None) for e in elements)
    return INLINE_CODE if any(codes) else None


def _text(unit: Element) -> str | None:
    """The text of the segments, joined; annotations are removed, their text is kept."""
    translated = unit.find(f"{_IN}segment/{_IN}target") is not None
    return "".join(_text_of(part) for part in _parts(unit)) if translated else None


def _text_of(part: Element) -> str:
    target = part.find(f"{_IN}target")
    if target is None and part.tag == f"{_IN}ignorable":  # without a target it is the same as in the source
        return _said(part.find(f"{_IN}source"))
    return _said(target)


def _said(element: Element | None) -> str:
    for code in element.iter(f"{_IN}cp") if element is not None else ():
        # In the tree itself, so that `itertext` has the character in its place.
        code.text = character(code.get("hex", "")) or ""
    return "" if element is None else "".join(element.itertext())


def _status(unit: Element) -> str:
    """The lowest status of the segments."""
    known = [_status_of(segment) for segment in unit.iter(f"{_IN}segment")]
    return min(known, key=(DRAFT, "", TRANSLATED, REVIEWED).index, default=DRAFT)


def _status_of(segment: Element) -> str:
    unfinished = "" if segment.get("subState", "").removeprefix(_PREFIX) in MARKS else DRAFT
    return _STATUS.get(segment.get("state", "initial"), unfinished)


VERSION = Version(
    namespace=NAMESPACE,
    unit=f"{_IN}unit",
    game=lambda file: file.get("id", ""),
    language=lambda root, file: root.get("trgLang", ""),
    id=lambda unit: unit.get("name") or unit.get("id", "").replace(":", "/"),
    problem=_problem,
    source=lambda unit: "".join(_said(source) for part in unit for source in part.findall(f"{_IN}source")),
    text=_text,
    status=_status,
    hint=say("Give `<file>` its `id` (the id of the game) and `<xliff>` its `trgLang`, as they were exported."),
)
