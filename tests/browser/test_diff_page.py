"""The page of `ftk text diff` in a real browser, on a laptop and on a phone."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import threading
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import rulespec
from rulespec.base.source import Source
from rulespec.games.rulebook import book_of, check_translation, texts_of
from rulespec.text.output.diff.compare import LabelledText, diff
from rulespec.text.output.diff.page import html as page_of
from rulespec.text.output.diff.result import to_dict
from rulespec.text.reading.translation import read

HERE = Path(__file__).parent
SPECS = HERE.parents[1] / "specs"
HOSTILE = "<script>document.title = 'taken'</script></mark> \" ' <img src=https://example.org/x.png>"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "headless_shell")
BROWSER = next((path for name in BROWSERS if (path := shutil.which(name))), None)

WITHOUT = "no Chromium: `make tools` or `apt-get install chromium`"
pytestmark = [pytest.mark.skipif(BROWSER is None, reason=WITHOUT), pytest.mark.soak]

_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--no-first-run",
    "--hide-scrollbars",
    "--window-size=1400,1000",
    "--virtual-time-budget=10000",
    "--enable-logging=stderr",
    "--dump-dom",
    # Nothing but this machine can be reached: a page that wanted more would complain.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


class _Handler(SimpleHTTPRequestHandler):
    asked: list[str]

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()


@dataclass(frozen=True)
class Visit:
    """What a reader saw, what the browser asked for, and what it complained about."""

    result: dict[str, Any]
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def faulty() -> LabelledText:
    """Our Ukrainian text with a wrong number, a hostile sentence and a misspelt word in it."""
    text = (SPECS / "translations/fortheking/uk.yaml").read_text(encoding="utf-8").replace("- 36 ", "- 35 ", 1)
    text = re.sub(r"(  setup\.first_player:\n.*\n    text: \|-\n      )", lambda m: f"{m[1]}{HOSTILE} ", text, count=1)
    source = Source(str(SPECS / "translations/fortheking/uk.yaml"), text)
    translation, _ = read(source)
    assert translation is not None
    return LabelledText("uk", translation, check_translation(source).findings)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A folder with the page and its driver, and the same diff as JSON."""
    spec = rulespec.load("fortheking")
    book, ours = book_of(spec), texts_of(spec)
    assert book is not None
    others = [LabelledText(lang, ours[lang]) for lang in ("zh-Hant", "en")]
    result = diff(spec.model, book.glossary, [faulty(), *others])
    folder = tmp_path_factory.mktemp("page")
    (folder / "diff.html").write_text(page_of(result), encoding="utf-8")
    for name in ("drive.html", "drive.js"):
        shutil.copy(HERE / name, folder)
    return folder, to_dict(result)


@pytest.fixture(scope="module", params=[1280, 390])
def visit(request: pytest.FixtureRequest, data: tuple[Path, dict[str, Any]]) -> Visit:
    return browse(data[0], f"width={request.param}")


def browse(folder: Path, query: str) -> Visit:
    """Opens the page in the browser, drives it, and gives what the driver wrote down."""
    handler = type("Handler", (_Handler,), {"asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = _run(f"http://127.0.0.1:{server.server_port}/drive.html?page=diff.html&{query}")
        server.shutdown()
    found = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found is not None and found[1], done.stderr[-2000:]
    complaints = [line for line in done.stderr.splitlines() if ":CONSOLE" in line]
    return Visit(json.loads(html.unescape(found[1])), handler.asked, complaints)


def _run(address: str) -> subprocess.CompletedProcess[str]:
    assert BROWSER is not None
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [BROWSER, *_OPTIONS, f"--user-data-dir={profile}", address]
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=True)


def rules(data: tuple[Path, dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = data[1]["rules"]
    return found


def with_findings(data: tuple[Path, dict[str, Any]], *severities: str) -> list[str]:
    return [
        rule["id"]
        for rule in rules(data)
        if any(found["severity"] in severities for side in rule["sides"] for found in side["findings"])
    ]


def test_nothing_goes_wrong_and_nothing_is_fetched(visit: Visit) -> None:
    assert visit.complaints == [] and visit.result["errors"] == []
    assert visit.result["resources"] == []
    assert {path.partition("?")[0] for path in visit.asked} == {"/drive.html", "/drive.js", "/diff.html"}


def test_nothing_sticks_out_of_the_screen(visit: Visit) -> None:
    assert visit.result["outside"] == []
    for size in ("size", "open_size", "unfolded_size"):
        assert visit.result[size]["scroll"] <= visit.result[size]["inner"]


def test_texts_stand_side_by_side_where_there_is_room(visit: Visit) -> None:
    wide = visit.result["size"]["inner"] == 1280
    assert visit.result["columns"] == (3 if wide else 1)
    assert visit.result["toggle"] is not wide


def test_the_page_says_what_the_json_says(visit: Visit, data: tuple[Path, dict[str, Any]]) -> None:
    assert [rule["id"] for rule in visit.result["contents"]] == [rule["id"] for rule in rules(data)]
    for shown, rule in zip(visit.result["contents"], rules(data), strict=True):
        for seen, side in zip(shown["sides"], rule["sides"], strict=True):
            assert (seen["label"], seen["lang"]) == (side["label"], side["lang"])
            assert plain(seen["words"], seen["placed"]) == plain(side["text"])
            assert seen["lacks"] == [detail["what"] for detail in side["lacks"]]
            assert seen["adds"] == [detail["what"] for detail in side["adds"]]
            assert seen["codes"] == [found["code"] for found in side["findings"]]
            assert set(seen["placed"]) <= set(seen["codes"])


def plain(text: str, codes: list[str] | None = None) -> str:
    """A text without what only gives it form, and without the codes of findings that stand in it."""
    for code in codes or []:
        text = text.replace(code, "", 1)
    return re.sub(r"\s|\*\*", "", re.sub(r"^[ \t]*- ", "", text, flags=re.MULTILINE))


def test_filters_hide_what_they_should(visit: Visit, data: tuple[Path, dict[str, Any]]) -> None:
    seen, every = visit.result["filters"], [rule["id"] for rule in rules(data)]
    assert seen["every"] == seen["reset"] == every and seen["showing"] == f"All {len(every)} shown"
    found = with_findings(data, "info", "warning", "error")
    assert seen["only"] == [rule["id"] for rule in rules(data) if rule["differs"] or rule["id"] in found]
    assert seen["info"] == found and seen["warning"] == with_findings(data, "warning", "error")
    assert seen["error"] == with_findings(data, "error") != []
    assert seen["error_shown"] == ["error"]
    assert "esteem.bid" in seen["search"] and len(seen["search"]) < len(every) // 4
    assert seen["nothing"] == [] and seen["says_so"]


def test_languages_can_be_put_away(visit: Visit) -> None:
    seen = visit.result["filters"]
    assert seen["labels"] == ["zh-Hant", "en"]
    assert seen["last_is_kept"] and seen["differences_alone"] == 0  # of one text alone nothing differs


def test_the_keyboard_finds_a_concept_in_every_language(visit: Visit) -> None:
    seen = visit.result["highlight"]
    assert seen["focused"] and seen["pressed"] == "true" and seen["same"] and seen["within"]
    assert seen["sides"] >= 1 and seen["after"] == 0
    assert visit.result["open"] == ("true" if visit.result["toggle"] else "false")
    assert visit.result["labelled"] == []


def test_a_link_leads_to_a_rule_that_a_filter_has_hidden(visit: Visit) -> None:
    assert visit.result["link"]["shown"] and visit.result["link"]["below_bar"]


@pytest.mark.parametrize("width", [1280, 390])
def test_without_scripts_everything_is_there(width: int, data: tuple[Path, dict[str, Any]]) -> None:
    seen = browse(data[0], f"width={width}&scripts=off").result
    assert seen["errors"] == [] and seen["outside"] == []
    assert seen["size"]["scroll"] <= seen["size"]["inner"] == width
    assert seen["rules"] == [rule["id"] for rule in rules(data)] and seen["labels"] == ["uk", "zh-Hant", "en"]
    assert seen["facts"] and not seen["filters"]  # controls that could do nothing are not shown
