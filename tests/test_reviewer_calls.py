"""Calls of the program of `--reviewer`: side by side, repeated, limited, interrupted, and answers of every form."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stand_in_reviewer import program, question, questions

from ftk_cli.failure import Failure
from ftk_cli.text import reviewer
from ftk_cli.text.answers import found_in

REMARK = {"words": "5 cards", "rule": "deal", "kind": "wrong", "why": "Four."}


pytestmark = [pytest.mark.usefixtures("short_waits"), pytest.mark.slow("starts programs")]


def answers(command: str, asked: list[dict[str, Any]], **options: Any) -> dict[int, Any]:
    """The answers by the index of their question."""
    every = {"jobs": 2, "timeout": 20.0, "retries": 0, "calls": None, "cost": None} | options
    return dict(reviewer.ask_all(command, asked, **every))


def right(*passages: int) -> dict[str, Any]:
    return {"read": [{"passage": one, "remarks": []} for one in passages]}


# --- several calls ---------------------------------------------------------------------------------------------------


def test_every_question_has_its_answer(tmp_path: Path) -> None:
    found = answers(program(tmp_path, "right(by='script')"), questions(5))
    assert found == {at: {"by": "script", **right(at + 1)} for at in range(5)}


def test_calls_run_side_by_side(tmp_path: Path) -> None:
    command = program(tmp_path, "begun = time.time(); time.sleep(0.5); right(by=f'{begun} {time.time()}')")
    spans = [tuple(map(float, one["by"].split())) for one in answers(command, questions(6), jobs=3).values()]
    together = [sum(begun <= at < ended for begun, ended in spans) for at, _ in spans]
    assert max(together) in (2, 3)  # never more than `jobs`
    spans = [tuple(map(float, one["by"].split())) for one in answers(command, questions(2), jobs=1).values()]
    assert spans[0][1] <= spans[1][0]


def test_an_answer_is_given_before_the_others_have_come(tmp_path: Path) -> None:
    command = program(tmp_path, "time.sleep(30 if numbers == [1] else 0); right()")
    every = reviewer.ask_all(command, questions(2), jobs=2, timeout=40, retries=0, calls=None, cost=None)
    begun = time.monotonic()
    assert next(every) == (1, right(2))
    every.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begun < 15


def test_no_question_is_no_call() -> None:
    assert answers("exit 9", []) == {}


# --- calls that fail -------------------------------------------------------------------------------------------------

FAILING = [
    ("sys.exit(7)", "ended with status 7."),
    ("time.sleep(60)", "did not answer within 1 seconds, and was stopped."),
    ("print('I see no mistake. ' * 9)", "is no JSON: I see no mistake. I see no mistake. I see no mistake. I see no m"),
    ("print('{\"read\": [}')", 'is no JSON: {"read": [}'),
    ("print('{\"a\": 1}')", 'has no list `read` with passages of the question: {"a": 1}'),
    ("print(json.dumps({'read': []}))", 'has no list `read` with passages of the question: {"read": []}'),
    ("print(json.dumps({'read': [{'passage': 77, 'remarks': []}]}))", "has no list `read` with passages of the"),
    ("print(json.dumps({'read': [{'passage': 2}]}))", "has no list `read` with passages of the question"),
    ("print(json.dumps({'read': [{'passage': True, 'remarks': []}]}))", "has no list `read` with passages of the"),
    ("pass", "is no JSON: nothing"),
    ("print(asked)", "stands in the question itself"),
    ("print('\\x1b[2J\\x9b1m')", "is no JSON: \\u001b[2J"),
]


@pytest.mark.parametrize(("body", "said"), FAILING, ids=[said for _, said in FAILING])
def test_a_call_that_fails_is_a_warning_and_the_others_go_on(
    body: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = program(tmp_path, f"if numbers == [2]:\n    {body}\nelse:\n    right()")
    assert answers(command, questions(3), timeout=1.0) == {0: right(1), 2: right(3)}
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("Passages not read: 1. ")
    assert said in line and "\x1b" not in line


@pytest.mark.parametrize(("body", "said"), FAILING[:4], ids=[said for _, said in FAILING[:4]])
def test_a_single_call_that_fails_ends_the_command(body: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(Failure) as raised:
        answers(program(tmp_path, body), questions(1), timeout=1.0)
    assert said in raised.value.message


def test_when_no_call_is_answered_the_command_ends_early(tmp_path: Path) -> None:
    command = program(tmp_path, "count(); sys.exit(4)")
    with pytest.raises(Failure) as raised:
        answers(command, questions(40), jobs=1)
    assert raised.value.message == f"The reviewer `{command}` answered none of 5 calls."
    assert "ended with status 4." in raised.value.hint
    assert len(list(tmp_path.glob("*.count"))) == reviewer.IN_VAIN


def test_a_program_that_writes_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewer, "LARGEST", 2_000_000)
    with pytest.raises(Failure, match="wrote more than 2 MB, and was stopped"):
        answers(program(tmp_path, "while True:\n    print('a' * 9999)"), questions(1))


def test_a_call_is_repeated_with_growing_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewer, "FIRST_WAIT", 0.4)
    log = tmp_path / "times"
    body = f"open({str(log)!r}, 'a').write(f'{{time.time()}}\\n')\nright() if count() == 3 else sys.exit(1)"
    assert answers(program(tmp_path, body), questions(1), retries=2) == {0: right(1)}
    first, second, third = map(float, log.read_text().split())
    assert second - first >= 0.4
    assert third - second >= 0.8


@pytest.mark.parametrize("command", ["no-such-program-at-all", "printf x >> times; sleep 60"])
def test_what_would_fail_again_is_not_repeated(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reviewer, "FIRST_WAIT", 60)
    with pytest.raises(Failure):
        answers(command, questions(1), retries=3, timeout=1.0)
    assert (tmp_path / "times").read_text() == "x" if "times" in command else True


# --- limits ----------------------------------------------------------------------------------------------------------


def test_the_limit_of_calls_counts_repeated_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = program(tmp_path, "right() if numbers != [2] or count() == 2 else sys.exit(1)")
    assert answers(command, questions(9), jobs=1, retries=1, calls=4) == {0: right(1), 1: right(2), 2: right(3)}
    assert capsys.readouterr().err == (
        "Passages not read: 6. The limit of calls, 4, is reached. "
        "With --keep, the answers are kept, and the same command asks about the rest.\n"
    )


def test_no_call_begins_once_the_answers_cost_too_much(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answers(program(tmp_path, "right(cost=0.4)"), questions(9), jobs=1, cost=1.0)
    assert list(found) == [0, 1, 2]
    assert found[0]["cost"] == 0.4
    assert "Passages not read: 6. The answers cost 1.2, and the limit is 1." in capsys.readouterr().err


def test_an_answer_that_cannot_be_used_costs_as_well(tmp_path: Path) -> None:
    command = program(tmp_path, "right(cost=1) if numbers == [1] else print(json.dumps({'read': [], 'cost': 5}))")
    assert list(answers(command, questions(9), jobs=1, retries=9, cost=5)) == [0]


@pytest.mark.parametrize("cost", ["-5", "true", '"2"', "NaN", "1e999", "null", "[1]"])
def test_a_cost_that_is_no_amount_does_not_count(cost: str, tmp_path: Path) -> None:
    written = '{"read": [{"passage": 1, "remarks": []}], "cost": ' + cost + "}"
    found = found_in(written, question("One."))
    assert found.cost == 0
    assert "cost" not in (found.answer or {})


@pytest.mark.parametrize("limit", [{"calls": 0}, {"cost": 0.0}])
def test_a_limit_of_nothing_asks_nothing(limit: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert answers("exit 9", questions(2), **limit) == {}
    assert "Passages not read: 2." in capsys.readouterr().err


# --- answers of every form -------------------------------------------------------------------------------------------

ONE, TWO = {"passage": 1, "remarks": [REMARK]}, {"passage": 2, "remarks": []}
FORMS = {
    "alone": json.dumps({"read": [ONE, TWO]}),
    "in prose": f"I compared {{both}} passages: {json.dumps({'read': [ONE, TWO]})} That is all.",
    "in code fences": f"```json\n{json.dumps({'read': [ONE, TWO]}, indent=2)}\n```",
    "a list": json.dumps([{"read": [ONE]}, {"read": [TWO]}]),
    "one object a line": f"{json.dumps({'read': [ONE]})}\n{json.dumps({'read': [TWO]})}",
    "the same twice": f"{json.dumps({'read': [ONE, TWO]})}\n{json.dumps({'read': [ONE, TWO]})}",
    "passages twice": json.dumps({"read": [ONE, TWO, ONE, {"passage": 1, "remarks": [REMARK, REMARK]}]}),
    "without the object around": json.dumps([ONE, TWO]),
    "cut off": json.dumps({"read": [ONE, TWO, {"passage": 3, "remarks": [REMARK]}]})[:-30],
    "numbers as words": json.dumps({"read": [{**ONE, "passage": "1"}, TWO]}),
    "after thoughts": f"<think>Maybe {json.dumps({'read': [{**TWO, 'passage': 3}]})}?</think>{json.dumps([ONE, TWO])}",
}


@pytest.mark.parametrize("written", FORMS.values(), ids=FORMS)
def test_an_answer_is_found_in_any_form(written: str) -> None:
    assert found_in(written, question("Take 5 cards.", "Two.", "Three.")).answer == {"read": [ONE, TWO]}


def test_remarks_and_rules_of_a_passage_are_put_together() -> None:
    other = {**REMARK, "words": "Take"}
    written = [{**ONE, "rules": ["deal"]}, {**ONE, "remarks": [other], "rules": ["deal", "end"]}]
    (read,) = (found_in(json.dumps(written), question("Take 5 cards.")).answer or {})["read"]
    assert read == {"passage": 1, "remarks": [REMARK, other], "rules": ["deal", "end"]}


def test_the_reviewer_may_be_named_apart() -> None:
    found = found_in(json.dumps({"read": [TWO]}) + '\n{"by": "small", "cost": 2}', question("One.", "Two."))
    assert found.answer == {"read": [TWO], "by": "small", "cost": 2}


def test_an_entry_about_another_passage_is_passed_on_with_the_others() -> None:
    strange = [{"passage": 9, "remarks": [REMARK]}, "no entry", {"passage": 2}]
    found = found_in(json.dumps({"read": [ONE, *strange]}), question("Take 5 cards.", "Two.")).answer or {}
    assert sorted(map(str, found["read"])) == sorted(map(str, [ONE, *strange]))


def test_remarks_in_the_form_of_earlier_versions_are_an_answer() -> None:
    old = {"remarks": [{**REMARK, "line": 1}]}
    assert found_in(json.dumps(old), question("Take 5 cards.")).answer == old
    broken = '{"read": [{"remarks": []}, {"remarks"'  # entries without a number do not say that all is right
    assert found_in(broken, question("Take 5 cards.")).answer is None


@pytest.mark.parametrize(
    "written", ['{"a":' * 200_000, "[" * 100_000 + "{", '{"a": ' + "9" * 5000 + "}", "{" * 300_000, '{"\\ud800": 1}']
)
def test_an_answer_made_to_hurt_is_none(written: str) -> None:
    begun = time.monotonic()
    assert found_in(written, question("One.")).answer is None
    assert time.monotonic() - begun < 20


# --- what the program writes, and what it leaves behind --------------------------------------------------------------


def test_standard_error_is_shown_once_without_steering(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = "sys.stderr.write('loading 1 %\\rloading 2 %\\r\\nready\\n\\x1b[31mred\\x1b[0m\\x9b2J\\x07\\n'); right()"
    answers(program(tmp_path, body), questions(3))
    assert capsys.readouterr().err.splitlines() == ["loading 2 %", "ready", "red\\u009b2J\\u0007"]


def test_a_program_may_leave_its_question_unread(tmp_path: Path) -> None:
    text = "card " * 200_000
    assert answers('echo \'{"read": [{"passage": 1, "remarks": []}]}\'', [question(text)]) == {0: right(1)}


def test_half_of_a_surrogate_pair_reaches_the_program(tmp_path: Path) -> None:
    command = program(tmp_path, "right(by=ascii(question['passages'][0]['text']))")
    assert answers(command, [question("a\ud800b")])[0]["by"] == "'a\\ud800b'"


needs_groups = pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")


def is_running(path: Path) -> bool:
    """Whether the process whose number a file holds still runs."""
    try:
        os.kill(int(path.read_text()), 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{path.read_text()}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def ended(path: Path) -> bool:
    until = time.monotonic() + 10
    while is_running(path) and time.monotonic() < until:
        time.sleep(0.05)
    return not is_running(path)


@needs_groups
@pytest.mark.parametrize("rest", ["sleep 60", "trap '' TERM; sleep 60; sleep 60", "exit 1"])
def test_what_a_program_starts_is_ended_with_it(rest: str, tmp_path: Path) -> None:
    child = tmp_path / "child"
    with pytest.raises(Failure):
        answers(f"sleep 61 & printf $! > '{child}'; {rest}", questions(1), timeout=0.5)
    assert ended(child)


@pytest.fixture
def interrupted(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that asks 6 questions one by one, of which the third is never answered, and prints the answers. It
    heeds signals even where the tests run in the background, which ignores some."""
    body = (
        f"if numbers == [3] and not os.path.exists({str(tmp_path / 'again')!r}):\n"
        f"    open({str(tmp_path / 'child')!r}, 'w').write(str(os.getpid())); time.sleep(60)\nright()"
    )
    run = (
        "import signal, sys; sys.path.insert(0, 'tests')\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler); signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
        "from pathlib import Path; from stand_in_reviewer import program, questions\n"
        "from ftk_cli.text.reviewer import ask_all; from ftk_cli.failure import Failure\n"
        f"command = program(Path({str(tmp_path)!r}), {body!r})\n"
        "options = dict(jobs=1, timeout=90, retries=0, calls=None, cost=None)\n"
        "try:\n"
        "    for at, answer in ask_all(command, questions(6)[int(sys.argv[1]):], **options): print(at, flush=True)\n"
        "except Failure as failure: print(failure.message, failure.hint); sys.exit(failure.exit_code)\n"
    )
    (tmp_path / "run.py").write_text(run, encoding="utf-8")
    process = start(tmp_path, 0)
    yield process
    process.kill()
    process.communicate()


def start(folder: Path, first: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(folder / "run.py"), str(first)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for(path: Path) -> None:
    until = time.monotonic() + 60
    while not (path.exists() and path.read_text()) and time.monotonic() < until:
        time.sleep(0.05)


@needs_groups
def test_ctrl_c_ends_the_programs_and_the_rest_is_asked_later(
    interrupted: subprocess.Popen[str], tmp_path: Path
) -> None:
    wait_for(tmp_path / "child")
    interrupted.send_signal(signal.SIGINT)
    out, _ = interrupted.communicate(timeout=30)
    *come, said = out.splitlines()
    assert (interrupted.returncode, come) == (3, ["0", "1"])
    assert said.startswith("Stopped. With --keep,")
    assert ended(tmp_path / "child")
    (tmp_path / "again").touch()
    rest, _ = start(tmp_path, 2).communicate(timeout=60)
    assert rest.splitlines() == ["0", "1", "2", "3"]


@needs_groups
@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP"])
def test_a_process_that_is_ended_ends_the_programs(
    number: str, interrupted: subprocess.Popen[str], tmp_path: Path
) -> None:
    wait_for(tmp_path / "child")
    interrupted.send_signal(getattr(signal, number))
    interrupted.communicate(timeout=30)
    assert interrupted.returncode == -getattr(signal, number)
    assert ended(tmp_path / "child")


@needs_groups
def test_a_caller_that_fails_ends_the_programs(tmp_path: Path) -> None:
    body = (
        "if numbers == [1]:\n    right()\nelse:\n"
        f"    open({str(tmp_path / 'child')!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    )
    run = (
        "import sys, time; sys.path.insert(0, 'tests')\n"
        "from pathlib import Path; from stand_in_reviewer import program, questions\n"
        "from ftk_cli.text.reviewer import ask_all\n"
        f"command, child = program(Path({str(tmp_path)!r}), {body!r}), Path({str(tmp_path / 'child')!r})\n"
        "every = ask_all(command, questions(2), jobs=2, timeout=90, retries=0, calls=None, cost=None)\n"
        "next(every)\n"
        "while not child.exists(): time.sleep(0.05)\n"
        "time.sleep(0.2); raise OSError('the disk is full')\n"
    )
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, timeout=60)
    assert (done.returncode, "the disk is full" in done.stderr) == (1, True)
    assert time.monotonic() - begun < 30
    assert ended(tmp_path / "child")
