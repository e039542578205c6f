"""The archive for Python in a browser: it works without any other library, and without machine code."""

from __future__ import annotations

import json
import pkgutil
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from zipfile import ZipFile

import pytest
import regex
import typing_extensions

import rulespec
from ftk_cli.page.archive import CONFIGS, GAMES, write_archive
from ftk_cli.page.standins.regex.translation import UnsupportedPattern, translated
from rulespec.text.rules.describe.grammar import grammar_of, languages

pytestmark = pytest.mark.slow("packs the program, and starts Python")

_ALONE = """
import json, sys
sys.path[:] = [one for one in sys.path if "site-packages" not in one]
sys.path.insert(0, sys.argv[1])
{code}
strangers = {{"_regex", "rapidfuzz", "simplemma", "llvmlite", "numpy"}} & set(sys.modules)
assert not strangers, f"imported for a check or a game: {{strangers}}"
"""
_CHECK = "import rulespec\nprint(json.dumps(rulespec.check(sys.argv[2]).to_dict(), ensure_ascii=False))"
_PLAY = """
import rulespec
state = rulespec.load("kingme").game(players=3).new_initial_state(seed=5)
while not state.is_terminal():
    for player in state.deciders():
        state.apply_action(state.legal_actions(player)[0], player)
print(json.dumps([state.history(), state.ranking()]))
"""
_BROKEN = "rulespec: 2\ngame: {id: broken, version: 1.0.0, players: 2..9}\nzones: {deck: {oder: 1.5}}\n"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    write_archive(folder / "ftk.zip")
    with ZipFile(folder / "ftk.zip") as archive:
        archive.extractall(folder / "site")
    if sys.version_info < (3, 13):  # only referencing on an older Python than the browser's needs it
        shutil.copy(str(typing_extensions.__file__), folder / "site")
    return folder / "site"


def _alone(code: str, unpacked: Path, *arguments: str, typed: str = "") -> str:
    """What code prints in a Python that has nothing but its own library and the archive."""
    command = [sys.executable, "-I", "-S", "-c", _ALONE.format(code=code), str(unpacked), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=unpacked / GAMES, check=False, input=typed)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_holds_no_machine_code_and_the_licence_of_every_library(unpacked: Path) -> None:
    files = [path for path in unpacked.rglob("*") if path.is_file()]
    assert not [path for path in files if path.suffix in (".so", ".pyd", ".pyc")]
    for folder in unpacked.glob("*.dist-info"):
        assert [path for path in folder.rglob("*") if path.name.startswith(("LICENSE", "LICENCE", "COPYING"))], (
            folder.name
        )


@pytest.mark.parametrize("game", ["fortheking", "kingme", "keyflower_king", "gallery/ferry_town"])
@pytest.mark.sample(1)
def test_it_finds_what_is_found_here(unpacked: Path, game: str) -> None:
    here = rulespec.check(unpacked / GAMES / f"{game}.yaml").to_dict()
    assert json.loads(_alone(_CHECK, unpacked, str(unpacked / GAMES / f"{game}.yaml"))) == here


def test_it_finds_the_same_mistakes_of_shape(unpacked: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text(_BROKEN, encoding="utf-8")
    here = rulespec.check(broken).to_dict()
    assert len(here["findings"]) > 1
    assert json.loads(_alone(_CHECK, unpacked, str(broken))) == here


def test_it_plays_as_here(unpacked: Path) -> None:
    state = rulespec.load("kingme").game(players=3).new_initial_state(seed=5)
    history, ranking = json.loads(_alone(_PLAY, unpacked))
    for player, action in zip((player for player, _ in state.choices), history, strict=False):
        state.apply_action(action, player)
    while not state.is_terminal():
        for player in state.deciders():
            state.apply_action(state.legal_actions(player)[0], player)
    assert [state.history(), state.ranking()] == [history, ranking]


_CONVERT = """
import opencc
text = sys.stdin.buffer.read().decode()
print(json.dumps([opencc.OpenCC(config).convert(text) for config in sys.argv[2:]]))
"""


def test_it_converts_characters_as_opencc_does(unpacked: Path) -> None:
    import opencc

    folder = unpacked / GAMES / "translations"
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*/zh*.yaml")))
    text += "\n".join(map(chr, [*range(0x4E00, 0x9FFF), *range(0xF900, 0xFA6E)]))
    there = json.loads(_alone(_CONVERT, unpacked, *CONFIGS, typed=text))
    assert there == [opencc.OpenCC(config).convert(text) for config in CONFIGS]


@pytest.mark.parametrize(
    ("pattern", "source"),
    [
        ("a|b", "a|b"),
        (r"\p{Han}+", r"[\p{Script=Han}]+"),
        (r"[ab]++c", r"[ab]+(?![ab])c"),
        (r"(?<=[ab]++)c", r"(?<=(?<![ab])[ab]+)c"),
        (r"(?>a|ab)c", r"(?=(?<a1>a|ab))\k<a1>c"),
        (r"(?P<n>a)\1", r"(?<g1>a)\k<g1>"),
        (r"(?P<n>a)|(?P<n>b)", r"(?<g1>a)|(?<g1_1>b)"),
        (r"^a$", r"^a(?=\n?$)"),
        (r"(?m)^a$", r"(?<![^\n])a(?![^\n])"),
        (r"[^\d-]{,3}", r"[^\p{Nd}\u{2D}]{0,3}"),
        (r"a.", r"a[^\n]"),
    ],
)
def test_patterns_become_those_of_javascript(pattern: str, source: str) -> None:
    assert translated(pattern, 0).source == source


@pytest.mark.parametrize("pattern", [r"\Xa", "(?e)a", "a(?i:b)", "(a", "a)"])
def test_what_has_no_translation_is_refused(pattern: str) -> None:
    with pytest.raises(UnsupportedPattern):
        translated(pattern, 0)


def test_every_pattern_of_the_text_checks_can_be_translated() -> None:
    """The whole checks run in the browser, and its tests take minutes; a pattern that only Python reads shows here."""
    modules = [
        import_module(one.name)
        for one in pkgutil.walk_packages(rulespec.__path__, "rulespec.")
        if one.name.startswith("rulespec.text")
    ]
    patterns = [value for one in modules for value in vars(one).values() if isinstance(value, regex.Pattern)]
    assert len(patterns) > 50
    of_names = [grammar_of(lang).labels[name] for lang in languages() for name in ("determiners", "head", "plural")]
    of_sound = [pattern.pattern for lang in languages() for pattern, _ in grammar_of(lang).euphony]
    for pattern in (*(one.pattern for one in patterns), *of_names, *of_sound):
        translated(pattern, 0)  # raises UnsupportedPattern
