"""Specs as git knows them: the version that players have, beside the one in the working tree."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from ftk_cli import git
from rulespec.base.messages import say
from rulespec.base.project import of, shown
from rulespec.base.source import from_bytes as source_from_bytes
from rulespec.base.source import read as read_source
from rulespec.versions.earlier import Earlier

if TYPE_CHECKING:
    from rulespec.base.source import Source

_NOW = "HEAD"
"""The current commit."""


def earlier(specs: Iterable[Source], checked: Container[str] = ()) -> dict[str, list[Earlier]]:
    """The versions that players have of each spec, by its path, if they differ from it: the last release in
    specs/history, and the newest tag before the current commit; without either the current commit.

    A damaged release is reported only if its path is not one of `checked`, where its own errors are reported.
    """
    return {source.path: versions for source, versions in _with_versions(specs, checked) if versions}


def _with_versions(specs: Iterable[Source], checked: Container[str]) -> Iterator[tuple[Source, list[Earlier]]]:
    """The specs that are files, each with the versions that it differs from."""
    folders: dict[Path, list[Source]] = {}
    for source in specs:
        path = Path(source.path)
        if path.is_file() and path.name.isprintable():
            folders.setdefault(path.parent, []).append(source)
    for folder, sources in folders.items():
        tag = _line(["describe", "--tags", "--abbrev=0"], folder)
        # Where git cannot be run or fails, there are no contents.
        for source, content in zip_longest(sources, _contents(folder, sources, tag or _NOW)):
            releases = of(source.path).releases(Path(source.path).stem)
            release = releases[-1] if releases else None
            versions = [_released(source, release, checked)] if release is not None else []
            if tag or release is None:
                versions.append(_committed(source, tag or _NOW, content))
            yield source, [one for one in versions if one is not None]


def _committed(source: Source, revision: str, content: bytes | None) -> Earlier | None:
    """A spec in a revision, if it is there and differs."""
    found = source_from_bytes(content, f"{revision}:{source.path}")[0] if content is not None else None
    if found is None or found.text == source.text:
        return None
    return Earlier(revision, _command(revision, source.path), found)


def _released(source: Source, release: Path, checked: Container[str]) -> Earlier | None:
    """The last release of a spec in specs/history, if it differs."""
    path = shown(str(release))
    kept, unreadable = read_source(path)
    if kept is not None and kept.text == source.text:
        return None
    command = f"ftk diff {path} {shown(source.path)}"
    reported = "" if path in checked else path
    return Earlier(say("the release {version}", version=release.stem), command, kept, reported, tuple(unreadable))


def _command(base: str, path: str) -> str:
    """The command that shows all changes; "" if the current directory is outside of the repository."""
    tops = {_line(["rev-parse", "--show-toplevel"], folder) for folder in (Path(), Path(path).parent)}
    return "" if len(tops) > 1 or os.path.isabs(path) else f"ftk diff {base}:./{path} {path}"


def _contents(folder: Path, sources: Sequence[Source], base: str) -> Iterator[bytes | None]:
    """The committed bytes of each file, None if it was not there. Blobs are read without filters or hooks."""
    wanted = "".join(f"{base}:./{Path(source.path).name}\n" for source in sources)
    rest, _ = git.ask(["cat-file", "--batch"], folder, wanted.encode())
    while rest:
        head, _, rest = rest.partition(b"\n")
        # The line is `ID blob SIZE`, or `NAME missing`.
        words = head.split()
        size = int(words[2]) if len(words) == 3 and words[1] == b"blob" and words[2].isdigit() else None
        yield None if size is None else rest[:size]
        # A line break follows each blob; what is missing has only its line.
        rest = rest if size is None else rest[size + 1 :]


def _line(words: Sequence[str], folder: Path) -> str:
    return git.ask(words, folder)[0].decode("utf-8", "replace").strip()
