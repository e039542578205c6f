"""`ftk text check --reviewer`: what the program is asked, which of its remarks count, and how it can fail."""

from __future__ import annotations

import dataclasses
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from command import ftk
from raw_unseen_texts import game_of, planted, summaries

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
    assert (found.code, found.severity, found.rule) == ("RS988", "warning", "election")
    assert (found.start.line, found.start.column, found.end.column) == (6, 27, 41)
    assert found.message == "A reviewer says that “more than half” is wrong: Every vote must be Yes."


@pytest.mark.parametrize(
    "words", ["EVERYONE gets", "one objective. In each", "Everyone gets one objective.  In each turn"]
)
def test_words_are_found_whatever_their_case_and_blanks(words: str) -> None:
    (found,) = read({"remarks": [{**GOOD, "line": 3, "words": words}]})
    assert (found.code, found.start.line) == ("RS988", 3)


def test_words_that_stand_once_in_the_text_are_found_whatever_line_is_given() -> None:
    (found,) = read({"remarks": [{**GOOD, "line": 1}]})
    assert (found.code, found.start.line) == ("RS988", 6)


@pytest.mark.parametrize(("remark", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_a_remark_that_names_nothing_is_not_used(remark: Any, reason: str) -> None:
    unusable, usable = read({"remarks": [remark, GOOD]})[::1]
    assert (unusable.code, unusable.severity) == ("RS989", "info")
    assert unusable.message == f"Remark 1 of the reviewer is not used: {reason}."
    assert usable.code == "RS988"


@pytest.mark.parametrize("answer", [None, [], {}, {"remarks": {}}, "remarks", 7])
def test_an_answer_without_remarks_is_one_finding(answer: Any) -> None:
    (found,) = read(answer)
    assert found.code == "RS989"
    assert "no object with a list `remarks`" in found.message


def test_the_same_words_are_reported_once() -> None:
    assert len(read({"remarks": [GOOD, {**GOOD, "kind": "term"}]})) == 1


def test_what_is_proved_is_not_said_twice() -> None:
    (found,) = read({"remarks": [GOOD]})
    model, source = rulespec.load("kingme").model, Source("crown.txt", TEXT)
    contradicted = dataclasses.replace(found, name="fact-contradicted")
    lacks = dataclasses.replace(found, name="fact-missing")
    assert not list(findings({"remarks": [GOOD]}, source, "en", model, [contradicted]))
    assert list(findings({"remarks": [{**GOOD, "kind": "missing"}]}, source, "en", model, [contradicted]))
    assert list(findings({"remarks": [GOOD]}, source, "en", model, [lacks]))


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


SEALED = Path("tests/raw_unseen/sealed")


@pytest.mark.parametrize("name", ["en.kingme-review", "uk.fortheking-bullets", "zh-Hant.kingme-card"])
def test_every_remark_of_a_kept_review_is_at_words_of_its_text(name: str) -> None:
    (summary,) = (one for one in summaries("sealed") if one.name.replace("/", ".") == name)
    text, _ = planted(summary, sorted(summary.mistakes, key=summary.place))
    answer = json.loads((SEALED / "reviews" / f"{name}.with-mistakes.answer.json").read_text(encoding="utf-8"))
    found = list(findings(answer, Source("x.txt", text), summary.lang, game_of(summary).model))
    assert len(found) >= 15
    assert {one.code for one in found} == {"RS988"}


def test_a_question_for_some_players_has_the_rules_for_them() -> None:
    asked = []
    text = Path("tests/raw_unseen/development/en/kingme-chat.txt").read_text(encoding="utf-8")
    check_raw(Source("x.txt", text), "en", rulespec.load("kingme"), players=5, reviewer=asked.append)
    assert asked[0]["players"] == [5]
    assert "3 players" not in json.dumps([rule["does"] for rule in asked[0]["rules"]])


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
    assert "RS988" in ran.output
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
        ("yes '{\"a\":' | head -100000", "is no JSON"),
    ],
)
def test_a_program_that_fails_is_named(text: str, command: str, said: str) -> None:
    ran = asked(text, command)
    assert ran.exit_code == 3
    assert said in ran.output
    assert "Traceback" not in ran.output


def test_a_program_that_reads_nothing_may_answer(text: str) -> None:
    assert "RS989" not in asked(text, "echo '{\"remarks\": []}'").output


UK = "specs/translations/kingme/uk.yaml"


def test_a_translation_is_reviewed_without_its_own_text(tmp_path: Path) -> None:
    lines = Path(UK).read_text(encoding="utf-8").split("\n")
    at = next(at for at, line in enumerate(lines, 1) if "корон" in line)
    answer, question = tmp_path / "answer.json", tmp_path / "question.json"
    remark = {**GOOD, "line": at, "words": lines[at - 1].split()[-1]}
    answer.write_text(json.dumps({"remarks": [remark]}), encoding="utf-8")
    ran = ftk("text", "check", UK, "-q", "--reviewer", f"cat > '{question}'; cat '{answer}'")
    assert f"{UK}:{at}:" in ran.output and "RS988" in ran.output
    asked = json.loads(question.read_text(encoding="utf-8"))
    assert not any("text" in rule for rule in asked["rules"])
    assert {"line": at, "text": lines[at - 1]} in asked["lines"]


def test_all_translations_of_a_game_are_reviewed_and_nothing_else(tmp_path: Path) -> None:
    log = tmp_path / "log"
    ran = ftk(
        "text",
        "check",
        "--spec",
        "kingme",
        "--reviewer",
        f"cat >/dev/null; echo x >> '{log}'; echo '{{\"remarks\": []}}'",
    )
    assert (ran.exit_code, log.read_text()) == (0, "x\n" * 5)


def test_an_ignore_comment_about_a_remark_is_never_unused() -> None:
    comment = "<!-- ftk: ignore RS988 the club plays it so -->"
    text = Path("tests/raw_unseen/development/en/kingme-chat.txt").read_text(encoding="utf-8").split("\n")
    source = Source("x.txt", "\n".join([*text[:2], comment, *text[2:]]))
    remark = {**GOOD, "line": 4, "words": text[2].split()[0]}
    spec = rulespec.load("kingme")
    assert "ignore-unused" not in [one.name for one in check_raw(source, "en", spec).findings]
    found = check_raw(source, "en", spec, reviewer=lambda _: {"remarks": [remark]}).findings
    assert "reviewer-remark" not in [one.name for one in found]


class _Model(BaseHTTPRequestHandler):
    """A server of chat completions that answers with a remark about the first line that it is asked about."""

    asked: ClassVar[list[dict[str, Any]]] = []
    reply: Any = None

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append({"path": self.path, "key": self.headers["Authorization"], **body})
        question = json.loads(body["messages"][1]["content"].split("\n")[2])
        remark = {**GOOD, "line": question["lines"][0]["line"], "words": question["lines"][0]["text"].split()[0]}
        content = "```json\n" + json.dumps({"remarks": [remark]}) + "\n```"
        sent = json.dumps(self.reply or {"choices": [{"message": {"content": content}}]}).encode()
        self.send_response(200 if self.path.startswith("/v1/") else 404)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    served = HTTPServer(("127.0.0.1", 0), _Model)
    _Model.asked, _Model.reply = [], None
    thread = threading.Thread(target=served.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{served.server_port}"
    served.shutdown()
    thread.join()
    served.server_close()


def model(server: str, name: str = "small") -> str:
    return f"'{sys.executable}' examples/reviewer.py {server} {name} --timeout 20"


def test_the_example_asks_a_model(text: str, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVIEWER_KEY", "secret")
    assert "RS988" in asked(text, model(f"{server}/v1/")).output
    (request,) = _Model.asked
    assert (request["path"], request["key"], request["model"]) == ("/v1/chat/completions", "Bearer secret", "small")
    assert "Answer with JSON only" in request["messages"][0]["content"]


def test_the_example_says_what_the_server_answered(text: str, server: str) -> None:
    ran = asked(text, model(f"{server}/other"))
    assert (ran.exit_code, f"{server}/other answered 404" in ran.output) == (3, True)
    _Model.reply = {"error": "no such model"}
    ran = asked(text, model(f"{server}/v1"))
    assert (ran.exit_code, "answered in another form: {'error': 'no such model'}" in ran.output) == (3, True)


def test_the_example_says_that_there_is_no_server(text: str) -> None:
    ran = asked(text, model("http://127.0.0.1:9/v1"))
    assert (ran.exit_code, "http://127.0.0.1:9/v1 cannot be asked" in ran.output) == (3, True)
