"""`ftk text review`: what a person answers, line by line, and what is kept of it."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result
from command import ftk

from ftk_cli.text import dialog
from rulespec.base.diagnostics import Span
from rulespec.base.findings.catalog import text_in
from rulespec.base.source import Source
from rulespec.editing.reviewing import of_raw
from rulespec.games.api import load
from rulespec.text.reading.prose import Prose
from rulespec.text.review.kept import Review, path_of, read

pytestmark = pytest.mark.slow("reads a whole rulebook")

ROOT = Path(__file__).resolve().parent.parent
TEXT = ROOT / "tests/raw_texts/en/kingme-rewrite.txt"
TWO_LEVELS = ("clamp((place[c] ?? 0) + 1, 0, 6)", "clamp((place[c] ?? 0) + 2, 0, 6)")
UK = Path("specs/translations/kingme/uk.yaml")


class Desk:
    """A project with a game, and a rulebook of it."""

    def __init__(self, folder: Path) -> None:
        for name in ("kingme.yaml", "glossaries/kingme.yaml", "translations/kingme/en.yaml", str(UK)[6:]):
            (folder / "specs" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "specs" / name, folder / "specs" / name)
        self.path, self.spec = folder / "book.txt", folder / "specs/kingme.yaml"
        shutil.copy(TEXT, self.path)

    def review(self, *lines: str, by: str = "Olena", path: Path | str = "book.txt", **options: str) -> Result:
        """What the command prints for lines of answers."""
        raw = ("--lang", "en", "--spec", "kingme") if str(path).endswith(".txt") else ()
        given = [part for name, value in options.items() for part in (f"--{name}", value)]
        return ftk("text", "review", path, *raw, "--by", by, *given, stdin="".join(f"{line}\n" for line in lines))

    def run(self, *arguments: str) -> Result:
        return ftk("text", "review", *arguments)

    def edit(self, path: Path, old: str, new: str) -> None:
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")

    def kept(self, path: Path | str = "book.txt") -> Review:
        file = path_of(path)
        review, found = read(Source(str(file), file.read_text(encoding="utf-8")))
        assert review is not None, found
        return review

    def said(self, path: Path | str = "book.txt") -> list[tuple[str, str, str, str, str]]:
        """All remarks: who, kind, words, rule, why."""
        readings = (reading for passage in self.kept(path).passages for reading in passage.read)
        return [(one.by, r.kind, r.words, r.rule, r.why) for one in readings for r in one.remarks]

    def findings(self) -> str:
        done = ftk("text", "check", "book.txt", "--lang", "en", "--spec", "kingme", "-q")
        return "\n".join(line for line in done.output.splitlines() if "RS988" in line)


@pytest.fixture
def desk(here: Path) -> Desk:
    return Desk(here)


def at(words: str) -> list[str]:
    """Answers that skip the passages before the one with these words."""
    from rulespec.games.api import load

    source = Source("book.txt", Path("book.txt").read_text(encoding="utf-8"))
    before = of_raw(source, "en", load("kingme")).present
    return ["s"] * next(number for number, one in enumerate(before) if words in one.text)


def test_right_is_kept_and_not_asked_again(desk: Desk) -> None:
    first = desk.review("right", "r", "quit")
    assert first.exit_code == 0
    assert "passage 1 of 56 · not read yet" in first.output
    assert "Each answer is kept in book.txt.review.yaml." in first.output
    assert "Passages left for Olena: 54." in first.output
    assert [(one.read[0].by, one.read[0].task, one.read[0].remarks) for one in desk.kept().passages] == [
        ("Olena", None, ())
    ] * 2
    second = desk.review()
    assert "passage 1 of 54 · not read yet" in second.output
    assert "WHAT YOU ARE AFTER" in second.output and "rewritten by a fan" not in second.output


def test_passages_are_shown_with_lines_and_rules(desk: Desk) -> None:
    shown = desk.review(*at("12 No cards"), "rules", "3").output
    last = shown[shown.rindex("passage 13 of 56") :]
    assert "    17  12 No cards\n" in last
    assert "   1  setup.components  What is in the box\n        our text:\n" in last
    assert "          - Rejection: 12.\n" in last
    assert last.count("setup.components") == 2 and last.count("our text:") >= 5


def test_remarks_need_words_of_the_passage_a_rule_and_a_reason(desk: Desk) -> None:
    answers = ["wrong", "12 Yes cards", "No car", "12 No cards", "rejections", "7", "nosuch", "setup.component"]
    done = desk.review(*at("12 No cards"), *answers, "setup.ballots", "There are ten.", "", "quit")
    assert "“12 Yes cards” does not stand in the passage. Copy words of it." in done.output
    assert "“No car” is only a part of a word. Copy whole words." in done.output
    assert "There is no rule `nosuch`." in done.output
    assert "There is no rule `setup.component`. Did you mean `setup.components`?" in done.output
    assert desk.said() == [("Olena", "wrong", "12 No cards", "setup.ballots", "There are ten.")]
    assert "passage 14 of 56" in done.output
    assert "Olena (2" in desk.findings() and "says that “12 No cards” is wrong: There are ten." in desk.findings()


def test_the_likeliest_rule_is_the_default_and_others_have_numbers(desk: Desk) -> None:
    desk.review(
        *at("12 No cards"), "term No cards", "", "They are rejections.", "missing 12", "2", "Two for each.", "q"
    )
    assert desk.said() == [
        ("Olena", "term", "No cards", "setup.components", "They are rejections."),
        ("Olena", "missing", "12", desk_rule(2), "Two for each."),
    ]


def desk_rule(number: int) -> str:
    """The rule with this number beside the passage of the “No cards”."""
    from rulespec.games.api import load

    source = Source("book.txt", Path("book.txt").read_text(encoding="utf-8"))
    one = next(one for one in of_raw(source, "en", load("kingme")).present if "12 No cards" in one.text)
    return list(one.rules)[number - 1]


@pytest.mark.parametrize("answers", [["wrong", ""], ["wrong KING", "", ""], ["wrong KING", "1", ""]])
def test_an_empty_answer_makes_no_remark(desk: Desk, answers: list[str]) -> None:
    assert "No remark is made." in desk.review(*answers, "q").output
    assert not path_of("book.txt").exists()


def test_back_and_another_answer(desk: Desk) -> None:
    done = desk.review("back", "wrong KING", "1", "No king.", "", "back", "right", "quit")
    assert "This is the first one." in done.output
    assert done.output.count("     1  KING ME!\n") == 2
    assert "1. Olena, 2" in done.output and ": wrong, “KING”, round: No king." in done.output
    assert desk.said() == []
    assert [len(one.read) for one in desk.kept().passages] == [1]


def test_an_interrupted_review_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["right", "wrong fan", "1"])

    def line(prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise KeyboardInterrupt from None

    with monkeypatch.context() as patched:
        patched.setattr(dialog, "read_line", line)
        done = desk.review()
    assert done.exit_code == 0
    assert "The review stops here." in done.output
    assert len(desk.kept().passages) == 1 and desk.said() == []
    assert "rewritten by a fan" in desk.review().output


def test_invalid_answers_end_at_some_point(desk: Desk) -> None:
    done = desk.review(*["nonsense"] * 60)
    assert "Type one of these: right, wrong, missing, term, rules, skip, back, help, quit." in done.output
    assert "Too many invalid inputs; the review stops here." in done.output


def test_nothing_is_written_over_what_another_person_writes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people review the same text at the same time."""
    lines = iter(["right", "other", "right", "quit"])

    def line(prompt: str) -> str:
        if (typed := next(lines)) == "other":
            monkeypatch.undo()
            monkeypatch.chdir(desk.path.parent)
            desk.review("s", "s", "right", by="Danylo")
            monkeypatch.setattr(dialog, "read_line", line)
            return next(lines)
        return typed

    monkeypatch.setattr(dialog, "read_line", line)
    desk.review()
    assert [[one.by for one in passage.read] for passage in desk.kept().passages] == [["Olena"], ["Olena"], ["Danylo"]]


def test_two_reviewers_disagree(desk: Desk) -> None:
    desk.review("wrong KING", "1", "No king.", by="Danylo")
    done = desk.review("help", "right")
    assert "passage 1 of 56 · not read by Olena yet" in done.output
    assert "  1. Danylo, 2" in done.output and "decline: declines a remark" in done.output
    listed = desk.run("book.txt", "--list").output
    assert "The reviewers disagree." in listed
    assert "Olena, 2" in listed and ": right\n" in listed
    assert (
        "Danylo (2" in desk.findings()
        and "Olena (2" in desk.findings()
        and "found this passage right." in desk.findings()
    )


def test_a_remark_is_declined_with_a_reason(desk: Desk) -> None:
    desk.review("wrong KING", "1", "No king.", by="Danylo")
    done = desk.review("decline", "decline 7", "decline 1", "", "decline 1", "It is one.", "right")
    assert done.output.count("Which remark? Type decline and the number of one of the remarks above.") == 2
    assert "No remark is declined." in done.output
    declined = desk.kept().passages[0].read[0].remarks[0].declined
    assert declined is not None and (declined.by, declined.why) == ("Olena", "It is one.")
    assert "says that" not in desk.findings()
    assert "declined by Olena, 2" in desk.run("book.txt", "--list").output


def test_a_person_stands_by_a_declined_remark(desk: Desk) -> None:
    """A remark that its reviewer makes again is reported again."""
    desk.review("wrong KING", "1", "No king.", by="Danylo")
    desk.review("decline 1 It is one.")
    done = ftk("text", "review", "book.txt", "--by", "Danylo", "--all", stdin="wrong KING\n1\nA queen.\n")
    assert "declined by Olena" in done.output
    assert desk.said() == [("Danylo", "wrong", "KING", "round", "A queen.")]
    assert desk.kept().passages[0].read[0].remarks[0].declined is None


def test_remarks_are_declined_by_number(desk: Desk) -> None:
    desk.review("wrong KING", "1", "No king.", by="Danylo")
    own = desk.review(by="Danylo", decline="1", why="No.")
    assert own.exit_code == 3 and "Remark 1 is your own. Say that the passage is right instead." in own.output
    none = desk.review(decline="2", why="No.")
    assert none.exit_code == 3 and "There is no remark 2. Remarks: 1." in none.output
    assert desk.review(decline="1", why="  ").exit_code == 3
    assert desk.review(decline="1").exit_code == 2
    done = desk.review(decline="1", why="It is one.")
    assert done.exit_code == 0 and "Remarks that `ftk text check` reports: 0." in done.output


def test_what_changed_is_asked_again(desk: Desk) -> None:
    desk.review("r", "wrong fan", "1", "None.", "", *["r"] * 54)
    assert "Olena has read all passages." in desk.review().output
    desk.edit(desk.path, "rewritten by a fan", "rewritten by a fan of it")
    done = desk.review("repeat")
    assert "passage 1 of 1 · changed since Olena read it on 2" in done.output
    assert "1. Olena, 2" in done.output and "(before a change): wrong, “fan”" in done.output
    assert desk.said() == [("Olena", "wrong", "fan", "round", "None.")]
    assert "Olena has read all passages." in done.output


def test_rules_that_changed_come_first(desk: Desk) -> None:
    desk.review(*["r"] * 56)
    desk.edit(desk.spec, *TWO_LEVELS)
    listed = desk.run("book.txt", "--list").output
    assert "rule changed" in listed
    done = desk.review("repeat", "right")
    assert "changed since Olena read it on 2" in done.output
    assert "There are no remarks of yours to repeat here." in done.output


def test_translations_are_reviewed_too(desk: Desk) -> None:
    done = desk.review("right", "wrong 13 персонажів", "1", "Їх 12.", path=UK, by="Olena")
    assert "passage 1 of 37 · " in done.output
    assert desk.kept(UK).lang == "uk" and path_of(UK) == Path("specs/reviews/kingme/uk.review.yaml")
    listed = desk.run(str(UK), "--list").output
    assert ", 37 passages: read 1, " in listed or ", 37 passages: read 2, " in listed
    assert desk.run(str(UK), "--lang", "uk").exit_code == 2


def test_the_status_of_languages_counts_what_is_read(desk: Desk) -> None:
    plain = ftk("text", "status", "kingme").output
    assert "changed since" not in plain
    desk.review(*["right"] * 37, path=UK)
    desk.edit(UK, "13 персонажів із підставками", "13 персонажів на підставках")
    desk.edit(desk.spec, *TWO_LEVELS)
    shown = ftk("text", "status", "kingme", "-v").output
    head, *rows = shown.splitlines()[1:]
    assert head.endswith("  contradicted  read  changed since  rule changed since")
    assert next(row for row in rows if row.startswith("  en ")).split()[13:16] == ["–"] * 3
    assert next(row for row in rows if row.startswith("  uk ")).split()[13:16] == ["35", "1", "1"]
    assert "    changed since: setup.components\n" in shown
    assert "    rule changed since: nominate.rise\n" in shown
    found = json.loads(ftk("text", "status", "kingme", "--format", "json").output)["games"][0]["languages"]
    review = {one["lang"]: one["review"] for one in found}
    assert review["en"] is None
    assert {what: len(ids) for what, ids in review["uk"].items()} == {
        "read": 35, "changed_since": 1, "rule_changed_since": 1, "not_read": 0,
    }  # fmt: skip
    path_of(UK).write_text("review: 1\n", encoding="utf-8")
    assert "uk: the review is not used. To see why: ftk text check " in ftk("text", "status", "kingme").output


def test_the_game_and_language_are_known_after_the_first_time(desk: Desk) -> None:
    assert desk.run("book.txt").exit_code == 2
    desk.review("right")
    assert desk.run("book.txt", "--list").exit_code == 0


BAD: dict[str, tuple[Callable[[Desk], object], str]] = {
    "empty": (lambda desk: desk.path.write_text(""), "The file is empty."),
    "blank": (lambda desk: desk.path.write_text("\n \n"), "The file is empty."),
    "another game": (
        lambda desk: desk.path.write_text("Roll two dice and move that many squares.\n" * 3),
        "This is not the rulebook of King Me!",
    ),
    "missing": (lambda desk: desk.path.unlink(), "book.txt"),
    "conflict marks": (lambda desk: marked(desk), "cannot be read"),
    "of another text": (
        lambda desk: path_of("book.txt").write_text("review: 1\ngame: kingme\nlang: uk\npassages: []\nunstated: {}\n"),
        "it is of a text of kingme in uk",
    ),
}


def marked(desk: Desk) -> None:
    desk.review("right", "right")
    file = path_of("book.txt")
    file.write_text(file.read_text(encoding="utf-8").replace("- words", "<<<<<<< ours\n- words", 1), encoding="utf-8")


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_reviewed_is_a_message_and_stays(desk: Desk, name: str) -> None:
    spoil, message = BAD[name]
    spoil(desk)
    before = {path: path.read_bytes() for path in desk.path.parent.glob("book.txt*")}
    done = desk.review("right", "right")
    assert done.exit_code == 3
    assert message in done.output
    assert {path: path.read_bytes() for path in desk.path.parent.glob("book.txt*")} == before


def test_a_review_that_breaks_in_between_is_not_written_over(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["right", "right"])

    def line(prompt: str) -> str:
        if path_of("book.txt").exists():
            path_of("book.txt").write_text("review: 1\n<<<<<<< ours\n")
        return next(lines)

    monkeypatch.setattr(dialog, "read_line", line)
    done = desk.review()
    assert done.exit_code == 3 and "is not used" in done.output
    assert path_of("book.txt").read_text() == "review: 1\n<<<<<<< ours\n"


def test_names(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk.review("right", by="  ").exit_code == 2
    assert desk.review("right", by="Ol\u202eena").exit_code == 2
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "config", "user.name", "Olena of git"], check=True)
    done = ftk("text", "review", "book.txt", "--lang", "en", "--spec", "kingme", stdin="right\n")
    assert "Olena of git reads book.txt." in done.output


@pytest.mark.parametrize(("lang", "right", "wrong"), [("uk", "правильно", "неправильно"), ("zh", "正確", "錯誤")])
def test_the_dialog_is_in_the_language_of_the_reader(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, lang: str, right: str, wrong: str
) -> None:
    monkeypatch.setenv("FTK_LANG", lang)
    done = desk.review(right, f"{wrong} fan", "1", "None.")
    assert [len(one.read[0].remarks) for one in desk.kept().passages] == [0, 1], done.output
    assert f"{right} · {wrong} · " in done.output


@pytest.mark.parametrize("lang", ["uk", "zh"])
def test_answers_have_words_of_their_own_in_every_language(lang: str) -> None:
    """Words of answers are typed: they are single, differ from each other, and stand in the list of help."""
    words = {name: text_in(answer.word, lang) for name, answer in dialog.ANSWERS.items()}
    assert len(set(words.values())) == len(words) and not any(" " in word for word in words.values())
    assert not set(words.values()) & set(words), "a word that is not translated"
    for name in ("wrong", "missing", "term", "decline", "rules"):
        assert f"{words[name]} " in text_in(dialog.ANSWERS[name].does, lang)


@pytest.mark.parametrize(
    ("text", "words", "is_whole"),
    [
        ("ผู้เล่นจั่วไพ่ห้าใบ", "ไพ่", True),
        ("ຜູ້ຫຼິ້ນຈັ່ວໄພ່ຫ້າໃບ", "ໄພ່", True),
        ("អ្នកលេងចាប់បៀប្រាំ", "បៀ", True),
        ("ကစားသမားကတ်ငါးခုယူသည်", "ကတ်", True),
        ("카드를 다섯 장 뽑는다", "카드", True),
        ("每人抽五张牌", "五张", True),
        ("five cards", "card", False),
        ("п’ять карток", "карт", False),
    ],
)
def test_words_are_whole_where_a_script_has_spaces(text: str, words: str, is_whole: bool) -> None:
    opened = of_raw(Source("book.txt", TEXT.read_text(encoding="utf-8")), "en", load(str(ROOT / "specs/kingme.yaml")))
    prose = Prose(text, "en", Source("book.txt", text), Span)
    first = replace(opened.present[0], prose=(prose,))
    opened = replace(opened, present=(first, *opened.present[1:]))
    assert (not opened.refused_words(1, words)) == is_whole


def test_standard_input_is_no_text(desk: Desk) -> None:
    assert desk.run("-", "--lang", "en", "--spec", "kingme").exit_code == 2
    assert desk.run("book.txt", "--list", "--decline", "1", "--why", "No.").exit_code == 2
    assert desk.run("book.txt", "--output", "list.txt").exit_code == 2


def test_input_is_typed_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from ftk_cli import keyboard

    monkeypatch.setattr("sys.stdin", io.StringIO("one\n"))
    assert keyboard.read_line("> ") == "one\n"
    with pytest.raises(EOFError):
        keyboard.read_line("> ")


def test_what_others_said_about_rules_that_did_not_change_stays(desk: Desk) -> None:
    """A person reads a passage again after a rule changed: remarks of others about its other rules still hold."""
    passage = "exactly one level"
    before = at(passage)
    desk.review(
        *before, f"wrong {passage}", "nominate", "Two.", f"wrong {passage}", "nominate.rise", "Three.", by="Danylo"
    )
    desk.edit(desk.spec, *TWO_LEVELS)
    done = desk.review(*before, "right")
    assert "(before a change): wrong, “exactly one level”, nominate: Two." in done.output
    listed = desk.run("book.txt", "--list").output
    assert "Danylo, 2" in listed and ": wrong, “exactly one level”, nominate: Two." in listed
    assert "(before a change): wrong, “exactly one level”, nominate.rise: Three." in listed
    assert "The reviewers disagree." in listed
    number = next(line.split(".")[0].strip() for line in listed.splitlines() if "Three." in line)
    stale = desk.review(decline=number, why="No.")
    assert stale.exit_code == 3 and f"Remark {number} is no longer reported" in stale.output
    assert ": Two." in desk.findings() and "Three." not in desk.findings()


def test_a_remark_is_made_once(desk: Desk) -> None:
    desk.review("wrong KING", "1", "No king.", "wrong king", "1", "A queen.", "", "back", "quit")
    assert desk.said() == [("Olena", "wrong", "king", "round", "A queen.")]


def test_reasons_have_a_limit(desk: Desk) -> None:
    done = desk.review("wrong KING", "1", "x" * 601, "No king.")
    assert "At most 600 characters." in done.output
    assert [why for *_, why in desk.said()] == ["No king."]


def test_a_review_is_written_as_a_whole_or_not_at_all(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept before stays if the disk is full."""
    desk.review("right")
    before = path_of("book.txt").read_bytes()

    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("ftk_cli.output.os.replace", full)
        done = desk.review("right")
    assert done.exit_code == 3 and "cannot be written: No space left on device" in done.output
    assert path_of("book.txt").read_bytes() == before
    assert not [path for path in desk.path.parent.iterdir() if path.name.startswith(".book")]
