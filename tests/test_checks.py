"""What is proven of a sealed game, and what is said where it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import expectations, places, samples

from rulespec.base import source
from rulespec.base.diagnostics import Finding, Severity
from rulespec.base.findings import names_in
from rulespec.engine.backend.forms import python_values
from rulespec.engine.rules.claims import _lowered, _searched
from rulespec.games.api import broken_invariants, failing_claims
from rulespec.language import document
from rulespec.language.model.build import build
from rulespec.language.model.spec import Spec
from rulespec.language.schema.validate import findings as shape
from rulespec.proofs import checks

SPECS = Path(__file__).parents[1] / "specs"
GAME = (SPECS / "fortheking.yaml").read_text(encoding="utf-8")


def sealed(content: str) -> Spec:
    """The sealed model of a text that has no mistakes but those the checks are for."""
    read, unreadable = source.from_text(content)
    assert read is not None, unreadable
    root, wrong = document.parse(read)
    assert root is not None and not wrong, wrong
    assert list(shape(root, read, "rulespec-2")) == []
    spec, meaning = build(root, read)
    assert spec is not None, meaning
    return spec


def check(content: str) -> list[Finding]:
    spec = sealed(content)
    found = list(checks.run(spec))
    # Only a game without errors is set up.
    if any(f.severity == Severity.ERROR for f in found):
        return found
    return [*found, *broken_invariants(spec), *failing_claims(spec)]


@pytest.mark.parametrize("path", samples("checks"), ids=lambda path: path.stem)
def test_bad_samples(path: Path) -> None:
    found = check(path.read_text(encoding="utf-8"))
    assert places(found) == expectations(path)
    for finding in found:
        assert finding.message.endswith(".") and len(finding.message) < 200 and "#" not in finding.message
        assert finding.hint.endswith((".", "?")) and finding.start < finding.end


def test_the_hint_names_the_loop_that_takes_most() -> None:
    costs = next(path for path in samples("checks") if path.stem == "costs")
    hints = [found.hint for found in check(costs.read_text(encoding="utf-8"))]
    less = "Lower its rounds, or do less in each."
    assert hints[0] == f"The loop in line 7 takes most: 4,000 rounds of up to 8,001 steps each. {less}"
    assert sum(hint.endswith(less) for hint in hints) == 7
    assert hints[2].endswith("Its choice may pass by `none: skip`: give it an option that is always possible.")
    leave = "Its choice may pass by `none: skip`: write `none: leave`, which ends the loop."
    assert hints[5] == f"The loop `hurry` takes most: 5,000 rounds of up to 10,005 steps each. {leave}"


def test_claims_nested_too_deeply_for_python_are_evaluated_as_closures(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(*_: object) -> None:
        raise RecursionError

    path = next(path for path in samples("checks") if path.stem == "claims_fail")
    spec = sealed(path.read_text(encoding="utf-8"))
    parts = [(one, claim) for claim in spec.claims for one in checks.claims.settings(spec, claim) or ()]
    proofs = [_searched(*_lowered(one, claim)) for one, claim in parts]
    assert any(proofs) and not all(proofs)
    monkeypatch.setattr(python_values, "compiled", too_deep)
    assert [_searched(*_lowered(one, claim)) for one, claim in parts] == proofs


def test_every_kind_of_finding_has_a_bad_sample() -> None:
    shown = {name for path in samples("checks") for _, _, name in expectations(path)}
    assert shown >= names_in("proof")


@pytest.mark.parametrize(
    ("written", "changed", "names"),
    [
        ("{top: 1, from: favour, to: lot}", "{top: 1, from: box, to: lot}", ["empty-lot", "repeat-may-not-end"]),
        ("to: coins}}]", 'to: "hand[left_of(winner)]"}}]', ["repeat-may-not-end"]),
        ("limit: players - 1", "limit: players", ["draft-does-not-add-up"]),
        ("when: lot.kind != king", "when: lot.kind == gold", ["rows-leave-gap"]),
        ("when: lot.kind != king", "when: lot.kind != gold", ["rows-leave-gap", "rows-overlap"]),
        ("to: centre\n                face: up", "to: centre\n                face: down", ["wrong-face"]),
        ("look: drawn[adviser]", "look: drawn[left_of(adviser)]", ["wrong-look"]),
        ("                none: skip\n        - id: influence.kept", "        - id: influence.kept", ["no-choice"]),
    ],
)
def test_a_real_game_with_one_mistake(written: str, changed: str, names: list[str]) -> None:
    assert written in GAME
    found = [f.name for f in check(GAME.replace(written, changed)) if f.severity == Severity.ERROR]
    assert sorted(found) == names


HEAD = """
rulespec: 2
game: {id: tiny, version: 1.0.0, players: 2..3}
values: {bid: {type: 0..9, start: 0}, limit: {type: 0..9, start: 0}}
"""
END = "\n  - rank: {among: {p: player}, by: [{high: seat_of(p)}], left: share}\n"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("bid < 4", "bid > 4"), "No row applies when `bid` is 4, but `otherwise` says that a row always applies."),
        (
            ("bid < 4 or players == 2", "bid >= 4"),
            "This row and row 1 both apply when `bid` is 4 and there are 2 players.",
        ),
        (
            ("bid < limit", "bid >= limit", "bid == 3 and limit == 3"),
            "This row and row 2 both apply when `bid` is 3 and `limit` is 3.",
        ),
    ],
)
def test_a_table_is_answered_with_a_case(rows: tuple[str, ...], message: str) -> None:
    listed = ", ".join(f"{{when: {when}, do: [{{note: x}}]}}" for when in rows)
    found = check(f"{HEAD}play:\n  - decide: {{hit: unique, rows: [{listed}], otherwise: impossible}}{END}")
    assert [f.message for f in found if f.severity == Severity.ERROR] == [message]
