"""Reads and writes glossaries as TBX-Basic (ISO 30042) for term bases and translation tools.

Version 3 is the standard of 2019. Many tools, translate-toolkit and Weblate among them, open version 2 only, in which
the elements have other names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.text.glossary import xml_tree
from rulespec.text.glossary.concepts import PROPERTIES, Glossary, Status, Term
from rulespec.text.glossary.entries import Entry, collect
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS


@dataclass(frozen=True)
class Dialect:
    """The names of the elements in a version of TBX, and the attributes of its root."""

    root: str
    header: str
    concept: str
    language: str
    term: str
    attributes: Mapping[str, str]


V3 = Dialect(
    "tbx",
    "tbxHeader",
    "conceptEntry",
    "langSec",
    "termSec",
    {"xmlns": "urn:iso:std:iso:30042:ed-2", "type": "TBX-Basic", "style": "dca", "xml:lang": LANGUAGE_OF_SPECS},
)
V2 = Dialect(
    "martif", "martifHeader", "termEntry", "langSet", "tig", {"type": "TBX-Basic", "xml:lang": LANGUAGE_OF_SPECS}
)
_DIALECTS = {dialect.root: dialect for dialect in (V3, V2)}

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_MAX_DEPTH = 64
"""TBX has about 8 levels."""

# A form is a variant; a cue, a vague phrase or a label is a phrase: term types of TBX-Basic. It has no types that
# distinguish them, so vague phrases and labels have a note.
_STATUS = {
    Status.PREFERRED: ("administrativeStatus", "preferredTerm-admn-sts"),
    Status.ALLOWED: ("administrativeStatus", "admittedTerm-admn-sts"),
    Status.FORBIDDEN: ("administrativeStatus", "deprecatedTerm-admn-sts"),
    Status.FORM: ("termType", "variant"),
    Status.VAGUE: ("termType", "phrase"),
    Status.LABEL: ("termType", "phrase"),
    Status.CUE: ("termType", "phrase"),
}
_NOTED = (Status.VAGUE, Status.LABEL)
# Of the three that are phrases the last counts, the cue; `_status` recognises the others by their note.
_READ = {said: status for status, said in _STATUS.items()}
_READ["administrativeStatus", "supersededTerm-admn-sts"] = Status.FORBIDDEN
_KEYS = tuple(key for key in PROPERTIES if key != "note")


# --- out -------------------------------------------------------------------------------------------------------------


def to_tbx(glossary: Glossary, dialect: Dialect = V3) -> str:
    """The glossary as TBX-Basic, version 3 in DCA style, with an XML declaration."""
    root = Element(dialect.root, dict(dialect.attributes))
    description = SubElement(SubElement(root, dialect.header), "fileDesc")
    SubElement(SubElement(description, "titleStmt"), "title").text = glossary.game
    SubElement(SubElement(description, "sourceDesc"), "p").text = f"Glossary of {glossary.game}"
    body = SubElement(SubElement(root, "text"), "body")
    for concept in glossary.concepts.values():
        entry = SubElement(body, dialect.concept, {"id": concept.id})
        if concept.note:
            SubElement(entry, "descrip", {"type": "definition"}).text = concept.note
        for key in _KEYS:
            if concept.properties[key]:
                SubElement(entry, "note").text = f"{key}: {concept.properties[key]}"
        for lang, terms in concept.terms.items():
            section = SubElement(entry, dialect.language, {"xml:lang": lang})
            for status, term in terms.each():
                _write_term(SubElement(section, dialect.term), status, term)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _write_term(section: Element, status: Status, term: Term) -> None:
    SubElement(section, "term").text = term.text
    kind, value = _STATUS[status]
    SubElement(section, "termNote", {"type": kind}).text = value
    if status in _NOTED:
        SubElement(section, "note").text = str(status)


# --- in --------------------------------------------------------------------------------------------------------------


def from_tbx(source: Source, game: str = "") -> tuple[str, list[Finding]]:
    """The glossary of a game (an id) in TBX as YAML, and its findings. Never raises for bad input.

    The YAML is "" if the text is not TBX of version 2, or of version 3 in DCA style. Invalid entries are left out.
    """
    try:
        root, places = xml_tree.read(source, _MAX_DEPTH, doctype=V2.root)
    except xml_tree.XmlError as error:
        return "", [_refused(source, error)]
    for element in root.iter():
        # Version 3 has a namespace, version 2 has none.
        element.tag = element.tag.rpartition("}")[2]
    wrong = list(_other_root(root, source, places[root]))
    return ("", wrong) if wrong else collect(_entries(root, places), game, source)


def _refused(source: Source, error: xml_tree.XmlError) -> Finding:
    """The finding for a text that is no XML, or that is unsafe. Files of version 2 may name a document type."""
    message, hint = {
        "syntax": (say("Invalid XML: {code}.", code=error.detail), say("Correct it, or export the file again.")),
        "depth": (
            say("Elements are nested more than {max_depth} levels deep.", max_depth=_MAX_DEPTH),
            say("Check that this is the right file."),
        ),
        "doctype": (
            say("The file declares a document type, which may contain entities."),
            say("Delete the declaration `<!DOCTYPE …>`."),
        ),
        "entity": (
            say("The entity `{name}` is not declared.", name=error.detail[:40]),
            say("Write the character itself."),
        ),
    }[error.kind]
    return finding("terms-unreadable", message, source, Span(error.offset, error.offset), hint)


def _other_root(root: Element, source: Source, offset: int) -> Iterator[Finding]:
    """The finding for a root that is not that of TBX, or of TBX in another style."""
    style = root.get("style", "dca")
    if root.tag not in _DIALECTS:
        message = say("`<{tag}>` is not the root element of TBX.", tag=root.tag[:40])
        hint = say('TBX begins with `<tbx type="TBX-Basic" style="dca">`, version 2 with `<martif type="TBX-Basic">`.')
    elif style != "dca":
        message = say("TBX in the style `{style}` cannot be read.", style=style[:40])
        hint = say('Export it in the style "dca".')
    else:
        return
    yield finding("terms-unreadable", message, source, Span(offset, offset), hint)


def _entries(root: Element, places: Mapping[Element, int]) -> Iterator[Entry]:
    dialect = _DIALECTS[root.tag]
    for concept in root.iterfind(f"text/body/{dialect.concept}"):
        id_ = concept.get("id", "")
        yield Entry(id_, Span(places[concept], places[concept]), {**_tied(concept), "note": _note(concept)})
        for section in concept.iterfind(dialect.language):
            lang, seen = section.get(_LANG, ""), False
            for term in _terms(section, dialect):
                status = _status(term, first=not seen)
                seen = True
                place = Span(places[term], places[term])
                yield Entry(id_, place, lang=lang, status=status, term=_text(term.find("term")))


def _terms(section: Element, dialect: Dialect) -> Iterator[Element]:
    """The terms of a language. In version 2, tools may put one with its notes into `<ntig><termGrp>`."""
    for each in (each for each in section if each.tag in (dialect.term, "ntig")):
        group = each.find("termGrp")
        yield each if group is None else group


def _note(concept: Element) -> str:
    """The note of a concept: its definition and the notes of other tools."""
    definitions = [_text(node) for node in concept.iterfind("descrip") if node.get("type") == "definition"]
    notes = [_text(node) for node in concept.iterfind("note")]
    return "\n".join([*definitions, *(note for note in notes if not note.startswith(tuple(f"{k}: " for k in _KEYS)))])


def _tied(concept: Element) -> dict[str, str]:
    said = [_text(node).partition(": ") for node in concept.iterfind("note")]
    return {key: value for key, _, value in said if key in _KEYS}


def _status(term: Element, first: bool) -> str:
    """The status of a term in our vocabulary; unknown values are returned unchanged."""
    said = {node.get("type", ""): _text(node) for node in term.iterfind("termNote")}
    if "administrativeStatus" in said:
        written = said["administrativeStatus"]
        return str(_READ.get(("administrativeStatus", written), written or "?"))
    usual = Status.PREFERRED if first else Status.ALLOWED
    status = _READ.get(("termType", said.get("termType", "")), usual)
    notes = {_text(note) for note in term.iterfind("note")} if status == Status.CUE else set()
    return str(next((one for one in _NOTED if one in notes), status))


def _text(node: Element | None) -> str:
    return "".join(node.itertext()).strip() if node is not None else ""
