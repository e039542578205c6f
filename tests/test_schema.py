"""The JSON Schema of the format, and how its findings are worded and placed."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import expectations, places, samples

from rulespec.base import source
from rulespec.base.diagnostics import Finding
from rulespec.base.findings import names_in
from rulespec.editing.file_kinds import check_source, kind_of
from rulespec.language import document
from rulespec.language.document.nodes import Node as Node_document
from rulespec.language.document.nodes import plain
from rulespec.language.schema.valid import fits
from rulespec.language.schema.validate import _published, findings, text

SCHEMAS = (
    "rulespec-2",
    "overlay-2",
    "deck-1",
    "scenario-2",
    "translation-3",
    "glossary-1",
    "language-1",
    "review-1",
    "looks-1",
)
GAME = Path(__file__).parents[1] / "specs" / "fortheking.yaml"
HEAD = "rulespec: 2\ngame: {id: tiny, version: 1.0.0, players: 2..5}\n"


def parsed(content: str) -> tuple[Node_document, source.Source]:
    read, unreadable = source.from_text(content)
    assert read is not None, unreadable
    root, wrong = document.parse(read)
    assert root is not None, wrong
    return root, read


def check(content: str) -> list[Finding]:
    return list(findings(*parsed(content), "rulespec-2"))


def only(content: str) -> Finding:
    found = check(content)
    assert len(found) == 1, found
    return found[0]


def sentences(path: Path) -> list[Finding]:
    return check(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_schema_is_a_valid_schema(kind: str) -> None:
    from jsonschema import Draft202012Validator

    schema = json.loads(text(kind))
    assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_key_is_explained_to_editors(kind: str) -> None:
    schema = json.loads(text(kind))
    for name, part in {"": schema, **schema["$defs"]}.items():
        for key, value in part.get("properties", {}).items():
            target = schema["$defs"].get(value.get("$ref", "").removeprefix("#/$defs/"), {})
            assert {"title", "description"} <= {*target, *value}, f"{name}: {key}"


def test_companions_and_operations_are_keys_of_their_mapping() -> None:
    for part in json.loads(text("rulespec-2"))["$defs"].values():
        for operation, companions in part.get("dependentSchemas", {}).items():
            assert {operation, *companions["properties"]} <= set(part["properties"])
            assert {"required": [operation]} in part["anyOf"]
        for key in part.get("required", ()):
            assert key in part["properties"]


@pytest.mark.parametrize("path", samples("schema"), ids=lambda path: path.stem)
def test_bad_samples(path: Path) -> None:
    every = sentences(path)
    assert places(every) == expectations(path)
    for found in every:
        assert found.message.endswith(".") and len(found.message) < 200
        assert found.hint.endswith((".", "?"))
        assert found.start.line == found.end.line and found.start < found.end


def _documents() -> dict[str, list[tuple[str, Any]]]:
    """The documents of all specs, gallery and samples, by their schema."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for path in sorted([*GAME.parent.rglob("*.yaml"), *(Path(__file__).parent / "bad").rglob("*.yaml")]):
        read = source.read(path)[0]
        root = document.parse(read)[0] if read is not None else None
        kind = kind_of(read) if read is not None else None
        if root is not None:
            schema = kind.schema if kind is not None and kind.schema else "rulespec-2"
            found.setdefault(schema, []).append((str(path), plain(root)))
    return found


@pytest.mark.slow("validates all files with jsonschema")
def test_what_fits_a_schema_is_what_jsonschema_accepts() -> None:
    documents = _documents()
    assert documents.keys() == set(SCHEMAS)
    for schema, each in documents.items():
        validator, test = _published(schema), fits(json.loads(text(schema)))
        for path, content in each:
            assert test(content) == validator.is_valid(content), path


_ODD: tuple[Any, ...] = (None, 0, -1, True, 1.0, 10**400, "", "a", "x y", "a\n", [], {}, ["a"], [1], {"a": 1})


@given(st.randoms(use_true_random=False))
def test_a_spec_with_anything_anywhere_fits_if_jsonschema_accepts_it(chance: Any) -> None:
    content = plain(parsed(GAME.with_name("gallery").joinpath("gin_rummy.yaml").read_text("utf-8"))[0])
    places_ = list(_places(content))
    for _ in range(chance.choice((1, 3))):
        parent, key = chance.choice(places_)
        parent[key] = deepcopy(chance.choice((*_ODD, chance.choice(places_)[0])))
        if isinstance(parent, dict) and chance.random() < 0.3:
            parent[chance.choice(("id", "if", "extra", "per"))] = parent.pop(key)
        places_ = list(_places(content))
    assert fits(json.loads(text("rulespec-2")))(content) == _published("rulespec-2").is_valid(content)


def _places(content: Any) -> Iterator[tuple[Any, Any]]:
    for key, value in list(content.items() if isinstance(content, dict) else enumerate(content)):
        yield content, key
        if isinstance(value, dict | list):
            yield from _places(value)


def test_every_kind_of_finding_has_a_bad_sample() -> None:
    shown = {name for path in samples("schema") for _, _, name in expectations(path)}
    assert shown == names_in("schema")


@pytest.mark.parametrize(
    ("step", "message", "hint"),
    [
        ("{shufle: deck}", "`shufle` is not a key of a step.", "Did you mean `shuffle`?"),
        ("{end: loop}", "`end` must be `play`, not `loop`.", "Write `play`."),
        (
            "{move: {top: 1, from: deck, to: box}, set: {turned: none}}",
            "This step has both `move` and `set`; a step does one thing.",
            "Split it into several steps, in sequence or nested.",
        ),
        (
            "{rank: {among: {p: player}, by: [{high: 1}]}}",
            "This ranking does not say who wins when every tie-break is level.",
            "Add `left:` with `share` or `seat`.",
        ),
        (
            "{decide: {hit: first, rows: [{when: true, do: {leave: repeat}}]}}",
            "This decision table does not say what happens when no row applies.",
            "Add `otherwise:`.",
        ),
        ("{shuffle: deck, id: A b}", None, "Write `a_b`."),
        ("{shuffle: }", "`shuffle` must be the name of a zone, such as `deck` or `hand[p]`, not empty.", None),
        ("{then: [{leave: repeat}]}", "This step has no operation.", "Add `if:`, which `then` needs."),
    ],
)
def test_wording(step: str, message: str | None, hint: str | None) -> None:
    found = only(f"{HEAD}play: [{step}]\n")
    assert message in (None, found.message)
    assert hint in (None, found.hint)


def test_a_finding_names_the_rule_it_stands_in() -> None:
    found = only(f"{HEAD}play: [{{id: outer, do: [{{id: outer.inner, repeat: {{do: [{{leave: 3}}]}}}}]}}]\n")
    assert found.rule == "outer.inner"
    assert only("rulespec: 2\ngame: {id: tiny, version: 3, players: 2}\nplay: {note: x}\n").rule == ""


@pytest.mark.parametrize("number", ["99999999999999999999", ".inf", ".nan"])
def test_a_number_out_of_bounds_is_not_reported_twice(number: str) -> None:
    assert check(f"{HEAD}play: {{note: x}}\nvalues: {{a: {{type: 1..2, start: {number}}}}}\n") == []


def test_steps_may_be_nested_as_deep_as_yaml_allows() -> None:
    deep = "{do: " * (document.MAX_DEPTH - 2) + "{shuffle: }" + "}" * (document.MAX_DEPTH - 2)
    assert only(f"{HEAD}play: {deep}\n").name == "wrong-kind"


# --- damaged specs ---------------------------------------------------------------------------------------------------

_JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=4), st.none(), max_size=2),
)


def _paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(below for key, child in children for below in _paths(child, (*path, key)))]


STALL = Path(__file__).parent / "bad" / "text" / "stall" / "stall.yaml"
_PLAIN = plain(parsed(STALL.read_text(encoding="utf-8"))[0])
_PATHS = _paths(_PLAIN)


def _change(value: Any, path: tuple[str | int, ...], junk: list[Any]) -> Any:
    """The value with what lies at the path replaced by the one thing in `junk`, or taken out where `junk` is empty."""
    if not path:
        return junk[0] if junk else {}
    here = value.copy()
    if len(path) == 1 and not junk:
        del here[path[0]]
    else:
        here[path[0]] = _change(here[path[0]], path[1:], junk)
    return here


def _findings_of(data: Any) -> list[Finding]:
    return check(json.dumps(data) + "\n")


def _misspelled(value: Any, path: tuple[str | int, ...], swapped: bool) -> Any:
    """The value with the first letters of the key at the end of the path swapped, or its last one doubled."""
    if len(path) > 1:
        copy = value.copy()
        copy[path[0]] = _misspelled(value[path[0]], path[1:], swapped)
        return copy
    wrong = lambda key: key[1::-1] + key[2:] if swapped else key + key[-1]  # noqa: E731
    return {wrong(key) if key == path[0] else key: below for key, below in value.items()}


@settings(max_examples=50)
@given(st.sampled_from([path for path in _PATHS if path and isinstance(path[-1], str)]), st.booleans())
def test_one_mistake_is_one_finding(path: tuple[str | int, ...], swapped: bool) -> None:
    misspelled = _misspelled(_PLAIN, path, swapped)
    without, found = _findings_of(_change(_PLAIN, path, [])), _findings_of(misspelled)
    assert len(without) <= 1 and len(found) <= 1  # none at names that the game itself declares
    if found:
        assert len(check_source(source.Source("stall.yaml", json.dumps(misspelled))).findings) == 1


@given(st.sampled_from(_PATHS), st.lists(_JUNK, max_size=1))
def test_no_damage_raises(path: tuple[str | int, ...], junk: list[Any]) -> None:
    damaged = _change(_PLAIN, path, junk)
    read, _ = source.from_text(json.dumps(damaged, ensure_ascii=True) + "\n")
    assert read is not None
    root, _ = document.parse(read)
    if root is not None:
        assert all(found.message for found in findings(root, read, "rulespec-2"))
