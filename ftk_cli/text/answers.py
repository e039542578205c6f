"""Finds the answer of a reviewer in what its program wrote: prose, code fences and the question may stand around it.

An object that stands in the question itself is never the answer, so that a rulebook that contains one, and a program
that repeats what it reads, change nothing.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rulespec.base.messages import say

TRIES = 20_000
"""The most broken objects in what a program wrote. What follows them is not searched: it would take minutes."""

ABOUT = ("by", "cost")
"""Keys of an answer that are about the reviewer: its name, and what the answer cost."""

# Possessive, since going back could take a long time for a long text without a colon.
_BEGIN = re.compile(r'\{[ \t\r\n]*+"(?:[^"\\]++|\\.)*+"[ \t\r\n]*+:')
"""A brace, and a key with its colon."""

_THOUGHTS = re.compile(r"\s*<think>.*?</think>", re.DOTALL)


@dataclass(frozen=True)
class Found:
    """What was found: the answer, or None and the template of a sentence that says why; and the cost, 0 if none is
    named."""

    answer: dict[str, Any] | None
    reason: str = ""
    cost: float = 0.0


def found_in(written: str, question: dict[str, Any]) -> Found:
    """The answer to a question in what a program wrote.

    Several objects are one answer, whose passages and remarks count once. To a question with `passages` it has a list
    `read` with at least one of these passages, or a list `remarks` in the form of earlier versions.
    """
    # Some language models write their thoughts first, with drafts of the answer.
    every = list(_objects(_THOUGHTS.sub("", written, count=1) if _THOUGHTS.match(written) else written, TRIES))
    if not every:
        return Found(None, say("The answer of the reviewer `{command}` is no JSON: {begins}"))
    known = {_key(value) for value in _planted(question)}
    own = [one for one in every if _key(one.value) not in known and not _is_question(one.value)]
    costs = [one.value["cost"] for one in own if _is_amount(one.value.get("cost"))]
    cost = math.fsum(costs)
    if not own:
        return Found(None, say("The answer of the reviewer `{command}` stands in the question itself: {begins}"))
    answer = _merged(own) | ({"cost": cost} if costs else {})
    if "passages" not in question:
        return Found(answer if "remarks" in answer or "read" in answer else own[-1].value, cost=cost)
    asked = {one["passage"] for one in question["passages"]}
    if "remarks" in answer or any(_passage(one) in asked for one in answer.get("read", ())):
        return Found(answer, cost=cost)
    return Found(
        None,
        say("The answer of the reviewer `{command}` has no list `read` with passages of the question: {begins}"),
        cost,
    )


@dataclass(frozen=True)
class _Object:
    value: dict[str, Any]
    is_whole: bool
    """Whether no broken object begins before it, of which it may be a part."""


def _objects(text: str, tries: int | None = None) -> Iterator[_Object]:
    """The outermost JSON objects in a text; the inner ones of an object that is cut off or broken."""
    begin, failed = _BEGIN.search(text), 0
    while begin is not None and (tries is None or failed < tries):
        end = begin.start() + 1
        try:
            value, after = _DECODER.raw_decode(text, begin.start())
            _key(value)  # fails where it is nested too deeply
            yield _Object(value, not failed)
            end = after
        except (ValueError, RecursionError):
            failed += 1
        begin = _BEGIN.search(text, end)


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refused)


def _key(value: dict[str, Any]) -> str:
    """An object as text, the same for equal ones. What is about the reviewer is left aside, unless nothing else is."""
    own = {key: one for key, one in value.items() if key not in ABOUT}
    return json.dumps(own or value, sort_keys=True)


def _planted(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The objects that the question consists of, and those that stand in one of its texts, with the objects inside."""
    yield from (one for one in _inside(question) if isinstance(one, dict))
    texts = [one for one in _inside(question) if isinstance(one, str)]
    passages = [one.get("text") for one in (*question.get("passages", ()), *question.get("lines", ()))]
    # An object may begin in one passage and end in the next.
    texts.append("\n".join(one for one in passages if isinstance(one, str)))
    for text in texts:
        # A program may drop invisible characters when it repeats a text.
        for version in {text, "".join(one for one in text if unicodedata.category(one) != "Cf")}:
            for one in _objects(version):
                yield from (value for value in _inside(one.value) if isinstance(value, dict))


def _inside(value: Any) -> Iterator[Any]:
    """A value of JSON and all values in it."""
    # Without recursion: JSON may be nested more deeply than Python functions may call themselves.
    left = [value]
    while left:
        one = left.pop()
        yield one
        left += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()


def _is_question(value: dict[str, Any]) -> bool:
    return "passages" in value or "lines" in value


def _is_amount(value: Any) -> bool:
    # True is an int for Python.
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


def _merged(found: Iterable[_Object]) -> dict[str, Any]:
    """One answer of several objects: answers, entries of `read` without the object around them, and facts about the
    reviewer. What is none of these is left aside."""
    entries: list[Any] = []
    remarks: list[Any] | None = None
    answer: dict[str, Any] = {}
    for one in found:
        value = one.value
        if isinstance(value.get("read"), list):
            entries += value["read"]
        elif "passage" in value:
            entries.append(value)
        if isinstance(value.get("remarks"), list) and "passage" not in value and one.is_whole:
            remarks = [*(remarks or ()), *value["remarks"]]
        answer |= {"by": value["by"]} if "by" in value else {}
    answer |= {"read": list(_passages(entries))} if entries else {}
    return answer | ({"remarks": _once(remarks)} if remarks is not None else {})


def _passages(entries: Iterable[Any]) -> Iterator[Any]:
    """The entries of `read`, those of the same passage as one. An entry that is none is left as it is."""
    merged: dict[int, dict[str, Any]] = {}
    for one in entries:
        passage = _passage(one)
        if passage is None:
            yield one
            continue
        kept = merged.setdefault(passage, {"passage": passage, "remarks": []})
        kept["remarks"] = _once([*kept["remarks"], *one["remarks"]])
        if isinstance(one.get("rules"), list):
            kept["rules"] = _once([*kept.get("rules", ()), *one["rules"]])
    yield from merged.values()


def _passage(entry: Any) -> int | None:
    """The number of the passage that an entry of `read` is about, None if it has no number or no list of remarks."""
    if not isinstance(entry, dict) or not isinstance(entry.get("remarks"), list):
        return None
    number = entry.get("passage")
    if isinstance(number, str) and re.fullmatch(r"[0-9]{1,9}", number):
        return int(number)
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _once(values: Iterable[Any]) -> list[Any]:
    return list({json.dumps(value, sort_keys=True): value for value in values}.values())
