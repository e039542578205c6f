"""Every fix gives back the good file: a mistake is put into a game, and the fix must undo it and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from command import ftk

import rulespec
from rulespec.base.findings import KINDS
from rulespec.base.source import Source
from rulespec.editing.fixes import FIXES, fixed

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from fixed import project, results  # found through the line above

SPEC, EN, ZH = "specs/river.yaml", "specs/translations/river/en.yaml", "specs/translations/river/zh-Hant.yaml"
UK = "specs/translations/river/uk.yaml"
CASES, TERMS = "specs/scenarios/river/cases.yaml", "specs/glossaries/river.yaml"
DECK, VARIANT = "specs/mine.yaml", "specs/variants/river/short.yaml"
LOOKS = "specs/looks/river.yaml"

SAFE = (
    ("old-format", SPEC, "rulespec: 2", "rulespec: 1"),
    ("unknown-key", SPEC, "\nzones:", "\nzoness:"),
    ("unknown-key", SPEC, "manifest:", "manifests:"),
    ("unknown-key", SPEC, "left: share", "letf: share"),
    ("unknown-key", SPEC, "seen_by: owner", "seen_bye: owner"),
    ("unknown-key", SPEC, "title: row}", "titel: row}"),
    ("unknown-key", SPEC, ", shuffle: deck}", ", shufle: deck}"),
    ("unknown-key", SPEC, "none: skip", "nonee: skip"),
    ("unknown-key", SPEC, "among:", "amoung:"),
    ("unknown-key", EN, "title: Keep\n", "titles: Keep\n"),
    ("unknown-key", CASES, "not_fires:", "not_fire:"),
    ("unknown-key", TERMS, "one_term:", "one_terms:"),
    ("not-allowed", SPEC, "order: stack", "order: stak"),
    ("unknown-name", SPEC, "to: discard}}\n                  - ", "to: discrad}}\n                  - "),
    ("unknown-name", SPEC, 'high: "points[p]"', 'high: "pionts[p]"'),
    ("unknown-name", SPEC, "shuffle: deck}", "shuffle: dekc}"),
    ("unknown-name", SPEC, 'from: "hand[p]", to: "row[p]"', 'from: "hnad[p]", to: "row[p]"'),
    ("unknown-name", SPEC, "size(deck) +", "size(decks) +"),
    ("unknown-name", SPEC, "c.suit == sun", "c.suit == suun"),
    ("unknown-type", SPEC, "fields: {suit: suit", "fields: {suit: suits"),
    ("wrong-value", SPEC, "- {suit: [sun, moon]", "- {suit: [sun, mooon]"),
    ("unknown-field", SPEC, "sum(c.value for", "sum(c.vlaue for"),
    ("unknown-function", SPEC, "count(c in", "cuont(c in"),
    ("scenario-unknown-name", CASES, "not_fires: [turn.keep]", "not_fires: [turn.kep]"),
    ("scenario-unknown-name", CASES, "given: {at: turns,", "given: {at: turn,"),
    ("scenario-unknown-name", CASES, "rest: discard}      #", "rest: discrad}      #"),
    ("scenario-unknown-name", CASES, '"points[1]": 4', '"pionts[1]": 4'),
    ("scenario-no-game", CASES, "game: river", "game: rivr"),
    ("deck-no-game", DECK, "game: river", "game: rivver"),
    ("overlay-no-base", VARIANT, "extends: river", "extends: rivver"),
    ("unknown-key", DECK, "replaces:", "replace:"),
    ("text-extra", EN, "  turn.draw:", "  turn.drwa:"),
    ("text-no-game", EN, "game: river", "game: rivver"),
    ("text-no-game", TERMS, "game: river", "game: rivver"),
    ("glossary-name-unknown", TERMS, "names: discard\n", "names: discrad\n"),
    ("glossary-name-unknown", TERMS, "names: suit.sun\n", "names: suit.sunn\n"),
    ("glossary-rule-unknown", TERMS, "defined_by: setup.shuffle", "defined_by: setup.shufle"),
    ("look-unknown-name", LOOKS, "sun:", "sunn:"),
    ("needs-quotes", SPEC, 'high: "points[p]"', "high: points[p]"),
    ("ambiguous-scalar", EN, 'title: "Off"\n', "title: Off\n"),
    ("doubled-word", EN, "Draw the top", "Draw the the top"),
    ("doubled-mark", EN, "tied players, the", "tied players,, the"),
    ("stray-space", EN, "card or discard it.", "card or discard it ."),
    ("number-agreement", UK, "триває три раунди", "триває три раундів"),
    ("missing-space", EN, "tied players, the", "tied players,the"),
    ("half-width-mark", ZH, "，", ","),
    ("stray-space", ZH, "。", " 。"),
    ("control-character", EN, "Keep the card or", "Keep the\x07 card or"),
    ("control-character", EN, "Keep the card or", "Keep\x07 the\x07 card or"),
    ("hidden-character", EN, "Keep the card or", "Keep the\u200b card or"),
    ("ignore-unused", EN, "lang: en\n", "lang: en\n# ftk: ignore RS959 printed so\n"),
    ("ignore-unused", EN, "lang: en\n", "lang: en  # ftk: ignore RS959 printed so\n"),
)

UNSAFE = (
    ("wrong-total", SPEC, "sun: 18", "sun: 17"),
    ("wrong-total", SPEC, "moon: 18", "moon: 81"),
    ("never-used", SPEC, "\nsetup:", "  # for later\n  # and much later\n  spare: {is: players}\n\nsetup:"),
    ("never-used", SPEC, "\nsetup:", '  spare: {per: {p: player}, is: "size(row[p])"}   # not used\n\nsetup:'),
)


PREPARED = {
    EN: ("title: Draw\n", 'title: "Off"\n'),
    TERMS: ("names: discard\n", "names: discard\n    defined_by: setup.shuffle\n"),
}
"""What is changed in the good files first, so that they have what a mistake is made in."""


@pytest.fixture(scope="module")
def river(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("river")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert ftk("new", "river", "--lang", "en,uk,zh-Hant", "-q").exit_code == 0
    deck = "deck: 1\ngame: river\nreplaces: {suit: sun}\ncards: [{value: 1, copies: 18}]\n"
    (folder / DECK).write_text(deck, encoding="utf-8")
    variant = "overlay: 2\nid: short\nextends: river\nversion: 0.1.0\ntitle: Short\n"
    change = "change: {rules: {turns: {title: Two rounds, each: {round: 1..2}}}}\n"
    (folder / VARIANT).parent.mkdir(parents=True)
    (folder / VARIANT).write_text(variant + change, encoding="utf-8")
    (folder / LOOKS).parent.mkdir()
    (folder / LOOKS).write_text('looks: 1\ngame: river\nmembers: {suit: {sun: {symbol: "S"}}}\n', encoding="utf-8")
    return folder


def broken(river: Path, file: str, good: str, bad: str) -> tuple[Source, Source]:
    """A good file, and the file with a mistake."""
    text = (river / file).read_text(encoding="utf-8").replace(*PREPARED.get(file, ("", "")))
    assert good in text
    return Source(file, text), Source(file, text.replace(good, bad, 1))


def check(source: Source) -> tuple[rulespec.Finding, ...]:
    return rulespec.check_source(source).findings


@pytest.mark.parametrize(("name", "file", "good", "bad"), [*SAFE, *UNSAFE])
def test_a_fix_undoes_a_mistake_and_nothing_else(
    name: str, file: str, good: str, bad: str, river: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(river)
    right, wrong = broken(river, file, good, bad)
    assert name in {found.name for found in check(wrong)}
    done = fixed(wrong, check, unsafe=(name, file, good, bad) in UNSAFE)
    assert done.source.text == right.text
    assert name in {found.name for found in done.findings}


@pytest.mark.parametrize(("name", "file", "good", "bad"), UNSAFE)
def test_unsafe_fixes_are_made_only_if_asked_for(
    name: str, file: str, good: str, bad: str, river: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(river)
    _, wrong = broken(river, file, good, bad)
    assert fixed(wrong, check).source == wrong


UNCERTAIN = (
    (SPEC, "by: p\n", "by: q\n"),
    (SPEC, "shuffle: deck}", "shuffle: something}"),
    (SPEC, "order: stack", "order: sideways"),
    (SPEC, "rulespec: 2", "rulespec: ["),
    (SPEC, "1..3", "1..99999999"),
    (CASES, "winner: player 2", "winner: player 1"),
    (EN, "three rounds", "four rounds"),
    (EN, "discard pile", "draw pile"),
    (SPEC, "title: Shuffle, shuffle: deck", "title: Shuffle, shuffle:deck"),
    (SPEC, "title: Shuffle, shuffle: deck", "title: Shuffle, shuffle deck"),
    (SPEC, "title: Shuffle, shuffle: deck", "title: Shuffle, it shuffle: deck"),
    (SPEC, "seen_by: owner", "hidden: owner"),
    (SPEC, "  row:     {", "  rowe:     {"),
    (SPEC, "suit: [sun, moon]", "suit: [sunn, moon]"),
    (SPEC, "says: keep the {c}", "says: keep the {suit}"),
    (SPEC, "pick: {c: ", "pick: {suits: "),
    (SPEC, "title: Draw a card, move: {", "title: Draw a card, move {"),
    (SPEC, "rulespec: 2", "RULESPEC: 2"),
    (EN, "Keep the card", "Keep\x0bthe card"),
    (EN, "Keep the card", "\x93Keep\x94 the card"),
)


@pytest.mark.parametrize(("file", "good", "bad"), UNCERTAIN)
def test_what_is_not_certain_stays(
    file: str, good: str, bad: str, river: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(river)
    _, wrong = broken(river, file, good, bad)
    assert fixed(wrong, check, unsafe=True).source == wrong


@pytest.mark.slow("forty specs are broken, checked and fixed")
def test_a_fix_leaves_what_broken_files_mean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`benchmarks/fixed.py` breaks 5,000 files, also texts."""
    monkeypatch.chdir(tmp_path)
    specs = [path for path in project(tmp_path) if path.parent.name == "gallery"]
    done = [one for one in results(specs, range(40), 0) if one.is_fixed]
    assert len(done) >= 4 and [one for one in done if not one.is_same] == []


def test_several_mistakes_are_fixed_at_once(river: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(river)
    right, wrong = broken(river, SPEC, "order: stack", "order: stak")
    text = wrong.text.replace("left: share", "letf: share").replace("count(c in", "cuont(c in")
    done = fixed(Source(SPEC, text.replace("sun: 18", "sun: 9")), check, unsafe=True)
    assert (done.source.text, len(done.findings)) == (right.text, 4)


def test_every_fix_has_a_sample() -> None:
    assert {name for name, *_ in SAFE} == {name for name, fix in FIXES.items() if fix.safe}
    assert {name for name, *_ in UNSAFE} == {name for name, fix in FIXES.items() if not fix.safe}
    assert FIXES.keys() <= KINDS.keys()


def test_the_command_shows_and_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ftk("new", "river", "-q")
    spec = tmp_path / SPEC
    good = spec.read_text(encoding="utf-8")
    bad = good.replace("left: share", "letf: share   # kept").replace("sun: 18", "sun: 17")
    spec.write_text(bad, encoding="utf-8")
    shown = ftk("check", "--diff")
    assert shown.exit_code == 1 and "-      letf: share   # kept\n+      left: share   # kept\n" in shown.stdout
    assert "1 fix in 1 file" in shown.stderr and spec.read_text(encoding="utf-8") == bad
    done = ftk("check", "--fix")
    assert done.exit_code == 1 and "RS405" in done.stdout and "1 fix in 1 file" in done.stderr
    assert ftk("check", "--fix", "--unsafe-fixes").exit_code == 0
    assert spec.read_text(encoding="utf-8") == good.replace("left: share", "left: share   # kept")


def test_fixes_need_files_that_can_be_written() -> None:
    assert ftk("check", "-", "--fix", stdin="rulespec: 2\n").exit_code == 2
    assert ftk("check", "HEAD:specs/fortheking.yaml", "--diff").exit_code == 2
    assert ftk("check", "--unsafe-fixes").exit_code == 2
    assert ftk("check", "--fix", "--watch").exit_code == 2
    assert ftk("check", "--diff", "--format", "json").exit_code == 2
    assert ftk("check", "fortheking", "--fix", "--variant", "more_gold").exit_code == 2


def test_a_fix_that_is_refused_keeps_no_other_one_from_being_made(river: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(river)
    many = "".join(f"  v{n}: {{type: player, start: seat(1), tilte: who {n}}}\n" for n in range(25))
    _, wrong = broken(river, SPEC, "\nsetup:", f'{many}  w: {{is: "size(hnd)"}}\n\nsetup:')
    done = fixed(wrong, check)
    assert done.source.text == wrong.text.replace("tilte", "title")


def test_the_comment_of_a_group_stays(river: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(river)
    right, wrong = broken(river, SPEC, "  points:", "  # of players\n  spare: {is: players}\n  points:")
    assert fixed(wrong, check, unsafe=True).source.text == right.text.replace("  points:", "  # of players\n  points:")


def test_what_the_project_ignores_is_not_fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ftk("new", "river", "-q")
    spec = tmp_path / SPEC
    spec.write_text(spec.read_text(encoding="utf-8") + "# ftk: ignore RS619 for the next edition\n", encoding="utf-8")
    (tmp_path / "ftk.toml").write_text('ignore = ["ignore-unused"]\n', encoding="utf-8")
    before = spec.read_text(encoding="utf-8")
    assert ftk("check", "--fix").exit_code == 0 and spec.read_text(encoding="utf-8") == before
