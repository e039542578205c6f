"""Puts random typing mistakes into the files of `specs` and counts what `ftk check --fix` makes of them.

    .venv/bin/python benchmarks/fixed.py 5000 [--seed 0] [--show]

Each broken file has one mistake, or two. A fix is certain, so the fixed file must mean what the broken file means or
what the file meant before the mistakes: the same digests of all rules and the same keys, and each text or name as it
stands in one of the two. Where an error is left, what the fixes changed is compared as text. The exit status is 1 if a
file means something else.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from random import Random

import rulespec
from rulespec.base.source import Source
from rulespec.editing.fixes import fixed
from rulespec.games.api import built
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar
from rulespec.proofs.meaning.digest import digests

SPECS = Path(__file__).resolve().parents[1] / "specs"
LARGEST = 30_000
"""Characters of a file, at most: checks of large ones take seconds."""


# --- mistakes ---------------------------------------------------------------------------------------------------------


def _at(pattern: str, change: Callable[[re.Match[str], Random], str]) -> Callable[[str, Random], str]:
    """A mistake at one of the places of a pattern."""

    def mistake(text: str, chance: Random) -> str:
        places = list(re.finditer(pattern, text, re.MULTILINE))
        if not places:
            return text
        place = chance.choice(places)
        return text[: place.start()] + change(place, chance) + text[place.end() :]

    return mistake


def _slip(word: re.Match[str], chance: Random) -> str:
    """A word with a letter doubled, dropped, wrong, or in the place of its neighbour."""
    text, at = word[0], chance.randrange(len(word[0]) - 1)
    return chance.choice(
        (
            text[:at] + text[at] + text[at:],
            text[:at] + text[at + 1 :],
            text[:at] + chance.choice("abcdefghijklmnopqrstuvwxyz") + text[at + 1 :],
            text[:at] + text[at + 1] + text[at] + text[at + 2 :],
        )
    )


def _number(number: re.Match[str], chance: Random) -> str:
    digits = number[0]
    return chance.choice((str(int(digits) + 1), digits + digits[-1], digits[:-1], digits[::-1], str(int(digits) - 1)))


def _case(word: re.Match[str], chance: Random) -> str:
    return chance.choice((word[0].capitalize(), word[0].upper()))


def _without(match: re.Match[str], chance: Random) -> str:
    return ""


MISTAKES: dict[str, tuple[int, Callable[[str, Random], str]]] = {
    "wrong letter": (8, _at(r"[A-Za-z_]{3,}", _slip)),
    "wrong letter of a key": (4, _at(r"[a-z_]{3,}(?=:)", _slip)),
    "wrong letter of a name": (4, _at(r"(?<=[\[{(\" ])[a-z_]{3,}(?=[\[\](),\"}. ])", _slip)),
    "wrong case": (2, _at(r"[a-z_]{2,}", _case)),
    "wrong number": (2, _at(r"\d+", _number)),
    "wrong indent": (2, _at(r"^ +", lambda found, chance: " " * max(0, len(found[0]) + chance.choice((-2, -1, 1, 2))))),
    "tab": (1, _at(r"^ +|(?<=:) ", lambda found, chance: "\t")),
    "no colon": (2, _at(r"(?<=\w):(?= )", _without)),
    "no space after a colon": (3, _at(r"(?<=\w: )(?=\S)", lambda found, chance: "\b")),
    "no quote": (2, _at(r"[\"']", _without)),
    "no quotes": (3, _at(r"\"[^\"\n]+\"", lambda found, chance: found[0][1:-1])),
    "quote in its place": (1, _at(r"[\"']", lambda found, chance: chance.choice("“”„’'\""))),
    "no dash": (1, _at(r"^ *- ", lambda found, chance: found[0].replace("- ", chance.choice(("  ", "-", ""))))),
    "no comma": (2, _at(r",", _without)),
    "comma twice": (1, _at(r",", lambda found, chance: ",,")),
    "no space after a comma": (1, _at(r", ", lambda found, chance: ",")),
    "other bracket": (2, _at(r"[\[\]{}()]", lambda found, chance: chance.choice("[]{}(),"))),
    "no bracket": (1, _at(r"[\[\]{}()]", _without)),
    "keys swapped": (2, _at(r"(\w+): (\w+), (\w+):", lambda found, chance: f"{found[3]}: {found[2]}, {found[1]}:")),
    "word twice": (1, _at(r"\b\w+ ", lambda found, chance: found[0] * 2)),
    "mark twice": (1, _at(r"[.,:;](?= )", lambda found, chance: found[0] * 2)),
    "space before a mark": (1, _at(r"(?=[.,:;] )", lambda found, chance: " ")),
    "unseen character": (1, _at(r"(?<=\w)", lambda found, chance: chance.choice("\x07\x0b\x93\u200b\u00a0\u00ad"))),
    "line lost": (1, _at(r"^.*\n", _without)),
    "line twice": (1, _at(r"^.*\n", lambda found, chance: found[0] * 2)),
}
"""How often each mistake is made, and what makes it."""


def broken(text: str, chance: Random) -> tuple[str, list[str]]:
    """A text with one mistake, in three of ten cases with two, and what these are."""
    made: list[str] = []
    for _ in range(1 if chance.random() < 0.7 else 2):
        kinds = list(MISTAKES)
        kind = chance.choices(kinds, [MISTAKES[one][0] for one in kinds])[0]
        made.append(kind)
        text = re.sub(" \b", "", MISTAKES[kind][1](text, chance))
    return text, made


# --- meaning ----------------------------------------------------------------------------------------------------------


def content(source: Source) -> dict[tuple[str | int, ...], object] | None:
    """Every value of a file by the keys that lead to it; None if it cannot be read or has a key twice."""
    root, found = parse(source)
    return dict(_values(root, ())) if root is not None and all(one.severity.value != "error" for one in found) else None


def _values(node: Node, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], object]]:
    if isinstance(node, Scalar):
        yield path, " ".join(node.text.split())
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield from _values(value, (*path, key.text))
    else:
        for number, item in enumerate(node.items):
            yield from _values(item, (*path, number))


def digest(source: Source) -> object:
    """What a spec means; None if it has errors, or for a file of another kind."""
    kind = rulespec.kind_of(source)
    model, report = built(source) if kind is not None and kind.name in ("spec", "overlay") else (None, None)
    return digests(model) if model is not None and report is not None and report.ok else None


def same_meaning(before: Source, wrong: Source, after: Source) -> bool:
    """Whether a fixed file means what it meant before its mistakes, or what it means with them."""
    if restores(before.text, wrong.text, after.text):
        return True
    plays, now = digest(after), content(after)
    if now is None or (plays is not None and plays not in (digest(before), digest(wrong))):
        return False
    then, between = content(before) or {}, content(wrong) or {}
    is_of_either = now.keys() in (then.keys(), between.keys())
    return is_of_either and all(value in (then.get(path), between.get(path)) for path, value in now.items())


def restores(before: str, wrong: str, after: str) -> bool:
    """Whether everything that fixes have changed is as it was before the mistakes."""
    return _differing(before, after) + _differing(after, wrong) <= _differing(before, wrong)


def _differing(one: str, other: str) -> int:
    lines = SequenceMatcher(None, one.split("\n"), other.split("\n"), autojunk=False).get_opcodes()
    changed = ((one.split("\n")[a:b], other.split("\n")[c:d]) for tag, a, b, c, d in lines if tag != "equal")
    letters = (SequenceMatcher(None, "\n".join(a), "\n".join(b), autojunk=False).get_opcodes() for a, b in changed)
    return sum(max(b - a, d - c) for found in letters for tag, a, b, c, d in found if tag != "equal")


# --- what is printed --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """What became of one broken file."""

    mistakes: tuple[str, ...]
    before: Source
    wrong: Source
    after: Source

    @property
    def is_fixed(self) -> bool:
        return self.after.text != self.wrong.text

    @property
    def is_same(self) -> bool:
        return same_meaning(self.before, self.wrong, self.after)


def results(files: list[Path], numbers: range, seed: int) -> Iterator[Result]:
    """The broken files of these numbers: the same for the same seed."""
    for number in numbers:
        chance = Random(f"{seed} {number}")
        path = chance.choice(files)
        before = Source(str(path), path.read_text(encoding="utf-8"))
        text, mistakes = broken(before.text, chance)
        wrong = Source(str(path), text)
        done = fixed(wrong, lambda source: rulespec.check_source(source).findings)
        yield Result(tuple(mistakes), before, wrong, done.source)


def project(folder: Path) -> list[Path]:
    """Copies `specs` to a folder, goes there, and returns the files that are broken; specs three times as often."""
    shutil.copytree(SPECS, folder / "specs")
    os.chdir(folder)
    files = [path for path in sorted(Path("specs").rglob("*.yaml")) if path.stat().st_size <= LARGEST]
    specs = [path for path in files if path.parent.name in ("specs", "gallery")]
    return files + specs * 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print what was fixed to another meaning")
    wanted = parser.parse_args()
    counts: Counter[str] = Counter()
    by_kind: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for result in results(project(Path(folder)), range(wanted.first, wanted.first + wanted.number), wanted.seed):
            counts["files"] += 1
            counts["changed by the mistake"] += result.wrong.text != result.before.text
            if result.is_fixed:
                counts["fixed"] += 1
                counts["as the original"] += content(result.after) == content(result.before)
                counts["same meaning" if result.is_same else "other meaning"] += 1
                by_kind.update(result.mistakes)
                if wanted.show and not result.is_same:
                    print(f"\n{result.before.path}: {', '.join(result.mistakes)}")
                    print("\n".join(changes(result)), flush=True)
    for name in ("files", "changed by the mistake", "fixed", "as the original", "same meaning", "other meaning"):
        print(f"{name:24}{counts[name]:8,}")
    print("fixed, by mistake: " + ", ".join(f"{kind} {number}" for kind, number in by_kind.most_common()))
    return int(counts["other meaning"] > 0)


def changes(result: Result) -> Iterator[str]:
    """The lines that the mistakes and the fixes have changed: as they were, with the mistakes, and fixed."""
    for old, new in ((result.before, result.wrong), (result.wrong, result.after)):
        lines, others = old.text.split("\n"), new.text.split("\n")
        for tag, a, b, c, d in SequenceMatcher(None, lines, others, autojunk=False).get_opcodes():
            if tag != "equal":
                yield from (f"  - {line.strip()}" for line in lines[a:b][:4])
                yield from (f"  + {line.strip()}" for line in others[c:d][:4])
        yield "  ---"


if __name__ == "__main__":
    sys.exit(main())
