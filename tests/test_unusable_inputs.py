"""What commands say to files that they cannot use: a message with the file and a hint, and the right exit status."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import ftk

from rulespec.base.source import MAX_BYTES

LATIN = "game: {title: Café}\n".encode("latin-1")
UNUSABLE = {
    "missing": None,
    "utf16": "rulespec: 2\n".encode("utf-16"),
    "utf16_without_mark": "rulespec: 2\ngame: {id: n}\n".encode("utf-16-le"),
    "latin": LATIN,
    "noise": bytes(range(250, 0, -1)),
    "huge": b"a" * (MAX_BYTES + 1),
}
"""Files by name: none of these can be opened or read, which is exit status 3. The folder of each test is one more."""

SAID = {
    "missing": "There is no file",
    "utf16": "is written in UTF-16, not in UTF-8",
    "utf16_without_mark": "is written in UTF-16, not in UTF-8",
    "latin": "1:18: ",
    "noise": "byte 0 (0xFA, counted from 0) does not fit",
    "huge": "The file is larger than 5 MiB.",
    "folder": "folder",
}

COMMANDS = (
    "check {}",
    "test {}",
    "cards {}",
    "rulings {}",
    "describe {}",
    "simulate {} --games 2",
    "balance {} --games 20",
    "play {} --people none",
    "compile {}",
    "diff {} {}",
    "errata {} {} --lang en",
    "rename a b {}",
    "release {}",
    "new river --from {}",
    "explain end --spec {}",
    "replay {}",
    "upgrade {}",
    "text check {}",
    "text check {} --lang en --spec fortheking",
    "text diff {} {} --lang en",
    "text status {}",
    "text render {} --lang en",
    "text export {} --lang en",
    "text import {}",
    "text import {} --lang en --spec fortheking",
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made(name: str) -> str:
    path = Path(f"{name}.yaml")
    if name == "folder":
        path.mkdir()
        (path / "notes.txt").write_text("no spec", encoding="utf-8")
    elif (content := UNUSABLE[name]) is not None:
        path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_cannot_be_read_is_named_with_a_hint(command: str) -> None:
    for name, said in SAID.items():
        path = made(name)
        result = ftk(*(part.format(path) for part in command.split()))
        assert result.exit_code == 3, result.output
        assert path in result.output and said in result.output
        assert len(result.output.strip().splitlines()) > 1, "a hint stands below"
        assert "Internal error" not in result.output


@pytest.mark.parametrize("command", COMMANDS)
def test_a_text_that_is_no_file_of_ftk_is_no_success(command: str) -> None:
    excerpt = "--spec fortheking" in command or command == "upgrade {}"
    for content in ("", "\n", "# nothing\n", "hello\n", "[1, 2]\n", "{}\n", "a: b\n"):
        Path("text.yaml").write_text(content, encoding="utf-8")
        result = ftk(*(part.format("text.yaml") for part in command.split()))
        assert result.exit_code in ((0, 1, 3) if excerpt else (1, 3)), result.output
        assert "text.yaml" in result.output and "Internal error" not in result.output


@pytest.mark.parametrize("content", ["", "hello\n", "{}\n", "[1]\n", '{"event":', '{"game": 1}\n', "\0\n"])
def test_a_text_that_is_no_log_is_named(content: str) -> None:
    Path("game.jsonl").write_text(content, encoding="utf-8")
    result = ftk("replay", "game.jsonl")
    assert result.exit_code == 3 and "game.jsonl:1" in result.stderr and len(result.stderr.splitlines()) > 1
