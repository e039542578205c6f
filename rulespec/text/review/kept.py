"""Kept reviews: what each reviewer said about each passage of a text, and what the passage was compared with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rulespec.base.diagnostics import Finding, Report
from rulespec.base.source import Source
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import plain
from rulespec.language.document.scalars import is_text
from rulespec.language.formats.current import document
from rulespec.language.formats.table import FORMATS
from rulespec.text.output.exchange.yaml_patch import quoted

ENDING = ".review.yaml"
"""The ending of the file of a kept review."""


@dataclass(frozen=True)
class Declined:
    """Why a remark is not followed, by whom, and the date as `YYYY-MM-DD`. A declined remark is no finding."""

    by: str
    date: str
    why: str


@dataclass(frozen=True)
class Remark:
    """A remark about `words` of a passage and a rule (or ruling); `kind` is one of `answer.KINDS`."""

    words: str
    rule: str
    kind: str
    why: str
    declined: Declined | None = None


@dataclass(frozen=True)
class Reading:
    """What a reviewer said about a passage; without remarks the passage was read and found right.

    `task` is the version of the task that a program was given, None for a person.
    """

    by: str
    date: str
    task: int | None
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class Passage:
    """A passage that was read: the digest of its `words` (`rulespec.base.wording.digest`), the first of them, and the
    rules it was compared with, each with the digest of what it did then (`confirmation.does`).

    `rule` is the rule or ruling that a text of a translation states; "" for a passage of a raw text.
    """

    words: str
    begins: str
    rules: Mapping[str, str]
    read: tuple[Reading, ...]
    rule: str = ""


@dataclass(frozen=True)
class Review:
    """All that is kept about a text. `text` is the name of a raw text, "" for a translation. `unstated` are the rules
    that no passage was compared with, with digests. Two passages may have the same words and other rules."""

    game: str
    lang: str
    text: str
    passages: tuple[Passage, ...] = ()
    unstated: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = field(default=None, compare=False, repr=False)

    @cached_property
    def by_words(self) -> Mapping[str, Sequence[Passage]]:
        """The passages with readings, by their digest and their rule."""
        found: dict[str, list[Passage]] = {}
        for one in self.passages:
            if one.read:
                found.setdefault(f"{one.words} {one.rule}", []).append(one)
        return found


def path_of(text_path: str | Path) -> Path:
    """Where the review of a text is kept: `rulebook.txt.review.yaml` beside `rulebook.txt`, and
    `specs/reviews/GAME/LANG.review.yaml` for `specs/translations/GAME/LANG.yaml`."""
    path = Path(text_path)
    if path.suffix == ".yaml" and path.parent.parent.name == "translations":
        return path.parent.parent.with_name("reviews") / path.parent.name / f"{path.stem}{ENDING}"
    return path.with_name(f"{path.name}{ENDING}")


# --- reading ----------------------------------------------------------------------------------------------------------


def read(source: Source) -> tuple[Review | None, list[Finding]]:
    """The review in a source, or None with findings if it is not valid. Never raises for bad input."""
    root, found = document(source, "review")
    if not isinstance(root, MapNode) or not Report.of(found).ok:
        return None, found
    data = plain(root)
    passages = tuple(_passage(one) for one in data["passages"])
    review = Review(data["game"], data["lang"], data.get("text", ""), passages, data["unstated"], source)
    return review, found


def _passage(data: Mapping[str, Any]) -> Passage:
    readings = tuple(
        Reading(one["by"], one["date"], one.get("task"), tuple(map(_remark, one.get("remarks", ()))))
        for one in data["read"]
    )
    return Passage(data["words"], data["begins"], data["rules"], readings, data.get("rule", ""))


def _remark(data: Mapping[str, Any]) -> Remark:
    declined = Declined(**data["declined"]) if "declined" in data else None
    return Remark(data["words"], data["rule"], data["kind"], data["why"], declined)


# --- writing ----------------------------------------------------------------------------------------------------------


def write(review: Review) -> str:
    """The review as YAML. The same review always gives the same text, and passages that did not change stay the same
    lines, so that versions can be compared and merged. What is read from it is the same review."""
    return "".join(f"{line}\n" for line in _lines(review))


def _lines(review: Review) -> Iterator[str]:
    yield FORMATS["review"].first_line
    yield f"game: {_scalar(review.game)}"
    yield f"lang: {_scalar(review.lang)}"
    if review.text:
        yield f"text: {_scalar(review.text)}"
    yield "passages:" if review.passages else "passages: []"
    for passage in review.passages:
        yield f"- words: {_scalar(passage.words)}"
        if passage.rule:
            yield f"  rule: {_scalar(passage.rule)}"
        yield f"  begins: {_scalar(passage.begins)}"
        yield f"  rules: {_flow(passage.rules)}"
        yield "  read:" if passage.read else "  read: []"
        for reading in passage.read:
            yield f"  - by: {_scalar(reading.by)}"
            yield f"    date: {_scalar(reading.date)}"
            if reading.task is not None:
                yield f"    task: {reading.task}"
            if reading.remarks:
                yield "    remarks:"
            for remark in reading.remarks:
                yield from _of_remark(remark)
    # The last key is always there: a file that was cut off at the end of a line lacks it.
    yield f"unstated: {_flow(review.unstated)}"


def _of_remark(remark: Remark) -> Iterator[str]:
    yield f"    - words: {_scalar(remark.words)}"
    yield f"      rule: {_scalar(remark.rule)}"
    yield f"      kind: {remark.kind}"
    yield f"      why: {_scalar(remark.why)}"
    if remark.declined is not None:
        declined = {"by": remark.declined.by, "date": remark.declined.date, "why": remark.declined.why}
        yield f"      declined: {_flow(declined)}"


def _flow(entries: Mapping[str, str]) -> str:
    pairs = (f"{_scalar(key)}: {_scalar(value)}" for key, value in entries.items())
    return f"{{{', '.join(pairs)}}}"


_PLAIN = re.compile(r"[^\W_](?:[\w.()'’-]|(?<=\S) (?=\w))*")
"""Texts that need no quotes anywhere in YAML, unless they look like a number, a date or a constant."""


def _scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) and is_text(text) else quoted(text)
