"""One term for one thing in each language, over the glossaries of all games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
KNOWN: Mapping[str, Any] = yaml.safe_load(Path(__file__).with_name("terms_of_games.yaml").read_text(encoding="utf-8"))
SAME: Mapping[str, str] = {id_: ids[0] for ids in KNOWN["one_concept"] for id_ in ids}


def glossaries() -> Iterator[Mapping[str, Any]]:
    for path in sorted(ROOT.glob("specs/**/glossaries/*.yaml")):
        yield yaml.safe_load(path.read_text(encoding="utf-8"))["concepts"]


def terms() -> Iterator[tuple[str, str, str]]:
    """The language, the preferred term and the concept of every term."""
    for concepts in glossaries():
        for id_, concept in concepts.items():
            for lang, term in concept.items():
                if isinstance(term, dict) and "preferred" in term:
                    yield lang, term["preferred"].casefold(), SAME.get(id_, id_)


def shared(by: int) -> set[tuple[str, str]]:
    """The languages and the terms (1) that several concepts have, or the concepts (2) that have several terms."""
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for one in terms():
        found[one[0], one[by]].add(one[3 - by])
    return {key for key, values in found.items() if len(values) > 1}


@pytest.mark.parametrize(("by", "section"), [(1, "one_term"), (2, "several_terms")])
def test_a_term_is_one_thing_in_all_games(by: int, section: str) -> None:
    allowed = {(lang, name) for lang, names in KNOWN[section].items() for name in names}
    found = shared(by)
    assert found == allowed, f"clashes: {found - allowed}; listed without one: {allowed - found}"
    assert all(why for names in KNOWN[section].values() for why in names.values())
