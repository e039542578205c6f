"""Pictures of looks: PNG, JPEG and SVG. A drawing in SVG may hold nothing that runs, and nothing from elsewhere."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from rulespec.base.messages import Message, say
from rulespec.base.source import read_bytes

LARGEST_PICTURE = 4_000_000
"""In bytes. A page has its pictures in it, so larger ones make sheets that no program opens."""
_STARTS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg"}
"""The types of pictures by the first bytes of their files."""
_SVG = "http://www.w3.org/2000/svg svg"
_FOREIGN = "http://www.w3.org/1999/xhtml "
_REFUSED = {"script", "foreignobject", "handler", "listener", "set", "animate", "animatetransform", "animatemotion"}
"""Elements that run code, change others, or hold another language."""
_INSIDE = re.compile(r"#|data:image/(?:png|jpeg);base64,", re.I)
_ELSEWHERE = re.compile(r"@import|javascript:|\\|image-set\(|url\(\s*[\"']?(?!\s*[\"']?#)", re.I)
"""In styles and attributes: what loads or runs something, and escapes, which could hide it."""


def address(file: Path) -> str:
    """A picture as an address with its content, "" if it cannot be used."""
    content, why = _read(file)
    if why:
        return ""
    kind = next((kind for start, kind in _STARTS.items() if content.startswith(start)), "svg+xml")
    return f"data:image/{kind};base64,{b64encode(content).decode()}"


def unusable(file: Path) -> Message | None:
    """Why the file of a picture cannot be used; None if it can."""
    return _read(file)[1]


def _read(file: Path) -> tuple[bytes, Message | None]:
    """The content of a picture, and why it cannot be used."""
    name = file.name
    content, _, unreadable = read_bytes(file, LARGEST_PICTURE)
    if content is None or unreadable:
        return b"", say("The picture `{name}` cannot be read.", name=name)
    if len(content) > LARGEST_PICTURE:
        return b"", say("The picture `{name}` has more than 4 MB.", name=name)
    if any(content.startswith(start) for start in _STARTS):
        return content, None
    if file.suffix.lower() != ".svg":
        return b"", say("The file `{name}` is no PNG, JPEG or SVG.", name=name)
    why = unsafe(content)
    return content, say("The drawing `{name}` cannot be used: {reason}.", name=name, reason=why) if why else None


def unsafe(svg: bytes) -> Message | None:
    """Why a drawing is no SVG that can be shown to anyone; None if it is."""
    return _Reader().read(svg)


class _Reader:
    """Reads XML with a parser that loads nothing, and keeps the first reason against it."""

    def __init__(self) -> None:
        self._why: Message | None = None
        self._open: list[str] = []
        self._parser = expat.ParserCreate("utf-8", " ")
        self._parser.XmlDeclHandler = self._declaration
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = lambda name: self._open.pop()
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = lambda *of: self._refuse(say("it has a document type"))
        self._parser.ProcessingInstructionHandler = lambda *of: self._refuse(say("it has a processing instruction"))
        self._parser.buffer_text = True

    def read(self, svg: bytes) -> Message | None:
        try:
            self._parser.Parse(svg, True)
        except (expat.ExpatError, ValueError) as error:
            return self._why or say("it is no XML ({reason})", reason=str(error))
        return self._why

    def _refuse(self, why: Message) -> None:
        self._why = self._why or why
        raise ValueError(why)

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        """Other programs would read another encoding otherwise than this one does."""
        if (encoding or "utf-8").lower() != "utf-8":
            self._refuse(say("its encoding is {name}, not UTF-8", name=encoding or ""))

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if not self._open and name != _SVG:
            self._refuse(say("its root is no `svg` of the namespace of SVG"))
        if local.lower() in _REFUSED or name.startswith(_FOREIGN):
            self._refuse(say("it has an element `{name}`", name=local))
        for attribute in _refused(attributes):
            self._refuse(say("it has an attribute `{name}` that is not allowed", name=attribute))
        self._open.append(local)

    def _text(self, text: str) -> None:
        if "style" in self._open and _ELSEWHERE.search(text):
            self._refuse(say("its style loads something"))


def _refused(attributes: dict[str, str]) -> Iterator[str]:
    """The attributes that run something, or refer to anything outside of the drawing."""
    for name, value in attributes.items():
        local, text = name.rpartition(" ")[2].lower(), "".join(value.split())
        outside = local in ("href", "src") and not _INSIDE.match(text)
        if local.startswith("on") or local == "base" or outside or _ELSEWHERE.search(text):
            yield local
