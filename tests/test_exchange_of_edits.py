"""Texts whose source or rule has changed are marked in translation tools, and an import confirms nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polib
import pytest
import yaml
from command import ftk
from hypothesis import given
from hypothesis import strategies as st

import rulespec
from rulespec.base.source import Source
from rulespec.games.confirmed import words_of
from rulespec.games.rulebook import texts_of
from rulespec.text.output.exchange.edit import apply
from rulespec.text.output.exchange.po import from_po, to_po
from rulespec.text.output.exchange.units import Entries, Work, texts, work
from rulespec.text.output.exchange.xliff import from_xliff
from rulespec.text.output.exchange.xliff_1 import to_xliff_1
from rulespec.text.output.exchange.xliff_2 import to_xliff_2
from rulespec.text.reading.translation import Seal, Translation, read
from rulespec.text.seals.since import Since, since

pytestmark = pytest.mark.slow("exports and imports whole texts")

ROOT = Path(__file__).parents[1]
EDITS = yaml.safe_load((ROOT / "tests/text_edits.yaml").read_text(encoding="utf-8"))
FORMATS: dict[str, tuple[Callable[..., str], Callable[[Source], tuple[Entries | None, list[Any]]]]] = {
    "po": (to_po, from_po),
    "xliff": (to_xliff_2, from_xliff),
    "xliff-1.2": (to_xliff_1, from_xliff),
}
TEXTS = [("fortheking", "uk"), ("fortheking", "zh-Hant"), ("kingme", "uk"), ("keyflower_king", "zh-Hans")]

each_format = pytest.mark.parametrize("form", FORMATS)
each_text = pytest.mark.parametrize(("game", "lang"), TEXTS, ids=lambda one: one)


def of(source: Source) -> Translation:
    translation, found = read(source)
    assert translation is not None, found
    return translation


@lru_cache
def known(game: str) -> Mapping[str, Translation]:
    return texts_of(rulespec.load(game))


def edits(game: str) -> dict[str, tuple[str, str]]:
    """The first edit of each rule in English that changes its words: what it says in place of what."""
    there = known(game)["en"].source.text
    of_game = [one for one in EDITS if (one["game"], one["lang"]) == (game, "en") and one["kind"] != "polish"]
    found = {one["rule"]: (one["old"], one["new"]) for one in of_game if there.count(one["old"]) == 1}
    assert len(found) > 4
    return found


def with_source(game: str, *changes: tuple[str, str]) -> Translation:
    """The English text with changes, each of what stands there once."""
    source = known(game)["en"].source
    text = source.text
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return of(Source(source.path, text))


def edited(game: str) -> Translation:
    return with_source(game, *edits(game).values())


class Out:
    """A translation beside a source, exported and imported again."""

    def __init__(self, game: str, translation: Translation, source: Translation) -> None:
        self.model, self.translation, self.source = rulespec.load(game).model, translation, source
        self.kept = words_of(self.model)

    @property
    def work(self) -> Mapping[str, Work]:
        return work(self.translation, self.model, self.source, self.kept)

    def file(self, form: str) -> str:
        return FORMATS[form][0](self.translation, self.model, self.source, work=self.work)

    def imported(self, form: str, file: str) -> str:
        entries, found = FORMATS[form][1](Source("file", file))
        assert entries is not None and not found
        text, found = apply(self.translation.source, entries, self.model, self.source, self.kept)
        assert not found
        return text

    def since(self, text: str) -> dict[str, set[Since]]:
        """What is another one since texts were confirmed, after an import."""
        now = of(Source(self.translation.source.path, text))
        return {id_: set(since(one, self.model, self.source)) for id_, one in now.passages.items()}


CLEARED = {
    "po": (r"#, fuzzy, source-edited\n(?:#\| .*\n)*", ""),
    "xliff": (r' state="initial" subState="ftk:source-edited"', ' state="translated"'),
    "xliff-1.2": (r' state="needs-review-translation" state-qualifier="x-source-edited"', ' state="translated"'),
}
"""How a tool takes the mark from a unit whose source has changed."""


def cleared(form: str, file: str, at_most: int = 0) -> str:
    pattern, instead = CLEARED[form]
    return re.sub(pattern, instead, file, count=at_most)


def with_states(game: str, translation: Translation) -> Source:
    """A text in which the passages with another source have every status, and some are stale; and so have others."""
    text = translation.source.text
    of_game = edits(game)
    chosen = [id_ for id_ in translation.rules if id_ in of_game]
    chosen += [id_ for id_ in translation.rules if id_ not in of_game]
    for number, id_ in enumerate(chosen):
        seal = str(translation.rules[id_].seal)
        stale = str(replace(translation.rules[id_].seal, rule="2-00000000-00000000"))
        status = ("draft", "reviewed", "translated", "")[number % 4]
        line = f"confirmed: {stale if number % 3 == 0 else seal}"
        text = text.replace(f"confirmed: {seal}", line + (f"\n    status: {status}" if status else ""), 1)
    return Source(translation.source.path, text)


# --- what goes out ----------------------------------------------------------------------------------------------------


@each_text
def test_units_whose_source_has_changed_have_what_it_was(game: str, lang: str) -> None:
    out, before = Out(game, known(game)[lang], edited(game)), texts(known(game)["en"])
    ids = [*out.work]
    assert {id_.split("/")[1] for id_ in ids} == edits(game).keys()
    assert all(one == Work(Since.SOURCE, before[id_]) for id_, one in out.work.items())
    assert not Out(game, known(game)[lang], known(game)["en"]).work


TITLE = ("title: Aim of the game", "title: Aim")
TEXT = ("Whoever has the most victory points wins the game.", "Whoever has the most wins.")
EXAMPLES = known("fortheking")["en"].rules["influence.draft"].examples
EXAMPLE = EXAMPLES[1].text.text.splitlines()[0]


@pytest.mark.parametrize(
    ("changes", "ids"),
    [
        ([TITLE], ["rules/aim/title"]),
        ([TEXT], ["rules/aim/text"]),
        ([TITLE, TEXT], ["rules/aim/title", "rules/aim/text"]),
        ([(EXAMPLE, "Ada.")], [f"rules/influence.draft/examples/{EXAMPLES[1].case.text}"]),
        ([(f"- case: {EXAMPLES[0].case.text}\n", "- case: other\n")], []),
    ],
    ids=["title", "text", "both", "example", "name of an example"],
)
def test_only_what_has_changed_needs_work(changes: list[tuple[str, str]], ids: list[str]) -> None:
    assert [*Out("fortheking", known("fortheking")["uk"], with_source("fortheking", *changes)).work] == ids


def passage(out: Out, id_: str, **changes: Any) -> Out:
    """A translation whose text of a rule differs."""
    rules = {**out.translation.rules, id_: replace(out.translation.rules[id_], **changes)}
    out.translation = replace(out.translation, rules=rules)
    return out


def test_the_text_stands_for_what_has_no_unit() -> None:
    game = known("fortheking")
    rules = {**game["en"].rules, "influence.draft": replace(game["en"].rules["influence.draft"], examples=EXAMPLES[:1])}
    out = Out("fortheking", game["uk"], replace(game["en"], rules=rules))
    assert out.work == {"rules/influence.draft/text": Work(Since.SOURCE)}
    gone = {id_: one for id_, one in game["en"].rules.items() if id_ != "aim"}
    assert Out("fortheking", game["uk"], replace(game["en"], rules=gone)).work == {"rules/aim/text": Work(Since.SOURCE)}


def test_all_units_need_work_where_the_source_of_then_is_not_kept() -> None:
    out = Out("fortheking", known("fortheking")["uk"], with_source("fortheking", TITLE))
    out.kept = lambda lang: {}
    assert out.work == dict.fromkeys(["rules/aim/title", "rules/aim/text"], Work(Since.SOURCE))


def test_the_text_of_a_rule_that_has_changed_needs_work() -> None:
    uk = known("fortheking")["uk"]
    out = passage(Out("fortheking", uk, known("fortheking")["en"]), "aim", seal=Seal("2-00000000-00000000", "0" * 8))
    assert out.work == {"rules/aim/text": Work(Since.RULE)}
    assert '#, fuzzy, stale\nmsgctxt "rules/aim/text"' in out.file("po")
    assert 'name="rules/aim/text">' in out.file("xliff") and 'state="initial" subState="ftk:stale"' in out.file("xliff")


def test_a_reference_in_another_language_has_no_previous_source() -> None:
    out = Out("fortheking", known("fortheking")["uk"], with_source("fortheking", TEXT))
    po = to_po(out.translation, out.model, known("fortheking")["zh-Hant"], work=out.work)
    assert po.count("#, fuzzy") == 1 and "#|" not in po
    assert out.imported("po", cleared("po", po)) == out.translation.source.text


def test_each_format_says_what_the_source_was() -> None:
    out = Out("fortheking", known("fortheking")["uk"], with_source("fortheking", TITLE))
    id_ = 'msgctxt "rules/aim/title"'
    po = f'#, fuzzy, source-edited\n#| {id_}\n#| msgid "Aim of the game"\n{id_}\nmsgid "Aim"\n'
    assert po in out.file("po")
    (segment,) = re.findall(r'name="rules/aim/title">.*?</unit>', out.file("xliff"), re.DOTALL)
    assert '<note category="previous-source">Aim of the game</note>' in segment
    assert '<segment state="initial" subState="ftk:source-edited">' in segment
    root = ElementTree.fromstring(out.file("xliff-1.2"))
    space = {"x": "urn:oasis:names:tc:xliff:document:1.2"}
    (unit,) = (unit for unit in root.iterfind(".//x:trans-unit", space) if unit.get("id") == "rules/aim/title")
    target, other = unit.find("x:target", space), unit.find("x:alt-trans", space)
    assert target is not None and other is not None
    assert target.attrib == {"state": "needs-review-translation", "state-qualifier": "x-source-edited"}
    assert other.findtext("x:source", None, space) == "Aim of the game"
    assert other.findtext("x:target", None, space) == target.text


# --- what comes back --------------------------------------------------------------------------------------------------


@each_format
@each_text
@pytest.mark.sample(4)
def test_the_way_out_and_back_changes_nothing(game: str, lang: str, form: str) -> None:
    """For texts that are drafts, reviewed or neither, stale or not, and with the same source or another one."""
    out = Out(game, of(with_states(game, known(game)[lang])), edited(game))
    assert {one.since for one in out.work.values()} == {Since.RULE, Since.SOURCE}
    assert out.imported(form, out.file(form)) == out.translation.source.text


@each_format
@given(was=st.text(st.characters(exclude_categories=["Cs"])))
def test_no_previous_source_can_break_a_file(form: str, was: str) -> None:
    out = Out("kingme", known("kingme")["uk"], known("kingme")["en"])
    marked = {"rules/setup.aim/text": Work(Since.SOURCE, was)}
    file = FORMATS[form][0](out.translation, out.model, out.source, work=marked)
    assert out.imported(form, file) == out.translation.source.text


@each_format
@each_text
@pytest.mark.sample(4)
def test_a_text_without_its_marks_follows_its_source(game: str, lang: str, form: str) -> None:
    out = Out(game, known(game)[lang], edited(game))
    text = out.imported(form, cleared(form, out.file(form)))
    now = of(Source("uk.yaml", text))
    for id_, old in out.translation.passages.items():
        new = now.passages[id_]
        assert (new.parts, new.status, new.seal.rule, new.seal.words) == (
            old.parts,
            old.status,
            old.seal.rule,
            old.seal.words,
        )
    assert not any(out.since(text).values())
    assert len({*text.splitlines()} - {*out.translation.source.text.splitlines()}) == len(edits(game))


@each_format
def test_it_follows_once_all_its_marks_are_gone(form: str) -> None:
    out = Out("fortheking", known("fortheking")["uk"], with_source("fortheking", TITLE, TEXT))
    assert out.imported(form, cleared(form, out.file(form), at_most=1)) == out.translation.source.text
    assert out.imported(form, cleared(form, out.file(form))) != out.translation.source.text


@each_format
def test_new_words_of_its_own_are_left_to_a_person(form: str) -> None:
    out = Out("fortheking", known("fortheking")["uk"], with_source("fortheking", TITLE))
    title = out.translation.rules["aim"].title
    file = cleared(form, out.file(form)).replace(title, "Ціль")
    assert out.since(out.imported(form, file))["aim"] == {Since.WORDS}
    kept = out.file(form).replace(title, "Ціль")
    assert out.since(out.imported(form, kept))["aim"] == {Since.WORDS, Since.SOURCE}


@each_format
def test_a_stale_text_stays_stale(form: str) -> None:
    out = Out("fortheking", known("fortheking")["uk"], with_source("fortheking", TEXT))
    seal = out.translation.rules["aim"].seal
    stale = out.translation.source.text.replace(str(seal), str(replace(seal, rule="2-00000000-00000000")))
    out.translation = of(Source("uk.yaml", stale))
    assert out.since(out.imported(form, cleared(form, out.file(form))))["aim"] == {Since.RULE}


@each_format
def test_a_file_made_from_an_older_source_lifts_nothing(form: str) -> None:
    game = known("fortheking")
    before = Out("fortheking", game["uk"], game["en"]).file(form)
    now = Out("fortheking", game["uk"], with_source("fortheking", TEXT))
    assert now.imported(form, before) == game["uk"].source.text


@pytest.mark.parametrize("status", ["draft", "reviewed"])
@each_format
@pytest.mark.sample(3)
def test_a_draft_without_its_mark_is_none(form: str, status: str) -> None:
    out = Out("fortheking", known("fortheking")["uk"], with_source("fortheking", TEXT))
    seal = f"confirmed: {out.translation.rules['aim'].seal}"
    text = out.translation.source.text.replace(seal, f"{seal}\n    status: {status}")
    out.translation = of(Source("uk.yaml", text))
    assert of(Source("uk.yaml", out.imported(form, out.file(form)))).rules["aim"].status == status
    file = cleared(form, out.file(form)).replace("#, fuzzy\n", "").replace('state="initial"', 'state="translated"')
    file = file.replace('state="needs-review-translation"', 'state="translated"')
    after = of(Source("uk.yaml", out.imported(form, file))).rules["aim"]
    assert after.status == "translated" and out.since(out.imported(form, file))["aim"] == set()


# --- tools ------------------------------------------------------------------------------------------------------------


STORES = {"po": ("pypo", "pofile"), "xliff": ("xliff2", "Xliff2File"), "xliff-1.2": ("xliff", "xlifffile")}
"""The modules and classes of translate-toolkit."""


@each_text
@pytest.mark.sample(1)
def test_polib_reads_the_previous_source(game: str, lang: str) -> None:
    out = Out(game, known(game)[lang], edited(game))
    file = polib.pofile(out.file("po"))
    assert {one.msgctxt: one.previous_msgid for one in file.fuzzy_entries()} == {
        id_: one.previous for id_, one in out.work.items()
    }
    assert out.imported("po", str(file)) == out.translation.source.text
    for one in file.fuzzy_entries():
        one.flags.remove("fuzzy")
    assert not any(out.since(out.imported("po", str(file))).values())


@each_format
@each_text
@pytest.mark.sample(4)
def test_translate_toolkit_shows_and_takes_the_marks(game: str, lang: str, form: str) -> None:
    module, name = STORES[form]
    opened = getattr(pytest.importorskip(f"translate.storage.{module}"), name)
    out = Out(game, known(game)[lang], edited(game))
    store = opened.parsestring(out.file(form).encode())
    assert out.imported(form, bytes(store).decode()) == out.translation.source.text
    review = {"xliff-1.2": "isreview"}.get(form, "isfuzzy")
    marked = [unit for unit in store.units if unit.source and getattr(unit, review)()]
    assert len(marked) == len(out.work)
    was = [one.previous for one in out.work.values()]
    if form == "po":
        assert [unit.prev_source for unit in marked] == was
    if form == "xliff-1.2":
        assert [[other.source for other in unit.getalttrans()] for unit in marked] == [[one] for one in was]
    for unit in marked:
        unit.markfuzzy(False)
    assert not any(out.since(out.imported(form, bytes(store).decode())).values())


@each_text
@pytest.mark.sample(1)
def test_pocount_and_pofilter_find_what_needs_work(game: str, lang: str, tmp_path: Path) -> None:
    pocount = pytest.importorskip("translate.tools.pocount")
    out = Out(game, known(game)[lang], edited(game))
    before, after = tmp_path / "before.po", tmp_path / "after.po"
    before.write_text(out.file("po"), encoding="utf-8")
    assert pocount.calcstats(str(before))["fuzzy"] == len(out.work)
    command = ["translate.filters.pofilter", "--progress=none", "--test=isfuzzy", str(before), str(after)]
    subprocess.run([sys.executable, "-m", *command], check=True)
    found = after.read_text(encoding="utf-8")
    assert {one.msgctxt for one in polib.pofile(found)} == out.work.keys()
    assert out.imported("po", found) == out.translation.source.text
    assert not any(out.since(out.imported("po", cleared("po", found))).values())


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "rule", "was", "now"),
    [("", "aim", "Aim of the game", "Aim"), ("more_gold", "setup.components", "What is in the box", "The box")],
)
def test_an_import_keeps_what_the_seals_refer_to(
    variant: str, rule: str, was: str, now: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "specs", tmp_path / "specs", ignore=shutil.ignore_patterns("scenarios"))
    monkeypatch.chdir(tmp_path)
    of_variant = ("--variant", variant) if variant else ()
    source, kept = (Path("specs", part, "fortheking", variant) for part in ("translations", "versions"))
    text = (source / "en.yaml").read_text(encoding="utf-8")
    (source / "en.yaml").write_text(text.replace(f"title: {was}", f"title: {now}"), encoding="utf-8")
    before = {path: path.read_bytes() for path in kept.rglob("*.*")}
    for lang in ("uk", "zh-Hant"):
        assert ftk("text", "export", "fortheking", *of_variant, "--lang", lang, "--output", "out.po").exit_code == 0
        assert "nothing to change" in ftk("text", "import", "out.po", *of_variant).stderr
        po = Path("out.po").read_text(encoding="utf-8")
        assert f'msgid "{was}"' in po and f'msgid "{now}"' in po
        Path("out.po").write_text(cleared("po", po), encoding="utf-8")
        words = (kept / "en.words").read_bytes()
        assert "+    confirmed:" in ftk("text", "import", "out.po", *of_variant, "--dry-run").output
        assert ftk("text", "import", "out.po", *of_variant, "--output", "elsewhere.yaml").exit_code == 0
        assert (kept / "en.words").read_bytes() == words
        assert f"1 text changed: rules/{rule}/source." in ftk("text", "import", "out.po", *of_variant).stderr
        for title in (was, now):
            assert f'["{title}", ' in (kept / "en.words").read_text(encoding="utf-8")
    assert {path for path in kept.rglob("*.*") if before.get(path) != path.read_bytes()} == {kept / "en.words"}
    assert ftk("text", "status", "fortheking", *of_variant, "--lang", "en", "--confirm").exit_code == 0
    assert f'["{was}", ' not in (kept / "en.words").read_text(encoding="utf-8")
