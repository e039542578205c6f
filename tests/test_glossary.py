"""Glossaries: reading, checks against a spec, search in texts, export and import."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from samples import expectations, places, samples

import rulespec
from rulespec.base import source
from rulespec.base.characters import STEERING
from rulespec.base.diagnostics import Finding
from rulespec.base.findings import names_in
from rulespec.base.source import Source
from rulespec.text.glossary.check import check as check_glossary
from rulespec.text.glossary.concepts import Glossary, Status
from rulespec.text.glossary.concepts import read as read_glossary
from rulespec.text.glossary.entries import to_yaml
from rulespec.text.glossary.finder import finder as finder_glossary
from rulespec.text.glossary.table import from_csv, to_csv
from rulespec.text.glossary.tbx import V2 as TBX_2
from rulespec.text.glossary.tbx import V3 as TBX_3
from rulespec.text.glossary.tbx import from_tbx, to_tbx
from rulespec.text.languages.registry import LANGUAGES
from rulespec.text.rules.describe.description import lacking_nouns

DATA = Path(__file__).parent / "glossary"


def from_file(path: Path) -> Source:
    read, found = source.read(str(path))
    assert read is not None and not found
    return read


@cache
def small() -> Glossary:
    made, found = read_glossary(from_file(DATA / "small.yaml"))
    assert made is not None and not found
    return made


def data(name: str) -> list[tuple[str, str, list[list[str]]]]:
    content = yaml.safe_load((DATA / f"{name}.yaml").read_text(encoding="utf-8"))
    return [(lang, text, expected) for lang, texts in content.items() for text, expected in texts.items()]


# --- reading and checking --------------------------------------------------------------------------------------------


def check(path: Path) -> list[Finding]:
    made, found = read_glossary(from_file(path))
    spec = rulespec.load(DATA / "high_card.yaml")
    return [*found, *(check_glossary(made, spec.model) if made is not None else ())]


@pytest.mark.parametrize("path", samples("glossary"), ids=lambda path: path.stem)
def test_bad_samples(path: Path) -> None:
    assert places(check(path)) == expectations(path)


def test_every_kind_has_a_bad_sample() -> None:
    shown = {name for path in samples("glossary") for _, _, name in expectations(path)}
    shown |= {found.name for found in BROKEN_FINDINGS}
    assert shown == names_in("glossaries") | {"bad-name", "wrong-kind", "unknown-key"}


def test_names_are_suggested() -> None:
    hints = [found.hint for found in check(samples("glossary")[0])]
    meant = ("deck", "face.ace", "deal", "card_tie", "wholly_other")
    assert {f"Did you mean `{name}`?" for name in meant} <= set(hints)


def test_a_good_glossary_has_only_names_left_over() -> None:
    spec = rulespec.load("fortheking")
    assert [found.name for found in check_glossary(small(), spec.model)] == ["glossary-name-unused"]


NOUNS = """glossary: 1
game: high_card
concepts:
  hand: {names: hand, uk: {preferred: рука, CASES}}
  deck: {names: deck, uk: {preferred: колода, gender: f, cases: {gen: колоди, acc: колоду, loc: колоді}}}
  value: {names: value, uk: {preferred: значення, gender: n, cases: {gen: значення, acc: значення}}}
"""


@pytest.mark.parametrize(
    ("cases", "lacking"),
    [("gender: f", ["`hand` (gen, acc, loc):"]), ("cases: {gen: руки, acc: руку, loc: руці}", [])],
)
def test_nouns_that_sentences_lack_are_named(cases: str, lacking: list[str]) -> None:
    made, _ = read_glossary(Source("nouns.yaml", NOUNS.replace("CASES", cases)))
    assert made is not None
    found = list(lacking_nouns(made, rulespec.load(DATA / "high_card.yaml").model))
    assert [one.name for one in found] == ["noun-lacking"] * len(lacking)
    assert all(words in one.message for words, one in zip(lacking, found, strict=True))


@pytest.mark.parametrize(
    "text", ["", "[]", "glossary: 1", "glossary: {", "glossary: 1\ngame: x\nconcepts: {a: 1}", "\0"]
)
def test_broken_glossaries_give_findings(text: str) -> None:
    made, found = read_glossary(Source("broken.yaml", text))
    assert made is None and found


# --- the finder ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "text", "expected"), data("find"))
def test_the_finder(lang: str, text: str, expected: list[list[str]]) -> None:
    mentions = finder_glossary(small(), lang).find(text)
    found = [(text[m.start : m.end], m.concept, str(m.status)) for m in mentions]
    assert found == [(*item, "preferred")[:3] for item in expected]


@pytest.mark.parametrize(("lang", "text", "expected"), data("misses"))
def test_near_misses(lang: str, text: str, expected: list[list[str]]) -> None:
    misses = [*finder_glossary(small(), lang).near_matches(text)]
    assert [[miss.found, miss.term] for miss in misses] == expected
    assert all(text[miss.start : miss.end] == miss.found for miss in misses)


def test_shared_and_contested_terms() -> None:
    concepts = {
        "office": {"en": {"preferred": "office", "forbidden": ["duty"]}},
        "duty": {"en": {"preferred": "duty"}},
        "task": {"en": {"preferred": "task", "allowed": ["duty"]}},
    }
    (mention,) = finder_glossary(made_of(concepts), "en").find("Every duty counts.")
    assert (mention.concept, mention.also) == ("duty", ("task",))


def test_the_word_as_it_stands_counts_before_its_other_forms() -> None:
    concepts = {"play": {"en": {"preferred": "tie"}}, "band": {"en": {"preferred": "ties"}}}
    found = finder_glossary(made_of(concepts), "en").find("ties, a tie")
    assert [(mention.concept, mention.also) for mention in found] == [("band", ()), ("play", ())]


def test_a_term_that_a_spreadsheet_would_calculate_begins_with_an_apostrophe() -> None:
    terms = {"preferred": "=HYPERLINK(1)", "allowed": ["-x", "@y", "'=z", "+3"]}
    made = made_of({"play": {"note": "=1+1", "en": terms}})
    text = to_csv(made)
    assert all(cell in text for cell in (",'=1+1,", ",'=HYPERLINK(1)", ",'-x", ",'@y", ",''=z", ",+3"))
    round_trips(made)


def test_a_finder_is_made_once() -> None:
    again, _ = read_glossary(from_file(DATA / "small.yaml"))
    assert again is not None
    assert finder_glossary(again, "uk") is finder_glossary(small(), "uk")


@given(
    st.sampled_from(sorted(LANGUAGES)),
    st.text(alphabet="картки короля тайл主要職位板塊 king card.\n-…’'*\u0301", max_size=80),
)
def test_mentions_are_in_order_and_terms_do_not_overlap(lang: str, text: str) -> None:
    finder = finder_glossary(small(), lang)
    mentions = finder.find(text)
    assert [m.start for m in mentions] == sorted(m.start for m in mentions)
    terms = [m for m in mentions if m.status.is_term]
    assert all(one.end <= other.start for one, other in pairwise(terms))
    assert all(0 <= miss.start < miss.end <= len(text) for miss in finder.near_matches(text))


# --- to other tools and back -----------------------------------------------------------------------------------------


def made_of(concepts: dict[str, Any]) -> Glossary:
    text = json.dumps({"glossary": 1, "game": "game", "concepts": concepts}, ensure_ascii=False)
    made, found = read_glossary(Source("made.yaml", text))
    assert made is not None, found
    return made


def again(text: str) -> Glossary:
    made, found = read_glossary(Source("again.yaml", text))
    assert made is not None and not found, (found, text)
    return made


def round_trips(made: Glossary) -> None:
    assert again(to_yaml(made)) == made
    assert to_yaml(again(to_yaml(made))) == to_yaml(made)
    files = [(to_csv(made), from_csv)]
    files += [(to_tbx(made, dialect), from_tbx) for dialect in (TBX_2, TBX_3)]
    for written, back in files:
        text, found = back(Source("terms", written), made.game)
        assert not found
        assert again(text) == made


def test_the_small_glossary_comes_back() -> None:
    round_trips(small())


ODD = ["no", "010", "1:30", "~", "king: card", "a, b", '"', "'", "=1", "- x", "<&>", "]]>", "а … б", "null", "[x"]
WORDS = st.sampled_from(ODD) | st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Co", "Cn"), exclude_characters="\u2028\u2029\ufeff"),
    min_size=1,
    max_size=12,
).filter(lambda text: text.strip() == text and not STEERING.search(text))
LISTS = st.lists(WORDS, max_size=3)
TERMS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("preferred", "label"), WORDS),
        **dict.fromkeys(("allowed", "forbidden", "vague", "cues", "forms"), LISTS),
    },
).filter(bool)
IDS = st.from_regex("[a-z][a-z0-9_]{0,5}", fullmatch=True)
SAID = {
    **dict.fromkeys(("names", "defined_by", "note", "asks"), WORDS),
    "one_term": st.booleans(),
    "settled_by": st.lists(IDS, max_size=3),
}
CONCEPTS = st.fixed_dictionaries({}, optional={**SAID, **dict.fromkeys(LANGUAGES, TERMS)})


@given(st.dictionaries(IDS, CONCEPTS, min_size=1, max_size=4))
def test_any_glossary_comes_back(concepts: dict[str, Any]) -> None:
    round_trips(made_of(concepts))


HEADER = "concept,names,defined_by,note,lang,status,term\n"
TBX = '<tbx type="TBX-Basic" style="dca" xmlns="urn:iso:std:iso:30042:ed-2"><text><body>{}</body></text></tbx>'
TERM = '<conceptEntry id="king"><langSec xml:lang="{}"><termSec><term>{}</term>{}</termSec></langSec></conceptEntry>'
STATUS = '<termNote type="administrativeStatus">{}</termNote>'
BOMB = '<!DOCTYPE tbx [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'

MARTIF = """<!DOCTYPE martif PUBLIC "ISO 12200:1999A//DTD MARTIF core (DXFcdV04)//EN" "TBXcdv04.dtd"{}>
<martif type="TBX"><text><body>{}</body></text></martif>"""

BROKEN = [
    ("csv", "", "terms-unreadable", 1),
    ("csv", "concept,lang,term\nking,en,king\n", "terms-unreadable", 1),
    ("csv", HEADER.replace("note", "remark"), "terms-unreadable", 1),
    ("csv", HEADER.replace("note", "names"), "terms-unreadable", 1),
    ("csv", HEADER, "terms-unreadable", 1),
    ("csv", HEADER + 'king,,,,en,preferred,"king\n', "terms-unreadable", 1),
    ("csv", HEADER + f"king,,,,en,preferred,{'x' * 200_000}\n", "terms-unreadable", 1),
    ("csv", HEADER + "king,,,,en,preferred,king\nking,,,,qux,preferred,König\n", "terms-entry", 3),
    ("csv", HEADER + "king,,,,en,best,king\n", "terms-entry", 2),
    ("csv", HEADER + "king,,,,en,preferred\n", "terms-entry", 2),
    ("csv", HEADER + ",,,,en,preferred,king\n", "terms-entry", 2),
    ("csv", HEADER + "The King,,,,en,preferred,king\n", "terms-entry", 2),
    ("csv", HEADER + 'king,,,"a\nb",en,preferred,king\nking,,,,en,preferred,ruler\n', "terms-entry", 4),
    ("csv", HEADER + "king,kind.king,,,en,preferred,king\nking,king,,,uk,preferred,король\n", "terms-entry", 3),
    ("csv", HEADER + 'king,,,,en,preferred,"a\nb"\n', "terms-entry", 2),
    ("csv", HEADER + "king,\x07,,,en,preferred,king\n", "terms-entry", 2),
    ("csv", HEADER.replace("note", "note,one_term") + "king,,,,often,en,preferred,king\n", "terms-entry", 2),
    ("csv", HEADER.replace("note", "note,settled_by") + 'king,,,,"a, b",en,preferred,king\n', "terms-entry", 2),
    ("csv", HEADER.replace("note", "note,asks,asks"), "terms-unreadable", 1),
    ("tbx", "", "terms-unreadable", 1),
    ("tbx", "\n<tbx", "terms-unreadable", 2),
    ("tbx", "<html/>", "terms-unreadable", 1),
    ("tbx", '<tbx style="dct"/>', "terms-unreadable", 1),
    ("tbx", TBX.format(""), "terms-unreadable", 1),
    ("tbx", '<?xml version="1.0"?>\n' + BOMB + TBX.format("&b;"), "terms-unreadable", 2),
    ("tbx", '<!DOCTYPE tbx SYSTEM "file:///etc/passwd">' + TBX.format(""), "terms-unreadable", 1),
    ("tbx", TBX.format("&unknown;"), "terms-unreadable", 1),
    ("tbx", MARTIF.format("", "&unknown;"), "terms-unreadable", 2),
    ("tbx", MARTIF.format(' [<!ENTITY a "b">]', "&a;"), "terms-unreadable", 1),
    ("tbx", "<tbx>" * 100_000, "terms-unreadable", 1),
    ("tbx", "\ud800", "terms-unreadable", 1),
    ("tbx", TBX.format("\n" + TERM.format("qux", "König", "")), "terms-entry", 2),
    ("tbx", TBX.format(TERM.format("en", "king", STATUS.format("best"))), "terms-entry", 1),
    ("tbx", TBX.format(TERM.format("en", "", "")), "terms-entry", 1),
    ("tbx", TBX.format(TERM.format("en", "king", "").replace("king", "The King")), "terms-entry", 1),
]


def taken_back(kind: str, text: str) -> tuple[str, list[Finding]]:
    back = from_csv if kind == "csv" else from_tbx
    return back(Source(f"terms.{kind}", text), "game")


BROKEN_FINDINGS = [found for kind, text, _, _ in BROKEN for found in taken_back(kind, text)[1]]


@pytest.mark.parametrize(("kind", "text", "name", "line"), BROKEN)
def test_broken_files_of_terms_give_findings(kind: str, text: str, name: str, line: int) -> None:
    made, found = taken_back(kind, text)
    assert {(item.name, item.start.line) for item in found} == {(name, line)}
    assert name != "terms-unreadable" or "preferred" not in made


@given(st.sampled_from(["csv", "tbx"]), st.text(max_size=60), st.integers(0, 400))
def test_cut_and_spoiled_files_never_raise(kind: str, noise: str, place: int) -> None:
    whole = to_csv(small()) if kind == "csv" else to_tbx(small())
    made, found = taken_back(kind, whole[:place] + noise + whole[place + 7 :])
    assert found or read_glossary(Source("made.yaml", made))[0] is not None


def test_files_of_other_tools_are_taken() -> None:
    rows = HEADER.replace(",", ";") + "king;kind.king;;;uk-UA;Preferred;король\r\nking;;;;zh_TW;allowed;國王\r\n"
    text, found = taken_back("csv", "\ufeff" + rows)
    assert not found and again(text).concepts["king"].terms.keys() == {"uk", "zh-Hant"}
    second = "</term></termSec><termSec><term>ruler"
    text, found = taken_back("tbx", TBX.format(TERM.format("en-GB", "king" + second, "")))
    assert not found and "{preferred: king, allowed: [ruler]}" in text


def test_tbx_2_of_other_tools_is_taken() -> None:
    inside = "<term>{}</term><termNote type='administrativeStatus'>{}</termNote>"
    first = f"<tig>{inside.format('king', 'preferredTerm-admn-sts')}</tig>"
    second = f"<ntig><termGrp>{inside.format('ruler', 'deprecatedTerm-admn-sts')}</termGrp></ntig>"
    entry = f"<termEntry id='king'><langSet xml:lang='en-GB'>{first}{second}</langSet></termEntry>"
    text, found = taken_back("tbx", MARTIF.format("", entry))
    assert not found and "{preferred: king, forbidden: [ruler]}" in text


def test_tables_of_spreadsheets_may_say_more_of_a_concept() -> None:
    rows = (
        HEADER.replace("note", "note,one_term,asks,settled_by")
        + "gold,,,,TRUE,gold_tie,worth  count,en,vague,most gold\n"
    )
    text, found = taken_back("csv", rows)
    concept = again(text).concepts["gold"]
    assert not found and (concept.one_term, concept.asks, concept.settled_by) == (True, "gold_tie", ("worth", "count"))
    assert [status for status, _ in concept.terms["en"].each()] == [Status.VAGUE]


def test_vague_phrases_stay_phrases_for_other_tools() -> None:
    text = to_tbx(made_of({"gold": {"asks": "gold_tie", "en": {"vague": ["most gold"], "cues": ["rich"]}}}))
    assert text.count('<termNote type="termType">phrase</termNote>') == 2
    assert text.count("<note>vague</note>") == 1
