"""Quantities in texts: a table of samples per language, and properties for all numbers and texts."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.text.languages.quantity.patterns import numerals_of
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.quantity.reader import read
from rulespec.text.languages.quantity.spelled import phrase, spelled
from rulespec.text.languages.registry import find

TABLES = Path(__file__).parent / "quantities"
ROWS: dict[str, dict[str, list[list[Any]]]] = {
    path.stem: {row["text"]: row.get("reads", []) for row in yaml.safe_load(path.read_text(encoding="utf-8"))}
    for path in sorted(TABLES.glob("*.yaml"))
}
"""What is read in each text, by language."""


def written(quantity: Quantity, text: str) -> list[Any]:
    """A quantity in the form of a row of the table."""
    ends = [quantity.value] if quantity.high is None else [quantity.value, quantity.high]
    return [str(quantity.kind), *ends, text[quantity.start : quantity.end]]


@pytest.mark.parametrize("lang", ROWS)
def test_texts(lang: str) -> None:
    expected = {
        text: [[kind, *map(Fraction, ends), words] for kind, *ends, words in reads]
        for text, reads in ROWS[lang].items()
    }
    assert {text: [written(quantity, text) for quantity in read(text, lang)] for text in ROWS[lang]} == expected


@pytest.mark.parametrize("lang", ["en", "uk", "zh"])
def test_tables_are_long_enough(lang: str) -> None:
    rows = [*ROWS[lang].values()]
    traps = [reads for reads in rows if all(kind not in ("cardinal", "signed", "relative") for kind, *_ in reads)]
    assert len(rows) >= 80
    assert 3 * len(traps) >= len(rows)


COUNTED = {"en": "{} cards", "uk": "{} карток", "zh": "{}張"}


@pytest.mark.parametrize("lang", COUNTED)
def test_every_number_in_figures(lang: str) -> None:
    for number in range(10_000):
        assert [found.value for found in read(COUNTED[lang].format(number), lang)] == [number]


UNITS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
UNITS += " eighteen nineteen"
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def english(number: int) -> str:
    if number >= 100:
        rest = f" and {english(number % 100)}" if number % 100 else ""
        return f"{english(number // 100)} hundred{rest}"
    if number >= 20:
        rest = f"-{english(number % 10)}" if number % 10 else ""
        return TENS.split()[number // 10 - 2] + rest
    return UNITS.split()[number - 1] if number else "zero"


UKRAINIAN = {
    "nominative": (
        "одна дві три чотири п'ять шість сім вісім дев'ять десять одинадцять дванадцять тринадцять чотирнадцять"
        " п'ятнадцять шістнадцять сімнадцять вісімнадцять дев'ятнадцять",
        "двадцять тридцять сорок п'ятдесят шістдесят сімдесят вісімдесят дев'яносто",
        "сто двісті триста чотириста п'ятсот шістсот сімсот вісімсот дев'ятсот",
        "нуль",
    ),
    "genitive": (
        "однієї двох трьох чотирьох п’яти шести семи восьми дев’яти десяти одинадцяти дванадцяти тринадцяти"
        " чотирнадцяти п’ятнадцяти шістнадцяти сімнадцяти вісімнадцяти дев’ятнадцяти",
        "двадцяти тридцяти сорока п’ятдесяти шістдесяти сімдесяти вісімдесяти дев’яноста",
        "ста двохсот трьохсот чотирьохсот п’ятисот шестисот семисот восьмисот дев’ятисот",
        "нуля",
    ),
    "dative": (
        "одній двом трьом чотирьом п’ятьом шістьом сімом вісьмом дев’ятьом десятьом одинадцятьом дванадцятьом"
        " тринадцятьом чотирнадцятьом п’ятнадцятьом шістнадцятьом сімнадцятьом вісімнадцятьом дев’ятнадцятьом",
        "двадцятьом тридцятьом сорока п’ятдесятьом шістдесятьом сімдесятьом вісімдесятьом дев’яноста",
        "ста двомстам трьомстам чотирьомстам п’ятистам шестистам семистам восьмистам дев’ятистам",
        "нулю",
    ),
    "instrumental": (
        "однією двома трьома чотирма п’ятьма шістьма сьома вісьма дев’ятьма десятьма одинадцятьма дванадцятьма"
        " тринадцятьма чотирнадцятьма п’ятнадцятьма шістнадцятьма сімнадцятьма вісімнадцятьма дев’ятнадцятьма",
        "двадцятьма тридцятьма сорока п’ятдесятьма шістдесятьма сімдесятьма вісімдесятьма дев’яноста",
        "ста двомастами трьомастами чотирмастами п’ятьмастами шістьмастами сьомастами вісьмастами дев’ятьмастами",
        "нулем",
    ),
    "collective": (
        "одні двоє троє четверо п’ятеро шестеро семеро восьмеро дев’ятеро десятеро одинадцятьох дванадцятьох"
        " тринадцятьох чотирнадцятьох п’ятнадцятьох шістнадцятьох сімнадцятьох вісімнадцятьох дев’ятнадцятьох",
        "двадцятьох тридцятьох сорока п’ятдесятьох шістдесятьох сімдесятьох вісімдесятьох дев’яноста",
        "ста двохстах трьохстах чотирьохстах п’ятистах шестистах семистах восьмистах дев’ятистах",
        "нулі",
    ),
}


def ukrainian(number: int, case: str) -> str:
    units, tens, hundreds, zero = UKRAINIAN[case]
    words = [hundreds.split()[number // 100 - 1]] if number >= 100 else []
    number %= 100
    words += [tens.split()[number // 10 - 2]] if number >= 20 else []
    number = number % 10 if number >= 20 else number
    words += [units.split()[number - 1]] if number else []
    return " ".join(words) or zero


HAN = "零一二三四五六七八九"


def chinese(number: int) -> str:
    if number >= 100:
        rest = number % 100
        return HAN[number // 100] + "百" + ("零" if 0 < rest < 10 else "") + (tens(rest, "一") if rest else "")
    return tens(number, "")


def tens(number: int, one: str) -> str:
    if number < 10:
        return HAN[number]
    return (one if number < 20 else HAN[number // 10]) + "十" + (HAN[number % 10] if number % 10 else "")


@pytest.mark.parametrize(
    ("lang", "in_words"),
    [
        ("en", english),
        *(("uk", partial(ukrainian, case=case)) for case in UKRAINIAN),
        ("zh-Hant", chinese),
        ("zh-Hans", lambda number: chinese(number).replace("二百", "两百")),
    ],
    ids=["en", *(f"uk-{case}" for case in UKRAINIAN), "zh-Hant", "zh-Hans"],
)
def test_every_number_in_words(lang: str, in_words: Any) -> None:
    for number in range(1_000):
        text = COUNTED[lang[:2]].format(in_words(number))
        assert [(q.kind, q.value) for q in read(text, lang)] == [(Kind.CARDINAL, Fraction(number))], text


# --- the libraries ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "uk", "zh-Hant", "zh-Hans", "de", "fr", "ja"])
def test_what_the_libraries_spell_is_read_as_its_value(lang: str) -> None:
    language = find(lang)
    lexicon = numerals_of(language).lexicon
    for words, (kind, value) in spelled(lang, language.spaced).items():
        if kind == "cardinal" or words in lexicon.values:
            assert [found[3] for found in lexicon.numbers(words)] == [value], words


@pytest.mark.parametrize("tags", [["en"], ["uk"], ["zh-Hant", "zh-Hans"]], ids=str)
def test_a_record_lists_only_forms_that_the_libraries_lack(tags: list[str]) -> None:
    language = find(tags[0])
    path = language.file("numerals.yaml")
    assert path is not None
    forms = yaml.safe_load(path.read_text(encoding="utf-8"))["forms"]
    listed = [
        word for kind in ("cardinal", "ordinal") for words in forms.get(kind, {}).values() for word in words.split()
    ]
    assert listed
    for word in listed:
        assert not all(phrase(word, language.spaced) in spelled(tag, language.spaced) for tag in tags), word


@pytest.mark.parametrize(
    ("lang", "text", "values"),
    [
        ("en", "two thousand three hundred and five, twenty-one thousand, nineteen hundred", [2305, 21000, 1900]),
        ("en", "the two hundredth, a hundred and twenty-third, three quarters, a quarter", [200, 123, "3/4", "1/4"]),
        ("en", "twice, twenty twice, two dozen, sixty-seven and a half", [2, 20, 2, 24, "135/2"]),
        ("uk", "двадцяти одну, сто двадцять третьої, двадцятьма тисячами, шостих", [21, 123, 20000, 6]),
        ("uk", "двадцять вдвох, тисяча двадцятий", [20, 2, 1020]),
        ("zh-Hant", "二十三萬、两百一十五、一萬零五百、二分之一", [230000, 215, 10500, "1/2"]),
        ("zh-Hans", "二十三万、兩百一十五、二〇二二年、参加、拾取", [230000, 215, 2022]),
    ],
)
def test_numbers_are_made_of_words(lang: str, text: str, values: list[int | str]) -> None:
    assert [quantity.value for quantity in read(text, lang)] == list(map(Fraction, values))


# --- any text --------------------------------------------------------------------------------------------------------

PIECES = """one of no a half two players opponents per than more from to один одна двох з від до гравців половина п ’
一 兩 百 第 張 半 分之 零 十 萬 玩家人數 對手 每位 加
½ ± + - − – 1 22 2022 . / ( ) , : 、 IV ① １ x © A * _ ² ٣ İ % | # p."""
GAPS = ["", " ", "\n", "\t", "\ue000", "\ue010\ue011"]
TEXTS = st.one_of(
    st.lists(st.sampled_from([*PIECES.split(), *GAPS]), max_size=25).map("".join),
    st.lists(st.sampled_from(PIECES.split()), max_size=25).map(" ".join),
    st.text(max_size=60),
)


@settings(deadline=None, max_examples=400)
@given(TEXTS, st.sampled_from(["en", "uk", "zh", "de"]))
def test_any_text_reads(text: str, lang: str) -> None:
    end = 0
    for quantity in read(text, lang):
        assert end <= quantity.start < quantity.end <= len(text)
        assert quantity.high is None or quantity.high > quantity.value
        end = quantity.end


def test_a_language_that_cldr_does_not_know_has_figures() -> None:
    assert [written(q, "2-5 qux, zwei") for q in read("2-5 qux, zwei", "qux")] == [["range", 2, 5, "2-5"]]


@pytest.mark.parametrize(
    ("lang", "text", "values"),
    [
        ("de", "drei Karten, dreiundzwanzig Steine, in der zweiten Runde, eine Münze", [3, 23, 2, 1]),
        ("pl", "dwóch graczy, trzema kartami, pięciu, dwudziestu trzech, w trzeciej rundzie", [2, 3, 5, 23, 3]),
        ("fr", "vingt-trois cartes, la troisième, quatre-vingt-dix, une", [23, 3, 90, 1]),
        ("fi", "kaksikymmentäkolme korttia, kolmella", [23, 3]),
        ("ar", "ثلاثة وعشرون بطاقة، ٥ عملات، خمس بطاقات", [23, 5, 5]),
        ("he", "שלושה קלפים", [3]),
        ("hi", "तीन पत्ते और तेईस सिक्के", [3, 23]),
        ("ja", "３枚のカードと二十三個、第二ラウンドで2枚", [3, 23, 2, 2]),
        ("th", "การ์ดยี่สิบสามใบ และเหรียญ 3 เหรียญ", [23, 3]),
        ("de-AT", "zwölf Karten", [12]),
        ("sr-Latn", "dvadeset tri karte", [23]),
    ],
)
def test_number_words_of_every_language_are_those_of_cldr(lang: str, text: str, values: list[int]) -> None:
    assert [quantity.value for quantity in read(text, lang)] == values
