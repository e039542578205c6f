"""XLIFF 2.0, the exchange format of professional translation tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

from rulespec.diagnostics import Finding, Span, finding
from rulespec.model.spec import Spec
from rulespec.source import Source
from rulespec.text.exchange import markup
from rulespec.text.exchange.units import DRAFT, REVIEWED, TRANSLATED, Entries, Unit, UnitText, units
from rulespec.text.languages import LANGUAGE_OF_SPECS
from rulespec.text.translation import Translation

NAMESPACE = "urn:oasis:names:tc:xliff:document:2.0"

_IN = f"{{{NAMESPACE}}}"
_STATES = {DRAFT: "initial", TRANSLATED: "translated", REVIEWED: "reviewed"}
_STATUS = {"initial": DRAFT, "translated": TRANSLATED, "reviewed": REVIEWED, "final": REVIEWED}
_CODES = tuple(f"{_IN}{name}" for name in ("ph", "pc", "sc", "ec"))
_NO_NAME = re.compile(r"[^\w.:-]")


def to_xliff(
    translation: Translation,
    spec: Spec,
    reference: Translation | None = None,
    notes: Mapping[str, Sequence[str]] | None = None,
    status: Mapping[str, str] | None = None,
) -> str:
    """An XLIFF 2.0 file of a translation; see `units` for the arguments."""
    source, target = reference.lang if reference else LANGUAGE_OF_SPECS, translation.lang
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<xliff xmlns="{NAMESPACE}" version="2.0" srcLang="{source}" trgLang="{target}">',
        f'  <file id="{spec.id}" canResegment="no" xml:space="preserve">',
        *(line for unit in units(translation, spec, reference, notes, status) for line in _unit(unit)),
        "  </file>",
        "</xliff>",
    ]
    return "\n".join(lines) + "\n"


def _unit(unit: Unit) -> Iterator[str]:
    # The id of an XLIFF unit must not contain a slash; `name` holds our id.
    yield f"    <unit id={markup.attribute(_token(unit.id))} name={markup.attribute(unit.id)}>"
    if unit.notes:
        yield f"      <notes>{''.join(f'<note>{markup.words(note)}</note>' for note in unit.notes)}</notes>"
    state = _STATES.get(unit.status, "translated") if unit.target else "initial"
    yield f'      <segment state="{state}">'
    yield f"        <source>{markup.lossless(unit.source)}</source>"
    if unit.target:
        yield f"        <target>{markup.lossless(unit.target)}</target>"
    yield "      </segment>"
    yield "    </unit>"


def _token(unit: str) -> str:
    return _NO_NAME.sub(lambda sign: f"_{ord(sign[0]):x}_", unit.replace("/", ":"))


# --- import -----------------------------------------------------------------------------------------------------------


def from_xliff(source: Source) -> tuple[Entries | None, list[Finding]]:
    """The entries of an XLIFF 2.0 file; None and findings if it cannot be read. Never raises for bad input.

    Segments of a unit are joined. Annotations are removed, their text is kept.
    """
    root, places, found = markup.read(source)
    files = root.findall(f"{_IN}file") if root is not None else []
    if root is None or not files:
        return None, found or [_not_xliff(source, root)]
    game, lang = files[0].get("id", ""), root.get("trgLang", "")
    if not game or not lang:
        message = "The file does not say which game and language it is for."
        hint = "Give `<file>` its `id` (the id of the game) and `<xliff>` its `trgLang`, as they were exported."
        return None, [finding("exchange-broken", message, source, places[files[0]], hint)]
    for file in files:
        if file.get("id") != game:
            message = f"The file also has texts of {file.get('id', 'an unnamed game')}, which are not imported."
            found.append(finding("exchange-other-game", message, source, places[file], "Import one game at a time."))
    items = tuple(_entries((f for f in files if f.get("id") == game), source, places, found))
    return Entries(game, lang, items, source), found


def _not_xliff(source: Source, root: Element | None) -> Finding:
    other = root is not None and root.tag.endswith("}xliff")
    message = "The file is XLIFF of another version." if other else "The file is not XLIFF 2.0."
    hint = "Save it as XLIFF 2.0."
    return finding("exchange-broken", message, source, markup.line_span(source, 1), hint)


def _entries(
    files: Iterator[Element], source: Source, places: Mapping[Element, Span], found: list[Finding]
) -> Iterator[UnitText]:
    for unit in (unit for file in files for unit in file.iter(f"{_IN}unit")):
        id_ = unit.get("name") or unit.get("id", "").replace(":", "/")
        wrong = _unusable(unit)
        if wrong:
            name, message, hint = wrong
            found.append(finding(name, f"{message} {id_} was not changed.", source, places[unit], hint))
        else:
            translated = unit.find(f"{_IN}segment/{_IN}target") is not None
            text = "".join(_text(part) for part in _parts(unit)) if translated else ""
            yield UnitText(id_, text, _status(unit) if text else "", places[unit])


def _parts(unit: Element) -> list[Element]:
    """The segments and ignorable parts, in the order of the target."""
    parts = [part for part in unit if part.tag in (f"{_IN}segment", f"{_IN}ignorable")]
    order = {part: _order(part, at) for at, part in enumerate(parts, 1)}
    return sorted(parts, key=lambda part: order[part])


def _order(part: Element, at: int) -> int:
    target = part.find(f"{_IN}target")
    said = "" if target is None else target.get("order", "")
    return int(said) if re.fullmatch("[1-9][0-9]{0,5}", said) else at


def _unusable(unit: Element) -> tuple[str, str, str] | None:
    targets = [segment.find(f"{_IN}target") for segment in unit.iter(f"{_IN}segment")]
    if any(t is None for t in targets) and any(t is not None for t in targets):
        return "exchange-incomplete", "Some segments have no translation.", "Translate all segments."
    for element in (e for target in unit.iter(f"{_IN}target") for e in target.iter()):
        if element.tag in _CODES or (element.tag == f"{_IN}cp" and _character(element) is None):
            hint = "Write Markdown instead, such as ** for bold."
            return "exchange-inline-code", "The text has an inline code, which Markdown cannot represent.", hint
    return None


def _text(part: Element) -> str:
    target = part.find(f"{_IN}target")
    if target is None:  # an ignorable part without a target is the same as in the source
        target = part.find(f"{_IN}source") if part.tag == f"{_IN}ignorable" else None
    for element in target.iter(f"{_IN}cp") if target is not None else ():
        element.text = _character(element) or ""
    return "" if target is None else "".join(target.itertext())


def _character(element: Element) -> str | None:
    said = element.get("hex", "")
    code = int(said, 16) if re.fullmatch("[0-9A-Fa-f]{1,8}", said) else -1
    return chr(code) if 0 <= code < 0xD800 or 0xDFFF < code < 0x110000 else None


def _status(unit: Element) -> str:
    """The lowest state of the segments."""
    states = [segment.get("state", "initial") for segment in unit.iter(f"{_IN}segment")]
    known = [_STATUS.get(state, DRAFT) for state in states]
    return min(known, key=list(_STATES).index, default=DRAFT)
