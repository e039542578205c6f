"""Broken files: each has one finding, at the right place, with a hint that says what to do; fixes undo the mistake."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from command import ftk

import rulespec
from rulespec.base.findings.catalog import CATALOGS, LANGUAGES
from rulespec.base.source import Source
from rulespec.editing.fixes import fixed
from rulespec.language.model.build import SECTIONS
from rulespec.language.schema.validate import text

ROWS = yaml.safe_load((Path(__file__).parent / "broken_files.yaml").read_text(encoding="utf-8"))
EVERY = [(file, row | {"good": good}) for file, pieces in ROWS.items() for good, rows in pieces.items() for row in rows]
OTHERS = {
    "specs/mine.yaml": "deck: 1\ngame: river\nreplaces: {suit: sun}\ncards: [{value: 1, copies: 18}]\n",
    "specs/variants/river/short.yaml": "overlay: 2\nid: short\nextends: river\nversion: 0.1.0\ntitle: Short\n"
    "change:\n  rules:\n    turns: {title: Two rounds, each: {round: 1..2}}\n",
    **{
        f"specs/translations/river/short/{lang}.yaml": f"translation: 3\ngame: river\nvariant: short\nlang: {lang}\n"
        f"title: {title}\nrules:\n  turns: {{title: {title}, text: {text}}}\n"
        for lang, title, text in (
            ("en", "Short", "There are two rounds. In each round, all players take a turn."),
            ("uk", "Коротка", "Гра триває два раунди. У кожному раунді всі гравці по черзі роблять хід."),
            ("zh-Hant", "短局", "遊戲進行兩個回合。每個回合中，所有玩家各進行一次輪次。"),
        )
    },
}
"""Files of the game that `ftk new` does not make."""


@pytest.fixture(scope="module")
def river(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("river")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert ftk("new", "river", "--lang", "en,uk,zh-Hant", "-q").exit_code == 0
    for name, content in OTHERS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def inside(river: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(river)


def broken(file: str, row: dict[str, Any]) -> tuple[str, Source, int]:
    """A good text, the broken file, and the offset of the `¦` in it (-1 without one)."""
    good = Path(file).read_text(encoding="utf-8")
    assert row["good"] in good
    marked = good.replace(row["good"], row["bad"], 1)
    return good, Source(file, marked.replace("¦", "")), marked.find("¦")


def check(source: Source) -> tuple[rulespec.Finding, ...]:
    return rulespec.check_source(source).findings


def named(row: dict[str, Any]) -> str:
    return f"{row['finds']}: {row['bad']}"


@pytest.mark.parametrize(("file", "row"), EVERY, ids=[named(row) for _, row in EVERY])
def test_a_broken_file_has_one_finding_with_a_hint(file: str, row: dict[str, Any]) -> None:
    good, source, mark = broken(file, row)
    (found,) = (one for one in check(source) if one.name != "text-edited")  # the texts are confirmed
    assert (found.name, found.hint) == (row["finds"], row["hint"])
    if "at" in row:
        assert source.line(found.start.line)[found.start.column - 1 :].startswith(row["at"])
    else:
        assert found.start == source.position(mark)
    assert [words for lang in LANGUAGES[1:] if (words := english_words(source, found, lang))] == []
    done = fixed(source, check)
    assert done.source.text in (source.text, good)
    assert bool(done.findings) == (done.source.text == good)


NAMED = re.compile(r"`[^`]*`|«[^»]*»|„[^”“]*[”“]|「[^」]*」|\"[^\"]*\"")
"""Code, and quotes of texts."""

LATIN = re.compile(r"[A-Za-z]{2,}")
KNOWN_LATIN = {"Hans", "Hant", "YAML", "en", "false", "specs", "true", "uk", "yaml", "zh"}
"""Language tags, names of formats and folders, and values of YAML."""


def english_words(source: Source, found: rulespec.Finding, lang: str) -> set[str]:
    """English words of a finding in another language. Words of the files themselves, such as names, are in all
    languages; findings of English texts quote those."""
    if found.lang == "en":
        return set()
    shown = found.in_language(lang)
    texts = (shown.message, shown.hint, *(other.message for other in shown.related))
    words = {word for text in texts for word in LATIN.findall(NAMED.sub("", text))}
    return words - KNOWN_LATIN - _known_words(lang) - {*LATIN.findall(source.text)}


@cache
def _known_words(lang: str) -> set[str]:
    """The words of the catalog of a language, whose own letters may be Latin, and those of the files."""
    lines = (CATALOGS / f"{lang}.po").read_text(encoding="utf-8").splitlines()
    said = (NAMED.sub("", line[8:-1]) for line in lines if line.startswith("msgstr"))
    texts = (Path(file).read_text(encoding="utf-8") for file in (*ROWS, *OTHERS))
    return {word for text in (*said, *texts) for word in LATIN.findall(text)}


def test_the_good_files_have_no_findings() -> None:
    for file in ROWS:
        assert check(Source(file, Path(file).read_text(encoding="utf-8"))) == ()


def test_the_sections_of_a_spec_are_those_of_its_schema() -> None:
    """A key that is none of them may stand for one, so unknown names are not reported."""
    assert json.loads(text("rulespec-2"))["properties"].keys() == SECTIONS
