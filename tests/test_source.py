import io
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.base.diagnostics import Finding, Position, Report, Severity
from rulespec.base.source import MAX_BYTES, Source, from_bytes, from_text, read


def names(findings: list[Finding]) -> list[str]:
    return [found.name for found in findings]


@pytest.mark.parametrize(
    ("data", "name", "line", "column"),
    [
        (b"", "empty-file", 1, 1),
        (b"\xef\xbb\xbf \n", "empty-file", 1, 1),
        ("a: é".encode("utf-16"), "other-encoding", 1, 1),
        ("a: é\n".encode("utf-16-le"), "other-encoding", 1, 1),
        ("a: é\n".encode("utf-16-be"), "other-encoding", 1, 1),
        ("a: é".encode("utf-32"), "other-encoding", 1, 1),
        (b"\xfe\xff\x00a", "other-encoding", 1, 1),
        ("a\nвіз: ".encode() + b"\xe9!", "not-utf-8", 2, 6),
        (b"\xef\xbb\xbfab\xff", "not-utf-8", 1, 3),
        (b"a: 1\nb: \x00", "control-character", 2, 4),
        ("a: \ufeffb".encode(), "control-character", 1, 4),
        (b"x" * (MAX_BYTES + 1), "file-too-large", 1, 1),
    ],
)
def test_bad_bytes(data: bytes, name: str, line: int, column: int) -> None:
    _, findings = from_bytes(data, "spec.yaml")
    assert names(findings) == [name]
    assert findings[0].start == Position(line, column)
    assert findings[0].path == "spec.yaml" and findings[0].hint


def test_not_utf8_names_the_byte() -> None:
    _, findings = from_bytes("ї".encode() + b"\xff", "x")
    assert "byte 2 (0xFF" in findings[0].message


def test_many_control_characters_are_one_finding_and_leave_the_text() -> None:
    source, findings = from_text("a\x0cb\x0cc")
    assert names(findings) == ["control-character"] and "1 more" in findings[0].message
    assert source is not None and source.text == "a\x0cb\x0cc"


def test_a_byte_order_mark_is_dropped_silently() -> None:
    source, findings = from_bytes(b"\xef\xbb\xbfa: 1", "x")
    assert source == Source("x", "a: 1") and not findings


def test_bad_paths(tmp_path: Path) -> None:
    assert names(read(tmp_path)[1]) == ["is-a-directory"]
    assert names(read(tmp_path / "no.yaml")[1]) == ["file-not-found"]
    assert names(read("a\0b")[1]) == names(read("\ud800")[1]) == names(read("x" * 5000)[1]) == ["unreadable-file"]


def test_a_refused_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "a.yaml").write_text("a: 1", encoding="utf-8")
    monkeypatch.setattr("os.open", refuse)
    source, findings = read(tmp_path / "a.yaml")
    assert source is None and findings[0].message == "The file cannot be read: permission denied."


def test_a_good_file_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yaml").write_bytes("ключ: 值\r\n".encode())
    source, findings = read(tmp_path / "a.yaml")
    assert source is not None and source.text == "ключ: 值\r\n" and not findings
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a: 1")))
    assert read("-") == (Source("<stdin>", "a: 1"), [])
    monkeypatch.setattr(sys, "stdin", None)
    assert names(read("-")[1]) == ["unreadable-file"]


def test_a_refused_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.BytesIO()
    closed.close()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=closed))
    source, findings = read("-")
    assert source is None and names(findings) == ["unreadable-file"]


def test_only_three_breaks_end_a_line() -> None:
    source = Source("x", "a\r\nb\rc\nd\x0b\x0c\u2028\x85e")
    assert source.line_count == 4
    assert [source.line(number) for number in (1, 2, 3, 4)] == ["a", "b", "c", "d\x0b\x0c\u2028\x85e"]
    assert source.position(3) == Position(2, 1) and source.position(99) == Position(4, 7)
    with pytest.raises(IndexError):
        source.line(5)


@given(st.text("ab\r\n\u2028😀ї"), st.integers(-3, 60))
def test_positions_count_code_points(text: str, offset: int) -> None:
    source = Source("x", text)
    place = source.position(offset)
    assert source.line_start(place.line) + place.column - 1 == max(0, min(offset, len(text)))


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_give_text_or_findings(data: bytes) -> None:
    source, findings = from_bytes(data, "x")
    assert source is not None or findings
    Report(tuple(findings)).to_dict()


@given(st.text(st.characters()))
def test_any_text_gives_text_or_findings(text: str) -> None:
    source, findings = from_text(text)
    assert source is not None or findings


def test_report_order_duplicates_and_json() -> None:
    one, two = Position(1, 1), Position(2, 1)
    late = Finding("duplicate-key", "m", "a", two, two, "h", "r", "uk")
    early = Finding("ambiguous-scalar", "m", "a", one, one)
    report = Report((late, early, late))
    assert report.findings == (early, late) and report.errors == (late,)
    assert not report.ok and report.worst() is Severity.ERROR and Report(()).worst() is None
    assert report.to_dict()["summary"] == {"error": 1, "warning": 1, "info": 0}
    keys = ["code", "name", "severity", "message", "path", "start", "end", "rule", "lang", "hint", "related"]
    assert list(late.to_dict()) == keys
    with pytest.raises(KeyError):
        Finding("no-such-kind", "m", "a", one, one)


def test_findings_that_say_the_same_of_one_place_are_one() -> None:
    one, two, three = (Position(1, column) for column in (1, 2, 3))
    first = Finding("duplicate-key", "m", "a", one, two, rule="a", hint="at a")
    same = [replace(first, rule="b", hint="at b"), replace(first, lang="uk"), replace(first, end=three)]
    others = [replace(first, message="n"), replace(first, path="b"), replace(first, start=two, end=three)]
    report = Report((*same, *others, first))
    assert first in report.findings and len(report.findings) == 4
    assert Report.of(report.findings, same) == report


def test_severities_are_ordered_by_weight() -> None:
    assert max(Severity) is Severity.ERROR and Severity.INFO < Severity.WARNING <= Severity.ERROR
