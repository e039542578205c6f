"""Edits of specs with what they change, by hand: `spec_changes/*.yaml`, a sample of the set in `benchmarks/texts`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import doc_games
import yaml

from rulespec.base.source import Source
from rulespec.games.api import built as built_in_spec
from rulespec.language.model.spec import Spec

FOLDER = Path(__file__).parent / "spec_changes"


@dataclass(frozen=True)
class Edit:
    """An edit of a game: the texts to replace, and the changes (kind and name), the impact and the rise expected."""

    game: str
    title: str
    replaced: tuple[tuple[str, str], ...]
    everywhere: bool
    changes: tuple[tuple[str, str], ...]
    impact: str
    bump: str
    example: str = ""
    """A position in which both versions differ, in English."""
    same: str = ""
    """Why every game is the same in both versions although the impact, an upper bound, is play."""

    def __str__(self) -> str:
        return f"{self.game}: {self.title}"

    @property
    def new(self) -> Spec:
        text = text_of(self.game)
        for find, replace in self.replaced:
            found = text.count(find)
            assert found == 1 or (found and self.everywhere), f"{self}: {found} × {find}"
            text = text.replace(find, replace)
        return built(Source("new.yaml", text))


@cache
def text_of(game: str) -> str:
    """The text of a shipped game, or of the first one with this name in the documentation."""
    path = doc_games.ROOT / "specs" / f"{game}.yaml"
    if path.is_file():
        return path.read_text(encoding="utf-8")
    return next(block.text for block in doc_games.GAMES if Path(block.file).stem == game)


@cache
def old(game: str) -> Spec:
    return built(Source("old.yaml", text_of(game)))


def built(source: Source) -> Spec:
    model, report = built_in_spec(source)
    assert model is not None, report.findings
    return model


def _edit(game: str, row: dict[str, Any]) -> Edit:
    replaced = row["edits"] if "edits" in row else [(row["find"], row["replace"])]
    changes = sorted((kind, name) for kind, name in row.get("changes", ()))
    labels = row.get("impact", "none"), row.get("bump", "none")
    return Edit(
        game,
        row["title"],
        tuple((a, b) for a, b in replaced),
        row.get("all", False),
        tuple(changes),
        *labels,
        row.get("example", ""),
        row.get("same", ""),
    )


def edits_of(files: Iterable[str]) -> list[Edit]:
    """The edits in the texts of files: each has a game with its edits, or a list of them."""
    read = [yaml.safe_load(text) for text in files]
    games = [game for one in read for game in (one if isinstance(one, list) else [one])]
    return [_edit(game["game"], row) for game in games for row in game["edits"]]


EDITS = edits_of(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.yaml")))
