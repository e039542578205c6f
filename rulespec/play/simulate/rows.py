"""The games of a chunk one by one, as a file for other programs."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Callable, Iterator, Mapping

from rulespec.base.failure import require
from rulespec.engine.states.playout import Chunk, Column


def columns(chunk: Chunk) -> Iterator[tuple[str, Column | range]]:
    """The columns by name, one entry per game: its number, its decisions, rank and points of every seat, and what it
    is worth to every seat if the ranking says so."""
    yield "game", chunk.numbers
    yield "decisions", chunk.decisions
    yield from ((f"rank_{seat}", column) for seat, column in enumerate(chunk.ranks, 1))
    yield from ((f"points_{seat}", column) for seat, column in enumerate(chunk.scores, 1))
    yield from ((f"returns_{seat}", column) for seat, column in enumerate(chunk.returns, 1))


def to_csv(chunk: Chunk) -> bytes:
    names, contents = zip(*columns(chunk), strict=True)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*contents, strict=True))
    return stream.getvalue().encode("ascii")


def to_parquet(chunk: Chunk) -> bytes:
    """All columns are 64-bit integers. Raises SimulationError if pyarrow is missing."""
    require_format("parquet")
    import pyarrow
    from pyarrow import parquet

    size, stream = len(chunk.numbers), pyarrow.BufferOutputStream()
    buffers = {name: pyarrow.py_buffer(array("q", column)) for name, column in columns(chunk)}
    # From the memory of the columns: `pyarrow.array` would convert number by number.
    arrays = [pyarrow.Array.from_buffers(pyarrow.int64(), size, [None, buffer]) for buffer in buffers.values()]
    parquet.write_table(pyarrow.table(arrays, names=list(buffers)), stream)
    return bytes(stream.getvalue())


FORMATS: Mapping[str, Callable[[Chunk], bytes]] = {"csv": to_csv, "parquet": to_parquet}
"""The writers by format; its name is also the extension of the files."""


def require_format(name: str) -> None:
    """Raises SimulationError if a format needs a package that is not installed."""
    if name == "parquet":
        require("pyarrow", "parquet", "Parquet")
