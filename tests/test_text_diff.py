"""Comparison of languages: what each text lacks and adds, and all output formats."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import rulespec
from ftk_cli.main import main
from ftk_cli.report.display import folded, width
from rulespec.base.source import Source
from rulespec.games.rulebook import book_of, check_translation, texts_of
from rulespec.text.output.diff.compare import LabelledText, diff, standing_out
from rulespec.text.output.diff.page import html
from rulespec.text.output.diff.result import Diff, Judgement, to_dict
from rulespec.text.output.diff.runs import Marked, runs, sections
from rulespec.text.reading.translation import Translation, read
from rulespec.text.rules.book import Book

pytestmark = pytest.mark.slow("compares whole texts")

SPECS = Path(__file__).parents[1] / "specs"
GAME = "fortheking"
HOSTILE = "<script>alert(1)</script></mark> \" ' & {{ 7 }} </style><img src=x onerror=y>"


@cache
def book(game: str = GAME) -> Book:
    found = book_of(rulespec.load(game))
    assert found is not None
    return found


@cache
def texts(game: str = GAME) -> dict[str, Translation]:
    return texts_of(rulespec.load(game))


def labelled(lang: str, changes: dict[str, str] | None = None, game: str = GAME) -> LabelledText:
    """One of our texts, with changed texts of some rules."""
    translation = texts(game)[lang]
    rules = dict(translation.rules)
    for id_, text in (changes or {}).items():
        rules[id_] = replace(rules[id_], text=replace(rules[id_].text, text=text))
    return LabelledText(lang, replace(translation, rules=rules))


def compared(*some: LabelledText, game: str = GAME) -> Diff:
    return diff(book(game).spec, book(game).glossary, some)


@cache
def ours() -> Diff:
    return compared(labelled("uk"), labelled("zh-Hant"), labelled("en"))


def sides(result: Diff, id_: str) -> dict[str, dict[str, object]]:
    rule = next(rule for rule in to_dict(result)["rules"] if rule["id"] == id_)
    return {side["label"]: side for side in rule["sides"]}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["text", "diff", *arguments])


# ---- What differs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("says", "lacks", "expected"),
    [
        ("a", "b", ("a", "b")),
        ("ab", "c", ("", "c")),
        ("a", "bc", ("a", "")),
        ("ab", "cd", ("ab", "cd")),
        ("abc", "", ("", "")),
        ("", "abc", ("", "")),
    ],
)
def test_the_fewer_stand_out_and_both_where_they_are_as_many(says: str, lacks: str, expected: tuple[str, str]) -> None:
    assert standing_out(says, lacks) == tuple(map(frozenset, expected))


def test_a_contrast_that_one_text_leaves_out_is_a_difference() -> None:
    text = texts()["en"].rules["esteem.first_player"].text.text.replace("directly to the left of", "next to")
    result = compared(labelled("en", {"esteem.first_player": text}), labelled("uk"), labelled("zh-Hant"))
    both = sides(result, "esteem.first_player")
    assert both["en"]["lacks"] == [{"what": "side: left", "others": ["uk", "zh-Hant"]}]
    assert both["uk"]["lacks"] == both["uk"]["adds"] == []


def test_a_table_that_one_text_leaves_out_is_a_difference() -> None:
    both = sides(compared(labelled("en", {"setup.random_removal": "Shuffle."}), labelled("uk")), "setup.random_removal")
    assert [detail["others"] for detail in both["en"]["lacks"]] == [["uk"]] * len(both["en"]["lacks"])
    assert any("22 with 2 players" in detail["what"] for detail in both["en"]["lacks"])


def test_other_words_for_the_same_are_no_difference() -> None:
    shown = labelled("en", {"king.discarded": "Discard a king card you won for all to see."})
    both = sides(compared(shown, labelled("uk")), "king.discarded")
    assert both["en"]["lacks"] == both["uk"]["adds"] == []


def test_the_shipped_texts_differ_in_few_rules() -> None:
    """The list was read by hand: each is a detail that one text gives and another does not."""
    assert sum(rule.differs for rule in ours().rules) <= 15


@pytest.mark.parametrize(("game", "lang"), [(GAME, "uk"), ("kingme", "zh-Hant")])
def test_a_text_does_not_differ_from_itself(game: str, lang: str) -> None:
    result = compared(labelled(lang, game=game), replace(labelled(lang, game=game), label="again"), game=game)
    assert not any(rule.differs for rule in result.rules)
    assert result.summary()["lacks"] == result.summary()["adds"] == 0


def test_rules_come_in_the_order_of_the_spec_then_rulings() -> None:
    spec = book().spec
    assert [rule.id for rule in ours().rules] == [*spec.rules, *spec.rulings]
    assert [rule.id for rule in ours().rules if rule.ruling] == list(spec.rulings)


def test_numbers_beyond_the_facts_are_compared_by_value_and_how_often() -> None:
    twice = labelled("en", {"esteem.bid": "Pay 17 and 17 coins."})
    same = compared(twice, labelled("uk", {"esteem.bid": "Сплатіть 17, потім сімнадцять."}))
    rule = next(rule for rule in same.rules if rule.id == "esteem.bid")
    assert not any(side.added_numbers for side in rule.sides)
    both = sides(compared(twice, labelled("uk", {"esteem.bid": "Сплатіть сімнадцять."})), "esteem.bid")
    assert both["uk"]["lacks_numbers"] == ["17"] and both["en"]["lacks_numbers"] == []
    numbers = both["en"]["numbers"]
    assert isinstance(numbers, list)
    assert [(n["value"], n["start"], n["adds"]) for n in numbers] == [("17", 4, False), ("17", 11, True)]


def test_numbers_that_the_facts_account_for_are_no_difference() -> None:
    both = sides(compared(labelled("en"), labelled("uk")), "setup.markers")
    assert both["en"]["lacks_numbers"] == both["uk"]["lacks_numbers"] == []


def test_a_fact_that_one_text_does_not_state_is_a_difference() -> None:
    text = texts()["en"].rules["setup.components"].text.text.replace("36", "35")
    result = compared(labelled("en", {"setup.components": text}), labelled("uk"))
    rule = next(rule for rule in result.rules if rule.id == "setup.components")
    at = [str(fact) for fact in rule.facts].index("36 duty tiles")
    assert [side.judged[at] for side in rule.sides] == [Judgement.LACKING, Judgement.STATED]
    assert rule.differs


def test_a_rule_without_a_text_differs() -> None:
    one = labelled("en")
    rules = {id_: passage for id_, passage in one.translation.rules.items() if id_ != "king"}
    result = compared(replace(one, translation=replace(one.translation, rules=rules)), labelled("uk"))
    side = sides(result, "king")["en"]
    assert side["text"] is None and side["adds"] == side["lacks"] == []
    assert next(rule for rule in result.rules if rule.id == "king").differs


def test_without_terms_in_a_language_only_numbers_are_compared() -> None:
    assert compared(labelled("en"), labelled("uk")).unread == ()
    bare = diff(book().spec, None, (labelled("en"), labelled("uk", {"king": "Візьміть 41 монету."})))
    assert bare.unread == ("en", "uk")
    assert sides(bare, "king")["en"] | {"lacks": [], "adds": []} == sides(bare, "king")["en"]
    assert sides(bare, "king")["en"]["lacks_numbers"] == ["41"]


# ---- Findings at their place ----------------------------------------------------------------------------------------


def draft(text: str, folder: Path) -> Path:
    path = folder / "draft.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def faulty(lang: str = "uk") -> str:
    """One of our texts with a wrong number, a hostile sentence and a missing rule."""
    text = (SPECS / "translations" / GAME / f"{lang}.yaml").read_text(encoding="utf-8")
    text = text.replace("- 36 ", "- 35 ", 1)
    text = re.sub(r"(  setup\.first_player:\n.*\n    text: \|-\n      )", lambda m: f"{m[1]}{HOSTILE} ", text, count=1)
    return re.sub(r"\n  setup\.nobles:\n(?:    .*\n|\n)*(?=  \S)", "\n", text, count=1)


def test_findings_stand_where_the_text_is_wrong(tmp_path: Path) -> None:
    source = Source(str(draft(faulty(), tmp_path)), faulty())
    translation, _ = read(source)
    assert translation is not None
    found = check_translation(source).findings
    result = compared(LabelledText("uk", translation, found), labelled("en"))
    placed = [(side.text, one) for rule in result.rules for side in rule.sides for one in side.findings]
    assert Counter(one.finding for _, one in placed) + Counter(result.findings) == Counter(found)
    wrong = [(text, one) for text, one in placed if text is not None and one.finding.name == "fact-contradicted"]
    said = {text[one.start : one.end] for text, one in wrong}
    assert said == {"35"}
    missing = next(rule for rule in result.rules if rule.id == "setup.nobles").sides[0]
    assert missing.text is None and [one.finding.name for one in missing.findings] == ["text-missing"]


MARKS = st.lists(
    st.builds(
        lambda kind, index, start, size: Marked(kind, index, start, start + size),
        st.sampled_from(["said", "number", "finding"]),
        st.integers(0, 5),
        st.integers(0, 30),
        st.integers(0, 12),
    )
)


@given(text=st.text("ab*- \n卡", max_size=40), marked=MARKS)
def test_the_pieces_make_up_the_text(text: str, marked: list[Marked]) -> None:
    marked = [mark for mark in marked if mark.end <= len(text)]
    pieces = runs(text, marked)
    assert "".join(piece.text for piece in pieces) == text
    assert all(text.startswith(piece.text, piece.start) for piece in pieces)
    for mark in marked:
        if mark.kind == "said" and mark.start < mark.end:
            here = "".join(piece.text for piece in pieces if mark.start <= piece.start < mark.end)
            assert here == text[mark.start : mark.end]
    shown = [piece for section in sections(pieces) for item in section.items for piece in item]
    assert [piece for piece in pieces if piece in shown or piece.hidden or not piece.text.strip("\n")] == list(pieces)


def test_lists_and_bold_words_take_form() -> None:
    made = list(sections(runs("One **bold** word\nand on.\n\n- first\n- second\n\nEnd.", [])))
    assert [(section.listed, ["".join(run.text for run in item) for item in section.items]) for section in made] == [
        (False, ["One bold word\nand on."]),
        (True, ["first", "second"]),
        (False, ["End."]),
    ]
    assert [run.text for run in made[0].items[0] if run.strong] == ["bold"]


# ---- JSON -----------------------------------------------------------------------------------------------------------


def test_the_json_form_says_where_everything_stands() -> None:
    data = to_dict(ours())
    assert json.loads(json.dumps(data)) == data
    assert (data["version"], data["game"], data["languages"]) == (1, GAME, ["uk", "zh-Hant", "en"])
    for rule in data["rules"]:
        assert [side["lang"] for side in rule["sides"]] == data["languages"]
        for side in rule["sides"]:
            assert len(side["facts"]) == len(rule["facts"])
            for piece in side["numbers"]:
                assert side["text"][piece["start"] : piece["end"]] == piece["text"]
    assert data["summary"]["differing"] == sum(rule["differs"] for rule in data["rules"])
    every = [side for rule in data["rules"] for side in rule["sides"]]
    assert data["summary"]["lacks"] == sum(len(side["lacks"]) + len(side["lacks_numbers"]) for side in every)
    assert data["summary"]["adds"] == sum(len(side["adds"]) + sum(n["adds"] for n in side["numbers"]) for side in every)


def test_rules_can_be_chosen() -> None:
    only = ours().only(frozenset({"king", "overbid"}))
    assert [rule.id for rule in only.rules] == ["king", "overbid"]
    assert all(rule.notable for rule in ours().only(notable=True).rules)
    assert ours().only(notable=True).summary() == ours().summary()


# ---- The page -------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Parses a page: its tags, which must be balanced, and separately its words, style and script."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.parts: dict[str, list[str]] = {"style": [], "script": [], "": []}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag not in {"meta", "link", "input", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.parts.get(self.open[-1] if self.open else "", self.parts[""]).append(data)

    def values(self, name: str) -> list[str]:
        return [value for _, attributes in self.tags if (value := attributes.get(name)) is not None]


def test_the_page_needs_nothing_else() -> None:
    page = Page(html(ours()))
    assert page.values("src") == [] and all(link.startswith(("#", "data:,")) for link in page.values("href"))
    assert not re.search(r"url\(|@import|https?:|//", "".join(page.parts["style"]))
    policy = next(value for value in page.values("content") if "default-src" in value)
    digest = b64encode(sha256("".join(page.parts["script"]).encode()).digest()).decode()
    assert "default-src 'none'" in policy and f"script-src 'sha256-{digest}'" in policy


def test_the_page_can_be_linked_into_and_is_whole() -> None:
    page = Page(html(ours()))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert [id_ for id_ in ids if id_ in {rule.id for rule in ours().rules}] == [rule.id for rule in ours().rules]
    assert {link[1:] for link in page.values("href") if link.startswith("#")} <= set(ids)
    marks = [attributes for tag, attributes in page.tags if tag == "mark" and "title" in attributes]
    assert all(mark["title"] and mark["aria-label"] for mark in marks)
    named = [(attributes, (attributes.get("class") or "").split()) for _, attributes in page.tags]
    texts_shown = [attributes["lang"] for attributes, classes in named if classes[:1] == ["text"]]
    assert texts_shown == ["uk", "zh-Hant", "en"] * len(ours().rules)
    words = re.sub(r"\s", "", "".join(page.parts[""]))
    for rule in ours().rules:
        for side in rule.sides:
            assert side.text is not None
            for line in side.text.splitlines():
                assert re.sub(r"\s|\*\*|^[ \t]*- ", "", line) in words


def test_hostile_text_is_only_text() -> None:
    plain = Page(html(compared(labelled("en", {"king": "word"}), labelled("uk"))))
    page = Page(html(compared(labelled("en", {"king": HOSTILE}), labelled("uk"))))
    assert HOSTILE in "".join(page.parts[""])
    assert Counter(tag for tag, _ in page.tags)["script"] == 1
    assert {tag for tag, _ in page.tags} == {tag for tag, _ in plain.tags}


@given(text=st.text())
def test_any_text_makes_a_page(text: str) -> None:
    one, other = (replace(labelled("en"), label=label) for label in ("<one>", "two\"'"))
    passage = one.translation.rules["king"]
    rules = {"king": replace(passage, title=text, text=replace(passage.text, text=text))}
    changed = replace(one, translation=replace(one.translation, rules=rules, rulings={}))
    only = replace(other, translation=replace(other.translation, rules={}, rulings={}))
    assert "king" in Page(html(compared(changed, only))).values("id")


# ---- The command ----------------------------------------------------------------------------------------------------


def test_the_table_fits_and_names_what_differs() -> None:
    done = run("uk", "zh", "en", "--spec", GAME)
    assert done.exit_code in (0, 1)
    lines = done.output.splitlines()
    assert lines[0].endswith("uk · zh-Hant · en") and all(width(line) <= 120 for line in lines)
    shown = {line.split("  ")[0] for line in lines[2:-1] if line and not line.startswith(" ")}
    every = {rule.id for rule in ours().rules}
    assert {rule.id for rule in ours().rules if rule.differs} <= shown <= every


@given(text=st.text("ab 卡牌", max_size=60).map(str.lstrip), room=st.integers(2, 20))  # an indentation is kept
def test_long_lines_are_folded_by_cells(text: str, room: int) -> None:
    lines = folded(text, room)
    assert all(width(line) <= room or (line.isascii() and " " not in line) for line in lines)  # a long word
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_json_from_the_command_is_that_of_the_library() -> None:
    done = run("en", "zh", "--spec", "kingme", "--format", "json")
    data = json.loads(done.output)
    assert done.exit_code == (1 if data["summary"]["error"] else 0)
    assert data["languages"] == ["en", "zh-Hant"] and len(data["rules"]) == data["summary"]["rules"]
    fewer = json.loads(run("en", "zh", "--spec", "kingme", "--format", "json", "--only-differences").output)
    assert [rule["id"] for rule in fewer["rules"]] == [
        rule["id"] for rule in data["rules"] if rule["differs"] or any(side["findings"] for side in rule["sides"])
    ]
    assert fewer["summary"] == data["summary"]


def test_every_game_with_these_languages_is_compared() -> None:
    done = run("uk", "zh", "en")
    assert done.exit_code in (0, 1)
    heads = [line for line in done.output.splitlines() if line.endswith("uk · zh-Hant · en")]
    assert [head.partition(" 1.")[0] for head in heads] == ["For the King (and Me)", "King Me!"]


def test_the_only_game_with_these_languages_is_meant() -> None:
    done = run("de", "PL", "--format", "json", "--only-differences")
    assert json.loads(done.stdout)["game"] == "kingme"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["en"], 2, "at least two"),
        (["en", "en"], 2, "named twice"),
        (["zh-Hant", "zh", "--spec", "kingme"], 2, "named twice"),
        (["en", "zh", "--format", "json"], 2, "fortheking, keyflower_king, kingme"),
        (["en", "uk", "--rule", "election"], 2, "fortheking, kingme: say which"),
        (["en", "fr"], 3, "No game has rule text in en and fr"),
        (["en", "de", "--spec", "fortheking"], 3, "There is one in en, uk, zh-Hant."),
        (["en", "zh", "--spec", "kingme", "--rule", "elecion"], 2, "has no rule or ruling `elecion`"),
        (["en", "nowhere.yaml"], 3, "There is no file nowhere.yaml."),
        (["en", str(SPECS / "kingme.yaml")], 3, "This translation needs"),
        (["en", str(SPECS / "translations/kingme/zh-Hant.yaml"), "--spec", GAME], 3, "not of fortheking"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_sentence(arguments: list[str], status: int, words: str) -> None:
    done = run(*arguments)
    assert done.exit_code == status
    assert words in done.output and "Traceback" not in done.output


def test_a_file_stands_in_for_a_language_and_its_findings_count(tmp_path: Path) -> None:
    path = draft(faulty(), tmp_path)
    done = run("uk", str(path), "--format", "json", "--rule", "setup.components")
    assert done.exit_code == 1
    data = json.loads(done.output)
    assert data["languages"] == ["uk", "uk (draft.yaml)"]
    assert [found["name"] for found in data["rules"][0]["sides"][1]["findings"]] == ["fact-contradicted"]
    out = tmp_path / "diff.html"
    fail = ["--rule", "setup.first_player", "--fail-on", "warning"]  # straight quotation marks are a warning
    assert run("en", str(path), "--format", "html", "--output", str(out), *fail).exit_code == 1
    assert "setup.first_player" in Page(out.read_text(encoding="utf-8")).values("id")
