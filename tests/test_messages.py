"""Messages: English texts that know their templates, and the catalogs that have these in other languages."""

from __future__ import annotations

import pickle
from pathlib import Path

import polib
import pytest

from rulespec.base.findings import catalog, extract
from rulespec.base.findings.catalog import PoCatalog, catalog_of
from rulespec.base.messages import NOTHING, Message, all_of, any_of, counted, quoted, reason, say, sentences, translated

ROOT = Path(__file__).resolve().parent.parent
CATALOGS = sorted((ROOT / "rulespec" / "base" / "findings" / "locale").glob("*.po"))
TEMPLATES = {one.text: one for one in extract.templates(ROOT)}

SMALL = """
msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : "
"n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

msgid "There is no {what} `{name}`."
msgstr "Немає: {what} `{name}`."

msgid "a zone"
msgstr "зона"

msgid "{items} or {last}"
msgstr "{items} або {last}"

msgid ", "
msgstr " · "

msgid ","
msgstr " "

msgid "{number} card"
msgid_plural "{number} cards"
msgstr[0] "{number} карта"
msgstr[1] "{number} карти"
msgstr[2] "{number} карт"
"""


@pytest.fixture
def ukrainian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PoCatalog:
    (tmp_path / "uk.po").write_text(SMALL, encoding="utf-8")
    monkeypatch.setattr(catalog, "CATALOGS", tmp_path)
    found = catalog_of.__wrapped__("uk")
    assert found is not None
    return found


def test_a_message_is_its_english_text() -> None:
    message = say("There is no {what} `{name}`.", what=say("a zone"), name="dekc")
    assert message == "There is no a zone `dekc`." and isinstance(message, Message)
    assert {message: 1}["There is no a zone `dekc`."] == 1 and sorted([message, "A"]) == ["A", message]


def test_a_message_without_values_may_contain_braces() -> None:
    assert say("Write it like `{p: player}`.") == "Write it like `{p: player}`."
    assert say(say("A value cannot begin with {sign}."), sign="@") == "A value cannot begin with @."


def test_values_may_be_messages_and_lists(ukrainian: PoCatalog) -> None:
    message = say("There is no {what} `{name}`.", what=say("a zone"), name=any_of(["a", "b", "c"]))
    assert message == "There is no a zone `a, b or c`."
    assert message.translated(ukrainian) == "Немає: зона `a · b або c`."


def test_a_language_groups_the_digits_of_numbers(ukrainian: PoCatalog) -> None:
    message = say("{most:,} steps, {number}", most=1234567, number=1234)
    assert message == "1,234,567 steps, 1234" and message.translated(ukrainian) == "1 234 567 steps, 1234"


@pytest.mark.parametrize(
    ("number", "text"), [(1, "1 карта"), (2, "2 карти"), (5, "5 карт"), (11, "11 карт"), (21, "21 карта")]
)
def test_the_number_chooses_the_plural_form(ukrainian: PoCatalog, number: int, text: str) -> None:
    message = counted("{number} card", "{number} cards", number)
    assert message == f"{number} card{'s' * (number != 1)}"
    assert message.translated(ukrainian) == text


def test_a_value_has_spaces_beside_chinese_characters(ukrainian: PoCatalog) -> None:
    chinese = PoCatalog({"{items} or {last}": "{items}或{last}", "{what} is {number}.": "{what}是{number}。"}, {}, None)
    message = say("{what} is {number}.", what=any_of(quoted(["a", "b"])), number=3)
    assert message.translated(chinese) == "`a` 或 `b` 是3。"
    assert message.translated(ukrainian) == "`a` або `b` is 3."
    assert say("{what} is {number}.", what="規則a.yaml", number="規則b").translated(chinese) == "規則a.yaml 是規則b。"


def test_what_has_no_translation_stays_english(ukrainian: PoCatalog) -> None:
    assert translated("a name", ukrainian) == "a name"
    assert say("Delete {what}.", what=say("a zone")).translated(ukrainian) == "Delete зона."
    assert counted("{number} row", "{number} rows", 2).translated(ukrainian) == "2 rows"


def test_a_message_survives_pickling(ukrainian: PoCatalog) -> None:
    message = counted("{number} card", "{number} cards", 3) + say(" and {what}", what=say("a zone"))
    again = pickle.loads(pickle.dumps(message))
    assert again == message and again.translated(ukrainian) == message.translated(ukrainian) == "3 карти and зона"


def test_messages_are_joined() -> None:
    assert "a " + say("b") + " c" == "a b c"
    assert sentences(say("A."), NOTHING, say("B.")) == "A. B." and sentences(NOTHING) == ""
    assert all_of(quoted(["a", "b", "c"])) == "`a`, `b` and `c`" and all_of(["a"]) == "a" and all_of([]) == ""


def test_an_exception_keeps_its_message() -> None:
    assert isinstance(reason(ValueError(say("no {what}", what="x"))), Message)
    assert reason(ValueError("no y")) == "no y"


# --- the catalogs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_a_catalog_has_every_template_and_no_other(path: Path) -> None:
    entries = {(entry.msgid, entry.msgid_plural) for entry in polib.pofile(path.read_text(encoding="utf-8"))}
    wanted = {(one.text, one.many) for one in TEMPLATES.values()}
    assert (entries - wanted, wanted - entries) == (set(), set()), "run `make catalogs`"


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_every_template_is_translated(path: Path) -> None:
    assert [entry.msgid for entry in polib.pofile(path.read_text(encoding="utf-8")).untranslated_entries()] == []


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_a_translation_has_the_values_of_its_template(path: Path) -> None:
    for entry in polib.pofile(path.read_text(encoding="utf-8")):
        wanted = extract.fields(entry.msgid) | extract.fields(entry.msgid_plural)
        for text in filter(None, (entry.msgstr, *entry.msgstr_plural.values())):
            # A form for a single number may leave the number out.
            left_out = wanted & {"{number}"} if entry.msgid_plural else set()
            assert extract.fields(text) | left_out == wanted, entry.msgid


def test_updating_a_catalog_keeps_translations() -> None:
    before = polib.pofile(SMALL)
    after = extract.updated(before, [extract.Template("a zone", "", "x.py"), extract.Template("new", "", "x.py")])
    assert [(entry.msgid, entry.msgstr) for entry in after] == [("a zone", "зона"), ("new", "")]


def test_a_template_has_one_set_of_plural_forms() -> None:
    assert all(extract.fields(one.many) == extract.fields(one.text) for one in TEMPLATES.values() if one.many)
