"""The numerals from 1 to 20 in words, by language: one row per grammatical form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_UK_TEENS = ("оди", "два", "три", "чотир", "п’ят", "шіст", "сім", "вісім", "дев’ят")
_UK_ROWS = (
    # Each row has one form of the numerals from 1; "-" for a form that does not exist.
    ("один два три чотири п’ять шість сім вісім дев’ять десять", "надцять", "двадцять"),
    ("одна дві три чотири п’ять шість сім вісім дев’ять десять", "надцять", "двадцять"),
    ("одну дві три чотири п’ять шість сім вісім дев’ять десять", "надцять", "двадцять"),
    ("одне два три чотири п’ять шість сім вісім дев’ять десять", "надцять", "двадцять"),
    ("одного двох трьох чотирьох п’яти шести семи восьми дев’яти десяти", "надцяти", "двадцяти"),
    ("однієї двох трьох чотирьох п’яти шести семи восьми дев’яти десяти", "надцяти", "двадцяти"),
    ("одному двом трьом чотирьом п’яти шести семи восьми дев’яти десяти", "надцяти", "двадцяти"),
    ("одній двом трьом чотирьом п’яти шести семи восьми дев’яти десяти", "надцяти", "двадцяти"),
    ("одним двома трьома чотирма п’ятьма шістьма сьома вісьма дев’ятьма десятьма", "надцятьма", "двадцятьма"),
    ("- вдвох втрьох вчотирьох вп’ятьох вшістьох всімох ввосьмох", "", ""),
    ("- удвох утрьох учотирьох уп’ятьох ушістьох усімох увосьмох", "", ""),
    ("- двоє троє четверо п’ятеро шестеро семеро восьмеро дев’ятеро десятеро", "", ""),
)
_EN_ROW = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_ZH_ONES = "一二三四五六七八九"


def _uk_rows() -> Iterator[list[str]]:
    for words, teen, twenty in _UK_ROWS:
        yield words.split() + ([one + teen for one in _UK_TEENS] + [twenty] if teen else [])


def _zh_row(two: str) -> list[str]:
    row = [*_ZH_ONES, "十", *(f"十{one}" for one in _ZH_ONES), "二十"]
    return [row[0], two, *row[2:]]


_ROWS: Mapping[str, list[list[str]]] = {
    "en": [_EN_ROW.split()],
    "uk": list(_uk_rows()),
    "zh-Hant": [_zh_row("兩"), _zh_row("二")],
    "zh-Hans": [_zh_row("两"), _zh_row("二")],
}


def series(word: str, lang: str) -> tuple[list[str], int] | None:
    """The row of a numeral and its index; None if the table does not have it."""
    plain = word.lower().replace("'", "’")
    return next(((row, row.index(plain)) for row in _ROWS[lang] if plain in row), None)


def written(value: int, word: str, row: list[str]) -> str:
    """A numeral that replaces another one, with the same capitalisation and apostrophe."""
    new = row[value - 1].replace("’", "'") if "'" in word else row[value - 1]
    return new.capitalize() if word[:1].isupper() else new
