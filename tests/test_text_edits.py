"""Edits of confirmed texts that were written independently: each is reported, in its text and in those made from it.

`text_edits.yaml` is a sample of the set `text_edits` of `benchmarks/texts`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from command import ftk

import rulespec
from rulespec.base.source import Source, read
from rulespec.base.wording import digest, words
from rulespec.games.confirmed import words_of
from rulespec.games.rulebook import book_of, texts_of
from rulespec.text.checks.check import check as check_text
from rulespec.text.reading.translation import Translation
from rulespec.text.reading.translation import read as read_text
from rulespec.text.seals.since import kept_written, read_kept

pytestmark = pytest.mark.slow("checks the texts of large games")

ROOT = Path(__file__).parents[1]
EDITS = yaml.safe_load((ROOT / "tests/text_edits.yaml").read_text(encoding="utf-8"))


@lru_cache
def texts(game: str) -> dict[str, Translation]:
    return dict(texts_of(rulespec.load(game)))


def after(edit: dict[str, Any]) -> Translation:
    """The translation with an edit."""
    source, _ = read(str(ROOT / "specs/translations" / edit["game"] / f"{edit['lang']}.yaml"))
    assert source is not None
    if source.text.count(edit["old"]) != 1:
        pytest.skip("the text has been edited since")
    changed, found = read_text(Source(source.path, source.text.replace(edit["old"], edit["new"])))
    assert changed is not None, found
    return changed


def reported(edit: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The languages in which an edit is reported, and how."""
    spec, every = rulespec.load(edit["game"]), texts(edit["game"]) | {edit["lang"]: after(edit)}
    book, kept = book_of(spec), words_of(spec.model)
    for one in every.values():
        if one.lang == edit["lang"] or one.made_from == edit["lang"]:
            for found in check_text(one, spec.model, book, every.values(), only={edit["rule"]}, kept=kept):
                if found.name in ("text-edited", "source-edited"):
                    assert found.rule == edit["rule"]
                    yield one.lang, found.name


def wanted(edit: dict[str, Any]) -> list[tuple[str, str]]:
    if edit["kind"] == "polish":
        return []
    others = (one.lang for one in texts(edit["game"]).values() if one.made_from == edit["lang"])
    return [(edit["lang"], "text-edited"), *((lang, "source-edited") for lang in others)]


@pytest.mark.parametrize("edit", EDITS, ids=lambda one: one["id"])
def test_an_edit_is_reported_in_its_text_and_in_those_made_from_it(edit: dict[str, Any]) -> None:
    assert sorted(reported(edit)) == sorted(wanted(edit))


WORDING = yaml.safe_load((ROOT / "tests/wording.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("same", WORDING["same"], ids=lambda same: same[0])
def test_what_does_not_change_the_words(same: list[str]) -> None:
    assert len({words(one) for one in same}) == 1


@pytest.mark.parametrize("other", WORDING["other"], ids=lambda other: other[1])
def test_what_changes_the_words(other: list[str]) -> None:
    assert words(other[0]) != words(other[1])


# --- a project of its own ---------------------------------------------------------------------------------------------


@pytest.fixture
def river(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert ftk("new", "river", "--lang", "en,uk", "-q").exit_code == 0
    return Path("specs/translations/river/en.yaml")


def edit(path: Path, old: str, new: str) -> None:
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new, 1), encoding="utf-8")


EDITED = ("Put the card from your hand face up", "Lay the card from your hand face down")


def said(*arguments: str) -> str:
    run = ftk(*arguments)
    return run.stdout + run.stderr


def test_an_edit_is_known_until_both_texts_are_confirmed(river: Path) -> None:
    edit(river, *EDITED)
    changes = said("text", "changes", "uk", "river")
    assert "1 text to bring up to date" in changes
    assert f"- {EDITED[0]}" in changes and f"+ {EDITED[1]}" in changes and "Покладіть" in changes
    status = said("text", "status", "river", "-v")
    assert "edited: turn.keep" in status and "source edited: turn.keep" in status
    assert "1 text of specs/translations/river/en.yaml would be" in said(*CONFIRM, "en")
    assert "1 text confirmed" in said(*CONFIRM, "en", "--anyway", "the pile\nis face down")
    assert "  # anyway: the pile is face down\n" in river.read_text(encoding="utf-8")
    assert "source edited: turn.keep" in said("text", "status", "river", "-v")
    assert "1 text confirmed" in said(*CONFIRM, "uk")
    assert "edited:" not in said("text", "status", "river", "-v")
    edit(river, *reversed(EDITED))
    assert "1 text confirmed" in said(*CONFIRM, "en")
    assert "# anyway" not in river.read_text(encoding="utf-8")


CONFIRM = ("text", "status", "river", "--confirm", "--lang")


def test_words_are_kept_as_long_as_a_seal_refers_to_them(river: Path) -> None:
    kept = Path("specs/versions/river/en.words")
    before = kept.read_text(encoding="utf-8")
    edit(river, *EDITED)
    said(*CONFIRM, "en", "--anyway", "a test")
    both = kept.read_text(encoding="utf-8").splitlines()
    assert {*before.splitlines()} < {*both} and any(EDITED[1] in line for line in both)
    said(*CONFIRM, "uk")
    assert not any(EDITED[0] in line for line in kept.read_text(encoding="utf-8").splitlines())


def test_kept_words_that_are_missing_or_damaged_hide_no_edit(river: Path) -> None:
    edit(river, *EDITED)
    kept = Path("specs/versions/river/en.words")
    for content in ("", "[", '{"a": 1}\n', '["Keep"\n', "\0"):
        kept.write_text(content, encoding="utf-8")
        output = said("check")
        assert "This text has changed since it was confirmed, and what it was then is not kept." in output
        assert "The text in en has changed since this one was compared with it." in output
    kept.unlink()
    assert "is not kept" in said("check")


def test_kept_words_may_have_signs_at_which_python_splits_lines() -> None:
    parts = ("A title", "One\u2028two\x85three", "An example")
    assert read_kept(kept_written([parts])) == {digest(parts): parts}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (" words ", " word ", "`confirmed` must be what `ftk text status --confirm` writes"),
        (" words ", " words 1", "Delete it, compare the text with its rule"),
        ("confirmed: 3-", "confirmed: 7-", "`confirmed` must be what"),
        ("\nlang: en\n", "\nlang: en\nsource: en\n", "A text is no translation of itself."),
        ("\nlang: en\n", "\nlang: en\nsource: de\n", "The game has no text in de"),
        ("\nlang: en\n", "\nlang: en\nsource: uk\n", "The text in uk is a translation of this one"),
        ("\nlang: en\n", "\nlang: en\nsource: 7\n", "`source` must be a BCP 47 tag"),
        ("rules:\n", "<<<<<<< HEAD\nrules:\n=======\nrules:\n>>>>>>> other\n", "A merge has left both versions here."),
    ],
)
def test_what_is_no_seal_and_no_source(river: Path, old: str, new: str, words: str) -> None:
    edit(river, old, new)
    run = ftk("check")
    assert run.exit_code == 1 and words in run.stdout


def test_a_seal_of_another_rule_confirms_nothing(river: Path) -> None:
    seals = re.findall(r"confirmed: (.*)", river.read_text(encoding="utf-8"))
    edit(river, seals[0], seals[1])
    assert "stale: setup.shuffle" in (status := said("text", "status", "river", "-v"))
    assert "edited: setup.shuffle" in status


def test_a_source_without_the_rule(river: Path) -> None:
    content = river.read_text(encoding="utf-8")
    river.write_text(re.sub(r"  turn\.keep:\n(?:    .*\n)+", "", content), encoding="utf-8")
    assert "The text in en that this one was made from is gone." in said("check")


def test_no_reason_and_a_reason_for_nothing(river: Path) -> None:
    assert ftk(*CONFIRM, "en", "--anyway", " ").exit_code == 2
    assert ftk("text", "status", "--anyway", "x").exit_code == 2
    assert ftk(*CONFIRM, "en", "--anyway", "x\x1b[31m").exit_code == 2
    assert "no reason is written" in said(*CONFIRM, "en", "--anyway", "why not")
    assert ftk("text", "changes", "fr").exit_code == 3
    assert ftk("text", "changes", "uk", "--variant", "x").exit_code == 2
    assert "Every text is there" in said("text", "changes", "uk")


def test_texts_of_a_game_have_their_sources_in_a_variant_too() -> None:
    run = ftk("text", "status", "kingme", "--variant", "ground_floor", "--format", "json")
    (game,) = json.loads(run.stdout)["games"]
    languages = game["languages"]
    assert game["unreadable"] == []
    assert {one["lang"] for one in languages} == {"de", "en", "pl", "uk", "zh-Hant"}
    assert not any(one["edited"] or one["source_edited"] for one in languages)  # each has a text of the variant
