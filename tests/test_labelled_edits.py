"""What `compare` finds in edits that are labelled by hand, in both directions.

A sample; `benchmarks/spec_changes.py` compares all edits of the set `labelled_edits` with their labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet
from labelled_edits import EDITS, Edit, old

from rulespec.text.rules.describe.description import Description
from rulespec.versions.changes.change import KINDS, Impact, bump
from rulespec.versions.changes.compare import Changes, compare
from rulespec.versions.changes.words import Words

LARGE = {"fortheking", "keyflower_king"}
"""Games whose edits are compared in one direction: making one takes seconds."""


def cases() -> Iterator[ParameterSet]:
    """All edits. At night only: those of large games whose kinds of change the edits before and small games have."""
    known = {kind for edit in EDITS if edit.game not in LARGE for kind, _ in edit.changes}
    for edit in EDITS:
        own = {kind for kind, _ in edit.changes}
        slow = edit.game in LARGE
        marks = [*[pytest.mark.slow("compiles a large game")] * slow, *[pytest.mark.soak] * (slow and own <= known)]
        yield pytest.param(edit, marks=marks, id=str(edit))
        known |= own


def test_every_kind_of_change_is_among_the_edits() -> None:
    found = {kind for edit in EDITS for kind, _ in edit.changes}
    assert not set(KINDS) - found - {mirror(kind) for kind in found}
    assert len({str(edit) for edit in EDITS}) == len(EDITS)


def mirror(kind: str) -> str:
    """The kind that a change has if the versions are exchanged: what is new then is gone."""
    noun, _, what = kind.rpartition("-")
    opposite = {"added": "removed", "removed": "added"}.get(what, what)
    return f"{noun}-{opposite}"


def kinds(changes: Changes) -> list[tuple[str, Impact]]:
    return sorted((one.kind, one.impact) for one in changes.every)


def mirrored(changes: Changes) -> list[tuple[str, Impact]]:
    """The kinds and impacts of the changes back. A kind with an impact of its own has that one."""
    pairs = ((mirror(one.kind), one.impact) for one in changes.every)
    return sorted((kind, impact if (own := KINDS[kind]) is None else own) for kind, impact in pairs)


@pytest.mark.parametrize("edit", list(cases()))
def test_an_edit_has_the_changes_of_its_label(edit: Edit) -> None:
    was, now = old(edit.game), edit.new
    changes = compare(was, now)
    assert sorted((one.kind, one.name) for one in changes.every) == list(edit.changes)
    assert str(changes.impact) == edit.impact
    assert bump(was.version, was.version, changes.impact).needed == edit.bump
    assert all(one.before != one.after for one in changes.every)
    assert max(Counter(one.fingerprint for one in changes.every).values(), default=1) == 1
    if edit.game not in LARGE:
        assert kinds(compare(now, was)) == mirrored(changes)


@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit.example], ids=str)
def test_a_position_shows_that_a_value_differs(edit: Edit) -> None:
    was, now = old(edit.game), edit.new
    words = Words(Description(was, "en"), Description(now, "en"))
    assert edit.example in [said for one in compare(was, now).every for said in words.examples(one)]


SMALL = [pytest.param(edit, id=str(edit)) for edit in EDITS if edit.game not in LARGE]


def contents(changes: Changes, back: bool) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The kind of every change with what it was and what it is; of the changes back, those that they undo."""
    found = []
    for one in changes.every:
        sides = [tuple(sorted(side.content())) for side in (one.before, one.after)]
        kind = mirror(one.kind) if back else one.kind
        found.append((kind, *(reversed(sides) if back else sides)))
    return sorted(found)


@pytest.mark.parametrize("edit", SMALL)
@pytest.mark.sample(20)
def test_the_changes_back_undo_the_changes(edit: Edit) -> None:
    """What was is what is, and the other way round; statements of renamed things have the names of one version."""
    was, now = old(edit.game), edit.new
    forth, back = compare(was, now), compare(now, was)
    if not any(one.kind.endswith("-renamed") for one in forth.every):
        assert contents(forth, False) == contents(back, True)


@pytest.mark.parametrize("edit", SMALL)
@pytest.mark.sample(12)
def test_a_version_does_not_differ_from_itself(edit: Edit) -> None:
    again = edit.new
    assert compare(again, edit.new).every == ()
