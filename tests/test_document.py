from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from samples import expectations, places, samples

from rulespec.base.diagnostics import KINDS, Report, Span
from rulespec.base.source import Source, from_text, read
from rulespec.editing.file_kinds import check_source
from rulespec.language import document
from rulespec.language.document import parse
from rulespec.language.document.loader import PythonLoader
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence, at, key_at, plain

LOADERS = [yaml.CSafeLoader, PythonLoader]


def tree(text: str) -> Node:
    node, findings = parse(Source("x", text))
    assert node is not None and not findings, findings
    return node


def scalar(text: str, *path: str | int) -> Scalar:
    node = at(tree(text), path)
    assert isinstance(node, Scalar)
    return node


def piece(node: Node) -> str:
    return node.source.text[node.span.start : node.span.end]


@pytest.mark.parametrize("path", samples("yaml"), ids=lambda path: path.stem)
def test_bad_samples(path: Path) -> None:
    source, unreadable = read(path)
    assert source is not None and not unreadable
    assert places(Report(tuple(parse(source)[1])).findings) == expectations(path)


BROKEN = """rulespec: 2
game: {id: coin, version: 1.0.0, title: Coin, players: 2}
values:
  coins: {type: 0..9, start: 3, title: coins}
play:
  - {id: take, title: Take, set: {coins: 2}}
  - {id: end, title: Last, rank: {among: {p: player}, by: [{high: coins, title: coins}], left: share}}
"""


@pytest.mark.parametrize(
    ("before", "after", "message", "hint"),
    [
        ("title: Take,", "title: “Take, or not”,", "Inside {…} a text with `,` needs quotes.", 'Write "Take, or not".'),
        ("title: Take,", "title: Take #1,", "Inside {…} a text with ` #` needs quotes.", 'Write "Take #1".'),
        (
            "- {id: take",
            "-{id: take",
            "The hyphen of a list item needs a space after it.",
            "Write a space after the hyphen.",
        ),
        ("{coins: 2}", "{“coins”: 2}", "`“` is not allowed in an expression.", "Write names without quotes."),
        (": coins,", ": соіns,", "`соіns` is not a valid name: `с`, `о`, `і` are Cyrillic letters.", "Write `coins`."),
        ("{coins: 2}", "{cοins: 2}", "`cοins` is not a valid name: `ο` is a Greek letter.", "Write `coins`."),
        (
            "title: Take",
            "titlе: Take",
            "`titlе` is not a key of a step: `е` is a Cyrillic letter.",
            "Did you mean `title`?",
        ),
        ("start: 3", "start: 010", "`010` begins with a zero.", "Write `10`."),
        (
            "players: 2",
            "players: 02",
            "`players` must be a number of players or a range such as `2..5`, not `02`.",
            "Write `2`.",
        ),
        ("start: 3", "start: no", "There is no `no` here.", "Write `false`."),
        (": 2}", ": “min(coins, 9)”}", "Inside {…} a text with `,` needs quotes.", 'Write "min(coins, 9)".'),
        ("{id: take", "{id:take", "`id:take` is not a key of a step.", "Write a space after the colon: `id: take`."),
        *[
            (before, after, f"U+{ord(sign):04X}, {what}, is here.", hint)
            for before, after, sign, what, hint in [
                ("rulespec: 2", "rulespec: 2\xa0", "\xa0", "a no-break space", "Write an ordinary space."),
                ("rulespec: 2", "\xa0rulespec: 2", "\xa0", "a no-break space", "Write an ordinary space."),
                ("rulespec: 2", "rulespec：2", "：", "a full-width colon", "Write `:`."),
                ("players: 2}", "players:\u202f2}", "\u202f", "a no-break space", "Write an ordinary space."),
                ("title: Coin,", "title: Coin，", "，", "a full-width comma", "Write `,`."),
                ("players: 2}", "players: 2｝", "｝", "a full-width character", "Write `}`."),
                ("players: 2}", "players: ２}", "２", "a full-width character", "Write `2`."),
                ("  coins:", "\u3000coins:", "\u3000", "an ideographic space", "Write an ordinary space."),
                ("  coins:", "\u2003\u2003coins:", "\u2003", "a typographic space", "Write an ordinary space."),
                ("  coins:", "\xa0 coins:", "\xa0", "a no-break space", "Write an ordinary space."),
                ("  coins:", "  co\u200bins:", "\u200b", "an invisible character", "Delete it."),
                ("0..9", "0…9", "…", "an ellipsis", "Write `..`."),
                ("  - {id: take", "  – {id: take", "–", "a dash", "Write `-`."),
                ("{coins: 2}", "{coins：2}", "：", "a full-width colon", "Write `:`."),
                ("{coins: 2}", "{coins: 3 − 1}", "−", "a minus sign", "Write `-`."),
                ("{coins: 2}", '{coins: "2 × 1"}', "×", "a mathematical sign", "Write `*`."),
                ("{coins: 2}", "{coins: 1\xa0+ 1}", "\xa0", "a no-break space", "Write an ordinary space."),
            ]
        ],
    ],
)
def test_a_slip_is_explained_once(before: str, after: str, message: str, hint: str) -> None:
    assert before in BROKEN
    source = Source("coin.yaml", BROKEN.replace(before, after, 1))
    found = check_source(source).findings
    assert [one.message for one in found] == [message] and found[0].hint.startswith(hint)
    if message.startswith("U+"):
        at = source.line_start(found[0].start.line) + found[0].start.column - 1
        assert f"{ord(source.text[at]):04X}" in message and source.text[at] not in source.text[:at]


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[" * 3000, ["nested-too-deep"]),
        ("- " * 3000, ["nested-too-deep"]),
        ("&a [*a]", ["yaml-anchor", "yaml-alias"]),
        ("a: b\x00", ["control-character"]),
        ("# note\u2028key: 1", ["line-separator"]),
        ("---\n", ["empty-document"]),
        ('a: "\\UFFFFFFFF"', ["yaml-syntax"]),
        ("a: !<%FF> b", ["yaml-syntax"]),
        ("a: '\ud800'", ["control-character"]),
    ],
)
def test_hostile_text(text: str, names: list[str], loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "LOADER", loader)
    node, findings = parse(Source("x", text))
    assert node is None and [found.name for found in findings] == names


def test_too_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_NODES", 10)
    node, findings = parse(Source("x", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"))
    assert node is None and [found.name for found in findings] == ["too-many-nodes"]


def test_sixty_four_levels_are_fine() -> None:
    assert tree("[" * 64 + "]" * 64)


def test_a_duplicate_names_the_first_place() -> None:
    _, findings = parse(Source("x", "a: 1\nb: 2\na: 3"))
    assert "line 1" in findings[0].message


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[(word, None) for word in ("", "~", "null")],
        *[("true", True), ("False", False), ("0", 0), ("-12", -12), ("+3", 3), ("0x1f", 31), ("0o17", 15)],
        *[("1.5", 1.5), (".5", 0.5), ("-1.5e+3", -1500.0), ("2.", 2.0)],
        *[(word, word) for word in ("no", "off", "010", "1:30", "2024-01-01", "1_000", "2..5", "1.0.0", "tRue", "08")],
        *[("'12'", "12"), ('"true"', "true"), ("|\n 5", "5"), ("''", "")],
    ],
)
def test_core_schema(text: str, value: object) -> None:
    node, _ = parse(Source("x", f"a: {text}"))
    assert isinstance(node, Mapping) and plain(node) == {"a": value}
    assert type(plain(node)["a"]) is type(value)


def test_spans_end_with_the_text() -> None:
    text = "a:\n  b: 1  # one\n\n# c\nd: [x, {y: z}]\ne: |\n  text\n\nf: 'q'\n"
    root = tree(text)
    assert isinstance(root, Mapping)
    pieces = [piece(value) for _, value in root.items()]
    assert pieces == ["b: 1", "[x, {y: z}]", "|\n  text", "'q'"]
    assert piece(root) == text.rstrip()


def test_mapping_lookup_and_paths() -> None:
    root = tree("game: {id: kingme, 2: x}\nlist: [a, {b: c}]\n")
    assert isinstance(root, Mapping) and isinstance(root.get("list"), Sequence)
    assert plain(root) == {"game": {"id": "kingme", "2": "x"}, "list": ["a", {"b": "c"}]}
    assert piece(at(root, ["list", 1, "b"])) == "c" and piece(key_at(root, ["list", 1, "b"])) == "b"
    assert piece(at(root, ["list", 9, "b"])) == "[a, {b: c}]" and piece(key_at(root, ["list", 0])) == "a"
    assert at(root, []) is root and key_at(root, []) is root
    assert root.get("none") is None and root.key("none") is None
    assert key_at(root, ["none"]) is root and piece(at(root, ["game", 2])) == "x"


@pytest.mark.parametrize(
    ("text", "index", "offset"),
    [
        ("a: b c", 2, 5),
        ("a: 'it''s'", 3, 8),
        (r'a: "x\u0041y"', 2, 11),
        (r'a: "\U0001F600y"', 1, 14),
        ('a: "x\\\n   y"', 1, 10),
        ('a: "x\n\n  y"', 1, 6),
        ("a: b\n  c", 2, 7),
        ("a: |\n  x\n   y\n", 3, 12),
        ("a: |2-\n    x\n", 2, 11),
        ("a: |  # note\r\n  x\r\n  y\r\n", 2, 21),
        ("a: >\n  x\n  y\n", 2, 3),
        ("a: 'b'", 1, 5),
        ("a:", 0, 2),
    ],
)
def test_offsets(text: str, index: int, offset: int) -> None:
    assert scalar(text, "a").offset(index) == offset


def test_value_spans() -> None:
    assert scalar("a: 'b + c'", "a").value_span(4, 5) == Span(8, 9)
    assert scalar("a: >\n  b\n", "a").value_span(0, 1) == Span(3, 8)


WORDS = st.lists(st.text("abїé值😀#:'\"\\-+*&!|>%@`{}[], ", min_size=1, max_size=8), min_size=1, max_size=4)


def check_every_character(text: str, written: str) -> None:
    """A scalar without escapes: each character stands in the source where `offset` says."""
    node, findings = parse(Source("x", text))
    if any(one.name == "yaml-tag" for one in findings):
        return  # a refused tag in front of the text, perhaps with a comment between
    found = node.entries[0][1] if isinstance(node, Mapping) and node.entries else None
    if not isinstance(found, Scalar) or found.style != written:
        return  # the random text meant something else in YAML
    for index, character in enumerate(found.text):
        there = text[found.offset(index)]
        assert there == character or (character in " \n" and there in "\r\n")
    assert found.offset(len(found.text)) <= len(text)
    assert found._offsets is not None


@example(["!", "#", "a"], "\n  ")
@given(WORDS, st.sampled_from(["\n  ", "\r\n ", "\n\n   ", " "]))
def test_offset_of_plain_text(words: list[str], between: str) -> None:
    check_every_character("k: " + between.join(words) + "\n", "")


@given(WORDS, st.sampled_from(["\n  ", " \t\r\n ", "\n\n   ", " "]), st.sampled_from("'\""))
def test_offset_of_quoted_text(words: list[str], between: str, quote: str) -> None:
    inside = between.join(words).replace("\\", "").replace(quote, "")
    check_every_character(f"k: {quote}{inside}{quote}\n", quote)


@given(WORDS, st.sampled_from(["\n", "\r\n", "\n\n", "\n \n", "\n       \n"]), st.sampled_from(["", "-", "+", "2"]))
def test_offset_of_literal_text(words: list[str], between: str, header: str) -> None:
    lines = between.join(f"  {word}" for word in words)
    check_every_character(f"k: |{header}\n{lines}\n", "|")


YAMLISH = st.text("ab \n\t\r-:?,[]{}#&*!|>'\"%@`\\0179.x~<\u2028\x00é") | st.text()


@given(YAMLISH)
def test_any_text_gives_findings_and_never_an_exception(text: str) -> None:
    source, findings = from_text(text)
    node = None
    if source is not None:
        node, more = parse(source)
        findings += more
    assert node is not None or findings
    if node is not None:
        plain(node)
    assert all(found.name in KINDS for found in Report(tuple(findings)).findings)


@given(YAMLISH)
def test_both_loaders_agree_on_nodes(text: str) -> None:
    results = []
    for loader in LOADERS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(document, "LOADER", loader)
            results.append(parse(Source("x", text))[0])
    # They differ in a few syntax errors (tabs, odd escapes), never in what they read where both can read it.
    if None not in results and "\t" not in text:
        assert results[0] == results[1]


@pytest.mark.parametrize(
    "text",
    [
        "{vote: vote?, size: [a?, ?b: 1]}",
        "{a: b:, c: 1}",
        "{a:[1]}",
        "a: b\tc\t# no comment in it",
        "a:\tb",
        "- [a,\tb]\n-\tc",
        "\ta: b",
        "a: {b: c\t}",
    ],
)
def test_the_loader_in_python_reads_brackets_and_tabs_as_the_c_library_does(text: str) -> None:
    results = []
    for loader in LOADERS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(document, "LOADER", loader)
            root, findings = document._parsed(Source("x", text))
            results.append((root, [found.to_dict() for found in Report(tuple(findings)).findings]))
    assert results[0] == results[1]
