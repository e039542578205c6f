"""The English words on the screens of a reader of another language, command by command.

    .venv/bin/python benchmarks/english_words.py [-v] [--checkout FOLDER] [LANG …]

The columns are the languages, the rows the help of all commands, and what the commands print about the games of a
checkout and about a new game. A word is of Latin letters only: no name in backquotes, option, path, id, placeholder in
capitals or Roman numeral, and none that the spec of the new game has, which is in English. With -v the words follow.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from commands import Commands

HERE = Path(__file__).resolve().parents[1]
LANGUAGES = ("uk", "zh-Hant")
NEW = "river"
HELPED = (
    *("", "new", "check", "fmt", "explain", "describe", "diff", "errata", "release", "cards", "rulings", "play"),
    *("simulate", "balance", "rename", "replay", "upgrade", "test", "text", "text check", "text review", "text diff"),
    *("text changes", "text status", "text render", "text export", "text import", "language", "language new"),
    *("language test", "page", "compile", "lsp", "schema"),
)
BOTH = (
    "check {game}",
    "explain RS305",
    "explain RS921",
    "describe {game} --lang {lang}",
    "cards {game}",
    "rulings {game}",
    "play {game} --lang {lang} --people 1 --seed 3",
    "play {game} --lang {lang} --people none --seed 3 --log game.jsonl",
    "replay game.jsonl -v --lang {lang}",
    "simulate {game} --games 20",
    "balance {game} --games 20",
    "compile {game}",
    "test",
    "upgrade specs",
    "text status",
    "text check",
    "text render {game} --lang {lang} --format markdown",
    "language",
    "language test en",
    "language test {lang}",
    "explain",
    "nonsense",
    "play nothing",
)
NEW_ONLY = ("new river", "fmt --check", "release river", "rename sun star river", "language new nl")
TREE_ONLY = (
    "diff fortheking --variant more_gold --lang {lang}",
    "diff fortheking --variant more_gold --play --games 20 --players 3",
    "errata fortheking --variant more_gold --lang {lang}",
    "explain esteem.auction fortheking --lang {lang}",
    "text changes {lang} fortheking",
    "text diff {lang} en --spec fortheking",
    "release fortheking",
)
ANSWERS = "1\n?\nh\nw\n2\n" + "1\n" * 20
CODE = re.compile(
    r"`[^`]*`|\x1b\[[\d;]*m|[A-Z_#]{2,}(?:=[!-~]+)?|[!-~]*[._/\\=@<>{}\d-][A-Za-z0-9_][!-~]*|--?[a-z][!-~]*|^ +ftk .*$",
    re.MULTILINE,
)
WORD = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z]{2,}(?![A-Za-z0-9_])")


def screens(checkout: Path, folder: Path, lang: str) -> Iterator[tuple[str, str]]:
    """Rows with the text of each screen, of which those of one command follow each other."""
    commands = Commands(checkout, folder, lang)
    for command in HELPED:
        yield f"ftk {command} --help", _shown(commands, f"{command} --help")
    shutil.copytree(checkout / "specs", folder / "tree" / "specs")
    (folder / "new").mkdir()
    new = (*NEW_ONLY[:1], *BOTH, *NEW_ONLY[1:])
    for place, game, lines in (("tree", "fortheking", BOTH + TREE_ONLY), ("new", NEW, new)):
        inside = Commands(checkout, folder / place, lang)
        for line in lines:
            yield f"{place}: ftk {line}", _shown(inside, line.format(game=game, lang=lang))


def _shown(commands: Commands, line: str) -> str:
    ran = commands.run(*line.split(), typed=ANSWERS)
    return ran.stdout + ran.stderr


def english(text: str, known: Sequence[str]) -> Counter[str]:
    return Counter(word.lower() for word in WORD.findall(CODE.sub(" ", text)) if word.lower() not in known)


def counted(checkout: Path, lang: str) -> dict[str, Counter[str]]:
    with tempfile.TemporaryDirectory() as folder:
        shown = list(screens(checkout, Path(folder), lang))
        spec = (Path(folder) / "new" / "specs" / f"{NEW}.yaml").read_text("utf-8")
        inside = {word.lower() for word in WORD.findall("\n".join(_without_comment(spec)))}
    known = {"ftk", "fortheking", "kingme", "yaml", "json", "csv", "html", "svg", "git", lang, "en"}
    return {row: english(text, [*known, *(inside if row.startswith("new:") else ())]) for row, text in shown}


def _without_comment(spec: str) -> Iterator[str]:
    return (line.split("#")[0] for line in spec.splitlines())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("langs", nargs="*", default=LANGUAGES, metavar="LANG")
    parser.add_argument("--checkout", type=Path, default=HERE)
    parser.add_argument("-v", "--verbose", action="store_true")
    given = parser.parse_args()
    found = {lang: counted(given.checkout.resolve(), lang) for lang in given.langs}
    print(*(f"{lang:>8}" for lang in found), " command", sep="")
    for row in next(iter(found.values())):
        print(*(f"{found[lang][row].total():8}" for lang in found), f" {row}", sep="")
    print(*(f"{sum(row.total() for row in found[lang].values()):8}" for lang in found), "  all", sep="")
    for lang, rows in found.items() if given.verbose else ():
        for row, words in rows.items():
            if words:
                print(f"\n{lang} {row}\n ", ", ".join(f"{word} {count}" for word, count in words.most_common(60)))


if __name__ == "__main__":
    main()
