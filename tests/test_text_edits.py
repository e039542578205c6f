"""Edits of confirmed texts that were written independently: each is reported, in its text and in those made from it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import rulespec
from rulespec import text
from rulespec.source import Source, read
from rulespec.text import Translation
from rulespec.wording import words

ROOT = Path(__file__).parents[1]
EDITS = yaml.safe_load((ROOT / "tests/unseen_changes/text_edits.yaml").read_text(encoding="utf-8"))


@lru_cache
def texts(game: str) -> dict[str, Translation]:
    return dict(rulespec.texts_of(rulespec.load(game)))


def after(edit: dict[str, Any]) -> Translation:
    """The translation with an edit."""
    source, _ = read(str(ROOT / "specs/translations" / edit["game"] / f"{edit['lang']}.yaml"))
    assert source is not None
    if source.text.count(edit["old"]) != 1:
        pytest.skip("the text has been edited since")
    changed, found = text.read(Source(source.path, source.text.replace(edit["old"], edit["new"])))
    assert changed is not None, found
    return changed


def reported(edit: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The languages in which an edit is reported, and how."""
    spec, every = rulespec.load(edit["game"]), texts(edit["game"]) | {edit["lang"]: after(edit)}
    book, kept = rulespec.book_of(spec), rulespec.words_of(spec.model)
    for one in every.values():
        if one.lang == edit["lang"] or one.made_from == edit["lang"]:
            for found in text.check(one, spec.model, book, every.values(), only={edit["rule"]}, kept=kept):
                if found.name in ("text-edited", "source-edited"):
                    assert found.rule == edit["rule"]
                    yield one.lang, found.name


def wanted(edit: dict[str, Any]) -> list[tuple[str, str]]:
    if edit["kind"] == "polish":
        return []
    others = (one.lang for one in texts(edit["game"]).values() if one.made_from == edit["lang"])
    return [(edit["lang"], "text-edited"), *((lang, "source-edited") for lang in others)]


@pytest.mark.parametrize(
    "edit", [*EDITS["edits"], *({**one, "kind": "wording"} for one in EDITS["wording"])], ids=lambda one: one["id"]
)
def test_an_edit_is_reported_in_its_text_and_in_those_made_from_it(edit: dict[str, Any]) -> None:
    assert sorted(reported(edit)) == sorted(wanted(edit))


WORDING = yaml.safe_load((ROOT / "tests/wording.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("same", WORDING["same"], ids=lambda same: same[0])
def test_what_does_not_change_the_words(same: list[str]) -> None:
    assert len({words(one) for one in same}) == 1


@pytest.mark.parametrize("other", WORDING["other"], ids=lambda other: other[1])
def test_what_changes_the_words(other: list[str]) -> None:
    assert words(other[0]) != words(other[1])
