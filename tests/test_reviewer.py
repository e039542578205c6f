"""`ftk text check --reviewer`: what the program is asked, which of its remarks count, and how it can fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import ftk

import rulespec
from rulespec import check_raw
from rulespec.source import Source
from rulespec.text.review import findings

TEXT = """\
KING ME

Everyone gets one objective.  In each turn you push one character one floor up.
Whoever crowned the king keeps the crown.

A king needs the votes of more than half of the players.
"""

GOOD = {"line": 6, "words": "more than half", "rule": "election", "kind": "wrong", "why": "Every vote must be Yes."}

BAD: list[tuple[Any, str]] = [
    ("no object", "it is no object"),
    ({**GOOD, "line": 70}, "`line` is 70, and the last line of the text is 7"),
    ({**GOOD, "line": True}, "`line` is true, and the last line of the text is 7"),
    ({**GOOD, "line": "6"}, '`line` is "6", and the last line of the text is 7'),
    ({**GOOD, "words": "  "}, '`words` is "  ", and must be words of line 6'),
    ({**GOOD, "words": "half of them"}, 'line 6 does not have the words "half of them"'),
    ({**GOOD, "words": "one", "line": 6}, 'line 6 does not have the words "one"'),
    ({**GOOD, "kind": "sure"}, '`kind` is "sure", and must be one of `wrong`, `missing`, `term`'),
    ({**GOOD, "why": None}, "`why` is null, and must be a sentence"),
    ({**GOOD, "rule": "elections"}, '`rule` is "elections", and the game has no such rule'),
    ({**GOOD, "rule": ["x" * 200]}, f'`rule` is ["{"x" * 78}…, and the game has no such rule'),
]


def read(answer: Any) -> list[rulespec.Finding]:
    return list(findings(answer, Source("crown.txt", TEXT), "en", rulespec.load("kingme").model))


def test_a_remark_is_a_warning_at_its_words() -> None:
    (found,) = read({"remarks": [GOOD]})
    assert (found.code, found.severity, found.rule) == ("RS981", "warning", "election")
    assert (found.start.line, found.start.column, found.end.column) == (6, 27, 41)
    assert found.message == "A reviewer says that “more than half” is wrong: Every vote must be Yes."


@pytest.mark.parametrize(
    "words", ["EVERYONE gets", "one objective. In each", "Everyone gets one objective.  In each turn"]
)
def test_words_are_found_whatever_their_case_and_blanks(words: str) -> None:
    (found,) = read({"remarks": [{**GOOD, "line": 3, "words": words}]})
    assert (found.code, found.start.line) == ("RS981", 3)


def test_words_that_stand_once_in_the_text_are_found_whatever_line_is_given() -> None:
    (found,) = read({"remarks": [{**GOOD, "line": 1}]})
    assert (found.code, found.start.line) == ("RS981", 6)


@pytest.mark.parametrize(("remark", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_a_remark_that_names_nothing_is_not_used(remark: Any, reason: str) -> None:
    unusable, usable = read({"remarks": [remark, GOOD]})[::1]
    assert (unusable.code, unusable.severity) == ("RS982", "info")
    assert unusable.message == f"Remark 1 of the reviewer is not used: {reason}."
    assert usable.code == "RS981"


@pytest.mark.parametrize("answer", [None, [], {}, {"remarks": {}}, "remarks", 7])
def test_an_answer_without_remarks_is_one_finding(answer: Any) -> None:
    (found,) = read(answer)
    assert found.code == "RS982"
    assert "no object with a list `remarks`" in found.message


def test_the_same_words_are_reported_once() -> None:
    assert len(read({"remarks": [GOOD, {**GOOD, "kind": "term"}]})) == 1


def test_what_is_proved_is_not_said_twice() -> None:
    (known,) = read({"remarks": [GOOD]})
    model = rulespec.load("kingme").model
    assert not list(findings({"remarks": [GOOD]}, Source("crown.txt", TEXT), "en", model, [known]))
    missing = {**GOOD, "kind": "missing"}
    assert list(findings({"remarks": [missing]}, Source("crown.txt", TEXT), "en", model, [known]))


@pytest.mark.parametrize(("lang", "said"), [("en", "vote card"), ("uk", "голос"), ("zh-Hant", "贊成")])
def test_a_question_has_rules_terms_and_numbered_lines(lang: str, said: str) -> None:
    spec, asked = rulespec.load("kingme"), []
    text = (Path("tests/raw_unseen/development") / f"{lang}/kingme-{_STYLES[lang]}.txt").read_text(encoding="utf-8")

    def answer(question: dict[str, Any]) -> Any:
        asked.append(question)
        return {"remarks": []}

    without = check_raw(Source("x.txt", text), lang, spec).findings
    assert check_raw(Source("x.txt", text), lang, spec, reviewer=answer).findings == without
    (question,) = asked
    assert json.loads(json.dumps(question)) == question
    assert (question["lang"], question["players"]) == (lang, [3, 4, 5, 6])
    rules = {one["id"]: one for one in question["rules"]}
    assert rules.keys() <= spec.model.rules.keys()
    assert all(one["does"] or one["text"] for one in rules.values())
    assert said in json.dumps(question["rules"], ensure_ascii=False)
    numbered = {one["line"]: one["text"] for one in question["lines"]}
    assert all(text.split("\n")[at - 1] == line for at, line in numbered.items())


_STYLES = {"en": "chat", "uk": "steps", "zh-Hant": "prose"}


def test_a_question_for_some_players_has_the_rules_for_them() -> None:
    asked = []
    text = Path("tests/raw_unseen/development/en/kingme-chat.txt").read_text(encoding="utf-8")
    check_raw(Source("x.txt", text), "en", rulespec.load("kingme"), players=5, reviewer=asked.append)
    assert asked[0]["players"] == [5]


def test_a_text_of_another_game_is_not_reviewed() -> None:
    def answer(_: dict[str, Any]) -> Any:
        raise AssertionError("asked about a text of another game")

    text = "\n".join(f"A knight moves {n} squares along a file, then turns aside." for n in range(2, 40))
    found = check_raw(Source("x.txt", text), "en", rulespec.load("fortheking"), reviewer=answer).findings
    assert [one.name for one in found] == ["other-game"]


@pytest.fixture
def text(tmp_path: Path) -> str:
    path = tmp_path / "chat.txt"
    path.write_bytes(Path("tests/raw_unseen/development/en/kingme-chat.txt").read_bytes())
    return str(path)


def asked(text: str, command: str) -> Any:
    return ftk("text", "check", text, "--lang", "en", "--spec", "kingme", "--reviewer", command)


def test_a_program_answers(text: str) -> None:
    remark = {**GOOD, "line": 1, "words": Path(text).read_text(encoding="utf-8").split()[0]}
    answer = Path(text).with_name("answer.txt")
    answer.write_text(f"Here it is:\n```json\n{json.dumps({'remarks': [remark]})}\n```\n", encoding="utf-8")
    ran = asked(text, f"cat > question.json; cat '{answer}'".replace("question.json", f"'{text}.json'"))
    assert "RS981" in ran.output
    assert json.loads(Path(f"{text}.json").read_text(encoding="utf-8"))["reviewer"] == 1


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("exit 7", "The reviewer `exit 7` ended with status 7."),
        ("no-such-program-at-all", "The reviewer `no-such-program-at-all` ended with status 127."),
        ("echo sorry", "The answer of the reviewer `echo sorry` is no JSON: sorry"),
        ("true", "The answer of the reviewer `true` is no JSON: nothing"),
        ("echo '{\"remarks\": [}'", 'is no JSON: {"remarks": [}'),
        (r"printf '\377\376{'", "is no JSON"),
    ],
)
def test_a_program_that_fails_is_named(text: str, command: str, said: str) -> None:
    ran = asked(text, command)
    assert ran.exit_code == 3
    assert said in ran.output
    assert "Traceback" not in ran.output


def test_a_program_that_reads_nothing_may_answer(text: str) -> None:
    assert "RS982" not in asked(text, "echo '{\"remarks\": []}'").output


def test_a_reviewer_needs_a_raw_text() -> None:
    ran = ftk("text", "check", "--spec", "kingme", "--reviewer", "true")
    assert ran.exit_code == 2
    assert "--reviewer reads raw texts: name a PATH, --lang and --spec." in ran.output
