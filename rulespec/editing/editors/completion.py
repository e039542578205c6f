"""What can be written at a place: keys, words of the format, and names of the game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.base.source import Source
from rulespec.editing.editors.cells import COLUMNS, is_of_sheet, words_of_sheet
from rulespec.editing.editors.names import PROSE, spec_source
from rulespec.editing.editors.places import Place, node_at, place_at
from rulespec.editing.editors.schemas import choices_at, keys_at, schema_of
from rulespec.editing.renaming.targets import rules_of_members, targets
from rulespec.language.document import Mapping, Node, Scalar, at, parse
from rulespec.language.model.folds import FOLDS

_STAND_IN = "zz_here"
_WORD = re.compile(r"[\w.]*\Z")
_VALUE_OF_RULING = "rulings"


@dataclass(frozen=True)
class Proposal:
    """A text that fits at a place: a key, a choice, a name or a function, with what it is."""

    text: str
    kind: str
    detail: str = ""


def proposals(source: Source, offset: int, spec: Source | None = None) -> tuple[Proposal, ...]:
    """What fits at an offset. `spec` is the spec that the names come from (default: that of the file on disk).

    The word around the offset is left out: the file need only be YAML without it.
    """
    schema = schema_of(source)
    place = _place(source, offset)
    if place is None or not schema:
        return ()
    if is_of_sheet(place) or place.around == COLUMNS:
        return tuple(Proposal(_quoted(word), "word") for word in words_of_sheet(source, place))
    found = (_keys if place.is_key else _values)(source, place, schema, spec)
    return tuple({one.text: one for one in found}.values())


def _quoted(word: str) -> str:
    """A word of a spreadsheet as YAML writes it."""
    return word if re.fullmatch(r"[^\W\d][\w.-]*", word) else json.dumps(word, ensure_ascii=False)


def _place(source: Source, offset: int) -> Place | None:
    """The place of a stand-in for the word at an offset: as a key if that is YAML, else as a value."""
    start = offset - len(_WORD.findall(source.text[:offset])[0])
    end = offset + len(re.match(r"[\w.]*", source.text[offset:])[0])  # type: ignore[index]
    for stand_in in (f"{_STAND_IN}: 0", _STAND_IN, f"{_STAND_IN}: 0\n", f"{_STAND_IN}\n"):
        root = _root(source, start, end, stand_in)
        place = place_at(root, start + 1) if root is not None else None
        if place is not None and _STAND_IN in place.node.text:
            return place
    return None


def _root(source: Source, start: int, end: int, stand_in: str) -> Node | None:
    after = re.sub(r"\A[ \t]*:[^\n]*", "", source.text[end:]) if stand_in.endswith("0") else source.text[end:]
    return parse(Source(source.path, source.text[:start] + stand_in + after))[0]


def _keys(source: Source, place: Place, schema: str, spec: Source | None) -> Iterator[Proposal]:
    known = keys_at(schema, place.around)
    root, _ = parse(source)
    mapping = node_at(root, place.around) if root is not None else None
    given = {key for key, _ in mapping.items()} if isinstance(mapping, Mapping) else set()
    for key, means in known.items():
        if key not in given:
            yield Proposal(key, "key", means)
    if not known:
        yield from _names(source, place, spec)


def _values(source: Source, place: Place, schema: str, spec: Source | None) -> Iterator[Proposal]:
    choices = choices_at(schema, place.path)
    yield from (Proposal(choice, "choice") for choice in choices)
    if not choices and place.key not in PROSE:
        yield from _names(source, place, spec)


def _names(source: Source, place: Place, spec: Source | None) -> Iterator[Proposal]:
    """The names that the game declares; under `rulings` of a case the options of the ruling."""
    declaring = spec or spec_source(source)
    root = parse(declaring)[0] if declaring is not None else None
    owner = _enum_of_field(root, place) if root is not None else ""
    for target in (*targets(root), *rules_of_members(root)) if root is not None else ():
        if target.owner == owner if owner else _fits(place, target.kind, target.owner):
            written = target.full if target.kind == "member" and source != declaring else target.name
            yield Proposal(written, target.kind, target.owner)
    if declaring == source and not place.is_key and place.key not in _BY_KEY:
        yield from (Proposal(name, "function") for name in FOLDS)


def _enum_of_field(root: Node, place: Place) -> str:
    """The enum of whose members a key in a row of the manifest is one; "" elsewhere."""
    if not place.is_key or place.around[:2] != ("cards", "manifest") or len(place.around) != 4:
        return ""
    per = at(root, ["cards", "fields", place.around[3], "per"])
    return per.text if isinstance(per, Scalar) else ""


def _fits(place: Place, kind: str, owner: str) -> bool:
    keys = [step for step in place.path if isinstance(step, str)]
    if len(keys) > 1 and keys[-2] == _VALUE_OF_RULING and not place.is_key:
        return kind == "answer" and owner == keys[-1]
    if "transfer" in keys and place.key in ("from", "to"):
        return kind == "value"
    wanted = _BY_KEY.get(keys[-2] if place.is_key and len(keys) > 1 else place.key)
    return kind in wanted if wanted else kind not in ("rule", "answer", "ruling")


_BY_KEY = {
    **dict.fromkeys(("fires", "not_fires", "at", "defined_by", "rules", "states"), ("rule",)),
    **dict.fromkeys(("from", "to", "shuffle", "rest", "zones"), ("zone",)),
    **dict.fromkeys(("values", "set"), ("value",)),
    **dict.fromkeys(("rulings",), ("ruling",)),
    **dict.fromkeys(("run",), ("procedure",)),
    **dict.fromkeys(("names",), ("zone", "value", "enum", "member", "rule", "ruling")),
}
"""The kinds of names that stand under a key; elsewhere all that expressions use."""
