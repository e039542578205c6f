"""What changes touch, in the words of a language: sections for all formats, and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulespec.base.diagnostics import Finding
from rulespec.base.pages.sheet import Entry, Line, Section, plain
from rulespec.versions.changes.change import Change
from rulespec.versions.changes.touched import Stuck, Touched, TouchedCase
from rulespec.versions.changes.words import Words


def sections(found: Touched, words: Words) -> Iterator[Section]:
    """What changes touch, under a heading for each sort."""
    say = words.phrases.phrases
    yield Section(say["touched"] if found else say["nothing"])
    if found.spec:
        severe = not words.phrases.findings
        broken = (_entry(one, "", (str(one.severity),) if severe else (), words) for one in found.spec)
        yield Section(say["spec"], tuple(broken), 2)
    for lang in dict.fromkeys(one.lang for one in found.texts):
        some = (one for one in found.texts if one.lang == lang)
        entries = (_entry(one.finding, one.sentence, tuple(_because(one.changes, words)), words) for one in some)
        yield Section(words.phrases.say("texts", lang=lang), tuple(entries), 2)
    if found.cases:
        yield Section(say["scenarios"], tuple(_case(one, words) for one in found.cases), 2)
    if found.logs:
        yield Section(say["logs"], tuple(_log(one, words) for one in found.logs), 2)
    if found.rulings:
        named = (Entry(ruling, (), tuple(_because(by, words))) for ruling, by in found.rulings)
        yield Section(say["rulings"], tuple(named), 2)


def _entry(one: Finding, sentence: str, notes: tuple[str, ...], words: Words) -> Entry:
    """A finding: its message, or a heading in another language with the message as a quotation."""
    heading, lines = words.phrases.heading(one.name), (plain(sentence),) if sentence else ()
    if not heading:
        return Entry(one.message, lines, (one.place, *notes))
    return Entry(heading, (*lines, _quoted(one, words)), (one.place, *notes))


def _case(one: TouchedCase, words: Words) -> Entry:
    message = _quoted(one.finding, words) if words.phrases.findings else plain(one.finding.message)
    return Entry(one.case.id, (message,), (one.finding.place, *_because(one.changes, words)))


def _quoted(one: Finding, words: Words) -> Line:
    """The message of a finding in the language of the words, with its code, which leads to its page."""
    return plain(f"{one.code}: {one.in_language(words.phrases.lang).message}")


def _because(changes: Iterable[Change], words: Words) -> Iterator[str]:
    """The changes that something follows from, by their titles."""
    titles = list(dict.fromkeys(words.title(one) for one in changes))
    if titles:
        yield words.phrases.say("because", changes=", ".join(titles))


def _log(one: Stuck, words: Words) -> Entry:
    reason = (plain(one.reason),) if one.reason else ()
    return Entry(f"{one.path}:{one.line}", (plain(_stop(one, words)), *reason))


def _stop(one: Stuck, words: Words) -> str:
    """Where a log stops, with the words of the move."""
    phrases = words.phrases
    if not one.number:
        return phrases.say("log_start")
    rule = words.old.say.names.title(one.rule)
    return phrases.say("log_lost" if one.lost else "log_differs", says=one.says, player=one.player, rule=rule)


def to_dict(found: Touched) -> dict[str, Any]:
    """What changes touch as JSON data; changes by their fingerprints."""
    return {
        "spec": [one.to_dict() for one in found.spec],
        "texts": [
            {"lang": one.lang, "sentence": one.sentence, "finding": one.finding.to_dict(), **_by(one.changes)}
            for one in found.texts
        ],
        "scenarios": [
            {"case": one.case.id, "title": one.case.title, "finding": one.finding.to_dict(), **_by(one.changes)}
            for one in found.cases
        ],
        "logs": [_log_data(one) for one in found.logs],
        "rulings": [{"ruling": ruling, **_by(changes)} for ruling, changes in found.rulings],
    }


def _by(changes: Iterable[Change]) -> dict[str, list[str]]:
    return {"changes": [one.fingerprint for one in changes]}


def _log_data(one: Stuck) -> dict[str, Any]:
    choice = {"number": one.number, "says": one.says, "player": one.player, "rule": one.rule, "lost": one.lost}
    return {"path": one.path, "line": one.line, "choice": choice if one.number else None, "reason": one.reason}
