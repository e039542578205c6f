"""Reads text files: decodes and checks them, and maps offsets to lines and columns."""

from __future__ import annotations

import codecs
import logging
import os
import re
import stat
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rulespec.base.characters import FORBIDDEN
from rulespec.base.diagnostics import Finding, Position, Span, finding
from rulespec.base.messages import Message, say
from rulespec.base.transaction import recover

MAX_BYTES = 5 * 1024 * 1024
"""A whole game stays far below 1 MiB, so a larger file is the wrong one. Checks take time in proportion to it."""

# Only these end a line. `str.splitlines` also splits at form feeds, U+2028 and others, which editors do not count.
_BREAK = re.compile(r"\r\n|\r|\n")

# The mark of UTF-32 LE begins with that of UTF-16 LE, so the longer ones come first.
_OTHER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)

_FIRST_LINES = 200
"""Bytes that show whether a text without a mark is in UTF-16: the keys of the first lines are Latin letters."""

_STREAMS = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
_SPECIAL = (
    (stat.S_ISFIFO, say("a named pipe")),
    (stat.S_ISSOCK, say("a socket")),
    (stat.S_ISCHR, say("a device")),
    (stat.S_ISBLK, say("a device")),
)
# Possessive where it skips comments, so that a long run of them is read once if no such key follows.
_FORMAT = re.compile(
    r"""(?:[ \t]*(?:(?:\#|---|%).*)?\r?\n)*+[ \t]*\{?\s*"""
    r"""["']?(?:rulespec|overlay|scenario|deck|translation|glossary|language|review|looks)["']?:"""
    r"""[ \t]*(\d{1,4})[ \t]*(?:[,}\#\r\n]|\Z)"""
)
"""The first key of a YAML file."""
_LOG = logging.getLogger(__name__)

Reading = tuple["Source | None", list[Finding]]


@dataclass(frozen=True)
class Source:
    """A text and its path or another name. Offsets count code points from 0, lines and columns from 1."""

    path: str
    text: str = field(repr=False)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _BREAK.finditer(self.text))]

    @cached_property
    def format(self) -> int | None:
        """The format that the text states, such as 2 for `rulespec: 2`; None for a text of another kind."""
        stated = _FORMAT.match(self.text)
        return int(stated[1]) if stated else None

    @property
    def line_count(self) -> int:
        """The number of lines, at least 1. A line break at the end begins one more, empty line."""
        return len(self._starts)

    def position(self, offset: int) -> Position:
        """The line and column of an offset; an offset outside the text counts as the nearest one inside."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def located(self, span: Span) -> tuple[str, Position, Position]:
        """The path of the file that a span is in, and the positions of its start and its end there."""
        return self.path, self.position(span.start), self.position(span.end)

    @property
    def files(self) -> tuple[Source, ...]:
        """The files that the text is made of: this one."""
        return (self,)

    @property
    def variant(self) -> str:
        """The variant that a spec is: the ids of its overlays, joined by `+`; "" for a spec without overlays."""
        return ""

    def line_start(self, number: int) -> int:
        """The offset where line `number` begins. Raises IndexError if there is no such line."""
        if not 1 <= number <= self.line_count:
            raise IndexError(f"{self.path} has lines 1 to {self.line_count}, not {number}")
        return self._starts[number - 1]

    def line(self, number: int) -> str:
        """The text of line `number` without its line break. Raises IndexError if there is no such line."""
        start = self.line_start(number)
        end = self._starts[number] if number < self.line_count else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True)
class Piece:
    """A piece of a mapped text, from one line of a file: its offsets begin at `start`, in the file at `origin`."""

    start: int
    end: int
    source: Source
    origin: int


@dataclass(frozen=True)
class MappedSource(Source):
    """A text made of pieces of other files, with a source map: `located` gives a place in the file it comes from.

    Lines and columns of the text itself mean nothing to a reader. `spans` has the origin of whole nodes, which is
    exact where a piece is not: a mapping may begin with a brace in its file.
    """

    files: tuple[Source, ...] = ()
    variant: str = ""
    pieces: tuple[Piece, ...] = field(default=(), repr=False, compare=False)
    spans: Mapping[Span, tuple[Source, Span]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def format(self) -> int | None:
        """The format that the first file states: a file that is lifted keeps the warnings of its own."""
        return self.files[0].format

    def located(self, span: Span) -> tuple[str, Position, Position]:
        if span in self.spans:
            source, origin = self.spans[span]
            return source.located(origin)
        # The piece of the last character: the end may be where the next piece starts, which can be of another file.
        first, last = self._piece(span.start), self._piece(max(span.start, span.end - 1))
        # Pieces may come from two files, or stand in another order in theirs: a finding is at one place, the first.
        if first.source != last.source or _origin(last, span.end) < _origin(first, span.start):
            last = first
        return first.source.located(Span(_origin(first, span.start), _origin(last, span.end)))

    @cached_property
    def _begins(self) -> list[int]:
        return [piece.start for piece in self.pieces]

    def _piece(self, offset: int) -> Piece:
        return self.pieces[max(0, bisect_right(self._begins, offset) - 1)]


def _origin(piece: Piece, offset: int) -> int:
    """The place of an offset in the file of a piece; places between pieces count as the end of the one before."""
    return piece.origin + max(0, min(offset, piece.end) - piece.start)


def read(path: str | os.PathLike[str]) -> Reading:
    """The text at `path` ("-": standard input) and the findings about it. Never raises for a bad file.

    The source is None if the file cannot be decoded. A source with control characters is returned together with an
    error, because a raw rulebook text can be checked despite them.
    """
    data, name, findings = read_bytes(path)
    return from_bytes(data, name) if data is not None else (None, findings)


def read_bytes(path: str | os.PathLike[str], most: int = MAX_BYTES) -> tuple[bytes | None, str, list[Finding]]:
    """The bytes at `path` ("-": standard input), its name in reports, and the finding if it cannot be read.

    Only plain files are read, without waiting. Of a file that is too large there is a byte more than `most`.
    """
    if path == "-":
        return _read_stdin()
    # The bytes of a path need not be UTF-8; as Python has it then, it can be opened, but not written in a report.
    name = os.fsencode(path).decode("utf-8", "replace") if _encodable(path) else ascii(os.fspath(path))
    try:
        recover(path)
        if special := special_file(path):
            return None, name, [_special(name, special)]
        with open(path, "rb", opener=_without_waiting) as stream:
            # One byte more than allowed shows that a file is too large, without reading all of it.
            data = stream.read(most + 1)
        noted(path, data)
        return data, name, []
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError):
            noted(path, None)
        return None, name, [_unreadable(name, error)]


def noted(path: str | os.PathLike[str], content: bytes | None) -> None:
    """Logs that a file was read, None if there is none: who writes it later holds it against this content."""
    # A path may hold characters that no encoding has.
    _LOG.debug("read %r", path, extra={"content": content})


def special_file(path: str | os.PathLike[str]) -> str:
    """The kind of a special file ("a named pipe", "a device", "a socket"), "" for any other path.

    Open streams such as `/dev/stdin` and `<(command)` of a shell are read like files.
    """
    if os.fspath(path).startswith(_STREAMS) or not os.path.exists(path):
        return ""
    mode = os.stat(path).st_mode
    return next((words for is_kind, words in _SPECIAL if is_kind(mode)), "")


def _without_waiting(path: str, flags: int) -> int:
    """Opens a file without blocking, even if it was replaced by a pipe a moment ago."""
    # A stream must wait: it is empty until the command at its other end writes.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) * (not path.startswith(_STREAMS)))


def from_bytes(data: bytes, path: str) -> Reading:
    """Like `read`, for bytes already at hand."""
    if len(data) > MAX_BYTES:
        hint = say("Check that this is the right file: a whole game stays far below 1 MiB.")
        return None, [_whole("file-too-large", say("The file is larger than 5 MiB."), path, hint)]
    # Before decoding: Latin letters in UTF-16 are valid UTF-8, with a null character beside each.
    # The encoding that a mark at the start gives; or UTF-16, if the first lines are Latin letters in it: then at least
    # half of the even or of the odd places are zero, and none of the others. Else "".
    marked = next((encoding for mark, encoding in _OTHER_MARKS if data.startswith(mark)), "")
    even, odd = (data[start:_FIRST_LINES:2] for start in (0, 1))
    fewer, more = sorted((even.count(0), odd.count(0)))
    is_wide = len(data) % 2 == 0 and not fewer and 2 * more >= len(odd) > 0
    if encoding := (marked or ("UTF-16" if is_wide else "")):
        message = say("The file is written in {encoding}, not in UTF-8.", encoding=encoding)
        return None, [_whole("other-encoding", message, path, say("Save it again with the encoding UTF-8."))]
    try:
        return from_text(data.decode("utf-8"), path)
    except UnicodeDecodeError as error:
        # Without the mark, as `from_text` has it: it would move the columns of the first line.
        before = Source(path, data[: error.start].decode("utf-8").removeprefix("\ufeff"))
        words = say(
            "The file is not UTF-8: byte {offset} (0x{data:02X}, counted from 0) does not fit.",
            offset=error.start,
            data=data[error.start],
        )
        end = Span(len(before.text), len(before.text))
        return None, [finding("not-utf-8", words, before, end, say("Save it again with the encoding UTF-8."))]


def from_text(text: str, path: str = "<text>") -> Reading:
    """Like `read`, for text already at hand."""
    source = Source(path, text.removeprefix("\ufeff"))
    if not source.text.strip():
        hint = say("Save it or export it again, or bring it back from version control.")
        return None, [_whole("empty-file", say("The file is empty."), path, hint)]
    return source, list(control_characters(source))


def control_characters(source: Source) -> Iterator[Finding]:
    """One finding for all control characters of a text, at the first of them."""
    places = [match.start() for match in FORBIDDEN.finditer(source.text)]
    if places:
        what = say("The invisible control character U+{code:04X} is here", code=ord(source.text[places[0]]))
        more = say(", and {number} more follow.", number=len(places) - 1) if len(places) > 1 else say(".")
        hint = say("Delete it.")
        yield finding("control-character", what + more, source, Span(places[0], places[0] + 1), hint)


def _read_stdin() -> tuple[bytes | None, str, list[Finding]]:
    name = "<stdin>"
    if sys.stdin is None:  # a process may be started without any
        message = say("There is no standard input to read.")
        return None, name, [_whole("unreadable-file", message, name, say("Name a file instead."))]
    try:
        return sys.stdin.buffer.read(MAX_BYTES + 1), name, []
    except (OSError, ValueError) as error:
        return None, name, [_unreadable(name, error)]


def _encodable(path: str | os.PathLike[str]) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


def _unreadable(path: str, error: Exception) -> Finding:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return _whole(
            "file-not-found",
            say("There is no file {path}.", path=path),
            path,
            say("Check the spelling and the folder."),
        )
    if isinstance(error, IsADirectoryError):
        return _whole(
            "is-a-directory", say("{path} is a folder, not a file.", path=path), path, say("Name one file inside it.")
        )
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    hint = say("Check the file's permissions, or copy it elsewhere.")
    return _whole(
        "unreadable-file", say("The file cannot be read: {reason}.", reason=reason[:1].lower() + reason[1:]), path, hint
    )


def _special(path: str, words: str) -> Finding:
    return _whole(
        "unreadable-file",
        say("{path} is {words}, not a file, so it is not read.", path=path, words=words),
        path,
        say("Name a file instead."),
    )


def _whole(name: str, message: Message, path: str, hint: Message) -> Finding:
    return Finding(name, message, path, Position(1, 1), Position(1, 1), hint)
