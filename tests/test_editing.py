"""What editors show at a place: `¦` in a piece of a file is where the cursor stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import ftk

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source, read
from rulespec.editing.editors.completion import proposals
from rulespec.editing.editors.functions import FUNCTIONS
from rulespec.editing.editors.hover import hover
from rulespec.editing.editors.names import declared, references
from rulespec.editing.editors.outline import folds, outline
from rulespec.language.model.folds import FOLDS
from rulespec.language.model.infer.calls import FORMS
from rulespec.language.model.operators import OPERATORS, Notation

SPEC, EN = "specs/river.yaml", "specs/translations/river/en.yaml"
CASES, TERMS = "specs/scenarios/river/cases.yaml", "specs/glossaries/river.yaml"
DECK, LOOKS, VARIANT = "specs/mine.yaml", "specs/looks/river.yaml", "specs/variants/river/short.yaml"
OTHERS = {
    DECK: "deck: 1\ngame: river\nreplaces: {suit: sun}\ncards: [{value: 1, copies: 18}]\n",
    LOOKS: 'looks: 1\ngame: river\nmembers: {suit: {sun: {symbol: "S"}}}\n',
    VARIANT: "overlay: 2\nid: short\nextends: river\nversion: 0.1.0\ntitle: Short\n"
    "change:\n  rules:\n    turns: {title: Two rounds, each: {round: 1..2}}\n  zones:\n    row: {title: line}\n",
}
"""Files of the game that `ftk new` does not make."""


@pytest.fixture(scope="module")
def river(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("river")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert ftk("new", "river", "-q").exit_code == 0
    return folder


@pytest.fixture(autouse=True)
def inside(river: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(river)


def file(path: str) -> Source:
    source, _ = read(path) if path not in OTHERS else (Source(path, OTHERS[path]), [])
    assert source is not None
    return source


def at(path: str, piece: str) -> tuple[Source, int]:
    source, bare = file(path), piece.replace("¦", "")
    assert source.text.count(bare) >= 1, bare
    return source, source.text.index(bare) + piece.index("¦")


def typed(path: str, piece: str, new: str) -> tuple[Source, int]:
    """A file in which a piece is replaced by a new one with a cursor."""
    source = file(path)
    start = source.text.index(piece)
    text = source.text[:start] + new.replace("¦", "") + source.text[start + len(piece) :]
    return Source(path, text), start + new.index("¦")


NAMES = (
    (SPEC, "de¦ck:    {order", "zone", "deck"),
    (SPEC, "start: d¦eck", "zone", "deck"),
    (SPEC, 'from: "ha¦nd[p]"', "zone", "hand"),
    (SPEC, 'high: "poi¦nts[p]"', "value", "points"),
    (SPEC, "c.sui¦t == sun", "field", "suit"),
    (SPEC, "c.suit == su¦n", "member", "suit.sun"),
    (SPEC, "[sun, mo¦on]\n\n#", "member", "suit.moon"),
    (SPEC, "id: turn.ke¦ep", "rule", "turn.keep"),
    (EN, "  turn.dr¦aw:", "rule", "turn.draw"),
    (CASES, "fires: [turn.dis¦card]", "rule", "turn.discard"),
    (CASES, 'zones: {"ro¦w[1]": [sun 4]}', "zone", "row"),
    (CASES, '{"poi¦nts[1]": 4}', "value", "points"),
    (TERMS, "names: suit.s¦un", "member", "suit.sun"),
    (TERMS, "names: ha¦nd", "zone", "hand"),
)


@pytest.mark.parametrize(("path", "piece", "kind", "name"), NAMES)
def test_the_name_at_a_place_is_found_where_it_is_declared(path: str, piece: str, kind: str, name: str) -> None:
    found = declared(*at(path, piece))
    assert found is not None
    assert (found.target.kind, found.target.full, found.spec.path) == (kind, name, SPEC)


NO_NAMES = (
    (SPEC, "title: Keep the ca¦rd"),
    (SPEC, "order: sta¦ck"),
    (SPEC, "rulesp¦ec: 2"),
    (SPEC, "# One ro¦w stands"),
    (EN, "Shuffle the de¦ck."),
    (CASES, "title: A kept card lies in the own ro¦w"),
)


@pytest.mark.parametrize(("path", "piece"), NO_NAMES)
def test_words_for_people_are_no_names(path: str, piece: str) -> None:
    assert declared(*at(path, piece)) is None


def test_references_are_found_in_all_files() -> None:
    found = declared(*at(SPEC, "id: turn.ke¦ep"))
    assert found is not None
    places = {(one.source.path, one.source.text[one.span.start : one.span.end]) for one in references(found)}
    assert places == {(path, "turn.keep") for path in (SPEC, EN, CASES)}
    found = declared(*at(SPEC, "start: d¦eck"))
    assert found is not None
    assert {one.source.path for one in references(found)} == {SPEC, CASES, TERMS}


def test_references_are_those_of_an_open_file() -> None:
    found = declared(*at(SPEC, "id: turn.ke¦ep"))
    assert found is not None
    opened = Source(EN, file(EN).text.replace("  turn.keep:", "  turn.kept:"))
    assert EN not in {one.source.path for one in references(found, [opened])}


KEYS = (
    (SPEC, "zones:\n", "zones:\n  pile: {se¦}\n", "seen_by"),
    (SPEC, "play:\n", "play:\n  - id: a\n    sh¦\n", "shuffle"),
    (SPEC, "invariants:", "cl¦\n\ninvariants:", "claims"),
    (SPEC, "      left: share", "      le¦: share", "left"),
    (SPEC, "            none: skip\n", "            no¦\n", "none"),
    (SPEC, "pick: {c", "we¦: 1\n                pick: {c", "weight"),
    (SPEC, ", shuffle: deck}", ", ¦}", "choose"),
    (SPEC, 'from: deck, to: "hand', 'from: deck, ¦: "hand', "to"),
    (CASES, "    seed: 1\n", "    se¦\n", "seed"),
    (EN, "  turn.draw:\n", "  turn.draw:\n    exam¦\n", "examples"),
    (TERMS, "    one_term: true\n", "    one¦\n", "one_term"),
)


@pytest.mark.parametrize(("path", "piece", "new", "wanted"), KEYS)
def test_keys_are_proposed(path: str, piece: str, new: str, wanted: str) -> None:
    found = {one.text for one in proposals(*typed(path, piece, new)) if one.kind == "key"}
    assert wanted in found


ALL = (
    (SPEC, ", shuffle: deck}", ", shuffle: deck, ¦}", "note only_if origin"),
    (SPEC, "seen_by: owner", "seen_by: ¦", "everybody nobody others owner"),
    (SPEC, "{per: player, seen_by: owner", "{per: ¦, seen_by: owner", "bool player suit"),
    (SPEC, "c.suit == sun", "c.¦ == sun", "suit value"),
    (SPEC, "c.suit == sun", "suit.¦ == sun", "moon sun"),
    (SPEC, "- {suit: [sun, moon]", "- {suit: ¦", "moon sun"),
    (SPEC, "copies: 3}", "¦: 3}", "copies source status"),
    (SPEC, "each: {round: 1..3}", "each: {round: ¦}", "deck discard hand player row suit"),
    (SPEC, "none: skip", "none: ¦", "leave skip"),
    (SPEC, "title: Draw a card", "title: ¦", ""),
    (SPEC, "says: keep the {c}", "says: keep the {¦}", "c"),
    (SPEC, "      left: share\n", "      left:\n        ¦\n", "seat share"),
    (SPEC, "      left: share\n", "      left:¦\n", ""),
    (SPEC, "{per: player, seen_by: owner, title: hand}", "{per: player, seen_by: ¦", "everybody nobody others owner"),
    (SPEC, "zones:\n", "zones:\n  ¦: {}\n", ""),
    (SPEC, "  start: deck\n", "  start: deck\n  ¦\n", "columns face from leave_out names sheet"),
    (SPEC, "setup:", "¦\n\nsetup:", "claims procedures renamed rulings states stocks tables"),
    (SPEC, "    do:\n", "    do: [{move: {from: deck,\n        ¦\n", "at bottom card cards every random to top"),
    (SPEC, "    do:\n", "    choose:\n      ¦\n    do:\n", "by none options seen_by"),
    (SPEC, "by: p", "by: p\n            ¦", "seen_by"),
    (SPEC, "c.suit == sun)", "c.¦", "suit value"),
    (SPEC, "{per: player, seen_by: owner, title: hand}", "{per: [player, ¦", "bool player suit"),
    (CASES, "    seed: 1\n", "    seed: ¦\n", ""),
    (TERMS, "one_term: true", "one_term: ¦", "false true"),
    (EN, "title: Draw\n", "title: Draw\n    status: ¦\n", "draft reviewed translated"),
    (DECK, "{suit: sun}", "{suit: ¦}", "moon sun"),
    (DECK, "{suit: sun}", "{¦: sun}", "suit value"),
    (LOOKS, "{sun: {", "{¦: {}, sun: {", "moon"),
    (LOOKS, "{suit: {", "{¦: {}, suit: {", ""),
    (LOOKS, '{symbol: "S"}', "{¦: 1}", "colour icon path picture symbol"),
    (VARIANT, "{title: line}", "{¦: 1}", "holds order per seen_by title"),
    (VARIANT, "{title: line}", "{seen_by: ¦}", "everybody nobody others owner"),
    (
        VARIANT,
        "turns: {",
        "se¦: {}\n    turns: {",
        "end end.suns setup.shuffle turn.choice turn.discard turn.draw turn.keep",
    ),
)
"""Places with all that is proposed there."""


@pytest.mark.parametrize(("path", "piece", "new", "wanted"), ALL)
def test_nothing_is_proposed_that_does_not_fit(path: str, piece: str, new: str, wanted: str) -> None:
    assert sorted(one.text for one in proposals(*typed(path, piece, new))) == wanted.split()


VALUES = (
    (SPEC, "shuffle: deck}", "shuffle: ¦}", {"deck", "hand", "row", "discard"}),
    (SPEC, "to: discard}}\n", "to: di¦}}\n", {"deck", "hand", "row", "discard"}),
    (SPEC, "order: stack", "order: s¦", {"stack"}),
    (SPEC, "left: share", "left: ¦", {"share"}),
    (SPEC, 'high: "points[p]"', 'high: "po¦[p]"', {"points", "deck", "sum", "suit", "size", "p", "players"}),
    (SPEC, 'card: c, from: "hand[p]", to: "row[p]"', 'card: ¦, from: "hand[p]", to: "row[p]"', {"c", "p", "round"}),
    (SPEC, 'high: "points[p]"', 'high: "points[¦', {"points", "sum", "p", "players"}),
    (SPEC, "c.suit == sun", "c.suit == ¦", {"sun", "moon"}),
    (CASES, "not_fires: [turn.keep]", "not_fires: [turn.¦]", {"turn.keep", "turn.draw", "end"}),
    (CASES, '      values: {"points[1]": 4}', "      values: {po¦: 4}", {"points"}),
    (TERMS, "names: suit.sun\n", "names: suit.¦\n", {"suit.sun", "suit.moon", "deck", "turn.keep"}),
    (EN, "  turn.draw:\n", "  turn.¦:\n", {"turn.draw"}),
)


@pytest.mark.parametrize(("path", "piece", "new", "wanted"), VALUES)
def test_names_and_choices_are_proposed(path: str, piece: str, new: str, wanted: set[str]) -> None:
    found = [one.text for one in proposals(*typed(path, piece, new))]
    assert wanted <= set(found)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("text", ["", "a: [", "rulespec: 2\ngame: [¦", "\x00", "- ", "rulespec: 2\n\t"])
def test_broken_files_have_no_proposals_and_no_errors(text: str) -> None:
    source = Source(SPEC, text)
    for offset in range(len(text) + 1):
        proposals(source, offset)
        assert declared(source, offset) is None
        hover(source, offset)
    assert outline(source) == () or text.startswith("rulespec")
    folds(source)


def test_hover_shows_a_rule_in_every_language() -> None:
    found = hover(*at(SPEC, "id: turn.ke¦ep"))
    assert found is not None
    assert "**turn.keep** (rule)" in found[0] and "en: Put the card from your hand face up into your row." in found[0]
    assert "- The player may choose one card in" in found[0] and "3 files" in found[0]


@pytest.mark.parametrize("piece", ["seen_¦by: owner", "cho¦ose:", "no¦ne: skip", "cop¦ies: 3", "pi¦ck: {c", "hi¦gh: "])
def test_hover_shows_what_a_key_means(piece: str) -> None:
    found = hover(*at(SPEC, piece))
    assert found is not None and found[0].startswith(f"**{piece.partition(':')[0].replace('¦', '')}**: ")


def test_hover_shows_what_a_function_is() -> None:
    functions = {row.name for row in OPERATORS.values() if row.notation is Notation.CALL}
    assert FUNCTIONS.keys() == functions | FORMS.keys() | FOLDS.keys()
    (source, offset) = at(SPEC, "su¦m(size(row[p])")
    assert hover(source, offset) == (FUNCTIONS["sum"], Span(offset - 2, offset + 1))
    assert hover(*at(SPEC, "title: Draw a ca¦rd")) is None


def test_the_outline_has_sections_names_and_rules() -> None:
    entries = {entry.name: entry for entry in outline(file(SPEC))}
    assert [one.name for one in entries["zones"].inside] == ["deck", "hand", "row", "discard"]
    (turns, end) = entries["play"].inside
    assert [one.name for one in turns.inside] == ["turn.draw", "turn.choice"]
    assert (end.name, end.detail, [one.name for one in end.inside]) == ("end", "The most points win", ["end.suns"])


@pytest.mark.parametrize("broken", ["{per: player, seen_by: [owner", '{title: "hand', "{a: b: c}", "*hand"])
def test_the_outline_of_a_broken_file_has_what_is_not_broken(broken: str) -> None:
    source = Source(SPEC, file(SPEC).text.replace("{per: player, seen_by: owner, title: hand}", broken))
    found, whole = ([(one.name, len(one.inside)) for one in outline(file)] for file in (source, file(SPEC)))
    assert found == [(name, number - (name == "zones")) for name, number in whole]


def test_parts_of_several_lines_fold() -> None:
    assert folds(Source("a.yaml", "a:\n  - b: 1\n    c: 2\nd: 3\n")) == ((1, 3), (2, 3))
