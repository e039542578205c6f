"""`ftk upgrade`: logs of older versions get the present names and numbers, and newer formats are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command import ftk
from labelled_edits import text_of

SPEC = Path("specs/crows.yaml")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a released game and a log of it."""
    folder = tmp_path_factory.mktemp("upgrade")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        SPEC.parent.mkdir()
        SPEC.write_text(text_of("crows"), encoding="utf-8")
        assert ftk("release", "crows").exit_code == 0
        assert ftk("play", "crows", "--people", "none", "--seed", "2", "--log", "game.jsonl").exit_code == 0
    return folder


@pytest.fixture
def project(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(made, tmp_path / "made")
    monkeypatch.chdir(tmp_path / "made")
    return Path("game.jsonl")


def changed(*replaced: tuple[str, str]) -> None:
    """The spec becomes another one, of version 1.1.0."""
    text = SPEC.read_text("utf-8")
    for old, new in (("version: 1.0.0", "version: 1.1.0"), *replaced):
        assert old in text, old
        text = text.replace(old, new)
    SPEC.write_text(text, encoding="utf-8")
    assert ftk("check", SPEC).exit_code == 0, ftk("check", SPEC).output


def test_what_is_newest_stays(project: Path) -> None:
    run = ftk("upgrade", SPEC, project)
    assert run.exit_code == 0
    assert run.stdout.splitlines() == [
        "specs/crows.yaml: a spec of format 2, the newest.",
        "game.jsonl: a log of Crows 1.0.0, the present version.",
    ]


def test_a_log_is_lifted_over_renamed_names(project: Path) -> None:
    before = project.read_bytes()
    assert ftk("rename", "kind.ring", "band", "crows", "--write", "-q").exit_code == 0
    changed()
    run = ftk("upgrade", project)
    assert run.exit_code == 0 and "1.0.0 → 1.1.0: the same game, every line agrees." in run.stdout, run.output
    assert "--write" in run.stderr and project.read_bytes() == before
    assert ftk("upgrade", project, "--write").exit_code == 0
    assert b"ring" not in project.read_bytes() and b"band" in project.read_bytes()
    run = ftk("replay", project)
    assert run.exit_code == 0 and "another text of the spec" not in run.stderr
    assert "the present version" in ftk("upgrade", project).stdout


def test_a_log_is_lifted_by_the_words_of_its_moves(project: Path) -> None:
    changed(("title: Crows,", "title: Crows!,"), *more_results())
    run = ftk("upgrade", project, "--format", "json", "--write")
    (one,) = json.loads(run.stdout)["files"]
    assert one["status"] == "lifted" and "every move is legal under its words" in one["message"], one
    assert ftk("replay", project).exit_code == 0


def test_moves_get_their_present_numbers(project: Path) -> None:
    text = SPEC.read_text("utf-8")
    start, second, end = (
        text.index(part) for part in ("              - says: keep", "              - says: drop", "  - id: end\n")
    )
    changed((text[start:end], text[second:end] + text[start:second]))
    run = ftk("upgrade", project, "--write")
    assert run.exit_code == 0 and "6 with another number; the result is the same" in run.stdout, run.output
    assert ftk("replay", project).exit_code == 0


def more_results() -> list[tuple[str, str]]:
    """One worm more for each thing that is dropped: other events, the same moves."""
    return [("type: 0..3, start: 0", "type: 0..4, start: 1")]


def test_a_move_that_is_not_legal_any_more_is_named(project: Path) -> None:
    changed(("shine: 4, copies: 2", "shine: 4, copies: 3"), ("== 14", "== 15"))
    before = project.read_bytes()
    run = ftk("upgrade", project, "--write")
    assert run.exit_code == 1 and project.read_bytes() == before
    assert "game.jsonl:" in run.stdout and "cannot be lifted: decision " in run.stdout, run.output


def test_without_its_version_a_log_is_not_lifted_by_words(project: Path) -> None:
    changed(*more_results())
    shutil.rmtree("specs/history")
    run = ftk("upgrade", project)
    assert run.exit_code == 1 and "is not kept in specs/history" in run.stdout, run.output


def test_a_log_that_was_changed_is_not_lifted(project: Path) -> None:
    changed(*more_results())
    project.write_text(project.read_text("utf-8").replace("ring 4", "ring 3"), encoding="utf-8")
    run = ftk("upgrade", project)
    assert run.exit_code == 1 and "does not replay on its own version either" in run.stdout, run.output


def test_newer_formats_are_refused_with_what_to_do(project: Path) -> None:
    project.write_text(project.read_text("utf-8").replace('"log": 2', '"log": 3', 1), encoding="utf-8")
    SPEC.write_text(SPEC.read_text("utf-8").replace("rulespec: 2", "rulespec: 3"), encoding="utf-8")
    run = ftk("upgrade", "specs", project)
    assert run.exit_code == 3
    assert "specs/crows.yaml: a spec of format 3, and this ftk reads up to 2: install a newer ftk." in run.stdout
    assert "game.jsonl: a log of format 3, and this ftk reads up to 2: install a newer ftk." in run.stdout


@pytest.mark.parametrize("size", (50, 300, -20))
def test_a_log_that_is_cut_off_is_damaged_at_its_last_line(project: Path, size: int) -> None:
    changed(*more_results())
    cut = project.read_bytes()[:size]
    project.write_bytes(cut)
    run = ftk("upgrade", project, "--write")
    assert run.exit_code == 3 and project.read_bytes() == cut
    where = f"game.jsonl:{len(cut.splitlines())}"
    assert f"{where}: This line is no complete JSON object: the file is damaged." in run.stdout


def test_a_log_that_ends_with_a_whole_line_is_an_unfinished_game(project: Path) -> None:
    changed(("title: Crows,", "title: Crows!,"))
    project.write_bytes(b"".join(project.read_bytes().splitlines(keepends=True)[:9]))
    run = ftk("upgrade", project)
    assert run.exit_code == 0 and "the same game, every line agrees" in run.stdout, run.output


UNUSABLE = {
    "empty.jsonl": (b"", "The file is empty."),
    "binary.jsonl": (bytes(range(127, 256)), "not UTF-8"),
    "unknown.jsonl": (b'{"log": 2, "seed": 3, "game": "puddle", "players": 2, "rulings": {}}\n', "the game `puddle`"),
    "nothing.jsonl": (b'{"log": 2, "seed": 3}\n', "does not name a game"),
    "broken.yaml": (b"rulespec: 2\ngame: {id: broken\n", "broken.yaml:"),
    "state.json": (b'{"history": [1, 2', "state.json:1: This line is no complete JSON object"),
    "package.json": (b'{\n"name": "x"\n}\n', "no file that ftk knows"),
    "nowhere.jsonl": (None, "There is no file nowhere.jsonl."),
}


def test_files_that_cannot_be_used_are_named_and_the_others_are_lifted(project: Path) -> None:
    changed(*more_results())
    for name, (content, _) in UNUSABLE.items():
        if content is not None:
            Path(name).write_bytes(content)
    run = ftk("upgrade", project, *UNUSABLE, "--write")
    assert run.exit_code == 3 and ftk("replay", project).exit_code == 0
    for name, (content, words) in UNUSABLE.items():
        assert any(line.startswith(name) and words in line for line in run.stdout.splitlines()), (name, run.output)
        assert content is None or Path(name).read_bytes() == content


def test_a_log_whose_spec_has_errors_is_named_and_the_others_are_lifted(project: Path) -> None:
    changed(*more_results())
    Path("specs/broken.yaml").write_text(text_of("crows").replace("id: crows", "id: broken") + "zones: x\n", "utf-8")
    log = project.read_text("utf-8").replace('"game": "crows"', '"game": "broken"')
    Path("broken.jsonl").write_text(log, encoding="utf-8")
    run = ftk("upgrade", "broken.jsonl", project, "--write")
    assert run.exit_code == 3 and ftk("replay", project).exit_code == 0
    assert run.stdout.startswith("broken.jsonl: ") and "specs/broken.yaml:" in run.stdout.replace("\\", "/")
    alone = ftk("replay", "broken.jsonl")
    assert alone.exit_code == 1 and "duplicate-key" in alone.stderr


@pytest.mark.parametrize(("lang", "words"), [("uk", "ціла партія"), ("zh", "完整的對局"), ("en", "a whole game")])
def test_a_replay_is_described_in_a_language(project: Path, lang: str, words: str) -> None:
    run = ftk("replay", project, "-v", "--lang", lang)
    assert run.exit_code == 0 and words in run.stdout.splitlines()[-1]
    assert ("wins" in run.stdout) == (lang == "en")


def test_files_of_other_tools_in_a_folder_are_left_alone(project: Path) -> None:
    Path("rows.jsonl").write_text('{"row": 1}\n{"row": 2}\n', encoding="utf-8")
    assert ftk("upgrade", ".").exit_code == 0
    assert ftk("upgrade", "rows.jsonl").exit_code == 3


def test_diff_refuses_a_damaged_log(project: Path) -> None:
    changed(*more_results())
    project.write_bytes(project.read_bytes()[:300])
    run = ftk("diff", "crows@1.0.0", "crows", "--logs", project)
    assert run.exit_code == 3 and "game.jsonl:3: This line is no complete JSON object" in run.output, run.output


def test_diff_names_a_log_that_is_of_neither_version(project: Path) -> None:
    changed(*more_results())
    project.write_text(project.read_text("utf-8").replace("ring 4", "ring 3"), encoding="utf-8")
    run = ftk("diff", "crows@1.0.0", "crows", "--logs", project)
    assert run.exit_code == 0 and "game.jsonl: not counted, as it does not replay on" in run.stderr, run.output
