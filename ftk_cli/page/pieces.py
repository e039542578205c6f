"""What the page has of each game, in pieces that several processes make at once and that are kept on disk.

The key of a piece is a digest of the program that makes it and of all files of its game, so a piece of changed files or
of another version of ftk is made anew. Modules that are compiled of the same code are not compiled again even then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ftk_cli.failure import Failure
from ftk_cli.page import door, lexicon, searches
from rulespec.base import store
from rulespec.base.executors import Executor, Processes, here, processors
from rulespec.base.failure import SimulationError
from rulespec.base.messages import reason, say
from rulespec.base.project import find, of
from rulespec.base.source import read as read_source
from rulespec.editing.unchanged import files_about, named_by
from rulespec.games.api import SpecError, load
from rulespec.play.table.still import cover

T = TypeVar("T")

SHARES = 2
"""Into how many jobs the modules of one game are divided."""

Job = tuple[str, int]
"""A game, and which of its shares."""


@dataclass(frozen=True)
class About:
    """What the door shows of a game, its picture, and its lexicons as JSON ("" for a game without texts). A game whose
    spec has errors has neither."""

    shown: dict[str, Any]
    picture: str
    words: str


def about(program: str) -> dict[str, About]:
    """What is known about each game of the page. `program` is a digest of the files that make it. Raises Failure."""
    games = lexicon.games()
    found = dict(_pieces(program, [(game, 0) for game in games], _about, lambda one: one.picture))
    return {game: found[game, 0] for game in games}


def modules(program: str) -> Iterator[tuple[str, bytes]]:
    """The names of the files and the modules of all games that have texts, as they are made. Raises Failure."""
    jobs = [(game, share) for game in lexicon.with_texts() for share in range(SHARES)]
    for _, share in _pieces(program, jobs, _modules, lambda share: share is not None and all(share.values())):
        yield from ((name, module) for name, module in (share or {}).items() if module)


def files_of(game: str) -> set[Path]:
    """Every file that what the page has of a game may depend on."""
    path = find(game)
    looks = of(path).looks(game)
    source = read_source(str(looks))[0] if looks.is_file() else None
    files = {looks, *files_about(game, path), *(named_by(source) if source is not None else ())}
    return {one.resolve() for one in files if one.is_file()}


def _pieces(
    program: str, jobs: Sequence[Job], make: Callable[[Sequence[Job], range], T], whole: Callable[[T], object]
) -> Iterator[tuple[Job, T]]:
    """The jobs with what is kept of them, then those with what `make` makes. What is not `whole`, or is of files that
    have changed meanwhile, is made again the next time."""
    keys = {job: key for game in dict(jobs) for job, key in _keys(program, game, jobs, make.__name__)}
    found = {job: store.get("page", keys[job]) for job in jobs}
    yield from ((job, kept) for job, kept in found.items() if kept is not None)
    for job, made in _made([job for job, kept in found.items() if kept is None], make):
        if whole(made) and (job, keys[job]) in _keys(program, job[0], [job], make.__name__):
            store.put("page", keys[job], made)
        yield job, made


def _keys(program: str, game: str, jobs: Sequence[Job], made: str) -> Iterator[tuple[Job, str]]:
    files = [text for file in sorted(files_of(game)) for text in (str(file), store.digest_of(file.read_bytes()))]
    for job in (job for job in jobs if job[0] == game):
        yield job, store.key(made, str(job[1]), program, game, *files)


def _made(jobs: list[Job], make: Callable[[Sequence[Job], range], T]) -> Iterator[tuple[Job, T]]:
    """Jobs with what `make` makes of them, in several processes, those of long specs first."""
    jobs.sort(key=lambda job: -Path(find(job[0])).stat().st_size)
    workers = min(processors(), len(jobs))
    run: Executor = Processes(workers, ahead=len(jobs)) if workers > 1 else here
    try:
        yield from zip(jobs, run(jobs, make, (range(one, one + 1) for one in range(len(jobs)))), strict=True)
    except SimulationError as error:
        raise Failure(reason(error), say("The system may be out of memory.")) from None


def _about(jobs: Sequence[Job], chunk: range) -> About:
    game, _ = jobs[chunk.start]
    try:
        spec = load(game)
    except SpecError:
        return About(door.with_errors(game), "", "")
    words = json.dumps(lexicon.lexicons(spec), ensure_ascii=False) if game in lexicon.with_texts() else ""
    return About(door.described(spec), cover(spec), words)


def _modules(jobs: Sequence[Job], chunk: range) -> dict[str, bytes] | None:
    game, share = jobs[chunk.start]
    try:
        spec = load(game)
    except SpecError:
        return None
    return dict(searches.modules(spec, spec.players[share::SHARES]))
