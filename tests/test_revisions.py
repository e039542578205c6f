"""`ftk check` in a git checkout: the version must rise with the rules."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from command import ftk
from high_card import SPEC

MORE = SPEC.replace("value: 1..13, copies: 4", "value: 1..13, copies: 3")
TITLED = SPEC.replace("title: Draw a card", "title: Draw one card")
COMMENTED = SPEC + "# a comment\n"


def git(*words: str) -> None:
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    outside = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", *settings, *words], check=True, env=outside | {"GIT_CONFIG_GLOBAL": "/dev/null"})


def commit(text: str) -> None:
    Path("game.yaml").write_text(text, encoding="utf-8")
    git("add", "-A")
    git("commit", "-q", "-m", "a")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the game in its only commit; it is the current directory."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q", ".")
    commit(SPEC)
    return tmp_path


def found(text: str, *paths: str) -> list[dict[str, str]]:
    Path("game.yaml").write_text(text, encoding="utf-8")
    run = ftk("check", *(paths or ("game.yaml",)), "--format", "json")
    assert run.exit_code == 0 and run.stderr == ""
    return list(json.loads(run.stdout)["findings"])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (SPEC, []),
        (COMMENTED, []),
        (SPEC.replace("\n", "\r\n"), []),
        (MORE, ["version-not-raised"]),
        (MORE.replace("1.0.0", "1.0.1"), ["version-not-raised"]),
        (MORE.replace("1.0.0", "2.0.0"), []),
        (TITLED, ["version-not-raised-for-texts"]),
        (TITLED.replace("1.0.0", "1.0.1"), []),
    ],
)
def test_the_version_must_rise_since_the_last_commit(checkout: Path, text: str, names: list[str]) -> None:
    assert [one["name"] for one in found(text)] == names


def test_the_finding_is_at_the_version_and_names_the_first_change(checkout: Path) -> None:
    (one,) = found(MORE)
    assert one["start"] == {"line": 3, "column": 32}
    assert "still 1.0.0" in one["message"] and "since HEAD, impact breaking" in one["message"]
    assert one["hint"] == "Raise it to 2.0.0 at least. Run: ftk diff HEAD:./game.yaml game.yaml"
    assert ftk("diff", "HEAD:./game.yaml", "game.yaml").exit_code == 0


def test_outside_of_git_the_last_release_in_the_history_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spec, history = Path("specs/high_card.yaml"), Path("specs/history/high_card")
    history.mkdir(parents=True)
    for version in ("0.9.0", "1.0.0"):
        (history / f"{version}.yaml").write_text(SPEC.replace("1.0.0", version), encoding="utf-8")
    for text, number in ((SPEC, 0), (COMMENTED, 0), (MORE, 1), (MORE.replace("1.0.0", "2.0.0"), 0)):
        spec.write_text(text, encoding="utf-8")
        every = json.loads(ftk("check", spec, "--format", "json").stdout)["findings"]
        assert [one["name"] for one in every] == ["version-not-raised"] * number
    spec.write_text(MORE, encoding="utf-8")
    (one,) = json.loads(ftk("check", "--format", "json").stdout)["findings"]
    assert "since the release 1.0.0, impact breaking" in one["message"]
    assert one["hint"].endswith("Run: ftk diff specs/history/high_card/1.0.0.yaml specs/high_card.yaml")
    # An unchanged game has the version of the last release, not a lower one.
    spec.write_text(SPEC.replace("1.0.0", "0.9.5"), encoding="utf-8")
    (one,) = json.loads(ftk("check", "--format", "json").stdout)["findings"]
    assert one["message"] == "The version is 0.9.5, and was 1.0.0 in the release 1.0.0; the game is the same."
    low = ftk("release", spec.stem)
    assert low.exit_code == 3 and "The version is 0.9.5; since 1.0.0 it must rise" in low.output, low.output
    unknown = ftk("diff", "high_card@0.8.0", "high_card")
    assert unknown.exit_code == 3 and "Released are: 0.9.0, 1.0.0." in unknown.output, unknown.output
    assert "None is. Release one with: ftk release nim" in ftk("diff", "nim@1.0.0", "nim").output
    spec.write_text(MORE, encoding="utf-8")
    # A new file of a repository without a committed version has its release, too.
    git("init", "-q", ".")
    Path("other").write_text("", encoding="utf-8")
    git("add", "other")
    git("commit", "-q", "-m", "a")
    assert len(json.loads(ftk("check", spec, "--format", "json").stdout)["findings"]) == 1


def test_in_git_a_kept_release_counts_for_committed_changes_too(checkout: Path) -> None:
    spec, release = Path("specs/high_card.yaml"), Path("specs/history/high_card/1.0.0.yaml")
    release.parent.mkdir(parents=True)
    spec.write_text(MORE, encoding="utf-8")
    release.write_text(SPEC, encoding="utf-8")
    git("add", "-A")
    git("commit", "-q", "-m", "b")
    (one,) = json.loads(ftk("check", spec, "--format", "json").stdout)["findings"]
    assert "since the release 1.0.0, impact breaking" in one["message"]
    # Version 2.0.0 is not released yet, so it may still change.
    draft = MORE.replace("1.0.0", "2.0.0")
    drafts = draft, draft.replace("copies: 3", "copies: 2")
    for text in drafts:
        spec.write_text(text, encoding="utf-8")
        assert json.loads(ftk("check", spec, "--format", "json").stdout)["findings"] == []
        git("commit", "-q", "-a", "-m", "c")
    # A newer tag without a kept release counts, too.
    git("tag", "v2")
    spec.write_text(draft, encoding="utf-8")
    (one,) = json.loads(ftk("check", spec, "--format", "json").stdout)["findings"]
    assert "since v2" in one["message"]


def test_with_tags_the_last_release_counts_and_not_the_last_commit(checkout: Path) -> None:
    git("tag", "v1")
    commit(MORE)
    (one,) = found(MORE)
    assert "since v1" in one["message"]
    commit(MORE.replace("1.0.0", "2.0.0"))
    assert found(TITLED.replace("copies: 4", "copies: 2").replace("1.0.0", "2.0.0")) == []


def test_a_game_in_a_folder_of_its_own_is_compared_wherever_the_command_runs(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("specs").mkdir()
    git("mv", "game.yaml", "specs/game.yaml")
    git("commit", "-q", "-m", "b")
    Path("specs/game.yaml").write_text(MORE, encoding="utf-8")
    monkeypatch.setenv("GIT_DIR", "/nowhere")  # as in a hook of another repository
    absolute = str(checkout / "specs" / "game.yaml")
    for folder, path in ((".", "specs/game.yaml"), ("specs", "game.yaml"), ("/", absolute)):
        monkeypatch.chdir(checkout / folder)
        run = ftk("check", path)
        assert "RS871" in run.output and ("Run:" in run.output) == (folder != "/"), (folder, run.output)


def test_there_is_nothing_to_compare_with(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new file, a file in a revision, standard input, an empty repository, an older spec with errors, no git."""
    Path("new.yaml").write_text(MORE, encoding="utf-8")
    assert found(SPEC, "new.yaml") == []
    assert found(MORE, "HEAD:game.yaml") == []
    assert "RS871" not in ftk("check", "-", stdin=MORE).output
    commit("rulespec: 2\n")
    assert found(MORE) == []
    commit(SPEC)
    monkeypatch.setenv("PATH", "")
    assert found(MORE) == []


def test_a_repository_without_commits_and_a_folder_outside_of_git_have_no_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert found(MORE) == []
    git("init", "-q", ".")
    assert found(MORE) == []


def test_a_spec_with_errors_has_only_these(checkout: Path) -> None:
    Path("game.yaml").write_text(MORE.replace("from: deck", "from: dekc"), encoding="utf-8")
    run = ftk("check", "game.yaml")
    assert run.exit_code == 1 and "RS871" not in run.output


def test_shallow_clones_and_worktrees_are_compared(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(COMMENTED)
    git("clone", "-q", "--depth", "1", f"file://{checkout}", "shallow")
    git("worktree", "add", "-q", "beside")
    for folder in ("shallow", "beside"):
        monkeypatch.chdir(checkout / folder)
        assert [one["name"] for one in found(MORE)] == ["version-not-raised"]
