"""How cards look: colours, symbols and pictures for the members of enums, from a file `looks: 1`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rulespec.base.diagnostics import Finding, Report, Span, finding
from rulespec.base.messages import Message, say
from rulespec.base.source import Source
from rulespec.language.document import Mapping as MapNode
from rulespec.language.document import Node, Scalar, plain
from rulespec.language.formats import document
from rulespec.language.model import spec as m
from rulespec.language.model.names import suggest

LARGEST_PICTURE = 4_000_000
"""In bytes. A page has its pictures in it, so larger ones make sheets that no program opens."""
_STARTS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg"}
"""The types of pictures by the first bytes of their files."""


@dataclass(frozen=True)
class Look:
    """How a member of an enum looks: a colour, a symbol or the path that draws it, and the file of a picture; each ""
    if it has none."""

    colour: str = ""
    symbol: str = ""
    path: str = ""
    file: Path | None = None

    @property
    def ink(self) -> str:
        """The colour of words on the colour: the one of black and white with more contrast; black if it has none."""
        if not self.colour:
            return "#000"
        red, green, blue = (int(self.colour[at : at + 2], 16) for at in (1, 3, 5))
        return "#000" if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else "#fff"

    @cached_property
    def picture(self) -> str:
        """The picture as an address with its content, "" if there is none that can be read."""
        content = self.file.read_bytes() if self.file is not None and not unusable(self.file) else b""
        kind = next((kind for start, kind in _STARTS.items() if content.startswith(start)), "")
        return f"data:image/{kind};base64,{b64encode(content).decode()}" if kind else ""


PLAIN = Look()


@dataclass(frozen=True)
class Looks:
    """The looks of members by their names in a spec, such as `suit.hearts`. `spans` are those of their keys,
    `enums` those of the keys of their enums."""

    game: str
    members: Mapping[str, Look]
    source: Source = field(repr=False)
    spans: Mapping[str, Span] = field(repr=False)
    enums: Mapping[str, Span] = field(repr=False)


def read(source: Source) -> tuple[Looks | None, list[Finding]]:
    """The looks in a source, or None with findings if they are not valid. Never raises for bad input."""
    root, found = document(source, "looks")
    if not isinstance(root, MapNode) or not Report.of(found).ok:
        return None, found
    folder, enums = Path(source.path).parent, [*_entries(root.get("members"))]
    keys = {f"{enum.text}.{key.text}": (key, look) for enum, members in enums for key, look in _entries(members)}
    members = {name: _look(plain(look), folder) for name, (_, look) in keys.items()}
    spans = {name: key.span for name, (key, _) in keys.items()}
    return Looks(plain(root)["game"], members, source, spans, {enum.text: enum.span for enum, _ in enums}), found


def _entries(node: Node | None) -> Iterable[tuple[Scalar, Node]]:
    """The entries of a node that the schema has found to be a mapping."""
    return node.entries if isinstance(node, MapNode) else ()


def _look(data: Mapping[str, str], folder: Path) -> Look:
    file = folder / data["picture"] if "picture" in data else None
    return Look(data.get("colour", ""), data.get("symbol", ""), data.get("path", ""), file)


def check(looks: Looks, spec: m.Spec) -> Iterator[Finding]:
    """What is wrong with looks beside their spec: members that it does not have, and pictures that cannot be used."""
    for enum, span in looks.enums.items():
        if enum not in spec.enums:
            message = say("The spec has no enum `{name}`.", name=enum)
            yield finding("look-unknown-name", message, looks.source, span, suggest(enum, spec.enums))
    for name, look in looks.members.items():
        enum, _, member = name.partition(".")
        known = spec.enums[enum].members if enum in spec.enums else (member,)
        if member not in known:
            message = say("The enum `{enum}` has no member `{name}`.", enum=enum, name=member)
            yield finding("look-unknown-name", message, looks.source, looks.spans[name], suggest(member, known))
        if look.file is not None and (why := unusable(look.file)):
            hint = say("Put a PNG or JPEG of at most 4 MB there.")
            yield finding("look-picture-unusable", why, looks.source, looks.spans[name], hint)


def unusable(file: Path) -> Message | None:
    """Why the file of a picture cannot be used; None if it can."""
    name = file.name
    try:
        if file.stat().st_size > LARGEST_PICTURE:
            return say("The picture `{name}` has more than 4 MB.", name=name)
        with file.open("rb") as stream:
            start = stream.read(8)
    except OSError:
        return say("The picture `{name}` cannot be read.", name=name)
    known = any(start.startswith(one) for one in _STARTS)
    return None if known else say("The file `{name}` is no PNG or JPEG.", name=name)
