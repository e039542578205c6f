"""Languages are data: no code names one, CLDR has every one, and a record adds to it, as that of German does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from contrast_swaps import swaps
from samples import places
from test_architecture import tree_of

import rulespec
from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source, read
from rulespec.editing.language_files.skeleton import new_language
from rulespec.games.rulebook import book_of, check_glossary, check_raw, check_translation, texts_of
from rulespec.text.glossary.finder import finder
from rulespec.text.languages.quantity.quantity import Kind
from rulespec.text.languages.quantity.reader import read as quantities
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import LANGUAGES, find_in_cldr
from rulespec.text.languages.registry import add as add_language
from rulespec.text.languages.registry import find as find_language
from rulespec.text.languages.tags import parents
from rulespec.text.output.render.book import Rulebook
from rulespec.text.output.render.markdown import markdown
from rulespec.text.output.render.page import html
from rulespec.text.reading.contrasts.reader import read as contrasts

ROOT = Path(__file__).resolve().parent.parent
HERE = Path(__file__).parent / "languages"
LANTERN = HERE / "lantern"

EXCEPTIONS = {"rulespec/base/findings/pages.py", "rulespec/base/findings/catalog.py"}
"""The language of the messages and pages of findings, which are no rule text."""


def source(path: Path) -> Source:
    found, _ = read(str(path))
    assert found is not None
    return found


@pytest.fixture
def german() -> Language:
    return LANGUAGES["de"]


# --- no code names a language ----------------------------------------------------------------------------------------


def names_of_languages() -> set[str]:
    """Every tag and alias, with the subtags that stand for several."""
    every = {name for each in LANGUAGES.values() for name in (each.tag, *each.aliases)}
    return {name.lower() for tag in every for name in (tag, tag.split("-")[0])} | {"hant", "hans"}


def literals(path: Path) -> Iterator[str]:
    """The strings of a module, without docstrings."""
    docs = {id(node.value) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def test_no_code_names_a_language() -> None:
    paths = [path for package in ("rulespec", "ftk_cli") for path in (ROOT / package).rglob("*.py")]
    named = names_of_languages()
    found = {
        f"{path.relative_to(ROOT)}: {text}"
        for path in paths
        for text in literals(path)
        if text.strip().lower() in named
    }
    assert {each for each in found if each.partition(":")[0] not in EXCEPTIONS} == set()


# --- records ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", LANGUAGES)
def test_records_have_what_every_text_needs(tag: str) -> None:
    language = LANGUAGES[tag]
    assert language.labels.keys() == {"contents", "players", "rulings", "index", "example", "top", "since", "changes"}
    assert language.players and language.either and language.conjunctions and language.example
    assert language.file("numerals.yaml") and language.file("contrasts.yaml")


@pytest.mark.parametrize("tag", ["en", "uk", "zh"])
def test_a_record_does_not_repeat_what_cldr_has(tag: str) -> None:
    own, known = find_language(tag), find_in_cldr(tag)
    assert own.folders
    keys = yaml.safe_load((own.folders[0] / "language.yaml").read_text(encoding="utf-8")).keys() - {"tag"}
    assert [key for key in keys if getattr(own, key) == getattr(known, key)] == []


@pytest.mark.parametrize("tag", ["en", "uk", "zh-Hans", "pl", "ar", "fr", "cy", "lt", "sl"])
def test_plural_categories_are_those_of_cldr(tag: str) -> None:
    from babel import Locale

    language, rule = find_language(tag), Locale.parse(tag, sep="-").plural_form
    assert [language.plural(number) for number in range(1001)] == list(map(rule, range(1001)))
    assert language.plural(-1) == rule(1)


def test_every_key_of_a_record_is_explained_where_it_is_written(tmp_path: Path) -> None:
    made = {Path(path).name: text for path, text in new_language(tmp_path, "nl").items()}["language.yaml"]
    explained = re.findall(r"^# \S.*\n(?:# )?(\w+):", made, re.MULTILINE)
    assert {*explained, "tag"} >= {each.name for each in fields(Language)} - {"folders", "digest"}


def test_chinese_scripts_share_what_they_have_in_common() -> None:
    hant, hans = find_language("zh-TW"), find_language("zh-CN")
    assert (hant.tag, hans.tag) == ("zh-Hant", "zh-Hans")
    assert hant.players is hans.players
    assert hant.file("numerals.yaml") == hans.file("numerals.yaml")
    assert not find_language("zh").is_known


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("name: X", "the key `tag` is missing"),
        ("{tag: xx, colour: red}", "there is no key `colour`"),
        ("{tag: xx, players: '('}", "players: missing )"),
        ("{tag: xx, spaced: sometimes}", "spaced: 'sometimes' is not true or false"),
        ("{tag: xx, aliases: 3}", "aliases: 3 is not a list"),
        ("{tag: xx, quotes: [low]}", "quotes: ['low'] is not a mapping"),
        ("{tag: xx, extends: yy}", "there is no language 'yy'"),
        ("{tag: en, name: English}", "there is already a language 'en'"),
        ("- tag", "a record is a mapping"),
        ("{", "expected"),
    ],
)
def test_a_bad_record_is_an_error_with_its_key(tmp_path: Path, record: str, message: str) -> None:
    (tmp_path / "language.yaml").write_text(record, encoding="utf-8")
    before = dict(LANGUAGES)
    with pytest.raises(ValueError, match="language") as caught:
        add_language(tmp_path)
    assert message in str(caught.value)
    assert before == dict(LANGUAGES)


# --- tags ------------------------------------------------------------------------------------------------------------


def in_language(tag: str, rest: str = "") -> tuple[Finding, ...]:
    """The findings of the German text under another tag."""
    text = source(LANTERN / "translations" / "lantern" / "de.yaml").text.replace("lang: de", f"lang: {tag}{rest}")
    return check_translation(Source(str(LANTERN / "translations" / "lantern" / f"{tag}.yaml"), text)).findings


@pytest.mark.parametrize(
    ("tag", "hint"),
    [
        ("germn", "Did you mean `de`?"),
        ("german", "Did you mean `de`?"),
        ("deutsch", "Did you mean `de`?"),
        ("qux", "Write a tag of BCP 47, such as `de`, `pt-BR` or `zh-Hant`."),
        ("fr-Qqqq", "Write a tag of BCP 47, such as `de`, `pt-BR` or `zh-Hant`."),
    ],
)
def test_a_tag_that_is_none_is_one_finding(tag: str, hint: str) -> None:
    (found,) = in_language(tag)
    assert (*places([found])[0], found.hint) == (3, 7, "language-unknown", hint)


@pytest.mark.parametrize(("tag", "now"), [("iw", "he"), ("pt-br", "pt-BR"), ("ZH-hant-hk", "zh-Hant-HK"), ("in", "id")])
@pytest.mark.sample(2)
def test_an_old_tag_is_a_finding_with_the_present_one(tag: str, now: str) -> None:
    found = next(one for one in in_language(tag) if one.name == "language-tag")
    assert (found.start.line, found.start.column, found.hint) == (3, 7, f"Write `{now}`.")


def test_a_glossary_with_a_tag_that_is_none_is_one_finding() -> None:
    text = source(LANTERN / "glossaries" / "lantern.yaml").text.replace("de: {", "qux: {")
    found = check_glossary(Source(str(LANTERN / "glossaries" / "lantern.yaml"), text)).findings
    assert places(found) == [(4, 23, "language-unknown")]


def test_every_language_of_cldr_has_a_record_of_level_1() -> None:
    czech = find_language("cs")
    assert (czech.name, czech.script, czech.direction, czech.lemmatiser) == ("Czech", "Latin", "ltr", "cs")
    assert czech.plurals == ("one", "few", "many", "other") and czech.conjunctions == ("nebo", "a")
    assert find_language("ar").direction == "rtl" and not find_language("th").spaced
    assert find_language("sr").script == "Cyrillic" and find_language("sr-Latn").script == "Latin"
    assert find_language("qux").level == 0 and find_language("tlh").level == 1


def test_a_regional_tag_inherits() -> None:
    ukrainian, here = find_language("uk"), find_language("uk-PL")
    assert here.tag == "uk-PL" and here.level == ukrainian.level == 3
    assert here.file("contrasts.yaml") == ukrainian.file("contrasts.yaml")
    assert find_language("zh-Hant-HK").han_form == "traditional"
    assert parents("zh-Hant-HK") == ("zh-Hant",) and parents("sr-Latn") == ()


def test_a_text_in_another_script_is_a_finding() -> None:
    assert "other-script" in {found.name for found in in_language("sr")}
    assert "other-script" not in {found.name for found in in_language("sr-Latn")}


# --- German, from its record -----------------------------------------------------------------------------------------


def test_a_good_german_text_is_silent(german: Language) -> None:
    assert check_translation(source(LANTERN / "translations" / "lantern" / "de.yaml")).findings == ()
    assert check_glossary(source(LANTERN / "glossaries" / "lantern.yaml")).findings == ()


def test_mistakes_in_a_german_text_are_found(german: Language) -> None:
    lines = (LANTERN / "bad" / "de.expected").read_text(encoding="utf-8").splitlines()
    expected = sorted((int(line), int(column), name) for line, column, name in map(str.split, lines))
    assert places(check_translation(source(LANTERN / "bad" / "de.yaml")).findings) == expected


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("zweiundzwanzig Karten", Kind.CARDINAL, 22),
        ("einhundertfünf Karten", Kind.CARDINAL, 105),
        ("Eine Karte", Kind.ARTICLE, 1),
        ("der dritte Spieler", Kind.ORDINAL, 3),
        ("keine Karten", Kind.NOTHING, 0),
        ("die Hälfte", Kind.FRACTION, Fraction(1, 2)),
        ("siehe Seite 4", Kind.PAGE, 4),
        ("eine Karte mehr als Spieler", Kind.RELATIVE, 1),
        ("zwischen zwei und sechs", Kind.RANGE, 2),
    ],
)
def test_german_numbers_by_value(german: Language, text: str, kind: Kind, value: Fraction) -> None:
    assert [(found.kind, found.value) for found in quantities(text, german.tag)] == [(kind, value)]


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("Gebt zwei Karten nach links.", ["side: left"]),
        ("Der linke Nachbar beginnt.", ["side: left"]),
        ("Nicht nach links, sondern nach rechts.", ["side: left, negated", "side: right"]),
        ("Legt sie nie verdeckt oder offen ab.", ["face: up", "face: down"]),
        ("Mit der Vorderseite nach oben.", ["face: up"]),
        ("Bietet nicht mehr als fünf.", ["comparison: at_most"]),
        ("Offen gesagt, nein.", []),
    ],
)
def test_german_contrasts(german: Language, text: str, reads: list[str]) -> None:
    found = contrasts(text, german)
    assert [f"{c.family}: {c.value}{', negated' if c.negated else ''}" for c in found] == reads


def test_german_contrasts_are_swapped(german: Language) -> None:
    found = [each.text for each in swaps("Links sitzt höchstens einer.", german) if each.text]
    assert {"Rechts sitzt höchstens einer.", "Links sitzt mehr als einer."} <= {*found}


def test_german_terms_are_found_in_their_forms(german: Language) -> None:
    book = book_of(rulespec.load(str(LANTERN / "lantern.yaml")))
    assert book is not None
    found = finder(book.glossary, german.tag).find("Die Laternen liegen neben den Karten der Nachziehstapel.")
    assert [mention.concept for mention in found] == ["lantern", "card", "deck"]


def test_a_german_rulebook_is_rendered_with_its_own_labels(german: Language) -> None:
    spec = rulespec.load(str(LANTERN / "lantern.yaml"))
    translation, setting = texts_of(spec)[german.tag], spec.game(players=3).setting
    assert "Mischt den Nachziehstapel." in markdown(Rulebook(translation, setting))
    page = html(Rulebook(translation, setting))
    assert '<html lang="de"' in page and "Spieler: 3" in page and "Zurück zum Inhalt" in page


def test_a_raw_german_text_is_aligned(german: Language) -> None:
    rules = texts_of(spec := rulespec.load(str(LANTERN / "lantern.yaml")))[german.tag].rules.values()
    raw = "\n\n".join(f"# {passage.title}\n\n{passage.text.text}" for passage in rules)
    wrong = raw.replace("vier Karten", "sechs Karten")
    assert [found.name for found in check_raw(Source("x.txt", wrong), german.tag, spec).findings] == [
        "fact-contradicted"
    ]
