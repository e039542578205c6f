"""Export to translation tools and import: nothing is lost, nothing else changes, bad files are refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unicodedata import normalize
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulespec
from rulespec.base.characters import STEERING
from rulespec.base.diagnostics import Span
from rulespec.base.findings import names_in
from rulespec.base.source import Source
from rulespec.base.source import read as read_file
from rulespec.language.model.spec import Spec
from rulespec.text.output.exchange.edit import apply
from rulespec.text.output.exchange.po import from_po, to_po
from rulespec.text.output.exchange.units import Entries, UnitText, units
from rulespec.text.output.exchange.xliff import from_xliff
from rulespec.text.output.exchange.xliff_1 import to_xliff_1
from rulespec.text.output.exchange.xliff_2 import to_xliff_2
from rulespec.text.reading.translation import Translation, read, translations

pytestmark = pytest.mark.slow("exchanges the texts of large games")

HERE = Path(__file__).parent / "exchange"
SPECS = Path(__file__).parents[1] / "specs"
FORMATS = {".po": (to_po, from_po), ".xlf": (to_xliff_2, from_xliff), ".xliff": (to_xliff_1, from_xliff)}

each_format = pytest.mark.parametrize("format_", FORMATS)


def text_of(path: Path) -> Source:
    source, found = read_file(path)
    assert source is not None and not found
    return source


def translation_of(source: Source) -> Translation:
    translation, found = read(source)
    assert translation is not None, found
    return translation


TINY: Spec = rulespec.loads(text_of(HERE / "game.yaml")).model
UK = text_of(HERE / "uk.yaml")


def with_status(translation: Translation, rule: str, status: str) -> Translation:
    """A translation in which the text of a rule has another status."""
    return replace(translation, rules={**translation.rules, rule: replace(translation.rules[rule], status=status)})


def sent(format_: str, source: Source, deal: str = "") -> Entries:
    """The entries of a translation after export and import, in which the text of `deal` may have another status."""
    to, back = FORMATS[format_]
    text = translation_of(source)
    entries, found = back(Source("file", to(with_status(text, "deal", deal) if deal else text, TINY)))
    assert entries is not None and found == []
    return entries


def with_text(entries: Entries, **changes: str) -> Entries:
    """The entries with other texts. `__` in a keyword is the slash of an id."""
    new = {id_.replace("__", "/"): text for id_, text in changes.items()}
    assert new.keys() <= {entry.id for entry in entries.items}
    return replace(entries, items=tuple(replace(e, text=new.get(e.id, e.text)) for e in entries.items))


# --- out and back -----------------------------------------------------------------------------------------------------


@each_format
@pytest.mark.parametrize("game", rulespec.known_games())
@pytest.mark.sample(3)
def test_the_way_out_and_back_changes_nothing(format_: str, game: str) -> None:
    spec = rulespec.load(game).model
    languages = translations(SPECS / "translations" / game)
    to, back = FORMATS[format_]
    for translation in languages.values():
        for reference in (None, *languages.values()):
            entries, found = back(Source("file", to(translation, spec, reference)))
            assert entries is not None and not found
            assert apply(translation.source, entries, spec) == (translation.source.text, [])


COMMENTS = ("# Comments, odd quotes", "# the title of the book", "# dealt first", "# the next rule")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: bool(text.strip()))
PIECES = [*"\n \t'\"\\#:,-|>{}[]&*!%@`?~", "\r", "a", "國", "e\u0301", "\u2028", "no"]
ROUGH = st.lists(st.sampled_from(PIECES), min_size=1).map("".join).filter(str.strip)


@each_format
@given(text=TEXTS | ROUGH, place=st.sampled_from(["title", "rules/deal/title", "rules/deal/text"]))
def test_every_text_arrives_as_it_was_written(format_: str, text: str, place: str) -> None:
    entries = with_text(sent(format_, UK), **{place.replace("/", "__"): text})
    written, found = apply(UK, entries, TINY)
    before = {entry.id: entry.text for entry in sent(format_, UK).items}
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if place.endswith("title"):
        text = re.sub(" *\n[ \n]*", " ", text.strip("\n"))
    if STEERING.search(text):
        assert written == UK.text and [one.name for one in found] == ["escaped-control"]
        return
    if normalize("NFC", before[place]) == normalize("NFC", text):
        assert written == UK.text
        return
    assert found == []
    again = {entry.id: entry.text for entry in sent(format_, Source("uk.yaml", written)).items}
    assert again == before | {place: text}
    assert all(comment in written for comment in COMMENTS)


@each_format
@given(source=TEXTS, note=st.text(st.characters(exclude_categories=["Cs"])))
def test_neither_sources_nor_notes_can_break_a_file(format_: str, source: str, note: str) -> None:
    to, back = FORMATS[format_]
    uk = translation_of(UK)
    reference = replace(uk, lang="en", title=source)
    entries, found = back(Source("file", to(uk, TINY, reference, {"title": [note], "rules/deal": [note, "2"]})))
    assert entries is not None and not found
    assert apply(UK, entries, TINY) == (UK.text, [])


def test_units_come_in_the_order_of_the_spec_with_what_is_missing() -> None:
    uk = translation_of(UK)
    found = units(with_status(uk, "deal", "draft"), TINY, None, {"rules/end": ["3 players: 9"]})
    assert [(u.id, u.source) for u in found] == [
        ("title", "Tiny"),
        ("rules/deal/title", "Deal"),
        ("rules/deal/text", "Deal"),
        ("rules/end/title", "The highest card wins"),
        ("rules/end/text", "The highest card wins"),
        ("rulings/peek/text", "May you look at the deck?"),
        ("rulings/draw/text", "May you draw again?"),
    ]
    assert [u.status for u in found] == ["", "draft", "draft", "", "", "", ""]
    assert found[3].notes == found[4].notes == ("3 players: 9",)
    sources = [unit.source for unit in units(uk, TINY, uk)]
    assert sources[:4] == ["Крихітка", 'Роздача "карт"', found[2].target, found[3].source]


def test_a_po_file_says_what_a_translator_needs() -> None:
    notes = {"rules/deal": ["2 players: 7", "one\nfact"]}
    po = to_po(with_status(translation_of(UK), "deal", "draft"), TINY, None, notes)
    assert '"Language: uk\\n"' in po
    assert '#. 2 players: 7\n#. one\n#. fact\n#, fuzzy\nmsgctxt "rules/deal/title"\nmsgid "Deal"\nmsgstr "Роздача' in po


def test_an_xliff_file_is_valid_where_it_matters() -> None:
    uk = with_status(translation_of(UK), "deal", "reviewed")
    root = ElementTree.fromstring(to_xliff_2(uk, TINY, None, {"rules/deal": ["2 < 3"]}))
    space = {"x": "urn:oasis:names:tc:xliff:document:2.0"}
    ids = [unit.get("id", "") for unit in root.iterfind(".//x:unit", space)]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[\w.:-]+", id_) for id_ in ids)
    states = [segment.get("state") for segment in root.iterfind(".//x:segment", space)]
    assert states == ["translated", "reviewed", "reviewed", "initial", "initial", "initial", "initial"]
    assert [note.text for note in root.iterfind(".//x:note", space)] == ["2 < 3", "2 < 3"]


# --- into the file ----------------------------------------------------------------------------------------------------


def test_one_text_changes_one_text() -> None:
    written, found = apply(UK, with_text(sent(".po", UK), rules__deal__text="Роздайте:\n\n- усе."), TINY)
    old = UK.text[UK.text.index("        Перет") : UK.text.index("    # the next")]
    assert found == []
    assert written == UK.text.replace(old, "        Роздайте:\n\n        - усе.\n")


@each_format
def test_the_examples_of_a_text_are_units(format_: str) -> None:
    game, rule = rulespec.load("fortheking").model, "influence.draft"
    text = translations(SPECS / "translations" / "fortheking")["en"]
    id_, case = f"rules/{rule}/examples/influence.draft.two_players", text.rules[rule].examples[0]
    to, back = FORMATS[format_]
    entries, found = back(Source("file", to(text, game)))
    assert entries is not None and not found
    assert [one.text for one in entries.items if one.id == id_] == [case.text.text]
    changed = replace(entries, items=tuple(replace(e, text="Ada." if e.id == id_ else e.text) for e in entries.items))
    written, found = apply(text.source, changed, game)
    again = translation_of(Source("en.yaml", written))
    assert not found
    assert [one.text.text for one in again.rules[rule].examples] == ["Ada.", text.rules[rule].examples[1].text.text]


def test_a_text_keeps_its_quotes() -> None:
    changed = with_text(sent(".xlf", UK), title="Король' і", rules__deal__title='"Карти"')
    written, _ = apply(UK, changed, TINY)
    assert "title: 'Король'' і'   # the title of the book\n" in written
    assert 'title: "\\"Карти\\""\n' in written


@each_format
def test_new_texts_go_to_the_end(format_: str) -> None:
    new = with_text(sent(format_, UK), rules__end__title="Кінець", rules__end__text="Усе.\n", rulings__draw__text="Ні.")
    written, found = apply(UK, new, TINY)
    assert found == []
    # A comment at the end of the file stays there.
    after = UK.text.index("    # the next")
    rules = "  end:\n    title: Кінець\n    text: |\n      Усе.\n"
    rulings = "\nrulings:\n  draw:\n    text: |-\n      Ні.\n"
    assert written == UK.text[:after] + rules + rulings + UK.text[after:]


FLOW = '{translation: 3, game: tiny, lang: uk, title: Крихітка, rules: {deal: {title: Роздача, text: "Усе.", }}}\n'


def test_files_in_brackets_are_written_too() -> None:
    flow = Source("uk.yaml", FLOW)
    new = with_text(
        sent(".po", flow), title="a, b", rules__deal__title="Хід", rules__deal__text="1\n2", rulings__peek__text="Ні"
    )
    written, found = apply(flow, new, TINY)
    assert found == []
    assert written == (
        '{translation: 3, game: tiny, lang: uk, title: "a, b", rules: {deal: {title: Хід, text: "1\\n2", }}, '
        "rulings: {peek: {text: Ні}}}\n"
    )


def test_line_ends_of_windows_stay() -> None:
    windows = Source("uk.yaml", UK.text.replace("\n", "\r\n"))
    written, _ = apply(windows, with_text(sent(".po", windows), rules__deal__text="1\n\n2"), TINY)
    assert "        1\r\n\r\n        2\r\n" in written
    assert re.search(r"(?<!\r)\n", written) is None


def test_a_composed_character_is_the_same_text() -> None:
    decomposed = normalize("NFD", 'Роздача "карт" й')
    source = Source("uk.yaml", UK.text.replace('Роздача \\"карт\\"', decomposed.replace('"', '\\"')))
    assert apply(source, with_text(sent(".po", source), rules__deal__title=normalize("NFC", decomposed)), TINY) == (
        source.text,
        [],
    )


@each_format
def test_a_status_comes_back(format_: str) -> None:
    sent_out = sent(format_, UK, "reviewed")
    written, found = apply(UK, sent_out, TINY)
    assert found == []
    assert written == UK.text.replace("відкладіть.\n", "відкладіть.\n    status: reviewed\n")
    again = Source("uk.yaml", written)
    assert apply(again, sent(format_, again), TINY) == (written, [])
    draft, _ = apply(again, sent(format_, again, "draft"), TINY)
    assert draft == written.replace("status: reviewed", "status: draft")


def test_a_text_is_not_written_where_it_would_change_another() -> None:
    source = Source("uk.yaml", UK.text.replace("|- # Markdown", "|+").rpartition("    #")[0] + "\n\n")
    new = with_text(sent(".po", source), rulings__draw__text="Ні.")
    written, found = apply(source, new, TINY)
    assert (written, [f.name for f in found]) == (source.text, ["exchange-unwritable"])


def test_segments_are_joined_in_the_order_of_the_target() -> None:
    text = to_xliff_2(translation_of(UK), TINY).replace(
        "<source>Tiny</source>\n        <target>Крихітка</target>",
        "<source>A</source><target order='3'>Два</target></segment><ignorable><source> </source></ignorable>"
        "<segment><source>B</source><target order='1'><mrk id='m' type='term'>Один</mrk></target>",
    )
    entries, found = from_xliff(Source("file", text))
    assert entries is not None and not found
    assert entries.items[0].text == "Один Два"


def test_an_xliff_1_file_says_what_tools_ask_for() -> None:
    uk = with_status(translation_of(UK), "deal", "reviewed")
    text = to_xliff_1(replace(uk, title="a\x07b"), TINY, None, {"rules/deal": ["2 < 3"]})
    assert '<target state="translated">a<x id="1" ctype="x-character-0007"/>b</target>' in text
    root = ElementTree.fromstring(text)
    space = {"x": "urn:oasis:names:tc:xliff:document:1.2"}
    units_ = root.findall(".//x:trans-unit", space)
    assert [unit.get("approved") for unit in units_[:4]] == ["yes", "yes", "yes", None]
    assert [note.text for note in root.iterfind(".//x:note", space)] == ["2 < 3", "2 < 3"]
    assert {(file.get("original"), file.get("target-language")) for file in root} == {("tiny", "uk")}


@pytest.mark.parametrize(
    ("attributes", "state", "status"),
    [
        ("", "", "translated"),
        (' approved="yes"', "", "reviewed"),
        (' approved="yes"', ' state="translated"', "translated"),
        (' approved="yes"', ' state="needs-review-translation"', "reviewed"),
        (' approved="no"', ' state="translated"', "translated"),
        ("", ' state="signed-off"', "reviewed"),
        ("", ' state="needs-translation"', "draft"),
        ("", ' state="x-checked"', "draft"),
    ],
)
def test_states_of_xliff_1(attributes: str, state: str, status: str) -> None:
    unit = f"<trans-unit id='title'{attributes}><source>Tiny</source><target{state}>К<mrk mtype='seg'>р</mrk></target>"
    namespace = "urn:oasis:names:tc:xliff:document:1.2"
    file = (
        f"<xliff xmlns='{namespace}'><file original='tiny' target-language='uk'><body>{unit}</trans-unit></body></file>"
    )
    entries, found = from_xliff(Source("file", f"{file}</xliff>"))
    assert entries is not None and not found
    assert [(one.id, one.text, one.status) for one in entries.items] == [("title", "Кр", status)]


@pytest.mark.parametrize("to", [to_xliff_1, to_xliff_2])
@pytest.mark.parametrize("laid_out", [False, True])
def test_blanks_that_a_tool_may_change_are_no_text(to: Callable[..., str], laid_out: bool) -> None:
    text = to(translation_of(UK), TINY).replace(' xml:space="pres', ' a="' * (not laid_out) or ' xml:space="pres')
    text = text.replace("Перетасуйте колоду", "\n    Перетасуйте\n      колоду").replace("- решту", "  - решту")
    for word in ("решту", "усі"):
        entries, _ = from_xliff(Source("file", text.replace("решту", word)))
        assert entries is not None
        assert (apply(UK, entries, TINY)[0] == UK.text.replace("решту", word)) != laid_out


@pytest.mark.parametrize("rest", ["", "Один\n  два", "一\n  二，\n  三"])
def test_a_text_without_its_blanks_has_its_paragraphs(rest: str) -> None:
    text = f"\n  Перший\n  рядок.\n\n  Другий:\n  - один\n    далі\n  - два\n  {rest}"
    file = to_xliff_1(replace(translation_of(UK), title=text), TINY).replace(' xml:space="preserve"', "")
    entries, _ = from_xliff(Source("file", file))
    assert entries is not None
    folded = rest.replace("\n  ", "" if "一" in rest else " ")
    assert entries.items[0].text == f"Перший рядок.\n\nДругий:\n- один далі\n- два {folded}".rstrip()


@pytest.mark.parametrize("to", [to_po, to_xliff_1, to_xliff_2])
def test_a_source_that_was_edited_is_told(to: Callable[..., str]) -> None:
    """Not one of another text of the game, or of the spec, which the file may have been exported with."""
    uk = translation_of(UK)
    others = [replace(uk, lang="en", title="Small"), replace(uk, lang="de", title="Klein")]
    back = from_po if to is to_po else from_xliff
    for source, reported in (("Small", False), ("Klein", False), ("Tiny", False), ("Big", True)):
        entries, _ = back(Source("file", to(uk, TINY, replace(others[0], title=source))))
        assert entries is not None
        written, found = apply(UK, entries, TINY, others[0], references=others)
        assert written == UK.text
        assert [(one.name, "“Big”" in one.message and "“Small”" in one.message) for one in found] == [
            ("source-edited", True)
        ] * reported


# --- what must not get through ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted((HERE / "bad").iterdir()), ids=lambda path: path.name)
def test_bad_files(path: Path) -> None:
    source = text_of(path)
    back: Callable[[Source], tuple[Entries | None, list[rulespec.Finding]]] = FORMATS[path.suffix][1]
    entries, found = back(source)
    if entries is not None:
        written, more = apply(UK, entries, TINY)
        assert written == UK.text
        found = found + more
    expected = [(name, int(line)) for name, line in re.findall(r"expect: (\S+) (\d+)", source.text)]
    assert sorted((f.name, f.start.line) for f in found) == sorted(expected)
    assert all(f.path == str(path) and f.hint for f in found)


@pytest.mark.parametrize(
    ("root", "named"),
    [
        ('xmlns="urn:oasis:names:tc:xliff:document:1.1" version="1.1"', "XLIFF 1.1, not"),
        ('xmlns="urn:oasis:names:tc:xliff:document:2.2" version="2.2"', "XLIFF 2.2, not"),
        ('version="1.0"', "XLIFF 1.0, not"),
        ('version="1.2"', "XLIFF 1.2 without the namespace"),
        ("", "not XLIFF 1.2 or 2.0."),
    ],
)
def test_the_version_that_is_not_read_is_named(root: str, named: str) -> None:
    entries, (found,) = from_xliff(Source("file", f"<xliff {root}><file/></xliff>"))
    assert entries is None and named in found.message


def test_every_kind_is_shown() -> None:
    shown = {name for path in (HERE / "bad").iterdir() for name in re.findall(r"expect: (\S+)", text_of(path).text)}
    assert shown | {"exchange-unwritable"} == names_in("exchange")


@pytest.mark.parametrize("said", ["zh-TW", "zh_Hant", "zh-Hant-TW", "ZH-hant"])
def test_tools_may_call_a_language_by_its_region(said: str) -> None:
    source = Source("zh-Hant.yaml", UK.text.replace("lang: uk", "lang: zh-Hant"))
    entries, _ = from_po(Source("file", to_po(translation_of(source), TINY).replace("zh_Hant", said)))
    assert entries is not None
    assert apply(source, entries, TINY) == (source.text, [])


@each_format
@given(st.data())
def test_damaged_files_give_findings(format_: str, data: st.DataObject) -> None:
    to, back = FORMATS[format_]
    text = to(translation_of(UK), TINY)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    entries, found = back(Source("file", text[:start] + data.draw(st.text(max_size=5)) + text[end:]))
    assert entries is not None or found
    if entries is not None:
        apply(UK, entries, TINY)


def test_a_po_file_is_never_taken_for_a_name(tmp_path: Path) -> None:
    secret = tmp_path / "secret.po"
    secret.write_text(to_po(translation_of(UK), TINY), encoding="utf-8")
    assert from_po(Source("file", str(secret)))[0] is None


def test_deep_nesting_is_refused() -> None:
    entries, found = from_xliff(Source("file", "<a>" * 100_000))
    assert entries is None and [f.name for f in found] == ["exchange-broken"]


def test_a_file_that_is_no_translation_stays() -> None:
    broken = Source("uk.yaml", "translation: 3\n")
    written, found = apply(broken, Entries("tiny", "uk", (UnitText("title", "x", "", Span(0, 1)),), broken), TINY)
    assert written == broken.text and found
