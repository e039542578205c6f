"""The documentation keeps its word: its games load and play, its commands print what is shown, its code runs."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner
from doc_games import ALL, EXAMPLES, FENCE, GAMES, PAGES, ROOT, Block, blocks

import rulespec
from ftk_cli.main import main
from rulespec.base.diagnostics import Severity
from rulespec.base.findings import KINDS
from rulespec.base.source import Source
from rulespec.engine.wasm.modules import missing as wasm_missing

GAMES_EACH = 20
LONGEST = 2_000
"""Decisions in one random game, at most: whatever goes on longer would not end."""

SECONDS = 300
"""The most time for a command in a shell."""

_LINK = re.compile(r"\]\(([^)#]*)(?:#([^)]*))?\)")


@pytest.mark.parametrize("block", GAMES, ids=str)
@pytest.mark.sample(14)
def test_every_game_loads_and_plays_to_its_end(block: Block) -> None:
    spec = rulespec.loads(Source(block.file, block.text))
    assert [str(f) for f in spec.report.findings if f.severity != Severity.INFO] == []
    for players in spec.players:
        game = spec.game(players)
        for seed in range(GAMES_EACH):
            play(game, seed)


def play(game: rulespec.Game, seed: int) -> None:
    state, chance = game.new_initial_state(seed), random.Random(seed)
    for _ in range(LONGEST):
        if state.is_terminal():
            break
        state.apply_actions({player: chance.choice(state.legal_actions(player)) for player in state.deciders()})
    assert state.is_terminal()
    assert state.broken_invariants() == []
    assert min(state.ranking()) == 1


def test_every_yaml_block_is_a_file_or_an_excerpt() -> None:
    """It begins with `# file: NAME` or `# excerpt`."""
    texts = [block for block in ALL if block.language == "yaml" and not block.file]
    assert [str(block) for block in texts if not block.text.startswith("# excerpt")] == []


def test_an_excerpt_of_a_game_is_in_the_game() -> None:
    """Line by line, in the order of the game. A line `…` or a blank one stands for nothing."""
    games = {block.file: block.text for block in GAMES}
    for block in ALL:
        found = re.match(r"# excerpt of (\w+\.yaml)\n", block.text)
        if found and found[1] in games:
            lines = iter(line.split(" #")[0].strip() for line in games[found[1]].splitlines())
            for line in (one.split(" #")[0].strip() for one in block.text.splitlines()[1:]):
                assert line in ("", "…") or any(line in one for one in lines), f"{block}: {line}"


CHAPTERS = [page for page in PAGES if page.name != "README.md" and not (page.parent / "README.md").is_file()]
CHAPTERS += [page for page in PAGES if page.name == "README.md"]
"""A page for each chapter: the page itself, or the first page of a folder, which lists the others in their order."""


def _pages(chapter: Path) -> list[Path]:
    """The pages of a chapter in the order in which its first page links to them."""
    if chapter.name != "README.md" or chapter.parent == ROOT:
        return [chapter]
    links = re.findall(r"\]\((\w[\w-]*\.md)\)", chapter.read_text(encoding="utf-8"))
    listed = [chapter, *(chapter.parent / link for link in dict.fromkeys(links))]
    assert sorted(listed) == sorted(chapter.parent.glob("*.md")), f"{chapter} does not list every page of its folder"
    return listed


def runs(page: Path) -> bool:
    return any(block.file or block.language in ("console", "python") for block in blocks(page))


@pytest.mark.parametrize(
    "chapter",
    [chapter for chapter in CHAPTERS if any(map(runs, _pages(chapter)))],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
@pytest.mark.slow("runs the commands of its page")
def test_every_page_does_what_it_shows(chapter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written where they stand in the text, commands and code run in order, a chapter in one folder.

    PufferLib cannot be installed beside what the rest of its page needs. Without the packages that make WebAssembly a
    living rulebook is made with a warning.
    """
    if missing := _missing(chapter):
        pytest.skip(missing)
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "specs", tmp_path / "specs")
    shutil.copytree(EXAMPLES, tmp_path / "examples" / "games")
    for block in (block for page in _pages(chapter) for block in blocks(page)):
        if block.file:
            (tmp_path / block.file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            for command, shown in commands(block.text):
                if "--living" in command and wasm_missing():
                    shown = f"{wasm_missing()}.…\n{shown}"
                compare(f"{block}: {command}", shown, run(command, tmp_path))
        elif block.language == "python" and ("import pufferlib" not in block.text or find_spec("pufferlib")):
            exec(compile(block.text, str(block), "exec"), {"__name__": "docs"})


def _missing(page: Path) -> str:
    """What a page needs and this machine does not have; empty if nothing is missing."""
    if page.name == "wasm.md":
        return wasm_missing()
    needed = ("pyspiel", "pettingzoo", "gymnasium", "llvmlite") if page.name == "interop.md" else ()
    return ", ".join(f"{name} is not installed" for name in needed if find_spec(name) is None)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each `$ command` of a block with the output shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


SHELL = re.compile(r"[|&;<>()$`*?\[\]{}~\n]")
"""What a shell reads otherwise than as a part of a word, unless it is quoted."""


STATUS = '; echo "exit status $?"'


def run(command: str, folder: Path) -> str:
    """What a command prints, on both outputs in the order of a terminal.

    A command of ftk runs in this process, which has read the languages and dictionaries already, unless it needs a
    shell for more than its input and its exit status."""
    before, _, last = command.removesuffix(STATUS).rpartition(" | ")
    program, *words = shlex.split(last, comments=" #" in last) if last.startswith("ftk ") else [""]
    if not program or before.startswith("ftk ") or any(SHELL.search(word) for word in words):
        return in_shell(command, folder)
    typed = in_shell(before, folder) if before else None
    done = CliRunner(env=TERMINAL).invoke(main, words, input=typed, prog_name="ftk")
    return done.output + f"exit status {done.exit_code}\n" * command.endswith(STATUS)


TERMINAL = {"NO_COLOR": "1", "COLUMNS": "100"}


def in_shell(command: str, folder: Path) -> str:
    here = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": here + os.pathsep + os.environ["PATH"]} | TERMINAL
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS,
    )
    return done.stdout.decode("utf-8")


def compare(what: str, shown: str, printed: str) -> None:
    """A line `…` stands for any lines, `…` inside a line for anything in it."""
    lines = [line.rstrip() for line in shown.rstrip("\n").split("\n")]
    pattern = "".join("(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + "\n" for line in lines)
    tidy = "".join(line.rstrip() + "\n" for line in printed.rstrip("\n").split("\n"))
    assert re.fullmatch(pattern, tidy), f"{what}\nshown:\n{shown}\nprinted:\n{printed}"


def test_every_link_leads_somewhere() -> None:
    for page in PAGES:
        prose = FENCE.sub("", page.read_text(encoding="utf-8"))
        for path, anchor in _LINK.findall(prose):
            if path.startswith(("http:", "https:")):
                continue
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{page.name} links to {path}"
            assert not anchor or anchor in anchors(target), f"{page.name} links to {path}#{anchor}"


@cache
def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_reference_names_findings_that_exist() -> None:
    text = (ROOT / "docs" / "language" / "checks.md").read_text(encoding="utf-8")
    proofs = text.partition("## What the checker proves")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", proofs))
    assert named
    assert named <= set(KINDS)


def test_a_difference_is_noticed() -> None:
    compare("", "a\n…\nd e…", "a\nb\nc\nd e f\n")
    with pytest.raises(AssertionError):
        compare("", "a\nb", "a\nc\n")


@pytest.mark.slow("runs the demo")
def test_the_demo_shows_what_it_promises() -> None:
    environment = {**os.environ, "FTK": str(Path(sys.executable).parent / "ftk")}
    done = subprocess.run(["scripts/demo.sh"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
