"""`ftk text check --reviewer`: what the program is asked, which of its remarks count, and how it can fail."""

from __future__ import annotations

import dataclasses
import json
import sys
import threading
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from command import ftk

import rulespec
from rulespec.base.source import Source
from rulespec.editing.reviewing import of_raw
from rulespec.games.rulebook import book_of, check_raw
from rulespec.text.review.answer import remark_findings
from rulespec.text.review.question import Asking, tokens
from rulespec.text.review.question import asked as asked_all
from rulespec.text.review.states import compare, fresh

pytestmark = [pytest.mark.slow("reads whole rulebooks, and starts programs"), pytest.mark.usefixtures("short_waits")]

TEXT = """\
KING ME

Everyone gets one objective.  In each turn you push one character one floor up.
Whoever crowned the king keeps the crown.

A king needs the votes of more than half of the players.
"""


GOOD = {"words": "more than half", "rule": "election", "kind": "wrong", "why": "Every vote must be Yes."}
AT = {**GOOD, "line": 6}
"""A remark in the form of version 1 of the task."""

BAD: list[tuple[Any, str]] = [
    ("no object", "it is no object"),
    ({**GOOD, "words": "  "}, "`words` is “”, and must be words of the passage"),
    ({**GOOD, "words": "half of them"}, "passage 3 does not have the words “half of them”"),
    ({**GOOD, "kind": "sure"}, "`kind` is “sure”, and must be one of `wrong`, `missing`, `term`"),
    ({**GOOD, "why": None}, "`why` is `null`, and must be a sentence"),
    ({**GOOD, "rule": "elections"}, "the game has no rule “elections”"),
    ({**GOOD, "rule": ["x" * 200]}, f'the game has no rule `["{"x" * 78}…`'),
]

BAD_LINES: list[tuple[Any, str]] = [
    ({**AT, "line": 70}, "`line` is `70`, and the last line of the text is 7"),
    ({**AT, "line": True}, "`line` is `true`, and the last line of the text is 7"),
    ({**AT, "line": "6"}, "`line` is “6”, and the last line of the text is 7"),
    ({**AT, "words": "half of them"}, "line 6 does not have the words “half of them”"),
    ({**AT, "words": "the", "line": 1}, "line 1 does not have the words “the”"),
    ({**AT, "rule": "elections"}, "the game has no rule “elections”"),
]

BAD_ENTRIES: list[tuple[Any, str]] = [
    (7, "`passage` is `null`, which was not asked"),
    ({"passage": 9, "remarks": []}, "`passage` is `9`, which was not asked"),
    ({"passage": True, "remarks": []}, "`passage` is `true`, which was not asked"),
    ({"passage": 1}, "passage 1 has no list `remarks`, so it counts as not read"),
    ({"passage": 1, "remarks": {}}, "passage 1 has no list `remarks`, so it counts as not read"),
]


def answered(
    answer: Any, known: Iterable[rulespec.Finding] = (), text: str = TEXT, lang: str = "en", game: str = "kingme"
) -> tuple[list[rulespec.Finding], list[str]]:
    """What becomes of an answer about all passages of a text: findings, and the states of the passages."""
    spec = rulespec.load(game)
    present, book = of_raw(Source("crown.txt", text), lang, spec).present, book_of(spec)
    assert book is not None
    asking = Asking(lambda questions: [(at, answer) for at, _ in enumerate(questions)], limit=1e6)
    begun = fresh(game, lang, "crown.txt", spec.model)
    review, found = asked_all(asking, begun, compare(None, present, spec.model), book, None)
    compared = compare(review, present, spec.model)
    return [*found, *remark_findings(compared, lang, known)], [one.state for one in compared]


def read(answer: Any, known: Iterable[rulespec.Finding] = ()) -> list[rulespec.Finding]:
    return answered(answer, known)[0]


def about(passage: int, *remarks: Any) -> dict[str, Any]:
    return {"read": [{"passage": passage, "remarks": [*remarks]}]}


FORMS = (about(3, GOOD), {"remarks": [AT]})
both_forms = pytest.mark.parametrize("answer", FORMS, ids=["version 2", "version 1"])


@both_forms
def test_a_remark_is_a_warning_at_its_words(answer: Any) -> None:
    (found,) = read(answer)
    assert (found.code, found.severity, found.rule) == ("RS988", "warning", "election")
    assert (found.start.line, found.start.column, found.end.column) == (6, 27, 41)
    assert found.message == "A reviewer says that “more than half” is wrong: Every vote must be Yes."


def test_a_remark_names_its_reviewer() -> None:
    (found,) = read({**about(3, GOOD), "by": " small \n model"})
    assert found.message.startswith("small model () says that “more than half” is wrong")


@pytest.mark.parametrize(
    "words", ["EVERYONE gets", "one objective. In each", "Everyone gets one objective.  In each turn"]
)
def test_words_are_found_whatever_their_case_and_blanks(words: str) -> None:
    for answer in (about(1, {**GOOD, "words": words}), {"remarks": [{**AT, "line": 3, "words": words}]}):
        (found,) = read(answer)
        assert (found.code, found.start.line) == ("RS988", 3)


def test_words_that_stand_once_in_the_text_are_found_whatever_place_is_given() -> None:
    for answer in (about(1, GOOD), {"remarks": [{**AT, "line": 1}]}):
        (found,) = read(answer)
        assert (found.code, found.start.line) == ("RS988", 6)


@pytest.mark.parametrize(("remark", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_a_remark_that_names_nothing_is_not_used(remark: Any, reason: str) -> None:
    unusable, usable = read(about(3, remark, GOOD))
    assert (unusable.code, unusable.severity) == ("RS989", "info")
    assert unusable.message == f"Remark 1 of the reviewer is not used: {reason}."
    assert usable.code == "RS988"


@pytest.mark.parametrize(("remark", "reason"), BAD_LINES, ids=[reason for _, reason in BAD_LINES])
def test_a_remark_without_its_line_is_not_used(remark: Any, reason: str) -> None:
    unusable, usable = read({"remarks": [remark, AT]})
    assert unusable.message == f"Remark 1 of the reviewer is not used: {reason}."
    assert usable.code == "RS988"


@pytest.mark.parametrize(("entry", "reason"), BAD_ENTRIES, ids=[reason for _, reason in BAD_ENTRIES])
def test_an_entry_without_a_passage_is_not_used(entry: Any, reason: str) -> None:
    found, states = answered({"read": [entry, {"passage": 3, "remarks": []}]})
    assert [one.message for one in found] == [f"An entry of the reviewer is not used: {reason}."]
    assert states == ["unread", "unread", "read"]


def test_a_passage_is_read_if_its_entry_can_be_used() -> None:
    assert answered(about(3))[1] == ["unread", "unread", "read"]
    assert answered(about(3, GOOD))[1] == ["unread", "unread", "read"]
    assert answered(about(3, {**GOOD, "rule": "none"}))[1] == ["unread", "unread", "unread"]
    assert answered({"remarks": []})[1] == ["read", "read", "read"]


@pytest.mark.parametrize("answer", [None, [], {}, {"remarks": {}}, "remarks", 7, {"read": 1}])
def test_an_answer_without_readings_is_one_finding(answer: Any) -> None:
    (found,) = read(answer)
    assert found.code == "RS989"
    assert "no object with a list `read`" in found.message


def test_the_same_words_are_reported_once() -> None:
    assert len(read(about(3, GOOD, {**GOOD, "kind": "term"}))) == 1


def test_a_remark_that_comes_again_is_not_used() -> None:
    unusable, usable = read(about(3, GOOD, {**GOOD, "words": "More  than half", "why": "All of them."}))
    assert (unusable.message, usable.code) == (
        "Remark 2 of the reviewer is not used: it repeats another one.",
        "RS988",
    )


def test_what_is_proved_is_not_said_twice() -> None:
    (found,) = read(about(3, GOOD))
    contradicted = dataclasses.replace(found, name="fact-contradicted")
    lacks = dataclasses.replace(found, name="fact-missing")
    assert not read(about(3, GOOD), [contradicted])
    assert read(about(3, {**GOOD, "kind": "missing"}), [contradicted])
    assert read(about(3, GOOD), [lacks])


@pytest.mark.parametrize(("lang", "said"), [("en", "vote card"), ("uk", "голос"), ("zh-Hant", "贊成")])
def test_questions_have_the_passages_with_their_rules(lang: str, said: str) -> None:
    spec, asked = rulespec.load("kingme"), list[dict[str, Any]]()
    text = Path(f"tests/raw_texts/{lang}/kingme-{_STYLES[lang]}.txt").read_text(encoding="utf-8")

    def answer(question: dict[str, Any]) -> Any:
        asked.append(question)
        return {"remarks": []}

    without = check_raw(Source("x.txt", text), lang, spec).findings
    assert check_raw(Source("x.txt", text), lang, spec, reviewer=answer).findings == without
    assert len(asked) > 1
    numbers = [one["passage"] for question in asked for one in question["passages"]]
    assert numbers == list(range(1, len(numbers) + 1))
    for question in asked:
        assert json.loads(json.dumps(question)) == question
        assert (question["reviewer"], question["lang"], question["players"]) == (2, lang, [3, 4, 5, 6])
        assert question["index"].keys() == spec.model.rules.keys()
        rules = {one["id"]: one for one in question["rules"]}
        assert all(one["does"] or one["text"] for one in rules.values())
        assert all({*one["rules"]} <= rules.keys() for one in question["passages"])
        assert tokens(json.dumps(question, ensure_ascii=False)) <= 8000
        for one in question["passages"]:
            assert text.split("\n")[one["line"] - 1].strip() in one["text"] or one["text"].split("\n")[0] in text
    assert said in json.dumps([question["rules"] for question in asked], ensure_ascii=False)
    words = " ".join(" ".join(one["text"] for question in asked for one in question["passages"]).split())
    assert len(words) > 0.8 * len(" ".join(text.split()))


_STYLES = {"en": "chat", "uk": "steps", "zh-Hant": "prose"}


REVIEWS = Path("tests/raw_texts/reviews")
"""The first lines of texts with mistakes, and the remarks of a language model about them."""


@pytest.mark.parametrize("name", ["en.kingme-podcast", "zh-Hant.kingme-dialogue"])
def test_every_remark_of_a_kept_review_is_at_words_of_its_text(name: str) -> None:
    text = (REVIEWS / f"{name}.txt").read_text(encoding="utf-8")
    answer = json.loads((REVIEWS / f"{name}.answer.json").read_text(encoding="utf-8"))
    found, _ = answered(answer, (), text, name.partition(".")[0])
    assert len(found) == len(answer["remarks"]) >= 5
    assert {one.code for one in found} == {"RS988"}


def test_a_question_for_some_players_has_the_rules_for_them() -> None:
    asked = list[dict[str, Any]]()
    text = Path("tests/raw_texts/en/kingme-chat.txt").read_text(encoding="utf-8")
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
    path = tmp_path / "crown.txt"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def asked(text: str, command: str) -> Any:
    return ftk("text", "check", text, "--lang", "en", "--spec", "kingme", "--reviewer", command, "--reviewer-jobs", "1")


def test_a_program_answers(text: str) -> None:
    remark = {**AT, "line": 1, "words": Path(text).read_text(encoding="utf-8").split()[0]}
    answer = Path(text).with_name("answer.txt")
    answer.write_text(f"Here it is:\n```json\n{json.dumps({'remarks': [remark]})}\n```\n", encoding="utf-8")
    ran = asked(text, f"cat > question.json; cat '{answer}'".replace("question.json", f"'{text}.json'"))
    assert "RS988" in ran.output
    assert json.loads(Path(f"{text}.json").read_text(encoding="utf-8"))["reviewer"] == 2


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("exit 7", "The reviewer `exit 7` ended with status 7."),
        ("no-such-program-at-all", "The reviewer `no-such-program-at-all` ended with status 127."),
        ("echo sorry", "The answer of the reviewer `echo sorry` is no JSON: sorry"),
        ("true", "The answer of the reviewer `true` is no JSON: nothing"),
        ("echo '{\"remarks\": [}'", 'is no JSON: {"remarks": [}'),
        (r"printf '\377\376{'", "is no JSON"),
        ("yes '{\"a\":' | head -1000", "is no JSON"),
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
    remark = {**AT, "line": at, "words": lines[at - 1].split()[-1]}
    answer.write_text(json.dumps({"remarks": [remark]}), encoding="utf-8")
    ran = ftk(
        "text",
        "check",
        UK,
        "-q",
        "--reviewer",
        f"cat >> '{question}'; echo >> '{question}'; cat '{answer}'",
        "--reviewer-jobs",
        "1",
    )
    assert f"{UK}:{at}:" in ran.output and "RS988" in ran.output
    every = [json.loads(line) for line in question.read_text(encoding="utf-8").splitlines()]
    assert not any("text" in rule for asked in every for rule in asked["rules"])
    assert any(lines[at - 1].strip() in one["text"] for asked in every for one in asked["passages"])


def test_all_translations_of_a_game_are_reviewed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ftk("new", "river", "--lang", "en,uk")
    log = tmp_path / "log"
    ran = ftk(
        "text",
        "check",
        "--spec",
        "river",
        "--reviewer",
        f"cat >/dev/null; echo x >> '{log}'; echo '{{\"remarks\": []}}'",
    )
    assert (ran.exit_code, len(log.read_text()) // 2) == (0, 2)  # a question about each


def test_an_ignore_comment_about_a_remark_is_never_unused() -> None:
    comment = "<!-- ftk: ignore RS988 the club plays it so -->"
    text = Path("tests/raw_texts/en/kingme-chat.txt").read_text(encoding="utf-8").split("\n")
    source = Source("x.txt", "\n".join([*text[:2], comment, *text[2:]]))
    remark = {**AT, "line": 4, "words": text[2].split()[0]}
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
        first = question["passages"][0]
        remark = {**GOOD, "words": first["text"].split()[0]}
        answer = {"read": [{"passage": first["passage"], "remarks": [remark]}]}
        content = "```json\n" + json.dumps(answer) + "\n```"
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
    request, *_ = _Model.asked
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
