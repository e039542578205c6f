"""XLIFF 1.2, which many tools that cannot read XLIFF 2 ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

from rulespec.base.messages import say
from rulespec.language.model.spec import Spec
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.output.exchange import markup
from rulespec.text.output.exchange.markup import INLINE_CODE, Problem, Version, character
from rulespec.text.output.exchange.units import DRAFT, MARKS, REVIEWED, TRANSLATED, Unit, Work, units
from rulespec.text.reading.translation import Translation

NAMESPACE = "urn:oasis:names:tc:xliff:document:1.2"

_IN = f"{{{NAMESPACE}}}"
_STATES = {DRAFT: "needs-review-translation", TRANSLATED: "translated", REVIEWED: "final"}
_STATUS = {"translated": TRANSLATED, "signed-off": REVIEWED, "final": REVIEWED}
_CODES = tuple(f"{_IN}{name}" for name in ("g", "x", "bx", "ex", "ph", "it", "bpt", "ept"))
_QUALIFIER = "x-"
"""The start of a reason for a state that is not in the list of the standard."""
_CHARACTER = "x-character-"
"""The start of the type of an inline element that stands for a character which XML does not allow."""


def to_xliff_1(
    translation: Translation,
    spec: Spec,
    reference: Translation | None = None,
    notes: Mapping[str, Sequence[str]] | None = None,
    work: Mapping[str, Work] | None = None,
) -> str:
    """An XLIFF 1.2 file of a translation; see `units` for the arguments."""
    source, target = reference.lang if reference else LANGUAGE_OF_SPECS, translation.lang
    about = f'original="{spec.id}" datatype="plaintext" source-language="{source}" target-language="{target}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<xliff xmlns="{NAMESPACE}" version="1.2">',
        f"  <file {about}>",
        "    <body>",
        *(line for unit in units(translation, spec, reference, notes, work) for line in _unit(unit)),
        "    </body>",
        "  </file>",
        "</xliff>",
    ]
    return "\n".join(lines) + "\n"


def _unit(unit: Unit) -> Iterator[str]:
    # Tools take every target that is not approved for one that needs work.
    approved = ' approved="yes"' if unit.target and unit.status != DRAFT and not unit.work else ""
    yield f'      <trans-unit id={markup.attribute(unit.id)} xml:space="preserve"{approved}>'
    yield f"        <source>{markup.lossless(unit.source, _element)}</source>"
    if unit.target:
        state = _STATES.get(DRAFT if unit.work else unit.status, "translated")
        why = f' state-qualifier="{_QUALIFIER}{unit.work.mark}"' if unit.work else ""
        yield f'        <target state="{state}"{why}>{markup.lossless(unit.target, _element)}</target>'
    yield from (f"        <note>{markup.words(note)}</note>" for note in unit.notes)
    if unit.work and unit.work.previous:
        yield '        <alt-trans alttranstype="previous-version">'
        yield f"          <source>{markup.lossless(unit.work.previous, _element)}</source>"
        yield f"          <target>{markup.lossless(unit.target, _element)}</target>"
        yield "        </alt-trans>"
    yield "      </trans-unit>"


def _element(index: int, code: str) -> str:
    return f'<x id="{index}" ctype="{_CHARACTER}{code}"/>'


# --- import -----------------------------------------------------------------------------------------------------------


def _problem(unit: Element) -> Problem | None:
    target = unit.find(f"{_IN}target")
    elements = target.iter() if target is not None else ()
    return INLINE_CODE if any(e.tag in _CODES and _character(e) is None for e in elements) else None


def _character(element: Element) -> str | None:
    kind = element.get("ctype", "")
    return character(kind.removeprefix(_CHARACTER)) if kind.startswith(_CHARACTER) else None


def _said(element: Element | None) -> str | None:
    """The text of a source or target. Marks of segments and terms are removed, their text is kept."""
    for code in element.iter(f"{_IN}x") if element is not None else ():
        # In the tree itself, so that `itertext` has the character in its place.
        code.text = _character(code) or ""
    return None if element is None else "".join(element.itertext())


def _status(unit: Element) -> str:
    """The status of the target. The attribute `state` is optional: without it, a target is a translation."""
    target = unit.find(f"{_IN}target")
    state = target.get("state", "") if target is not None else ""
    if unit.get("approved") == "yes":
        return _STATUS.get(state, REVIEWED)
    why = target.get("state-qualifier", "").removeprefix(_QUALIFIER) if target is not None else ""
    unfinished = "" if why in MARKS else DRAFT
    return _STATUS.get(state, unfinished) if state else TRANSLATED


VERSION = Version(
    namespace=NAMESPACE,
    unit=f"{_IN}trans-unit",
    game=lambda file: file.get("original", ""),
    language=lambda root, file: file.get("target-language", ""),
    id=lambda unit: unit.get("id", ""),
    problem=_problem,
    source=lambda unit: _said(unit.find(f"{_IN}source")) or "",
    text=lambda unit: _said(unit.find(f"{_IN}target")),
    status=_status,
    hint=say("Give `<file>` its `original` (the id of the game) and its `target-language`, as they were exported."),
)
