"""No command writes a control or bidi character of its input to a terminal, whatever the input holds."""

from __future__ import annotations

import io
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ftk_cli import terminal
from ftk_cli.main import main
from rulespec.base.characters import STEERING, UNSEEN, visible
from rulespec.base.source import read as read_file
from rulespec.editing.file_kinds import check
from rulespec.engine.states.log import lines
from rulespec.games.api import load
from rulespec.language import document
from rulespec.text.output.render.book import Rulebook
from rulespec.text.output.render.markdown import markdown
from rulespec.text.output.render.page import html
from rulespec.text.reading.translation import read

pytestmark = pytest.mark.slow("runs every command")

HOSTILE = "\x1b]0;gone\x07\x9b31m\x1b[8m\u202egnik\u2066\u200b\x7f"
REORDERING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
# Signs of Arabic, Syriac, Kaithi, Egyptian, shorthand and music that are drawn, or group signs that are.
VISIBLE_FORMATS = frozenset(
    map(chr, (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
              *range(0x13430, 0x13440), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B)))
)  # fmt: skip
NAME = "\x1b]0;name\x07\u202e\u200b"


def leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The names of every command that does something."""
    if not isinstance(command, click.Group):
        yield path
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        below = command.get_command(context, name)
        assert below is not None
        yield from leaves(below, (*path, name))


# What each command is given: files of a game with hostile texts in them, in a folder with a hostile name. A new command
# must have a row.
RUNS: dict[str, tuple[str, ...]] = {
    "check": ("{spec}", "{spec} {en} {cases} -v", "{spec} --format github", "{spec} --format junit", "{broken}",
              "{spec} --format json", "{spec} --format sarif", "{folder}/none.yaml", "{cases} {word}",
              "{spec} --deep --games 2 --into {folder}"),
    "fmt": ("{spec}", "{spec} --format json", "{broken}", "{word}", "{folder}/none.yaml"),
    "lsp": (),  # it speaks to editors only
    "explain": ("deal --spec {spec}", "{word}", "tied --spec {spec}", "x --spec {broken}"),
    "errata": ("{spec} {spec} --lang en", "{broken} {spec} --lang {word}", "{spec} --history --lang en"),
    "release": ("{spec}", "{broken}"),
    "new": ("river --title {word}", "{word}", "river --lang {word}", "river --players {word}", "river --from {broken}",
            "river --from {spec}", "river --from {word}"),
    "rename": ("deal draw {spec}", "{word} draw {spec}", "deal {word} {spec}"),
    "upgrade": ("{log} --spec {spec}", "{badlog} --spec {spec}", "{folder}",
                "{log} --spec {spec} --format json", "{word}"),
    "diff": ("{spec} {spec} --logs {log}", "{spec} {spec} --logs {badlog}", "fortheking {spec}",
             "fortheking {spec} --format markdown", "fortheking {spec} --format json"),
    "describe": ("{spec}", "{spec} --format markdown", "{spec} --format json", "{spec} --rule {word}",
                 "{spec} --lang {word}"),
    "cards": ("{spec}", "{spec} --format csv", "{spec} --format json", "{spec} --import {table}",
              "{spec} --import {table} --write", "{spec} --sheet {folder} --lang en,uk", "{spec} --deck {deck}"),
    "rulings": ("{spec}", "{spec} --format json"),
    "play": ("{spec} --seed 1 -v", "{spec} --from deal", "{spec} --from {word}", "{spec} --from {cases}#{word}",
             "{spec} --people none --seed 1", "{spec} --ruling tied={word}",
             "{spec} --people 1,2 --seed 1"),
    "simulate": ("{spec} --games 20 --workers 1", "{spec} --games 20 --workers 1 --format json", "{broken}"),
    "balance": ("{spec} --games 100 --workers 1", "{spec} --games 100 --workers 1 --format html",
                "{spec} --games 100 --workers 1 --format json"),
    "replay": ("{log} --spec {spec}", "{log} --spec {spec} -v", "{badlog} --spec {spec}"),
    "test": ("{cases} -v --coverage", "{cases} --format junit", "{cases} --format json", "{cases} --format github"),
    "text check": ("{en}", "{raw} --lang en --spec {spec}", "{glossary}", "{en} --format json"),
    "text review": ("{en} --by Olena", "{raw} --lang en --spec {spec} --by Olena",
                    "{raw} --spec {spec} --lang en --list", "{en} --decline 1 --why {word}", "{glossary}",
                    "{word} --by {word}", "{raw} --lang en --spec {spec} --by {word}", "{en} --list"),
    "text diff": ("{spec} {spec} --lang en", "{en} {en} --lang en --format html",
                  "{en} {uk} --spec {spec}", "{en} {uk} --spec {spec} --format html",
                  "{en} {uk} --spec {spec} --format json"),
    "text changes": ("en {spec}", "en {spec} --format markdown", "en {spec} --format html", "{word} {spec}"),
    "text status": ("{spec} -v", "{spec} --format json", "{spec} {word}"),
    "text render": (
        *("{spec} --lang en --rulings", "{spec} --lang en --rulings --format html"),
        *("{spec} --lang en --since {spec}", "{spec} --lang {word}"),
    ),
    "text export": ("{spec} --lang en", "{spec} --lang en --as xliff", "{spec} --as csv", "{spec} --as tbx"),
    "text import": ("{po} --into {en} --dry-run", "{po} --into {en} --output -", "{raw} --lang en --spec {spec}",
                    "{csv} --spec {spec} --dry-run"),
    "compile": ("{spec}", "{spec} --print"),
    "page": (),  # it only needs a folder and a network
    "schema": ("", "--kind {word}"),
    "language new": ("nl", "{word}", "nl --from {word}"),
    "language test": ("en", "{word}"),
}  # fmt: skip


TITLE = f"High {HOSTILE} card"
DRAW = {"move": {"top": 1, "from": "deck", "to": "hand[p]"}}
SPEC = {
    "rulespec": 2,
    "game": {"id": "high", "version": "1.0.0", "title": TITLE, "players": "2..3", "sources": {"web": TITLE}},
    "enums": {"kind": ["plain"]},
    "cards": {
        "fields": {"kind": "kind", "value": "1..9"},
        "names": {"plain": f"{{value}} {HOSTILE}"},
        "manifest": [{"kind": "plain", "value": "1..9", "copies": 2, "source": ["web"]}],
        "start": "deck",
    },
    "zones": {
        "deck": {"order": "stack", "seen_by": "nobody", "title": TITLE},
        "hand": {"per": "player", "seen_by": "owner", "title": TITLE},
        "out": {"seen_by": "everybody"},
    },
    "rulings": {"tied": {"question": TITLE, "answer": "all", "or": ["first"], "silent": ["web"]}},
    "setup": {"id": "setup", "title": TITLE, "shuffle": "deck"},
    "play": [
        {"id": "deal", "title": TITLE, "each": {"p": "player"}, "do": DRAW},
        {
            "id": "swap",
            "title": TITLE,
            "each": {"p": "player"},
            "do": {
                "choose": {
                    "by": "p",
                    "options": [
                        {"says": f"keep {HOSTILE} it", "do": {"note": TITLE}},
                        {
                            "says": f"swap {HOSTILE} it",
                            "do": [
                                {"move": {"every": "c", "from": "hand[p]", "to": "out"}},
                                DRAW,
                            ],
                        },
                    ],
                }
            },
        },
        {
            "id": "end",
            "title": TITLE,
            "rank": {
                "among": {"p": "player"},
                "by": [
                    {"high": "hand[p].value", "title": TITLE},
                    {"low": "seat_of(p)", "title": TITLE, "only_if": "tied == first"},
                ],
                "left": "share",
            },
        },
    ],
}
BROKEN = {
    "rulespec": 2,
    "game": {**SPEC["game"], "id": NAME},  # type: ignore[dict-item]
    "enums": {"colour": [f"red{HOSTILE}", "red"], NAME: ["a"]},
    "zones": {NAME: {}},
    "rulings": {NAME: {"question": 1}},
    "setup": {"id": NAME, "title": "x", "shuffle": f"deck{HOSTILE}", HOSTILE: 1},
    "play": [{"id": "a", "title": "b", "set": {HOSTILE: HOSTILE}}, {"note": "{" + HOSTILE + "}"}],
}


def translation(lang: str) -> dict[str, object]:
    texts = {"title": TITLE, "text": f"Draw 2 {HOSTILE} cards.\nKeep {HOSTILE} 77 of them."}
    return {
        "translation": 3,
        "game": "high",
        "lang": lang,
        "title": TITLE,
        "rules": dict.fromkeys(("setup", "deal", "swap", "end"), texts),
        "rulings": {"tied": {"text": TITLE}},
    }


def write(path: Path, content: object) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1), "utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def no_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands write what they write, however slow the machine is (see `test_notice.py`)."""
    monkeypatch.setattr(terminal, "AFTER", 3600)


def accept_hostile_characters(patch: pytest.MonkeyPatch) -> None:
    """Turns the findings for such characters off, so that the game runs."""
    patch.setattr(document, "escaped_controls", lambda scalar: iter(()))
    patch.setattr("rulespec.base.source.FORBIDDEN", re.compile("\x00"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    with pytest.MonkeyPatch.context() as patch:
        accept_hostile_characters(patch)
        return written(tmp_path_factory.mktemp("project"))


@pytest.fixture
def files(hostile: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The hostile files by the names that RUNS uses."""
    accept_hostile_characters(monkeypatch)
    monkeypatch.chdir(tmp_path)  # a new game goes into the project of the current directory
    return hostile


def written(project: Path) -> dict[str, str]:
    folder = project / f"specs{NAME}"
    spec = write(folder / "high.yaml", SPEC)
    terms = {"deck": {"note": TITLE, "en": {"preferred": "deck"}, "uk": {"preferred": "колода"}}}
    made = {
        "folder": str(folder),
        "word": f"no{HOSTILE}",
        "spec": spec,
        "broken": write(folder / "broken.yaml", BROKEN),
        "cases": write(
            folder / "scenarios" / "high" / "case.yaml",
            {
                "scenario": 2,
                "game": "high",
                "cases": [
                    {"id": "a", "title": TITLE, "players": 2, "expect": {"values": {HOSTILE: HOSTILE}}},
                    {"id": "b", "title": TITLE, "players": 2, "do": [{"player 1": HOSTILE}]},
                ],
            },
        ),
        "en": write(folder / "translations" / "high" / "en.yaml", translation("en")),
        "uk": write(folder / "translations" / "high" / "uk.yaml", translation("uk")),
        "glossary": write(folder / "glossaries" / "high.yaml", {"glossary": 1, "game": "high", "concepts": terms}),
        "deck": write(folder / "deck.yaml", {"deck": 1, "game": "high", "replaces": {}, "cards": [{"value": TITLE}]}),
        "raw": write(folder / "raw.md", f"# {TITLE}\n\nDraw 77 {HOSTILE} cards.\n\n- Keep {HOSTILE} it.\n"),
        "csv": write(folder / "terms.csv", f"concept,en\ndeck,{TITLE}\n{HOSTILE},x\n"),
        "table": write(folder / "cards.csv", f"value,{TITLE}\n1,{TITLE}\n{HOSTILE},{HOSTILE}\n"),
    }
    state = load(spec).game(players=2).new_initial_state(seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    log = "".join(f"{line}\n" for line in lines(state))
    made["log"] = write(folder / "game.jsonl", log)
    made["badlog"] = write(folder / "bad.jsonl", log.replace('"swap"', f'"{HOSTILE}"'))
    po = CliRunner().invoke(main, ["text", "export", spec, "--lang", "en"])
    made["po"] = write(folder / "en.po", po.stdout.replace("Keep", f"Keep {HOSTILE}"))
    return made


def test_every_command_has_a_row() -> None:
    assert {" ".join(names) for names in leaves(main)} == set(RUNS)


@pytest.mark.parametrize(("command", "run"), [(name, run) for name, runs in RUNS.items() for run in runs])
def test_no_command_writes_a_control_character(
    command: str, run: str, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    monkeypatch.setattr("ftk_cli.terminal.clear", lambda: None)
    monkeypatch.setenv("NO_COLOR", "1")
    arguments = [*command.split(), *(part.format(**files) for part in run.split())]
    result = CliRunner().invoke(main, arguments, input="?\nwhy\n1\n\nx\n")
    print(result.output)
    shown = re.sub(r"\r?\x1b\[\?25[hl]|\r(?=playing|\n)|\x1b\[[GK]", "", result.output)  # lines shown in place
    assert result.exit_code in ((0, 1) if run == RUNS[command][0] else (0, 1, 2, 3))
    assert "Internal error" not in result.output
    assert not UNSEEN.findall(shown)


def test_hostile_texts_reach_the_output_as_escapes(files: dict[str, str]) -> None:
    for run in ("rulings {spec}", "text render {spec} --lang en", "explain deal --spec {spec}", "test {cases} -v"):
        output = CliRunner().invoke(main, [part.format(**files) for part in run.split()]).output
        assert r"High \u001b]0;gone\u0007\u009b31m\u001b[8m\u202egnik\u2066\u200b\u007f card" in output


def test_pages_and_markdown_files_hold_no_control_character(files: dict[str, str], tmp_path: Path) -> None:
    setting = load(files["spec"]).game(players=2).setting
    source, _ = read_file(files["en"])
    assert source is not None
    text, _ = read(source)
    assert text is not None
    for shown in (markdown(Rulebook(text, setting)), html(Rulebook(text, setting, with_rulings=True))):
        assert r"\u202egnik" in shown
        assert not UNSEEN.findall(shown)


def test_a_pipe_gets_exact_data_and_a_terminal_escapes(files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["text", "export", files["spec"], "--as", "csv"]
    assert "\u202e" in CliRunner().invoke(main, arguments).stdout
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    assert r"\u202e" in CliRunner().invoke(main, arguments).stdout


def test_json_keeps_its_values(files: dict[str, str]) -> None:
    value = json.loads(CliRunner().invoke(main, ["rulings", files["spec"], "--format", "json"]).stdout)
    assert f"'{TITLE!r}'".strip("'") in repr(value)


def test_colours_pass_and_those_of_the_input_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tty(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, colour in ((Tty(), "\x1b[31m"), (io.StringIO(), "")):
        monkeypatch.setattr(sys, "stdout", stream)
        with terminal.guarded():
            click.echo(terminal.style("\x1b[31mx", fg="red"), color=True)
        assert stream.getvalue().startswith(f"{colour}\\u001b[31mx")
        assert sys.stdout is stream


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\n國王 é Їжак “—” 🂡", None),
        ("👩\u200d🌾 ❤\ufe0f 1\ufe0f\u20e3 می\u200cخواهم क\u094d\u200dष", None),
        ("go\u200dld\ufe0f", r"go\u200dld\ufe0f"),
        ("\u200dx", r"\u200dx"),
        ("\x1b\r\x85\u2028\U000e0041\udc80", r"\u001b\u000d\u0085\u2028\U000e0041\udc80"),
    ],
)
def test_visible(text: str, shown: str | None) -> None:
    assert visible(text) == (text if shown is None else shown)


def test_every_bidi_control_and_control_character_is_escaped() -> None:
    for code in range(0x110000):
        character = chr(code)
        kind = unicodedata.category(character)
        direction = unicodedata.bidirectional(character)
        if (kind == "Cc" and character not in "\t\n") or direction in REORDERING:
            assert STEERING.match(character) and UNSEEN.match(character), hex(code)
        elif kind == "Cf" and character not in VISIBLE_FORMATS:
            assert UNSEEN.match(character), hex(code)


def test_an_escape_is_one_finding(tmp_path: Path) -> None:
    found = check(write(tmp_path / "high.yaml", SPEC)).findings
    assert {one.name for one in found} == {"escaped-control"}
    assert len(found) == json.dumps(SPEC).count("\\u001b]0;gone")
