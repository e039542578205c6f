"""Copies of games in which specs and texts have a few edits, drawn with a seed."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from commands import Commands

GAMES = (
    *("fortheking", "kingme", "keyflower_king", "ferry_town", "glass_garden", "night_train", "go_fish", "yacht"),
    *("hearts", "checkers", "chess", "gin_rummy"),
)
EDITS = (
    (r"(?<![\w.#:-])[1-9]\d?(?![\w.:%])", lambda found: str(int(found[0]) + 1)),
    (r" >= ", lambda _: " > "),
    (r" and ", lambda _: " or "),
    (r"\bleft_of\b", lambda _: "right_of"),
    (r"\bface: down\b", lambda _: "face: up"),
)
TRIED, KEPT = 10, 4  # edits of one spec


def spec_of(root: Path, game: str) -> Path:
    plain = root / "specs" / f"{game}.yaml"
    return plain if plain.exists() else root / "specs" / "gallery" / plain.name


def text_of(root: Path, game: str, lang: str) -> Path:
    return spec_of(root, game).parent / "translations" / game / f"{lang}.yaml"


def edited_copy(checkout: Path, folder: Path, seed: str) -> Path:
    """A copy of the games of a checkout with edits of the specs; in it another, in which the texts have edits, too."""
    shutil.copytree(checkout / "specs", folder / "specs")
    commands = Commands(checkout, folder, "en")
    for game in GAMES:
        _edit_spec(commands, spec_of(checkout, game), spec_of(folder, game), random.Random(f"{seed} {game}"))
    shutil.copytree(folder / "specs", folder / "texts" / "specs")
    for text in sorted(folder.glob("texts/specs/**/translations/**/*.yaml")):
        dice = random.Random(f"{seed} {text.relative_to(folder)}")
        text.write_text("".join(_edited_text(text.read_text("utf-8").splitlines(True), dice)), "utf-8")
    return folder


def _edit_spec(commands: Commands, old: Path, new: Path, dice: random.Random) -> None:
    """Makes edits one after another; one that makes no difference or no valid game is taken back."""
    kept = 0
    for _ in range(TRIED):
        before = new.read_text("utf-8")
        new.write_text(_edited_spec(before, dice), "utf-8")
        if kept < KEPT and '"fingerprint"' in commands.output("diff", old, new, "--format", "json"):
            kept += 1
        else:
            new.write_text(before, "utf-8")


def _edited_spec(text: str, dice: random.Random) -> str:
    start = text.find("\nrules:")
    places = [(found, replace) for what, replace in EDITS for found in re.finditer(what, text) if found.start() > start]
    found, replace = dice.choice(places)
    return text[: found.start()] + replace(found) + text[found.end() :]


def _edited_text(lines: Iterable[str], dice: random.Random) -> Iterator[str]:
    """The lines of a translation: some with another number, some without their first sentence."""
    for line in lines:
        body, chance = line.startswith("      ") and ":" not in line[:20], dice.random()
        if body and chance < 0.3:
            line = re.sub(r"\d+", lambda found: str(int(found[0]) + 1), line)
        elif body and chance < 0.45:
            line = re.sub(r"^(\s+)[^.。!]{4,}(?:[.!] |。)(?=\S)", r"\1", line)
        yield line
