"""The rulebook as HTML page: complete, safe and self-contained."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulespec
from rulespec.base.source import Source
from rulespec.games.rulebook import book_of
from rulespec.language.model.constants import Setting
from rulespec.text.languages.registry import find, labels_of
from rulespec.text.output.render.book import Picture, Rulebook, for_players, rules_in_order, sections
from rulespec.text.output.render.index import index
from rulespec.text.output.render.markdown import markdown
from rulespec.text.output.render.page import html
from rulespec.text.reading.translation import Passage, Translation, read, translations

pytestmark = pytest.mark.slow("renders rulebooks of large games")

TRANSLATIONS = Path(__file__).parents[1] / "specs" / "translations"
BOOKS = [(path.parent.name, path.stem) for path in sorted(TRANSLATIONS.glob("*/*.yaml"))]
VOID = {"img", "meta", "br", "hr", "link"}

each_book = pytest.mark.parametrize(("game", "lang"), BOOKS)


class Page(HTMLParser):
    """Parses a page: its tags, which must be balanced, and the text of the page and of its rules."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.style: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        (self.style if self.open[-1:] == ["style"] else self.words).append(data)

    def values(self, name: str) -> list[str]:
        return [value for _, attributes in self.tags if (value := attributes.get(name)) is not None]


def book(game: str, lang: str) -> tuple[Translation, Iterator[Setting]]:
    spec = rulespec.load(game)
    return translations(TRANSLATIONS / game)[lang], (spec.game(players).setting for players in spec.players)


@each_book
@pytest.mark.sample(2)
def test_every_rule_of_the_setting_is_there_once(game: str, lang: str) -> None:
    translation, all_settings = book(game, lang)
    for setting in all_settings:
        page = Page(html(Rulebook(translation, setting, with_rulings=True)))
        here = [section.id for section in sections(translation, setting)]
        ids = page.values("id")
        assert len(ids) == len(set(ids))
        assert [id_ for id_ in ids if id_ in setting.spec.rules] == here
        assert [link.removeprefix("#") in ids for link in page.values("href")].count(False) == 0
        rulings = {id_: for_players(one.text.text, lang, setting) for id_, one in translation.rulings.items()}
        assert {f"ruling-{id_}" for id_, text in rulings.items() if text.strip()} <= set(ids)  # others say nothing here
        text = "".join(page.words)
        assert all(translation.rules[id_].title in text for id_ in here)
        shown = "".join(Page(html(Rulebook(translation, setting), ids=True)).words)
        assert all(id_ in shown for id_ in here)


@each_book
def test_a_page_needs_nothing_else(game: str, lang: str) -> None:
    translation, all_settings = book(game, lang)
    page = Page(html(Rulebook(translation, next(all_settings), with_rulings=True)))
    how = {"class": "unspaced"} if not find(lang).spaced else {}
    assert page.tags[0] == ("html", {"lang": lang, "dir": "ltr", **how})
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "link", "img", "iframe", "object", "base", "form"})
    assert all(link.startswith("#") for link in page.values("href")) and page.values("src") == []
    assert not re.search(r"url\(|@import|https?:|//", "".join(page.style))
    assert "{{" not in "".join(page.words) and "**" not in "".join(page.words)


@each_book
@pytest.mark.sample(2)
def test_the_index_has_each_term_once_with_a_section_that_has_it(game: str, lang: str) -> None:
    translation, all_settings = book(game, lang)
    known = book_of(rulespec.load(game))
    assert known is not None
    setting = next(all_settings)
    here = list(sections(translation, setting))
    entries = index(known, lang, here)
    terms = [entry.term for entry in entries]
    assert len(terms) == len(set(terms)) > 10 and all(entry.section in here for entry in entries)
    page = Page(html(Rulebook(translation, setting, known)))
    assert "page-index" in page.values("id")
    assert {f"#{entry.section.id}" for entry in entries} <= set(page.values("href"))
    assert f"## {labels_of(lang)['index']}" in markdown(Rulebook(translation, setting, known))


@pytest.mark.sample(4)
def test_the_index_follows_the_alphabet_of_the_language() -> None:
    translation, all_settings = book("fortheking", "uk")
    known = book_of(rulespec.load("fortheking"))
    assert known is not None
    terms = [entry.term for entry in index(known, "uk", list(sections(translation, next(all_settings))))]
    assert terms.index("дипломатія") < terms.index("колода") < terms.index("рука") < terms.index("тайл посади")


def test_cards_are_left_out_after_the_notes_of_the_setup_and_before_the_first_shuffle() -> None:
    translation, _ = book("fortheking", "en")
    ids = [section.id for section in sections(translation, rulespec.load("fortheking").game(3).setting)]
    assert ids[:3] == ["aim", "overview", "setup.components"]
    at = ids.index("setup.markers")
    assert ids[at - 1 : at + 2] == ["setup.secondary_tiles", "setup.markers", "setup.random_removal"]


def test_rulings_are_there_when_asked_and_only_those_taken() -> None:
    translation, _ = book("fortheking", "en")
    spec = rulespec.load("fortheking")
    assert "page-rulings" not in Page(html(Rulebook(translation, spec.game(3).setting))).values("id")
    ids = Page(html(Rulebook(translation, spec.game(3, {"overbid": "forbidden"}).setting, with_rulings=True))).values(
        "id"
    )
    assert "ruling-payment" in ids and "ruling-overbid" not in ids


GAME = """
rulespec: 2
game: {id: tiny, version: 1.0.0, title: Tiny, players: 2..4}
cards: {fields: {value: 1..9}, manifest: [{value: 1..9}], start: deck}
zones: {deck: {order: stack, seen_by: nobody}, hand: {per: player, seen_by: owner}}
play:
  - {shuffle: deck}
  - {id: deal, title: Deal, each: {p: player}, do: [{move: {top: 1, from: deck, to: "hand[p]"}}]}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "hand[p].value ?? 0", title: card}], left: share}}
"""
TINY = rulespec.loads(GAME).game(2).setting
PLAIN = """
translation: 3
game: tiny
lang: zh-Hant
title: 小
rules:
  deal: {title: 發牌, text: x}
"""


def with_text(text: str, title: str = "發牌", lang: str = "zh-Hant") -> Translation:
    """A translation with one rule, whose texts are all `text` or `title`."""
    translation, _ = read(Source("zh-Hant.yaml", PLAIN))
    assert translation is not None
    old = translation.rules["deal"]
    passage = Passage("deal", title, replace(old.text, text=text, value=text), old.key)
    return replace(translation, title=title, lang=lang, rules={"deal": passage})


def body(text: str, lang: str = "zh-Hant") -> str:
    found = re.search(r'<div class="text">\n(.*?)  </div>', html(Rulebook(with_text(text, lang=lang), TINY)), re.DOTALL)
    assert found is not None
    return found[1]


HOSTILE = [
    "<script>alert(1)</script>",
    "</style><script>x</script>",
    "{{ 7 * 7 }}{% raw %}",
    "<img src=x onerror=y>",
    "\"'><svg onload=x>",
    "![x](https://example.org/x.png)",
    "[x](javascript:y)",
    "<https://example.org>",
    "[x]: https://example.org",
    "</section></main><h1>x",
    "&lt;script&gt;",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text(text: str) -> None:
    before = [tag for tag, _ in Page(html(Rulebook(with_text("x", "x"), TINY))).tags]
    page = Page(html(Rulebook(with_text(text, text), TINY)))
    assert [tag for tag, _ in page.tags] == before
    assert all(link.startswith("#") for link in page.values("href"))
    assert "".join(page.words).count(text) >= 2


@given(text=st.text(), title=st.text())
def test_any_text_makes_a_page(text: str, title: str) -> None:
    assert "deal" in Page(html(Rulebook(with_text(text, title), TINY))).values("id")


def test_a_list_needs_no_blank_line_before_it() -> None:
    assert body("各色：\n- 紅：7張\n- 藍：9張\n\n其餘。") == (
        "<p>各色：</p>\n<ul>\n<li>紅：7張</li>\n<li>藍：9張</li>\n</ul>\n<p>其餘。</p>\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("拿**「起始玩家」**板塊", "拿<strong>「起始玩家」</strong>板塊"),
        ("**顧問：**抽牌", "<strong>顧問：</strong>抽牌"),
        ("**甲**和**乙**", "<strong>甲</strong>和<strong>乙</strong>"),
        ("2 ** 3，4 ** 5", "2 ** 3，4 ** 5"),
        ("第一行\n第二行", "第一行第二行"),
        ("拿 card\n再來", "拿 card\n再來"),
    ],
)
def test_chinese_has_no_spaces_between_words(text: str, expected: str) -> None:
    assert body(text) == f"<p>{expected}</p>\n"


def test_a_line_break_is_a_space_between_words() -> None:
    assert body("one\ntwo **bold** and 2 * 3 * 4", "en") == "<p>one\ntwo <strong>bold</strong> and 2 * 3 * 4</p>\n"


def test_markdown_is_the_same_book() -> None:
    translation, all_settings = book("fortheking", "uk")
    for setting in all_settings:
        text = markdown(Rulebook(translation, setting))
        titles = re.findall(r"^#{2,4} (.*)$", text, re.MULTILINE)
        assert titles == [section.title for section in sections(translation, setting)]


@each_book
def test_one_book_has_the_rules_for_all_numbers_of_players(game: str, lang: str) -> None:
    translation, all_settings = book(game, lang)
    settings = [*all_settings]
    whole = Rulebook(translation, settings[0], for_all=True)
    text = markdown(whole)
    for setting in settings:
        here = Rulebook(translation, setting)
        assert {one.id for one in here.sections} <= {one.id for one in whole.sections}
        assert [one.id for one in whole.sections if one in here.sections] == [
            one.id for one in here.sections if one in whole.sections
        ]
    assert re.findall(r"^#{2,4} (.*)$", text, re.MULTILINE) == [section.title for section in whole.sections]
    assert len({section.id for section in whole.sections}) == len(whole.sections)
    assert f"{settings[0].players}–{settings[-1].players}" in text.splitlines()[2] or len(settings) == 1


def test_pictures_are_in_the_page() -> None:
    translation, all_settings = book("kingme", "en")
    pictures = {"setup.goals": (Picture("<svg/>", 20, "a goal", 2),)}
    page = Page(html(Rulebook(translation, next(all_settings), pictures=pictures)))
    assert page.values("src") == ["data:image/svg+xml,%3Csvg/%3E"] and page.values("alt") == ["a goal"]


ORDER = """\
rulespec: 2
game: {id: order, version: 1.0.0, title: Order, players: 2..3, components: {coin: 3}}
cards:
  fields: {value: 1..3}
  manifest: [{value: 1..3, copies: 2}]
  leave_out: {id: sort, title: Sort out, if: card.value > players}
  start: deck
zones: {deck: {order: stack, seen_by: nobody, title: deck}, hand: {per: player, seen_by: owner, title: hand}}
values: {points: {per: player, type: 0..9, start: 0, title: points}}
rulings: {extra: {question: Is there a third phase?, answer: without_it, or: [with_it]}}
procedures:
  draw:
    id: draw
    title: Draw
    do:
      - {id: draw.one, title: One card, each: {p: player}, do: {move: {top: 1, from: deck, to: "hand[p]"}}}
      - {run: count}
  count: {do: {id: count, title: Count, each: {p: player}, do: {set: {"points[p]": "size(hand[p])"}}}}
  never: {id: never, title: Never, do: [{note: Nothing happens.}]}
setup:
  - {id: box, title: In the box, note: Coins.}
  - {id: mix, title: Mix, shuffle: deck}
play:
  - {id: first, title: First phase, do: [{run: draw}, {id: first.end, title: The end of it, note: Go on.}]}
  - {id: second, title: Second phase, run: draw}
  - {only_if: extra == with_it, run: never}
  - {id: end, title: The end, rank: {among: {p: player}, by: [{high: "points[p]", title: points}], left: share}}
"""


def test_rules_stand_in_the_order_of_play() -> None:
    game = rulespec.loads(Source("order.yaml", ORDER))
    found = list(rules_in_order(game.game(2).setting))
    assert found == [
        ("box", 1),
        ("sort", 1),  # before the first step, after the list of what is in the box
        ("mix", 1),
        ("first", 1),
        ("first.end", 2),
        ("draw", 1),  # runs in both phases, explained after the first
        ("draw.one", 2),
        ("count", 1),
        ("second", 1),
        ("end", 1),
    ]
    longer = [id_ for id_, _ in rules_in_order(game.game(2, rulings={"extra": "with_it"}).setting)]
    assert longer[-2:] == ["never", "end"]  # runs under this ruling only


@pytest.mark.parametrize("game", ["fortheking", "kingme", "keyflower_king"])
@pytest.mark.sample(1)
def test_every_rule_has_its_place_in_some_setting(game: str) -> None:
    spec = rulespec.load(game)
    rulings = [{}, *({r.id: option} for r in spec.model.rulings.values() for option in r.options)]
    rulings.append({r.id: r.options[1] for r in spec.model.rulings.values()})
    games = [spec.game(players, rulings=chosen) for players in spec.players for chosen in rulings]
    assert {id_ for one in games for id_, _ in rules_in_order(one.setting)} == spec.model.rules.keys()
