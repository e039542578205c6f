"""`ftk check`, `ftk explain`, `ftk schema`: findings, exit statuses, and arbitrary input."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from command import ftk

from ftk_cli import failure
from ftk_cli import main as entry
from ftk_cli.main import COMMANDS

SPEC = Path(__file__).parent.parent / "specs" / "fortheking.yaml"
MISTAKE = 'rulespec: 2\ngame: {id: x, version: 1.0.0, title: "國王的卡\tкороль", players: 2..5, 名字: 1}\nplay: []\n'


@pytest.fixture
def mistake(tmp_path: Path) -> Path:
    path = tmp_path / "mistake.yaml"
    path.write_text(MISTAKE, encoding="utf-8")
    return path


def test_every_command_has_help_with_an_example() -> None:
    for name in COMMANDS:
        result = ftk(name, "--help")
        assert result.exit_code == 0
        assert f"ftk {name} " in result.output.split("Example", 1)[1]


def test_help_and_version_are_there() -> None:
    assert all(name in ftk("--help").output for name in COMMANDS)
    assert ftk("--version").output.startswith("ftk, version 0.")


def test_a_misspelled_command_gets_a_suggestion() -> None:
    result = ftk("chekc")
    assert result.exit_code == 2
    assert "Did you mean `check`?" in result.output


def test_a_good_spec_is_clean() -> None:
    result = ftk("check", SPEC)
    assert (result.exit_code, result.output) == (0, "1 file: nothing wrong.\n")


def test_the_id_of_a_game_stands_for_all_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ftk("new", "river", "-q").exit_code == 0
    (tmp_path / "specs/other.yaml").write_text("rulespec: 2\n", encoding="utf-8")
    (tmp_path / "specs/mine.yaml").write_text("deck: 1\ngame: river\ncards: 3\n", encoding="utf-8")
    result = ftk("check", "river", "--format", "json")
    listed = json.loads(result.output)
    assert listed["summary"]["files"] == 5
    assert {found["path"] for found in listed["findings"]} == {"specs/mine.yaml"}
    assert ftk("check", "river", "--variant", "none").exit_code == 2
    (tmp_path / "river").mkdir()
    assert "There are no YAML files in river" in ftk("check", "river").output


def test_watch_checks_again_after_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ftk("new", "river", "-q")
    spec, pauses = tmp_path / "specs/river.yaml", iter(["edit", "nothing", "delete", "stop"])

    def sleep(seconds: float) -> None:
        match next(pauses):
            case "edit":
                spec.write_text(spec.read_text(encoding="utf-8") + "wrong: 1\n", encoding="utf-8")
            case "delete":
                for path in (tmp_path / "specs").rglob("*.yaml"):
                    path.unlink()
            case "stop":
                raise KeyboardInterrupt

    monkeypatch.setattr("ftk_cli.watch.sleep", sleep)
    result = ftk("check", "--watch")
    assert result.exit_code == 0, result.output
    assert result.stdout.count("nothing wrong.\n") == 1 and "`wrong` is not a key" in result.stdout
    assert "specs/river.yaml changed.\n" in result.stderr and "nothing was checked" in result.stderr


@pytest.mark.parametrize("name", ["-", "HEAD:specs/fortheking.yaml"])
def test_watch_refuses_what_cannot_change(name: str) -> None:
    result = ftk("check", "--watch", name)
    assert (result.exit_code, name in result.stderr) == (2, True)


LONG = "spare:\n    per: {p: player}\n    is: 'size(row[p]) + 1 > 0 ? 1 : 0'"
IGNORES = {
    "spare: {per: suit, type: 0..3, start: 0}  # ftk: ignore RS619 for the next edition": [],
    "# ftk: ignore RS619 for the next edition\n  spare: {per: suit, type: 0..3, start: 0}": [],
    "# ftk: ignore never-used for the next edition\n  spare: {per: suit, type: 0..3, start: 0}": [],
    "# ftk: ignore never-used for the next edition\n  # of 2027\n  spare: {per: suit, type: 0..3, start: 0}": [],
    f"# ftk: ignore always-same, never-used for the next edition\n  {LONG}": [],
    f"# ftk: ignore never-used for the next edition\n  {LONG}": ["RS326"],
    "spare: {per: suit, type: 0..3, start: 0}": ["RS619"],
    "spare: {per: suit, type: 0..3, start: 0}  # ftk: ignore RS619": ["RS619", "RS985"],
    "spare: {per: suit, type: 0..3, start: 0}  # ftk: ignore RS631 for the next edition": ["RS619", "RS986"],
    "spare: {per: suits, type: 0..3, start: 0}  # ftk: ignore RS304 for the next edition": ["RS304", "RS986"],
    "spare: {per: suit, type: 0..3, start: 0, title: 'ftk: a spare'}": ["RS619"],
}
"""A line of a spec, and what is found there: warnings can be ignored with a reason, errors cannot."""


@pytest.mark.parametrize("line", IGNORES)
def test_ignore_comments_in_specs(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ftk("new", "river", "-q")
    spec = tmp_path / "specs/river.yaml"
    text = spec.read_text(encoding="utf-8")
    spec.write_text(text.replace("values:\n", f"values:\n  {line}\n"), encoding="utf-8")
    found = json.loads(ftk("check", spec, "--format", "json").output)["findings"]
    assert sorted(one["code"] for one in found) == IGNORES[line]


SPARE = "  spare: {per: suit, type: 0..3, start: 0}\n"


def test_a_baseline_keeps_its_findings_when_lines_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ftk("new", "river", "--lang", "en", "-q")
    spec, text = tmp_path / "specs/river.yaml", tmp_path / "specs/translations/river/en.yaml"
    good = spec.read_text(encoding="utf-8")
    text.write_text(text.read_text(encoding="utf-8").replace("three rounds", "four rounds"), encoding="utf-8")
    spec.write_text(good.replace("values:\n", f"values:\n{SPARE}"), encoding="utf-8")
    assert ftk("check", "--write-baseline", "known.json").exit_code == 0
    listed = json.loads(Path("known.json").read_text(encoding="utf-8"))["findings"]
    assert {(one["code"], one["at"]) for one in listed} >= {("RS619", "values.spare"), ("RS913", "rules.turns.text")}
    arguments = ("check", "--baseline", "known.json", "--fail-on", "warning")
    spec.write_text(good.replace("values:\n", f"# more\n\nvalues:\n{SPARE}"), encoding="utf-8")
    assert ftk(*arguments).exit_code == 0
    spec.write_text(good.replace("values:\n", f"values:\n{SPARE}{SPARE.replace('spare', 'more')}"), encoding="utf-8")
    new = ftk(*arguments)
    assert new.exit_code == 1 and "`more`" in new.output and "`spare`" not in new.output
    spec.write_text(good, encoding="utf-8")
    assert "RS987" in ftk(*arguments).output
    assert ftk("check", "--watch", "--write-baseline", "known.json").exit_code == 2


def test_a_finding_shows_its_place_its_line_and_what_to_do(mistake: Path) -> None:
    result = ftk("check", mistake)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == f"{mistake}:2:68: error RS201 unknown-key: `名字` is not a key of a game."
    assert lines[3].startswith("  hint: ")
    assert lines[-1] == "1 file: 2 errors."
    assert "\x1b" not in result.output


def test_json_has_the_public_shape(mistake: Path) -> None:
    data = json.loads(ftk("check", mistake, "--format", "json").output)
    assert data["version"] == 1
    assert data["summary"] == {"error": 2, "warning": 0, "info": 0, "files": 1}
    keys = {"code", "name", "severity", "message", "path", "start", "end", "rule", "lang", "hint", "related"}
    assert set(data["findings"][0]) == keys
    assert data["findings"][0]["start"] == {"line": 2, "column": 68}


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "empty-file"),
        (b"   \n\n", "empty-file"),
        (b"\xff\xfer\x00", "other-encoding"),
        ("rulespec: 2 # \u0439".encode("cp1251"), "not-utf-8"),
        (b"rulespec: 2\n\x1b[31mgame", "control-character"),
        (b"rulespec: [1", "yaml-syntax"),
        (b"rulespec: &a [*a]\n", "anchor"),
        (b"name: value\nother: 2\n", "missing-key"),
        (b"- 1\n", "wrong-kind"),
        (b"just words", "wrong-kind"),
        (b"[" * 5000, ""),
        (b"scenario: 2\n", ""),
        (b"{scenario: 2}\n", ""),
        (b"rulespec: 2\nscenario: 1\n", ""),
        (b"\x00" * 100, ""),
    ],
)
def test_bad_content_is_a_finding_and_no_traceback(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(content)
    result = ftk("check", path, "--format", "json")
    assert result.exit_code == (3 if name in ("other-encoding", "not-utf-8") else 1)
    found = [finding["name"] for finding in json.loads(result.output)["findings"]]
    assert found if not name else any(name in one for one in found)


def test_what_cannot_be_read_is_status_3(tmp_path: Path) -> None:
    missing = ftk("check", tmp_path / "no.yaml")
    assert missing.exit_code == 3
    assert "file-not-found" in missing.output
    assert ftk("check", "HEAD:no/such/file.yaml").exit_code == 3
    assert ftk("check", "no-such-revision:x").exit_code == 3
    assert ftk("check", "a\0b").exit_code == 3


def test_nothing_to_check_is_status_3(tmp_path: Path) -> None:
    assert ftk("check", tmp_path).exit_code == 3
    (tmp_path / "other.yaml").write_text("jobs: {}\n", encoding="utf-8")
    result = ftk("check", tmp_path)
    assert result.exit_code == 3
    assert "nothing was checked" in result.output


def test_a_folder_is_checked_without_the_files_of_other_tools(tmp_path: Path, mistake: Path) -> None:
    (tmp_path / "other.yml").write_text("jobs: {}\n", encoding="utf-8")
    (tmp_path / ".hidden.yaml").write_text("rulespec: 2\n", encoding="utf-8")
    result = ftk("check", tmp_path, mistake)
    assert result.output.splitlines()[-1] == "1 file: 2 errors."


def test_standard_input_is_a_file(mistake: Path) -> None:
    result = ftk("check", "-", stdin=MISTAKE)
    assert result.exit_code == 1
    assert result.output.startswith("<stdin>:2:68: error RS201")
    assert "國王" in result.output


def test_a_revision_is_read_from_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.yaml").write_text(MISTAKE, encoding="utf-8")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"})
    blob = subprocess.run(["git", "rev-parse", "HEAD:x.yaml"], check=True, capture_output=True, text=True).stdout
    (tmp_path / "x.yaml").unlink()
    result = ftk("check", "HEAD:x.yaml")
    assert result.exit_code == 1
    assert result.output.startswith("HEAD:x.yaml:2:68: error RS201")
    # What a partial clone lacks would be fetched by a program that its configuration names.
    (tmp_path / ".git/objects" / blob[:2] / blob[2:].strip()).unlink()
    (tmp_path / ".git/config").write_text(
        "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = evil\n[protocol]\nallow = always\n"
        f'[remote "evil"]\npromisor = true\nurl = ext::touch {tmp_path}/fetched\n'
    )
    (tmp_path / "x.yaml").write_bytes(SPEC.read_bytes())
    lacking = ftk("diff", "HEAD:x.yaml", "x.yaml")
    assert (lacking.exit_code, ftk("check", "x.yaml").exit_code) == (3, 0) and "git show HEAD:x.yaml" in lacking.output
    assert not (tmp_path / "fetched").exists()


def test_output_replaces_a_file_in_one_step(tmp_path: Path, mistake: Path) -> None:
    target = tmp_path / "report.json"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    result = ftk("check", mistake, "--format", "json", "--output", target)
    assert (result.exit_code, result.output) == (1, "")
    assert json.loads(target.read_text(encoding="utf-8"))["version"] == 1
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mistake.yaml", "report.json"]


def test_output_that_cannot_be_written_is_status_3(tmp_path: Path, mistake: Path) -> None:
    for target in (tmp_path / "no" / "file", tmp_path):
        result = ftk("check", mistake, "--output", target)
        assert result.exit_code == 3
        assert "cannot be written" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["mistake.yaml"]


def test_quiet_says_one_line_per_finding(mistake: Path) -> None:
    assert len(ftk("check", "-q", mistake).output.splitlines()) == 2
    assert ftk("check", "-q", "tic_tac_toe").output == ""


def test_verbose_names_the_files() -> None:
    assert "checked " in ftk("check", "-v", "tic_tac_toe").output


def test_an_unexpected_error_asks_to_report_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret\nreason")

    monkeypatch.setattr("ftk_cli.check.examine", broken)
    short = ftk("check", "fortheking")
    assert short.exit_code == failure.NOT_DONE
    assert "ZeroDivisionError: a secret reason" in short.output
    assert "Traceback" not in short.output
    assert "Please report this error" in short.output
    assert "Traceback" in ftk("check", "fortheking", "-v").output


def test_stopping_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ftk_cli.check.examine", stopped)
    result = ftk("check")
    assert (result.exit_code, result.output) == (3, "ftk: Stopped.\n")


def test_a_reader_who_leaves_ends_it_quietly() -> None:
    command = "import sys; sys.argv[0] = 'ftk'; from ftk_cli.main import main; main()"
    import sys

    process = subprocess.Popen(
        [sys.executable, "-c", command, "cards", "fortheking"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 0
    assert b"Traceback" not in errors and b"Exception" not in errors


def test_explain_shows_a_page_by_code_and_by_name() -> None:
    by_code, by_name = ftk("explain", "rs102"), ftk("explain", "duplicate-key")
    assert by_code.exit_code == 0
    assert by_code.output == by_name.output
    assert by_code.output.startswith("RS102 duplicate-key (error)")
    assert "Good:" in by_code.output


def test_explain_shows_a_rule_with_its_place_and_rulings() -> None:
    result = ftk("explain", "esteem.overpay")
    assert result.exit_code == 0
    assert "More gold than needed" in result.output
    assert "only if payment == may_overpay" in result.output
    assert "May the winner put down more gold" in result.output
    line = next(i for i, text in enumerate(SPEC.read_text(encoding="utf-8").split("\n"), 1) if "esteem.overpay" in text)
    assert f"fortheking.yaml:{line}:" in result.output


def test_explain_shows_rulings_and_invariants() -> None:
    assert "answer:  allowed" in ftk("explain", "overbid").output
    assert "with 3 players: holds (72 and 72)" in ftk("explain", "deck.size").output
    assert "with 3 players: holds (0 and 0); the remainder of 72 by 4" in ftk("explain", "deck.deals_out").output
    assert "times in 10 random games" in ftk("explain", "place.throne", "kingme").output


def test_explain_shows_other_names_and_where_they_are_written() -> None:
    assert "a table of For the King" in (table := ftk("explain", "deck_size", "fortheking").output)
    assert "fortheking.yaml: " in table
    assert ftk("explain", "kind.government", "fortheking").output == ftk("explain", "government", "fortheking").output
    assert ftk("explain", "x", SPEC, "--spec", SPEC).exit_code == 2


def test_explain_shows_what_a_text_must_state() -> None:
    assert "- Duty tile: 36." in ftk("explain", "setup.components", SPEC).output
    assert "- Тайл посади: 36." in ftk("explain", "setup.components", SPEC, "--lang", "uk").output


def test_explain_suggests_what_was_meant() -> None:
    result = ftk("explain", "esteem.auctoin", "--spec", SPEC)
    assert result.exit_code == 2
    assert "Did you mean `esteem.auction`?" in result.output


def test_explain_of_a_missing_or_broken_spec(tmp_path: Path, mistake: Path) -> None:
    assert ftk("explain", "x", "--spec", tmp_path / "no.yaml").exit_code == 3
    assert ftk("explain", "x", "--spec", mistake).exit_code == 1


def test_schema_is_json(tmp_path: Path) -> None:
    assert "rulespec" in json.loads(ftk("schema").output)["properties"]
    assert "scenario" in json.loads(ftk("schema", "--kind", "scenario").output)["properties"]
    assert ftk("schema", "--kind", "nonsense").exit_code == 2


def test_commands_import_nothing_heavy_for_help() -> None:
    import sys

    code = (
        "import sys, ftk_cli.main; light = {'rulespec', 'rulespec.base', 'rulespec.base.messages'};"
        "heavy = ('rulespec', 'yaml', 'jsonschema', 'lark');"
        "sys.exit(any(m.split('.')[0] in heavy for m in sys.modules.keys() - light))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert entry.__name__ == "ftk_cli.main"
