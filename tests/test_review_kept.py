"""Kept reviews: what a later check reports of them, what is due again and why, and files that cannot be used."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from command import ftk
from hypothesis import given
from hypothesis import strategies as st
from samples import expectations, places, samples
from spec_mutations import sample

import rulespec
from rulespec.base.diagnostics import Finding
from rulespec.base.project import files_about
from rulespec.base.source import Source
from rulespec.editing.reviewing import of_raw
from rulespec.games.api import Spec
from rulespec.games.rulebook import Reviewed, review_raw, review_translation
from rulespec.text.review.kept import Declined, Passage, Reading, Remark, Review, path_of, read, write
from rulespec.text.review.question import Asking
from rulespec.text.review.states import Compared, changed_only, compare

pytestmark = pytest.mark.slow("reads a whole rulebook")

ROOT = Path(__file__).resolve().parent.parent
TEXT = ROOT / "tests/raw_texts/en/kingme-rewrite.txt"
DATE = "2026-11-27"
REMARKS = {
    "12 No cards": ("setup.components", "term", "Those are rejections."),
    "exactly one level": ("nominate.rise", "wrong", "Two levels."),
    "the highest total wins": ("end.winner", "wrong", "The lowest."),
}
"""What the stand-in reviewer says: words, with the rule, the kind and the reason."""


class StandIn:
    """A reviewer that says the same whenever it is asked about words."""

    def __init__(self, remarks: dict[str, tuple[str, str, str]] | None = None, answers: int = 99, by: str = "") -> None:
        self.remarks, self.left = REMARKS if remarks is None else remarks, answers
        self.about = {"by": by} if by else {}
        self.asked: list[dict[str, Any]] = []

    def __call__(self, questions: Sequence[dict[str, Any]]) -> Iterator[tuple[int, Any]]:
        for at, question in enumerate(questions):
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            self.asked.append(question)
            yield at, {"read": [self._entry(one) for one in question["passages"]], **self.about}

    def _entry(self, passage: dict[str, Any]) -> dict[str, Any]:
        found = [
            {"words": words, "rule": rule, "kind": kind, "why": why}
            for words, (rule, kind, why) in self.remarks.items()
            if words in passage["text"]
        ]
        return {"passage": passage["passage"], "remarks": found}

    @property
    def passages(self) -> list[str]:
        """The texts of the passages that were asked."""
        return [one["text"] for question in self.asked for one in question["passages"]]


class Book:
    """A rulebook in a project with its game."""

    def __init__(self, folder: Path) -> None:
        for name in ("kingme.yaml", "glossaries/kingme.yaml", "translations/kingme/en.yaml"):
            (folder / "specs" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "specs" / name, folder / "specs" / name)
        self.spec_path, self.path = folder / "specs/kingme.yaml", folder / "rulebook.txt"
        shutil.copy(TEXT, self.path)

    @property
    def spec(self) -> Spec:
        return rulespec.load(self.spec_path)

    @property
    def source(self) -> Source:
        return Source(str(self.path), self.path.read_text(encoding="utf-8"))

    @property
    def review(self) -> Path:
        return path_of(self.path)

    @property
    def kept(self) -> Review:
        review, found = read(Source(str(self.review), self.review.read_text(encoding="utf-8")))
        assert review is not None, found
        return review

    def keep(self, review: Review) -> None:
        self.review.write_text(write(review), encoding="utf-8")

    def ask(self, reviewer: StandIn, by: str = "stand-in") -> Reviewed:
        """A check with a reviewer whose answers are kept."""
        return review_raw(self.source, "en", self.spec, reviewer=Asking(reviewer, by, DATE, self.keep))

    def check(self) -> Reviewed:
        return review_raw(self.source, "en", self.spec)

    def compared(self) -> list[Compared]:
        return compare(self.kept, of_raw(self.source, "en", self.spec).present, self.spec.model)

    def edit(self, old: str, new: str) -> None:
        text = self.path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        self.path.write_text(text.replace(old, new), encoding="utf-8")

    def edit_spec(self, old: str, new: str) -> None:
        text = self.spec_path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        self.spec_path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def book(here: Path) -> Book:
    return Book(here)


@pytest.fixture(scope="module")
def first_review(folder_of_module: Path) -> str:
    """The review of a book that was read once."""
    book = Book(folder_of_module)
    book.ask(StandIn())
    return book.review.read_text(encoding="utf-8")


@pytest.fixture
def read_book(first_review: str, book: Book) -> Book:
    """A book that was read once."""
    book.review.write_text(first_review, encoding="utf-8")
    return book


def remarks(checked: Reviewed) -> list[Finding]:
    return [one for one in checked.report.findings if one.code == "RS988"]


def named(checked: Reviewed, name: str) -> list[Finding]:
    return [one for one in checked.report.findings if one.name == name]


def states(checked: Reviewed) -> dict[str, int]:
    return {str(state): number for state, number in checked.passages.items() if number}


# --- a second check --------------------------------------------------------------------------------------------------


def test_a_second_check_reports_the_same_without_a_reviewer(book: Book) -> None:
    plain = book.check()
    first = book.ask(StandIn())
    assert (states(plain), states(first)) == ({}, {"read": 56})
    second = book.check()
    assert second == first
    assert [one.message for one in remarks(second)] == [
        "stand-in (2026-11-27) says that “12 No cards” names another thing: Those are rejections.",
        "stand-in (2026-11-27) says that “exactly one level” is wrong: Two levels.",
        "stand-in (2026-11-27) says that “the highest total wins” is wrong: The lowest.",
    ]
    others = [one for one in second.report.findings if one.code != "RS988"]
    assert others == list(plain.report.findings)


def test_what_is_read_is_not_asked_again(read_book: Book) -> None:
    before = read_book.review.read_bytes()
    again = StandIn()
    assert read_book.ask(again) == read_book.check()
    assert again.asked == []
    assert read_book.review.read_bytes() == before


def test_without_keeping_nothing_is_written(book: Book) -> None:
    found = review_raw(book.source, "en", book.spec, reviewer=Asking(StandIn(), "stand-in", DATE))
    assert len(remarks(found)) == 3
    assert not book.review.exists()


def test_moved_lines_are_not_asked_again(read_book: Book) -> None:
    before = remarks(read_book.check())
    text = read_book.path.read_text(encoding="utf-8").replace("\n\n", "\n\n\n\n")
    read_book.path.write_text(f"A PREFACE\n\n{text}", encoding="utf-8")
    again = StandIn()
    after = remarks(read_book.ask(again))
    assert again.passages == []
    assert [one.message for one in after] == [one.message for one in before]
    assert all(one.start.line > two.start.line for one, two in zip(after, before, strict=True))


def test_marks_and_line_breaks_are_no_changes(read_book: Book) -> None:
    read_book.edit("you lift one figure by exactly one level.", "you  lift one\nfigure **by exactly** one level.")
    assert states(read_book.check()) == {"read": 56}
    (found,) = [one for one in remarks(read_book.check()) if "Two" in one.message]
    assert (found.start.line, found.start.column, found.end.column) == (55, 13, 32)


def test_a_changed_passage_is_due_and_the_only_one_asked(read_book: Book) -> None:
    read_book.edit("exactly one level", "at most one level")
    checked = read_book.check()
    assert states(checked) == {"read": 55, "changed": 1}
    (found,) = named(checked, "passage-changed")
    assert (found.severity, found.start.line) == ("info", 54)
    assert found.message == (
        "This passage has changed since stand-in read it on 2026-11-27. Remarks that are no longer reported: 1."
    )
    assert len(remarks(checked)) == 2
    again = StandIn()
    checked = read_book.ask(again)
    assert [text[:21] for text in again.passages] == ["On your turn you lift"]
    assert (states(checked), len(read_book.kept.passages)) == ({"read": 56}, 56)


@pytest.mark.parametrize(
    ("old", "new", "due"),
    [
        ("4.1 Lay the board in the middle of the table.\n", "", {"read": 55}),
        ("4.1 Lay", "4.1 Agree on a table.\n4.2 Lay", {"read": 56, "unread": 1}),
        ("As soon as a figure reaches the throne", "When one reaches the throne", {"read": 55, "changed": 1}),
        ("level 0, the servants: nothing", "level 0, all the servants: nothing", {"read": 55, "changed": 1}),
    ],
)
def test_passages_are_gone_new_or_changed(read_book: Book, old: str, new: str, due: dict[str, int]) -> None:
    read_book.edit(old, new)
    assert states(read_book.check()) == due


def test_passages_in_another_order_are_read(read_book: Book) -> None:
    parts = read_book.path.read_text(encoding="utf-8").split("\n\n")
    read_book.path.write_text("\n\n".join(reversed(parts)), encoding="utf-8")
    assert states(read_book.check()) == {"read": 56}


def test_answers_that_came_before_an_interruption_are_kept(book: Book) -> None:
    first = StandIn(answers=1)
    with pytest.raises(KeyboardInterrupt):
        book.ask(first)
    assert states(book.check()) == {"read": len(first.passages), "unread": 56 - len(first.passages)}
    rest = StandIn()
    assert states(book.ask(rest)) == {"read": 56}
    assert sorted(first.passages + rest.passages) == sorted(one.present.text for one in book.compared())


# --- rules that change ------------------------------------------------------------------------------------------------

TWO_LEVELS = ("clamp((place[c] ?? 0) + 1, 0, 6)", "clamp((place[c] ?? 0) + 2, 0, 6)")


def test_a_changed_rule_makes_its_passages_due(read_book: Book) -> None:
    read_book.edit_spec(*TWO_LEVELS)
    checked = read_book.check()
    due = named(checked, "passage-rule-changed")
    assert 0 < len(due) == states(checked)["rule-changed"] < 20
    assert {one.severity for one in due} == {"info"}
    assert any("`nominate.rise`" in one.message and "since stand-in read this passage" in one.message for one in due)
    again = StandIn()
    assert states(read_book.ask(again)) == {"read": 56}
    assert len(again.asked) == 1
    assert len(again.passages) == len(due)
    assert any("you lift one figure" in text for text in again.passages)


def test_a_passage_is_compared_with_the_changed_rules_only(read_book: Book) -> None:
    before = {one.message for one in remarks(read_book.check()) if one.rule != "nominate.rise"}
    read_book.edit_spec(*TWO_LEVELS)
    changed = {rule for one in read_book.compared() for rule in one.changed}
    again = StandIn({"the highest total wins": ("nominate.rise", "missing", "It is two levels.")})
    checked = read_book.ask(again)
    assert {rule["id"] for question in again.asked for rule in question["rules"]} <= changed
    # What was said about rules that did not change is said still.
    assert before <= {one.message for one in remarks(checked)}
    assert states(read_book.check()) == {"read": 56}


def test_a_remark_about_a_changed_rule_is_not_reported(read_book: Book) -> None:
    read_book.edit_spec(*TWO_LEVELS)
    assert "Two levels." not in str([one.message for one in remarks(read_book.check())])
    again = StandIn({})
    assert "Two levels." not in str([one.message for one in remarks(read_book.ask(again))])
    assert "nominate.rise" in {rule["id"] for question in again.asked for rule in question["rules"]}


@pytest.mark.soak
def test_each_of_30_changed_rules_makes_a_right_passage_due(read_book: Book) -> None:
    stated = yaml.safe_load((ROOT / "tests/review_places.yaml").read_text(encoding="utf-8"))["en/kingme-rewrite"]
    mutants = [one for one in sample(read_book.spec.model.source, 120, 42) if one.rule][:30]
    present, review, right = of_raw(read_book.source, "en", read_book.spec).present, read_book.kept, 0
    for mutant in mutants:
        due = [one for one in compare(review, present, mutant.spec) if one.is_due]
        assert due, mutant
        assert all(changed_only(one).rules.keys() <= {*one.changed} for one in due)
        texts = [" ".join(one.present.text.split()) for one in due]
        right += mutant.rule not in stated or any(stated[mutant.rule] in text for text in texts)
    assert right >= 29


def test_a_new_rule_makes_the_likeliest_passage_due(read_book: Book) -> None:
    review, model = read_book.kept, read_book.spec.model
    present = of_raw(read_book.source, "en", read_book.spec).present
    stated = {rule for one in review.passages for rule in one.rules}
    assert stated.isdisjoint(review.unstated)
    assert stated | review.unstated.keys() == model.rules.keys()
    rule = next(iter(review.unstated))
    for unstated in (
        {id_: was for id_, was in review.unstated.items() if id_ != rule},
        {**review.unstated, rule: "2-00000000-00000000"},
    ):
        compared = compare(Review("kingme", "en", "", review.passages, unstated), present, model)
        (due,) = [one for one in compared if one.is_due]
        assert due.changed == (rule,)
        assert rule in due.present.rules


def test_a_rule_that_is_gone_makes_its_passages_due(read_book: Book) -> None:
    model, review = read_book.spec.model, read_book.kept
    present = of_raw(read_book.source, "en", read_book.spec).present
    passages = tuple(
        Passage(
            one.words, one.begins, {**one.rules, "old.rule": "2-00000000-00000000"} if at == 7 else one.rules, one.read
        )
        for at, one in enumerate(review.passages)
    )
    (due,) = [
        one for one in compare(Review("kingme", "en", "", passages, review.unstated), present, model) if one.is_due
    ]
    assert (due.present.number, due.changed) == (8, ("old.rule",))
    assert changed_only(due) is due.present  # what stands there must be compared with the rules that are left


def test_headings_one_below_the_other_are_a_passage() -> None:
    path = ROOT / "tests/raw_texts/zh-Hant/fortheking-scan.txt"
    source = Source("scan.txt", path.read_text(encoding="utf-8"))
    read = of_raw(source, "zh-Hant", rulespec.load("fortheking")).present
    assert any(one.text.startswith("一個板塊+1") and one.text.endswith("兩個不同的板塊各-1") for one in read)
    assert not any("一個板塊" in one.heading for one in read)


# --- several reviewers ------------------------------------------------------------------------------------------------


def with_first(review: Review, words: str, change: Any) -> Review:
    """The review with the readings of the passage that begins with words changed."""
    passages = tuple(
        Passage(one.words, one.begins, one.rules, tuple(change(one.read)), one.rule)
        if one.begins.startswith(words)
        else one
        for one in review.passages
    )
    return Review(review.game, review.lang, review.text, passages, review.unstated)


def test_a_reviewer_who_disagrees_is_named(read_book: Book) -> None:
    person = Reading("Olena", "2026-11-28", None)
    read_book.keep(with_first(read_book.kept, "THE END", lambda read: (*read, person)))
    (found,) = [one for one in remarks(read_book.check()) if "lowest" in one.message]
    assert found.message.endswith("is wrong: The lowest. Olena (2026-11-28) found this passage right.")
    assert "found this passage right" not in remarks(read_book.check())[0].message


def test_a_reviewer_with_a_name_reads_what_only_others_have_read(read_book: Book) -> None:
    second = StandIn(by="a name of its own")
    named = Asking(second, "second", DATE, read_book.keep, named=True)
    review_raw(read_book.source, "en", read_book.spec, reviewer=named)
    assert len(second.passages) == len(read_book.compared())
    assert {one.by for each in read_book.kept.passages for one in each.read} == {"stand-in", "second"}
    second.asked.clear()
    review_raw(read_book.source, "en", read_book.spec, reviewer=named)
    assert not second.asked


def declined(readings: tuple[Reading, ...]) -> Iterator[Reading]:
    for one in readings:
        why = Declined("Olena", "2026-11-28", "The club plays it so.")
        kept = tuple(Remark(each.words, each.rule, each.kind, each.why, why) for each in one.remarks)
        yield Reading(one.by, one.date, one.task, kept)


def test_a_declined_remark_is_not_reported(read_book: Book) -> None:
    read_book.keep(with_first(read_book.kept, "THE END", declined))
    assert len(remarks(read_book.check())) == 2
    (kept,) = [one for one in read_book.kept.passages if one.begins.startswith("THE END")]
    assert kept.read[0].remarks[0].declined == Declined("Olena", "2026-11-28", "The club plays it so.")


@pytest.mark.parametrize("by", ["stand-in", "another"])
def test_a_declined_remark_stays_declined_when_it_comes_again(read_book: Book, by: str) -> None:
    review = with_first(read_book.kept, "THE END", declined)
    (one,) = [one for one in read_book.compared() if one.present.begins.startswith("THE END")]
    again = Reading(by, "2026-11-29", 2, (Remark("The  highest total wins", "end.winner", "wrong", "Really."),))
    from rulespec.text.review.states import with_reading

    review = with_reading(review, one.present, again, read_book.spec.model)
    read_book.keep(review)
    assert len(remarks(read_book.check())) == 2
    (kept,) = [one for one in read_book.kept.passages if one.begins.startswith("THE END")]
    assert [one.by for one in kept.read] == list(dict.fromkeys(("stand-in", by)))


def test_what_others_said_before_a_rule_changed_stays_in_the_file(read_book: Book) -> None:
    person = Reading("Olena", "2026-11-28", None, (Remark("Figures", "nominate.rise", "term", "Characters."),))
    read_book.keep(with_first(read_book.kept, "On your turn you lift", lambda read: (*read, person)))
    read_book.edit_spec(*TWO_LEVELS)
    checked = read_book.ask(StandIn({}))
    assert states(checked) == {"read": 56}
    old, new = [one for one in read_book.kept.passages if one.begins.startswith("On your turn you lift")]
    by = {tuple(reading.by for reading in one.read) for one in (old, new)}
    assert by == {("Olena",), ("stand-in",)}
    assert "Characters." not in str(remarks(checked))


# --- translations -----------------------------------------------------------------------------------------------------


@pytest.fixture
def translation(book: Book) -> Path:
    return Path("specs/translations/kingme/en.yaml")


def source_of(path: Path) -> Source:
    return Source(str(path), path.read_text(encoding="utf-8"))


def ask_translation(path: Path, reviewer: StandIn) -> Reviewed:
    def keep(review: Review) -> None:
        path_of(path).parent.mkdir(parents=True, exist_ok=True)
        path_of(path).write_text(write(review), encoding="utf-8")

    return review_translation(source_of(path), Asking(reviewer, "stand-in", DATE, keep))


OURS = {"turn the cards face up": ("election.vote", "wrong", "They stay down.")}


def test_the_review_of_a_translation_is_kept_in_the_project(translation: Path) -> None:
    first = ask_translation(translation, StandIn(OURS))
    assert path_of(translation) == Path("specs/reviews/kingme/en.review.yaml")
    assert path_of(translation).exists()
    (remark,) = remarks(first)
    assert (remark.path, remark.rule) == (str(translation), "election.vote")
    assert states(first) == {"read": 37}
    again = StandIn()
    assert ask_translation(translation, again) == first
    assert again.asked == []
    checked = rulespec.check(translation)
    assert [one for one in checked.findings if one.code == "RS988"] == [remark]
    assert rulespec.check(path_of(translation)).findings == ()
    assert path_of(translation).absolute() in files_about("kingme", str(translation))


def test_a_changed_text_or_rule_of_a_translation_is_due(book: Book, translation: Path) -> None:
    ask_translation(translation, StandIn(OURS))
    text = translation.read_text(encoding="utf-8")
    translation.write_text(text.replace("turn the cards face up", "show the cards"), encoding="utf-8")
    (found,) = [one for one in rulespec.check(translation).findings if one.code in ("RS982", "RS983", "RS988")]
    assert (found.name, found.rule) == ("passage-changed", "election.vote")
    translation.write_text(text, encoding="utf-8")
    book.edit_spec(*TWO_LEVELS)
    due = [one for one in rulespec.check(translation).findings if one.code == "RS983"]
    assert "nominate.rise" in {one.rule for one in due}
    again = StandIn()
    assert states(ask_translation(translation, again)) == {"read": 37}
    assert len(again.passages) == len(due)


# --- files that cannot be used ----------------------------------------------------------------------------------------


def conflicted(text: str) -> str:
    lines = text.split("\n")
    return "\n".join([*lines[:9], "<<<<<<< HEAD", *lines[9:12], "=======", *lines[9:12], ">>>>>>> other", *lines[12:]])


DAMAGED = {
    "conflict marks": (conflicted, "A merge has left both versions here."),
    "cut off": (lambda text: text[: len(text) // 2], "line"),
    "cut off at a line": (lambda text: text[: text.index("\n- words", 2000) + 1], "This review needs `unstated`"),
    "empty": (lambda text: "", "The file is empty."),
    "another kind of file": (lambda text: "glossary: 1\ngame: kingme\nconcepts: {}\n", "line"),
    "a newer format": (lambda text: text.replace("review: 1", "review: 9", 1), "this ftk reads up to `review: 1`"),
    "another language": (lambda text: text.replace("lang: en", "lang: uk", 1), "it is of a text of kingme in uk"),
    "another game": (
        lambda text: text.replace("game: kingme", "game: fortheking", 1),
        "it is of a text of fortheking in en",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_review_that_cannot_be_used_is_said_and_never_written_over(read_book: Book, name: str) -> None:
    change, reason = DAMAGED[name]
    text = change(read_book.review.read_text(encoding="utf-8"))
    read_book.review.write_text(text, encoding="utf-8")
    again = StandIn()
    for checked in (read_book.check(), read_book.ask(again)):
        (found,) = named(checked, "review-unusable")
        assert found.severity == "warning"
        assert found.message.startswith("The review rulebook.txt.review.yaml is not used: ")
        assert reason in found.message
        assert remarks(checked) == []
    assert again.asked == []
    assert read_book.review.read_text(encoding="utf-8") == text


def test_a_review_of_another_text_is_not_used(read_book: Book) -> None:
    other = ROOT / "tests/raw_texts/en/kingme-chat.txt"
    shutil.copy(other, read_book.path)
    (found,) = named(read_book.check(), "review-unusable")
    assert "hardly any of its passages is in this text" in found.message
    assert named(read_book.ask(StandIn()), "review-unusable") == [found]


@pytest.mark.parametrize("path", samples("reviews"), ids=lambda path: path.stem)
def test_bad_samples(path: Path) -> None:
    source = Source(str(path), path.read_text(encoding="utf-8"))
    assert places(read(source)[1]) == expectations(path)
    assert read(source)[0] is None


def test_a_review_that_is_cut_off_at_any_line_is_noticed(read_book: Book) -> None:
    lines = read_book.review.read_text(encoding="utf-8").splitlines(keepends=True)
    for at in range(1, len(lines), 7):
        review, found = read(Source("x.review.yaml", "".join(lines[:at])))
        assert review is None and found


def test_a_remark_about_a_rule_that_is_no_longer_there_makes_its_passage_due(read_book: Book) -> None:
    def renamed(readings: tuple[Reading, ...]) -> Iterator[Reading]:
        for one in readings:
            yield Reading(one.by, one.date, one.task, (Remark("total", "old.rule", "wrong", "No."),))

    read_book.keep(with_first(read_book.kept, "THE END", renamed))
    checked = read_book.check()
    assert states(checked) == {"read": 55, "rule-changed": 1}
    assert "`old.rule`" in named(checked, "passage-rule-changed")[0].message


def test_words_that_are_not_found_are_reported_at_their_passage(read_book: Book) -> None:
    def other_words(readings: tuple[Reading, ...]) -> Iterator[Reading]:
        for one in readings:
            yield Reading(one.by, one.date, one.task, (Remark("no such words", "end.winner", "wrong", "No."),))

    read_book.keep(with_first(read_book.kept, "THE END", other_words))
    found = remarks(read_book.check())[-1]
    assert read_book.source.line(found.start.line).startswith("9. THE END")


words = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), min_size=1).filter(str.strip)
remark = st.builds(
    Remark,
    words,
    st.sampled_from(["round", "election.vote"]),
    st.sampled_from(["wrong", "missing", "term"]),
    words,
    st.none() | st.builds(Declined, words, st.just(DATE), words),
)
reading = st.builds(
    Reading, words, st.just(DATE), st.none() | st.integers(1, 9), st.lists(remark, max_size=3).map(tuple)
)
digests = st.dictionaries(
    st.sampled_from(["round", "no", "election.vote", "y"]), st.from_regex(r"2(-[0-9a-f]{8}){2}", fullmatch=True)
)
passage = st.builds(
    Passage,
    st.from_regex(r"[0-9a-f]{8}", fullmatch=True),
    words,
    digests,
    st.lists(reading, max_size=3).map(tuple),
    st.sampled_from(["", "round"]),
)


@given(
    st.builds(Review, st.just("kingme"), st.just("zh-Hant"), words, st.lists(passage, max_size=4).map(tuple), digests)
)
def test_what_is_written_is_read_again(review: Review) -> None:
    text = write(review)
    again, found = read(Source("x.review.yaml", text))
    assert (again, found) == (review, [])
    assert write(review) == text


# --- the command line -------------------------------------------------------------------------------------------------

SCRIPT = """
import json, sys
question = json.load(sys.stdin)
read = [{"passage": one["passage"], "remarks": []} for one in question["passages"]]
read[0]["remarks"] = [{"words": question["passages"][0]["text"][:7], "rule": "round", "kind": "wrong", "why": "No."}]
print(json.dumps({"read": read}))
"""


def test_the_command_keeps_and_says_how_much_is_read(book: Book, tmp_path: Path) -> None:
    script = tmp_path / "my reviewer.py"
    script.write_text(SCRIPT, encoding="utf-8")
    common = ("text", "check", "rulebook.txt", "--lang", "en", "--spec", "kingme")
    assert "Read by a reviewer" not in ftk(*common).output
    command = f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}"
    first = ftk(*common, "--reviewer", command, "--keep")
    assert "my reviewer.py (" in first.output
    assert "Read by a reviewer: 56 of 56 passages." in first.output
    assert ftk(*common).output == first.output
    book.edit("exactly one level", "at most one level")
    assert "Read by a reviewer: 55 of 56 passages; 1 changed since." in ftk(*common).output
    book.edit_spec(*TWO_LEVELS)
    summary = json.loads(ftk(*common, "--format", "json").output)["summary"]["passages"]
    assert summary["changed"] == 1
    assert summary["rule-changed"] > 0
    assert sum(summary.values()) == 56
    assert ftk("check", "rulebook.txt.review.yaml").exit_code == 0


def test_the_command_asks_a_second_reviewer_by_name(book: Book, tmp_path: Path) -> None:
    script = tmp_path / "read.py"
    script.write_text(SCRIPT, encoding="utf-8")
    common = ("text", "check", "rulebook.txt", "--lang", "en", "--spec", "kingme", "--keep")
    command = f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}"
    ftk(*common, "--reviewer", command)
    for name in ("one", "two", "two"):
        ftk(*common, "--reviewer", command, "--reviewer-name", name)
        assert all(one.read[-1].by == name for one in book.kept.passages)
    assert {len(one.read) for one in book.kept.passages} == {3}
    assert "add --reviewer" in ftk(*common[:-1], "--reviewer-name", "x").output
    assert "is empty" in ftk(*common, "--reviewer", command, "--reviewer-name", " ").output


def test_invisible_characters_do_not_spoil_the_file(book: Book) -> None:
    book.edit("the highest total wins", "the\u202e highest to\x07tal wins")
    book.edit("exactly one level", "\x1b[31mexactly one lev\u2066el")
    said = {
        "the\u202e highest to\x07tal": ("end.winner", "wrong", "\x1b[31mThe lowest."),
        "12 No": REMARKS["12 No cards"],
    }
    book.ask(StandIn(said), by="a\u202e reviewer")
    assert named(book.check(), "review-unusable") == []
    (found,) = [one for one in remarks(book.check()) if "lowest" in one.message]
    assert found.end.column - found.start.column == len("the\u202e highest to\x07tal")
    assert {one.by for each in book.kept.passages for one in each.read} == {"a reviewer"}
    book.edit("THE END", "\x07THE\u202e END")
    book.ask(StandIn(said))
    assert named(book.check(), "review-unusable") == []


def test_keeping_needs_a_reviewer_and_a_file(book: Book) -> None:
    common = ("text", "check", "--lang", "en", "--spec", "kingme", "--keep")
    assert "name one with --reviewer" in ftk(*common, "rulebook.txt").output
    assert "name a file instead" in ftk(*common, "-", "--reviewer", "true").output
