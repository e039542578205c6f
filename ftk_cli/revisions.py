"""Specs as git knows them: the version that players have, beside the one in the working tree."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rulespec import Finding, Source

SECONDS = 5
"""The most time for one question to git. It answers in milliseconds; a folder on a dead network share never does."""

_HOOK = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")
"""Variables that git sets for its hooks. They name one repository, and the specs may be in another one."""

_NOW = "HEAD"
"""The current commit."""


class Base(NamedTuple):
    """A version that a spec is compared with: its name in a sentence, its text if it can be read, and the command that
    shows all changes since then. A release has its path, and what is wrong if it cannot be read."""

    name: str
    text: Source | None
    command: Callable[[], str]
    release: str = ""
    unreadable: Sequence[Finding] = ()


def unraised(specs: Iterable[Source], broken: Container[str] = ()) -> Iterator[Finding]:
    """A finding for each spec whose version is too low for what changed in it since the last release, or whose last
    release is damaged, unless its path is one of `broken`.

    The last release is the last one in specs/history, and the newest tag before the current commit; without either it
    is the current commit. A spec that none of these has gets no finding, and one that several have only the first.
    """
    for source, bases in _with_bases(specs):
        yield from islice((found for base in bases for found in _since(base, source, broken)), 1)


def _since(base: Base, source: Source, broken: Container[str]) -> Iterator[Finding]:
    if base.text is not None and base.text.text == source.text:
        return
    from rulespec import Report, built
    from rulespec.changes import damaged, not_raised

    old, report = built(base.text) if base.text is not None else (None, Report.of(base.unreadable))
    new = built(source)[0]
    if old is None and base.release and base.release not in broken:
        yield damaged(source, base.release, report)
    if old is not None and new is not None and old.id == new.id:
        yield from not_raised(old, new, base.name, base.command())


def misnamed(specs: Iterable[Source]) -> Iterator[Finding]:
    """A finding for each spec of a released version whose file has another name."""
    for source in specs:
        if Path(source.path).parent.parent.name == "history":
            from rulespec import built, changes

            found, _ = built(source)
            yield from changes.misnamed(found) if found is not None else ()


def _with_bases(specs: Iterable[Source]) -> Iterator[tuple[Source, Iterator[Base]]]:
    """The specs that are files, each with the versions that it is compared with."""
    folders: dict[Path, list[Source]] = {}
    for source in specs:
        path = Path(source.path)
        if path.is_file() and path.name.isprintable():
            folders.setdefault(path.parent, []).append(source)
    for folder, sources in folders.items():
        tag = _line(_git(folder, ["describe", "--tags", "--abbrev=0"]))
        for source, content in zip_longest(sources, _contents(folder, sources, tag or _NOW)):
            yield source, _bases(source, tag, content)


def _bases(source: Source, tag: str, content: bytes | None) -> Iterator[Base]:
    """The last release of a spec, and its version in a tag or else, without a release, in the current commit."""
    released = _released(source)
    if released is not None:
        yield released
    committed = _committed(source, tag or _NOW, content) if tag or released is None else None
    if committed is not None:
        yield committed


def _committed(source: Source, revision: str, content: bytes | None) -> Base | None:
    """A spec in a revision, if it is there."""
    from rulespec import source_from_bytes

    found = source_from_bytes(content, f"{revision}:{source.path}")[0] if content is not None else None
    return Base(revision, found, partial(_command, revision, source.path)) if found is not None else None


def _released(source: Source) -> Base | None:
    """The last release of a spec in specs/history."""
    from rulespec import read_source
    from rulespec.project import of, shown

    game = Path(source.path).stem
    releases = of(source.path).releases(game)
    if not releases:
        return None
    path = shown(str(releases[-1]))
    kept, unreadable = read_source(path)
    command = f"ftk diff {path} {shown(source.path)}"
    return Base(f"the release {releases[-1].stem}", kept, lambda: command, path, unreadable)


def _command(base: str, path: str) -> str:
    """The command that shows all changes; "" if the current directory is outside of the repository."""
    tops = {_git(folder, ["rev-parse", "--show-toplevel"]) for folder in (Path(), Path(path).parent)}
    return "" if len(tops) > 1 or os.path.isabs(path) else f"ftk diff {base}:./{path} {path}"


def _contents(folder: Path, sources: Sequence[Source], base: str) -> Iterator[bytes | None]:
    """The committed bytes of each file, None if it was not there. Blobs are read without filters or hooks."""
    wanted = "".join(f"{base}:./{Path(source.path).name}\n" for source in sources)
    rest = _git(folder, ["cat-file", "--batch"], wanted.encode()) or b""
    while rest:
        head, _, rest = rest.partition(b"\n")
        words = head.split()
        size = int(words[2]) if len(words) == 3 and words[1] == b"blob" and words[2].isdigit() else None
        yield None if size is None else rest[:size]
        rest = rest if size is None else rest[size + 1 :]


def _git(folder: Path, words: Sequence[str], stdin: bytes = b"") -> bytes | None:
    """What git prints in a folder; None if it fails or cannot be run."""
    command = ["git", "-C", str(folder), *words]
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=SECONDS, env=_outside())
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout


def _outside() -> Mapping[str, str]:
    """The environment without the repository of a hook; git asks nobody and fetches nothing."""
    kept = {name: value for name, value in os.environ.items() if name not in _HOOK}
    return kept | {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}


def _line(printed: bytes | None) -> str:
    return (printed or b"").decode("utf-8", "replace").strip()
