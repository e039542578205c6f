"""How games are drawn on a table: as their looks say, or as derived from their specs."""

from __future__ import annotations

import re
import shutil
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import rulespec
from rulespec.base.source import Source
from rulespec.editing.editors.completion import proposals
from rulespec.play.table.arrangement import arranged
from rulespec.play.table.scene import Scene
from rulespec.play.table.still import cover
from rulespec.play.table.words import words_in
from rulespec.text.output.sheets.colours import READABLE, contrast, distance
from rulespec.text.output.sheets.icons import icons
from rulespec.text.output.sheets.marks import palette
from rulespec.text.output.sheets.pictures import unsafe

pytestmark = pytest.mark.slow("draws large games")

GAMES = sorted(spec.stem for folder in ("specs", "specs/gallery") for spec in Path(folder).glob("*.yaml"))
PLACES = {"hand", "front", "market", "piles", "board", "aside", "hidden"}
DRAWS = {"board", "tokens", "track", "tower", "dice", "tiles", "table", "number", "hidden"}
SAMPLE = Path(__file__).parent / "findings" / "sample.yaml"


def scene_of(spec: rulespec.Spec, lang: str = "") -> dict[str, Any]:
    game = spec.game(players=spec.model.players[-1])
    return Scene(game, words_in(spec, game, lang), arranged(spec, lang)).to_dict()


def marks_of(scene: dict[str, Any]) -> dict[str, dict[str, str]]:
    """The marks of a scene by enum and member."""
    types = {key: one for key, one in scene["types"].items() if one["kind"] == "enum"}
    pairs = ((key, zip(one["members"], one["marks"], strict=True)) for key, one in types.items())
    return {f"{key}.{member}": mark for key, members in pairs for member, mark in members if mark}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.sample(6)
def test_every_game_has_a_complete_scene(name: str) -> None:
    scene = scene_of(rulespec.load(name))
    assert all(one["place"] in PLACES and one["shape"] in {"fan", "row", "stack", "grid"} for one in scene["zones"])
    assert all(one["draw"] in DRAWS for one in scene["values"])
    assert len(scene["seats"]) == len(scene["players"])
    for mark in (*marks_of(scene).values(), *scene["seats"]):
        assert "colour" not in mark or contrast(mark["colour"], mark["ink"]) >= READABLE
    seats = [one["colour"] for one in scene["seats"]]
    assert all(distance(one, other) >= 20 for one, other in combinations(seats, 2))


def test_the_palette_stays_apart() -> None:
    assert all(distance(one, other) >= 20 for one, other in combinations(palette(), 2))


@pytest.mark.parametrize(("game", "value", "icon"), [("checkers", "king", "king"), ("checkers", "man", "")])
def test_what_marks_a_piece_has_the_icon_of_its_name(game: str, value: str, icon: str) -> None:
    (found,) = [one for one in scene_of(rulespec.load(game))["values"] if one["name"] == value]
    assert found.get("path", "") == (icon and icons()[icon])


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    (tmp_path / "looks").mkdir()
    shutil.copy(SAMPLE, tmp_path / "sample.yaml")
    return tmp_path


def looked(folder: Path, looks: str) -> dict[str, Any]:
    (folder / "looks" / "sample.yaml").write_text(f"looks: 1\ngame: sample\n{looks}", encoding="utf-8")
    return scene_of(rulespec.load(folder / "sample.yaml"))


def test_what_no_look_says_is_derived(sample: Path) -> None:
    scene = scene_of(rulespec.load(sample / "sample.yaml"))
    places = {one["name"]: (one["place"], one["shape"]) for one in scene["zones"]}
    assert places["deck"] == ("piles", "stack") and places["row"] == ("piles", "stack")
    assert places["market"] == ("market", "row") and places["box"] == ("aside", "stack")
    assert places["hand"] == ("hand", "fan")
    gold, king = scene["faces"][-1]["suit"], scene["faces"][0]["suit"]
    assert gold["colour"] == "#d9a928" and gold["path"] and king["path"]


def test_looks_say_it_otherwise(sample: Path) -> None:
    scene = looked(
        sample,
        'members: {kind: {king: {colour: "#112233", symbol: K}}}\n'
        "zones: {row: {place: market}, box: {place: hidden}, hand: {shape: row}}\n"
        'seats: ["#b22222"]\n',
    )
    places = {one["name"]: (one["place"], one["shape"]) for one in scene["zones"]}
    assert places["row"] == ("market", "row") and places["box"] == ("hidden", "stack")
    assert places["hand"] == ("hand", "row")
    assert scene["faces"][0]["suit"] == {"colour": "#112233", "ink": "#fff", "symbol": "K"}
    assert scene["seats"][0] == {"colour": "#b22222", "ink": "#fff"} and len(scene["seats"]) == 4


def test_cards_are_drawn_by_the_template_of_looks(sample: Path) -> None:
    (sample / "looks" / "card.svg.j2").write_text("<text>{{ card.title }}</text>", encoding="utf-8")
    face = looked(sample, "card: card.svg.j2\n")["faces"][0]
    assert face["svg"].startswith("<svg xmlns=") and "<text>king</text>" in face["svg"]


def test_looks_with_errors_are_left_out(sample: Path) -> None:
    scene = looked(sample, "zones: {row: {place: market}, rows: {place: market}}\n")
    assert {one["place"] for one in scene["zones"] if one["name"] == "row"} == {"piles"}


@pytest.mark.parametrize(("lang", "place"), [("en", "place 1"), ("zh-Hans", "位置1")])
def test_places_have_names(lang: str, place: str) -> None:
    scene = scene_of(rulespec.load("keyflower_king"), lang)
    assert place in {one["of"] for one in scene["zones"]}


def test_the_documentation_lists_all_icons() -> None:
    page = (Path(__file__).parent.parent / "docs" / "looks.md").read_text(encoding="utf-8")
    listed = page.partition("## Icons")[2].partition("## ")[0]
    assert re.findall("`([a-z0-9_]+)`", listed) == [*icons()]


def test_editors_propose_icons() -> None:
    text = "looks: 1\ngame: hearts\nmembers: {suit: {clubs: {icon: cr}}}\n"
    found = proposals(Source("looks/hearts.yaml", text), text.index("}}}"))
    assert [one.text for one in found] == [*icons()]


# --- stills -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["checkers", "hearts", "fortheking", "glass_garden", "liars_dice", "pig"])
def test_a_cover_of_a_game_is_svg_with_marks_and_numbers(name: str) -> None:
    svg = cover(rulespec.load(name))
    assert svg == cover(rulespec.load(name)) and unsafe(svg.encode()) is None and " style=" not in svg
    root = ElementTree.fromstring(svg)
    texts = [one for one in root.iter() if one.tag.endswith("}text")]
    assert (root.get("width"), root.get("height")) == ("320", "180") and texts
    [scale] = [float(one.get("transform", "").strip("scale()")) for one in root if one.tag.endswith("}g")]
    assert all(float(one.get("font-size", "")) * scale >= 7 and len(one.text or "") <= 3 for one in texts)
