"""translate-toolkit, which many translation tools are built on, opens, changes and saves exported files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rulespec
from rulespec.base.source import Source, read
from rulespec.games.rulebook import book_of, texts_of
from rulespec.text.glossary.concepts import Glossary, Status
from rulespec.text.glossary.concepts import read as read_glossary
from rulespec.text.glossary.tbx import V2 as TBX_2
from rulespec.text.glossary.tbx import from_tbx, to_tbx
from rulespec.text.output.exchange.edit import apply
from rulespec.text.output.exchange.po import from_po, to_po
from rulespec.text.output.exchange.units import Entries
from rulespec.text.output.exchange.xliff import from_xliff
from rulespec.text.output.exchange.xliff_1 import to_xliff_1
from rulespec.text.output.exchange.xliff_2 import to_xliff_2

pytest.importorskip("translate.storage")
from translate.storage.pypo import pofile
from translate.storage.tbx import tbxfile
from translate.storage.xliff import xlifffile
from translate.storage.xliff2 import Xliff2File

GAME = rulespec.load("kingme")
TEXTS = texts_of(GAME)
FORMATS: dict[str, tuple[Callable[..., str], Callable[[Source], tuple[Entries | None, list[Any]]], Any]] = {
    "po": (to_po, from_po, pofile),
    "xliff": (to_xliff_2, from_xliff, Xliff2File),
    "xliff-1.2": (to_xliff_1, from_xliff, xlifffile),
}


def known_glossary() -> Glossary:
    book = book_of(GAME)
    assert book is not None
    return book.glossary


@pytest.mark.parametrize("form", FORMATS)
def test_a_text_changed_in_a_tool_is_the_only_change(form: str) -> None:
    to, back, opened = FORMATS[form]
    store = opened.parsestring(to(TEXTS["uk"], GAME.model, TEXTS["en"]).encode())
    units = [unit for unit in store.units if unit.source]
    (unit,) = (unit for unit in units if unit.target == TEXTS["uk"].rules["round.crown"].title)
    assert unit.source == TEXTS["en"].rules["round.crown"].title
    unit.target = "Корона & <гравець>"
    entries, found = back(Source("file", bytes(store).decode()))
    assert entries is not None and not found
    written, found = apply(TEXTS["uk"].source, entries, GAME.model)
    changed = {*written.split("\n")} - {*TEXTS["uk"].source.text.split("\n")}
    assert not found and [line.strip() for line in changed] == ["title: Корона & <гравець>"]


@pytest.mark.parametrize("status", ["draft", "translated", "reviewed"])
def test_a_tool_shows_what_is_a_draft(status: str) -> None:
    rules = TEXTS["uk"].rules
    text = to_xliff_1(
        replace(TEXTS["uk"], rules=rules | {"setup.aim": replace(rules["setup.aim"], status=status)}), GAME.model
    )
    units = xlifffile.parsestring(text.encode()).units
    (unit,) = (unit for unit in units if unit.xmlelement.get("id") == "rules/setup.aim/text")
    assert (unit.isreview(), unit.isapproved()) == (status == "draft", status != "draft")


def test_a_tool_opens_a_glossary_with_every_term() -> None:
    known = known_glossary()
    store = tbxfile.parsestring(to_tbx(known, TBX_2).encode(), "en", "uk")
    assert [unit.getid() for unit in store.units] == list(known.concepts)
    for unit, concept in zip(store.units, known.concepts.values(), strict=True):
        for lang, said in (("en", unit.get_source_terms()), ("uk", unit.get_target_terms("uk"))):
            terms = [] if lang not in concept.terms else [*concept.terms[lang].each()]
            assert [term.text for term in said] == [term.text for _, term in terms]
            assert [term.deprecated for term in said] == [one == Status.FORBIDDEN for one, _ in terms]


def test_a_glossary_saved_by_a_tool_comes_back() -> None:
    known = known_glossary()
    store = tbxfile.parsestring(to_tbx(known, TBX_2).encode(), "en", "uk")
    first = store.units[0]
    first.set_target_terms(["нове слово", *(term.text for term in first.get_target_terms("uk")[1:])])
    text, found = from_tbx(Source("terms.tbx", bytes(store).decode()), known.game)
    made, wrong = read_glossary(Source("made.yaml", text))
    assert made is not None and not found and not wrong
    # A termbase knows forms, but not after which numbers they stand.
    terms = {
        id_: {lang: [*one.each()] for lang, one in concept.terms.items()} for id_, concept in known.concepts.items()
    }
    changed = [
        id_
        for id_, concept in made.concepts.items()
        if terms[id_] != {lang: [*one.each()] for lang, one in concept.terms.items()}
    ]
    assert changed == [first.getid()]
    preferred = made.concepts[first.getid()].terms["uk"].preferred
    assert preferred is not None and preferred.text == "нове слово"


def test_a_glossary_made_by_a_tool_is_imported(tmp_path: Path) -> None:
    store = tbxfile(sourcelanguage="en", targetlanguage="uk")
    unit = store.addsourceunit("crown")
    unit.target = "корона"
    unit.setid("crown")
    (tmp_path / "terms.tbx").write_bytes(bytes(store))
    source, _ = read(tmp_path / "terms.tbx")
    assert source is not None and "<!DOCTYPE martif" in source.text
    text, found = from_tbx(source, "kingme")
    assert not found and "crown" in text and "корона" in text
