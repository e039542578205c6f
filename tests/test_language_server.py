"""The language server over its protocol, as an editor speaks to it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from command import ftk
from language_server import Client, applied

pytestmark = pytest.mark.slow("starts a server")

needs_pygls = pytest.mark.skipif(find_spec("pygls") is None, reason="needs the extra lsp")


@pytest.fixture(scope="module")
def river(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("река")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert ftk("new", "river", "--lang", "en,zh-Hant", "-q").exit_code == 0
    return folder


@pytest.fixture(scope="module")
def client(river: Path) -> Iterator[Client]:
    with running(river) as made:
        yield made


@contextmanager
def running(folder: Path) -> Iterator[Client]:
    """A client of a server in a folder."""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-m", "ftk_cli", "lsp"]
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=folder, env=env)
    try:
        made = Client(process)
        made.initialize()
        yield made
    finally:
        process.kill()
        process.wait()
        log.close()


def place(path: Path, piece: str) -> tuple[int, int]:
    """The line and the column in UTF-16 units of the `¦` in a piece of a file."""
    text = path.read_text(encoding="utf-8")
    before = text[: text.index(piece.replace("¦", "")) + piece.index("¦")]
    return before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2


def spec(river: Path) -> Path:
    return river / "specs/river.yaml"


@needs_pygls
@pytest.mark.parametrize(("locale", "lang"), [("zh-TW", "zh"), ("uk", "uk"), ("fr", "en"), (None, "en")])
def test_findings_are_in_the_language_of_the_editor(locale: str | None, lang: str) -> None:
    from lsprotocol.types import ClientCapabilities, InitializeParams

    from ftk_cli.lsp.session import Session

    session = Session(None)
    session.begun(InitializeParams(ClientCapabilities(), locale=locale))
    assert session.lang == lang


@needs_pygls
def test_findings_come_while_typing_and_go_again(client: Client, river: Path) -> None:
    path = spec(river)
    good = path.read_text(encoding="utf-8")
    assert client.diagnostics(path) == []
    (found,) = client.diagnostics(path, good.replace("left: share", "letf: share"))
    assert (found["code"], found["severity"], found["source"]) == ("RS201", 1, "ftk")
    assert "Did you mean `left`?" in found["message"]
    assert found["range"]["start"] == {"line": good[: good.index("left: share")].count("\n"), "character": 6}
    action = client.request(
        "textDocument/codeAction",
        {"textDocument": {"uri": path.as_uri()}, "range": found["range"], "context": {"diagnostics": [found]}},
    )
    ((edit,),) = [one["edit"]["changes"][path.as_uri()] for one in action]
    assert (edit["newText"], edit["range"]) == ("left", found["range"])
    assert client.diagnostics(path) == []


@needs_pygls
def test_findings_move_while_typing_until_the_next_check(client: Client, river: Path) -> None:
    path = spec(river)
    good = path.read_text(encoding="utf-8")
    (found,) = client.diagnostics(path, good.replace("left: share", "letf: share"))
    typed = good.replace("left: share", "letf: share").replace("zones:\n", "zones:\n  pile: {seen_by: [\n")
    moved, opened = client.change(path, typed, 2)
    assert moved["message"] == found["message"]
    assert moved["range"]["start"]["line"] == found["range"]["start"]["line"] + 1
    assert opened["code"] == "RS101"
    assert [one["code"] for one in client.published(path)] == ["RS101"]  # such a file has no more findings
    assert client.change(path, good, 3) == client.published(path) == []


@needs_pygls
@pytest.mark.parametrize("is_told", [True, False])
def test_the_end_waits_for_no_check(tmp_path: Path, is_told: bool) -> None:
    path = Path(__file__).parents[1] / "specs/keyflower_king.yaml"
    with running(tmp_path) as client:
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": path.read_text(encoding="utf-8")}
        client.notify("textDocument/didOpen", {"textDocument": document})
        assert client.at("hover", path, 0, 0) is None
        client.end(is_told)
    assert "Traceback" not in (tmp_path / "server.log").read_text(encoding="utf-8")


@needs_pygls
def test_findings_of_other_files_and_of_no_file_of_ours(client: Client, river: Path) -> None:
    text = river / "specs/translations/river/zh-Hant.yaml"
    assert client.diagnostics(text) == []
    content = text.read_text(encoding="utf-8").replace("。", " 。", 1)
    assert [one["code"] for one in client.diagnostics(text, content)] == ["RS964"]
    assert client.diagnostics(text) == []
    assert client.diagnostics(river / "other.yaml", "jobs: {}\n") == []
    assert client.diagnostics(river / "specs/half.yaml", "rulespec: 2\ngame: {")[0]["code"] == "RS101"


@needs_pygls
def test_findings_link_the_other_place_of_a_contradiction(client: Client, river: Path) -> None:
    path = spec(river)
    content = path.read_text(encoding="utf-8")
    (found,) = client.diagnostics(path, content.replace("moon: 18", "moon: 13"))
    (other,) = found["relatedInformation"]
    assert (other["location"]["uri"], other["message"]) == (path.as_uri(), "This row has 18 cards of them.")
    assert other["location"]["range"]["start"]["line"] == place(path, "- {suit: ¦[sun, moon]")[0]
    client.diagnostics(path)


@needs_pygls
def test_columns_are_counted_as_the_editor_does(client: Client, river: Path) -> None:
    """An emoji is one code point and two units of UTF-16."""
    path = spec(river)
    text = path.read_text(encoding="utf-8").replace("title: Shuffle, shuffle:", "title: 😀, shufle:")
    found = client.diagnostics(path, text)[0]
    line = text.splitlines()[found["range"]["start"]["line"]]
    assert found["range"]["start"]["character"] == line.index("shufle") + 1
    client.diagnostics(path)


@needs_pygls
def test_definition_references_and_hover(client: Client, river: Path) -> None:
    path, text = spec(river), river / "specs/translations/river/en.yaml"
    client.diagnostics(path)
    client.diagnostics(text)
    found = client.at("definition", text, *place(text, "  turn.ke¦ep:"))
    line, column = place(path, "id: ¦turn.keep")
    assert (found["uri"], found["range"]["start"]) == (path.as_uri(), {"line": line, "character": column})
    params: dict[str, Any] = {
        "textDocument": {"uri": path.as_uri()},
        "position": dict(zip(("line", "character"), place(path, "id: turn.ke¦ep"), strict=True)),
        "context": {"includeDeclaration": True},
    }
    uris = {one["uri"].rpartition("/")[2] for one in client.request("textDocument/references", params)}
    assert uris == {"river.yaml", "en.yaml", "zh-Hant.yaml", "cases.yaml"}
    shown = client.at("hover", path, *place(path, "id: turn.ke¦ep"))["contents"]["value"]
    assert "en: Put the card" in shown and "zh-Hant: " in shown
    assert client.at("hover", path, *place(path, "# One ¦row")) is None
    assert client.at("definition", path, 0, 0) is None


@needs_pygls
def test_completion_outline_folding_and_layout(client: Client, river: Path) -> None:
    path = spec(river)
    content = path.read_text(encoding="utf-8")
    client.diagnostics(path, content.replace("shuffle: deck}", "shuffle: }"))
    labels = {one["label"] for one in client.at("completion", path, *place(path, "shuffle: ¦deck}"))}
    assert labels == {"deck", "hand", "row", "discard"}
    client.diagnostics(path, content.replace("c.suit == sun", "c.su"))
    found = client.at("completion", path, *place(path, "c.su¦it == sun"))
    start = {one["label"]: one["textEdit"]["range"]["start"] for one in found}["suit"]
    assert start == dict(zip(("line", "character"), place(path, "c.¦suit == sun"), strict=True))
    client.diagnostics(path, content.replace("zones:\n", "zones:   \n"))
    document = {"textDocument": {"uri": path.as_uri()}}
    sections = client.request("textDocument/documentSymbol", document)
    assert [one["name"] for one in sections][:4] == ["rulespec", "game", "enums", "cards"]
    assert {"startLine", "endLine"} <= set(client.request("textDocument/foldingRange", document)[0])
    (edit,) = client.request("textDocument/formatting", {**document, "options": {"tabSize": 2, "insertSpaces": True}})
    assert applied(content.replace("zones:\n", "zones:   \n"), [edit]) == content
    client.diagnostics(path)


@needs_pygls
def test_rename_changes_all_files_or_says_why_not(client: Client, river: Path) -> None:
    path = spec(river)
    client.diagnostics(path)
    position = dict(zip(("line", "character"), place(path, "id: turn.ke¦ep"), strict=True))
    params = {"textDocument": {"uri": path.as_uri()}, "position": position, "newName": "turn.hold"}
    changes = client.request("textDocument/rename", params)["changes"]
    names = {uri.rpartition("/")[2] for uri in changes}
    assert {"river.yaml", "en.yaml", "zh-Hant.yaml", "cases.yaml"} <= names
    after = applied(path.read_text(encoding="utf-8"), changes[path.as_uri()])
    assert after.startswith(path.read_text(encoding="utf-8").replace("turn.keep", "turn.hold"))
    assert [edit["newText"] for edit in changes[path.as_uri()]][:-1] == ["hold"]
    known = client.request("textDocument/prepareRename", params)
    assert (known["placeholder"], known["range"]["start"]["character"]) == ("turn.keep", position["character"] - 7)
    assert client.at("prepareRename", path, 0, 0) is None
    with pytest.raises(AssertionError, match="that is already a rule"):
        client.request("textDocument/rename", {**params, "newName": "turn.draw"})
    client.diagnostics(path, path.read_text(encoding="utf-8") + "# not saved\n")
    with pytest.raises(AssertionError, match=r"Save specs/river\.yaml first"):
        client.request("textDocument/rename", params)
    client.diagnostics(path)
    assert "Traceback" not in (river / "server.log").read_text(encoding="utf-8")


@needs_pygls
def test_an_edited_text_is_confirmed_and_shown(client: Client, river: Path) -> None:
    path = river / "specs/translations/river/en.yaml"
    good = path.read_text(encoding="utf-8")
    part = "card from your hand face up"
    (found,) = client.diagnostics(path, good.replace(f"Put the {part}", f"Lay the {part}"))
    assert found["code"] == "RS909"
    params = {"textDocument": {"uri": path.as_uri()}, "range": found["range"], "context": {"diagnostics": [found]}}
    show, confirm = client.request("textDocument/codeAction", params)
    shown = client.request("workspace/executeCommand", show["command"])
    assert shown["message"].startswith("Changed since this text was confirmed: “Put the card")
    text, words = confirm["edit"]["documentChanges"]
    assert words["textDocument"]["uri"].endswith("specs/versions/river/en.words")
    kept = river / "specs/versions/river/en.words"
    assert "Lay the card" in applied(kept.read_text(encoding="utf-8"), words["edits"])
    edited = good.replace(f"Put the {part}", f"Lay the {part}")
    assert client.diagnostics(path, applied(edited, text["edits"])) == []
    client.diagnostics(path)


@needs_pygls
def test_settings_of_the_project_and_closed_files(client: Client, river: Path) -> None:
    path = spec(river)
    spare = path.read_text(encoding="utf-8").replace("values:\n", "values:\n  spare: {type: 0..3, start: 0}\n")
    assert [one["code"] for one in client.diagnostics(path, spare)] == ["RS619"]
    (river / "ftk.toml").write_text('ignore = ["RS619"]\n', encoding="utf-8")
    assert client.diagnostics(path, spare) == []
    (river / "ftk.toml").write_text("ignore = [", encoding="utf-8")
    assert [one["code"] for one in client.diagnostics(path, spare)] == ["RS619"]
    (river / "ftk.toml").unlink()
    client.close(path)
    assert client.diagnostics(path) == []


@needs_pygls
def test_packaged_games_are_not_renamed(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "cases.yaml"
    text = "scenario: 2\ngame: nim\nscenarios:\n  - {id: a, title: A, players: 2, expect: {fires: [take]}}\n"
    path.write_text(text, encoding="utf-8")
    client.diagnostics(path)
    position = dict(zip(("line", "character"), place(path, "fires: [ta¦ke]"), strict=True))
    params = {"textDocument": {"uri": path.as_uri()}, "position": position, "newName": "grab"}
    with pytest.raises(AssertionError, match="is packaged with ftk and read-only"):
        client.request("textDocument/rename", params)


def document(path: Path) -> dict[str, Any]:
    return {"textDocument": {"uri": path.as_uri()}}


EVERYWHERE = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}


@needs_pygls
def test_hints_show_types_numbers_of_cards_and_titles(client: Client, river: Path) -> None:
    path, text = spec(river), river / "specs/translations/river/en.yaml"
    client.diagnostics(path)
    params = {**document(path), "range": EVERYWHERE}
    found = {one["label"]: one["position"] for one in client.request("textDocument/inlayHint", params)}
    line, column = place(path, "  points:¦ {per")
    assert found[": 0..216"] == {"line": line, "character": column}
    assert found.keys() == {": 0..216", " 36 cards"}
    first = {**document(path), "range": {**EVERYWHERE, "end": {"line": 9, "character": 0}}}
    assert [one["label"] for one in client.request("textDocument/inlayHint", first)] == [" 36 cards"]
    client.diagnostics(path, path.read_text(encoding="utf-8").replace("zones:", "zones: ["))
    assert client.request("textDocument/inlayHint", params) == []  # a broken spec has no model
    client.diagnostics(path)
    client.diagnostics(text)
    titles = client.request("textDocument/inlayHint", {**document(text), "range": EVERYWHERE})
    assert " Keep the card" in {one["label"] for one in titles}


LENSES = (
    ("specs/river.yaml", "id: ¦turn.keep", "4 uses"),
    ("specs/river.yaml", "id: ¦turn.keep", "2 sentences in en, zh-Hant"),
    ("specs/river.yaml", "  ¦row:", "12 uses"),
    ("specs/translations/river/en.yaml", "  ¦turn.keep:", "rule, zh-Hant"),
    ("specs/glossaries/river.yaml", "  ¦row:", "12 uses of row"),
    ("specs/scenarios/river/cases.yaml", "id: ¦turns.first", "Run this scenario"),
)


@needs_pygls
@pytest.mark.parametrize(("file", "piece", "title"), LENSES)
def test_lenses_lead_to_uses_and_texts(client: Client, river: Path, file: str, piece: str, title: str) -> None:
    path = river / file
    client.diagnostics(path)
    line, column = place(path, piece)
    found = client.request("textDocument/codeLens", document(path))
    here = [one for one in found if one["range"]["start"] == {"line": line, "character": column}]
    lens = next(one for one in here if one["command"]["title"] == title)
    if lens["command"]["command"] == "ftk.showReferences":
        uri, position, places = lens["command"]["arguments"]
        assert (uri, position) == (path.as_uri(), {"line": line, "character": column})
        assert {one["uri"].rpartition("/")[2] for one in places} - {path.name}


@needs_pygls
def test_a_scenario_is_run_as_it_is_in_the_editor(client: Client, river: Path) -> None:
    path = river / "specs/scenarios/river/cases.yaml"
    content = path.read_text(encoding="utf-8")
    for text, passed in ((content, True), (content.replace("size: 35", "size: 34"), False)):
        client.diagnostics(path, text)
        params = {"command": "ftk.runScenario", "arguments": [path.as_uri(), "turns.first"]}
        done = client.request("workspace/executeCommand", params)
        assert done["passed"] == passed, done
        assert ("failed. line 12: Expected 34 cards" in done["message"]) != passed
    client.diagnostics(path)


@needs_pygls
@pytest.mark.parametrize(
    ("file", "piece", "begins"),
    [
        ("specs/river.yaml", "id: ¦turn.keep", "River, 2 players (people: player 1); from a random game"),
        (
            "specs/translations/river/en.yaml",
            "  ¦turn.keep:",
            "River, 2 players (people: player 1); from a random game",
        ),
        (
            "specs/scenarios/river/cases.yaml",
            "id: ¦turns.first",
            "River, 2 players (people: player 1); from the case turns.first",
        ),
    ],
)
def test_a_game_is_played_from_a_rule_or_a_scenario(
    client: Client, river: Path, file: str, piece: str, begins: str
) -> None:
    path = river / file
    client.diagnostics(path)
    line, column = place(path, piece)
    found = client.request("textDocument/codeLens", document(path))
    here = [one["command"] for one in found if one["range"]["start"] == {"line": line, "character": column}]
    [words] = next(one for one in here if one["title"] == "Play from here")["arguments"]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    played = subprocess.run(words, input="q\n", capture_output=True, text=True, cwd=river, env=env)
    assert played.stdout.startswith(begins), played


@needs_pygls
def test_names_have_their_kinds_as_colours(client: Client, river: Path) -> None:
    path = spec(river)
    client.diagnostics(path)
    legend = client.capabilities["semanticTokensProvider"]["legend"]
    data = client.request("textDocument/semanticTokens/full", document(path))["data"]
    lines = path.read_text(encoding="utf-8").splitlines()
    found, line, column = set(), 0, 0
    for down, right, length, kind, modifiers in zip(*(iter(data),) * 5, strict=True):
        line, column = line + down, right if down else column + right
        found.add((lines[line][column : column + length], legend["tokenTypes"][kind], modifiers))
    assert {
        ("turn.keep", "function", 1),
        ("deck", "struct", 1),
        ("deck", "struct", 0),
        ("sun", "enumMember", 0),
    } <= found
    assert {("points", "variable", 0), ("suit", "property", 0), ("sum", "macro", 0)} <= found
    assert not any(word in ("the", "Keep", "stack") for word, *_ in found)


@needs_pygls
def test_names_of_a_project_are_found_by_a_part(client: Client, river: Path) -> None:
    found = client.request("workspace/symbol", {"query": "keep"})
    named = {(one["name"], one["location"]["uri"].rpartition("/")[2]) for one in found}
    assert named == {("turn.keep", "river.yaml"), ("turn.keep.to_the_row", "cases.yaml")}
    assert "turn.keep" in {one["name"] for one in client.request("workspace/symbol", {"query": "tkeep"})}
    assert client.request("workspace/symbol", {"query": "nothing of this name"}) == []


@needs_pygls
def test_a_byte_order_mark_shifts_nothing(client: Client, river: Path) -> None:
    path = spec(river)
    text = path.read_text(encoding="utf-8")
    (found,) = client.diagnostics(path, "\ufeff" + text.replace("rulespec: 2", "rulespec: 3"))
    assert found["range"]["start"] == {"line": 0, "character": 11}
    assert "**rulespec**" in client.at("hover", path, 0, 3)["contents"]["value"]
    client.diagnostics(path)


@needs_pygls
def test_a_change_has_its_findings_soon(client: Client, tmp_path: Path) -> None:
    """In a spec of 730 lines. The bound is for a busy machine: a quiet one takes less than 0.3 s."""
    path = tmp_path / "long.yaml"
    lines = (Path(__file__).parents[1] / "specs/fortheking.yaml").read_text(encoding="utf-8").split("\n")
    more = [f"  spare_{number}: {{per: office, type: 0..9, start: 0}}" for number in range(730 - len(lines))]
    at = lines.index("values:") + 1
    text = "\n".join((*lines[:at], *more, *lines[at:]))
    client.diagnostics(path, text)
    began = time.monotonic()
    found = client.diagnostics(path, text.replace("copies: 9", "copies: 8"))
    assert "RS405" in {one["code"] for one in found}
    assert time.monotonic() - began < 3


def test_without_the_library_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    monkeypatch.delitem(sys.modules, "ftk_cli.lsp.server", raising=False)
    result = ftk("lsp")
    assert result.exit_code == 3 and "pip install 'ftk[lsp]'" in result.stderr
