"""What a file says of itself before it is lifted: its format, its game, and where it is damaged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulespec.base import project
from rulespec.base.diagnostics import Severity
from rulespec.base.source import Source, read
from rulespec.editing.file_kinds import FileKind
from rulespec.engine.states.log import damaged, head
from rulespec.engine.states.playout import BoundReachedError
from rulespec.games.api import SpecError, load
from rulespec.games.saved_heads import game_value
from rulespec.language.document import parse
from rulespec.language.formats.current import lifted
from rulespec.language.formats.current import number_of as number_of_format
from rulespec.language.formats.table import FORMATS
from rulespec.play.bots.games import players
from rulespec.play.simulate import records
from rulespec.play.simulate.chunks import play
from rulespec.play.simulate.figures import Figures
from rulespec.play.simulate.folder import RUN

_MOST_AGAIN = 100_000
"""Games of a run that are played again at most."""


def number_of(source: Source, kind: FileKind) -> int | None:
    """The number of the format of a file; 1 for a file that states none, None for a number that is none."""
    format_ = FORMATS[kind.name]
    if kind.key:
        return number_of_format(parse(source)[0], format_)
    stated = game_value(source.text).get(format_.key, 1)
    return stated if isinstance(stated, int) else None


def head_of(text: str) -> Mapping[str, Any]:
    """What names the game of a log or of a saved state. Raises LogError for a text that is neither."""
    value = game_value(text)
    # A saved state names its game with the keys of a log, but states no number of a format of logs.
    return head(text if "log" in value else json.dumps({**value, "log": FORMATS["log"].number}))


def digests_of(folder: Path, deck: str | None = None) -> Mapping[str, str]:
    """The digests of older texts of the spec of a run that are the present spec once they are lifted, with its digest.

    The texts are those of the spec as it is on disk and of its kept versions. Where the text of the run is gone, it was
    the same if games of the run are, with the cards of a deck file. Raises SimulationError.
    """
    try:
        record = records.read(folder / RUN, unsigned=True) or {}
    except records.DamagedError:
        return {}
    game = record.get("game")
    if not isinstance(game, dict) or not isinstance(game.get("game"), str):
        return {}
    spec = project.spec_for(game["game"], str(folder / RUN))
    if "variant" in game:
        return _digest_by_games(folder, game, record.get("seed"), spec, deck)
    texts = [read(path)[0] for path in (spec, *map(str, project.of(spec).kept(game["game"], str(game.get("version")))))]
    # A run has the digest of the text that it was played with, which was of an older format.
    known = {_digest(one): _digest(lifted(one, "spec")) for one in texts if one is not None}
    found = {before: now for before, now in known.items() if texts[0] is not None and now == known[_digest(texts[0])]}
    return found if game.get("digest") in found else _digest_by_games(folder, game, record.get("seed"), spec, deck)


def _digest_by_games(
    folder: Path, game: Mapping[str, Any], seed: Any, spec: str, deck: str | None
) -> Mapping[str, str]:
    """The digest of a run with that of the present spec, if a chunk of the run is the same when it is played again."""
    for path in sorted((*folder.glob("block-*.json"), *folder.glob("chunk-*.json")))[:1]:
        try:
            chunk = records.read(path, unsigned=True) or {}
            numbers = range(chunk["first"], chunk["first"] + min(chunk["games"], _MOST_AGAIN))
            loaded = load(spec, deck, game.get("variant", ""))
            now = loaded.game(game["players"], game["rulings"])
            bots = players(",".join(game["bots"]), now, game["rotated"]) if "bots" in game else None
            was = Figures.from_record(chunk["figures"], now.players, len(numbers))
            is_same = play(now, numbers, seed, players=bots).figures.to_record() == was.to_record()
        except (
            records.DamagedError,
            SpecError,
            BoundReachedError,
            ArithmeticError,
            LookupError,
            TypeError,
            ValueError,
        ):
            continue
        if is_same and loaded.model.version == game.get("version"):
            return {str(game.get("digest")): loaded.model.digest}
    return {}


def _digest(source: Source) -> str:
    return hashlib.sha256(source.text.encode()).hexdigest()


def damage(source: Source, kind: FileKind | None) -> tuple[int, str] | None:
    """The line at which a file is damaged, and what is wrong there; None if all of it can be read.

    A text that begins like a log or a saved state was one, even if so much is lost that it is of no kind now.
    """
    if kind is not None and kind.key:
        wrong = next((one for one in parse(source)[1] if one.severity == Severity.ERROR), None)
        return (wrong.start.line, wrong.message) if wrong is not None else None
    lines_of_json = kind.name == "log" if kind is not None else _begins_as_json(source.text)
    line = damaged(source.text) if lines_of_json else None
    return (line, "This line is no complete JSON object: the file is damaged.") if line is not None else None


def _begins_as_json(text: str) -> bool:
    """Whether a text begins with a JSON object that is not complete."""
    if not text.lstrip().startswith("{"):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return True
    return False
