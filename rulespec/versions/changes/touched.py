"""What changes of a spec touch: findings in the spec itself, sentences, scenarios, logs and rulings."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from rulespec.base import project
from rulespec.base.diagnostics import Finding, Report
from rulespec.base.source import Source
from rulespec.engine.states.log import LogError, replay_on, rulings_of
from rulespec.games.api import Spec, model_of
from rulespec.games.rulebook import single_findings, texts_at
from rulespec.games.saved_heads import first_value
from rulespec.games.scenario.runner import CaseResult
from rulespec.games.scenario.runner import files as files_scenario
from rulespec.games.scenario.runner import run as run_scenario
from rulespec.proofs.meaning.canonical import Parts
from rulespec.proofs.meaning.digest import parts_of
from rulespec.text.languages.registry import find
from rulespec.text.reading.clauses import passages
from rulespec.text.reading.translation import Translation, read
from rulespec.versions.changes.change import Change
from rulespec.versions.changes.compare import Changes
from rulespec.versions.changes.text_diff import Asked


@dataclass(frozen=True)
class TouchedText:
    """A finding about a text on the new version, the sentence around it, and the changes of its rule.

    The sentence is empty if the finding concerns a whole text.
    """

    lang: str
    finding: Finding
    sentence: str
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class TouchedCase:
    """A case of a scenario that fails on the new version, with its file and its first error."""

    path: str
    case: CaseResult
    finding: Finding
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Touched:
    """What changes touch. `spec` are findings in the new version of the spec.

    `rulings` are the rulings that a rule or name that changed depends on, each with these changes. `strange` are the
    paths of logs that do not replay on the old version, so that nothing about them follows from the changes.
    """

    spec: tuple[Finding, ...]
    texts: tuple[TouchedText, ...]
    cases: tuple[TouchedCase, ...]
    logs: tuple[Stuck, ...]
    rulings: tuple[tuple[str, tuple[Change, ...]], ...]
    strange: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.spec or self.texts or self.cases or self.logs or self.rulings)


def touched(changes: Changes, home: str, logs: Iterable[Source] = (), shown: Callable[[str], str] = str) -> Touched:
    """What follows from changes for the texts, scenarios and logs of a game, whose spec in its project is at `home`.

    Counted is what the new version has and the old one did not have. A version that cannot be built has only findings.
    `shown` gives the paths of findings as they are shown.
    """
    # A version as if it stood in the project, beside its texts and scenarios.
    (old, before), (new, after) = (model_of(Source(home, spec.source.text)) for spec in (changes.old, changes.new))
    broken = tuple(_new_findings(before, after, changes.new.source.path))
    if old is None or new is None:
        return Touched(broken, (), (), (), ())
    was, now = Spec(old, before), Spec(new, after)
    texts, asked, logs = texts_at(home, new.id).values(), Asked(changes), list(logs)
    known = [log for log in logs if replays(log, was)]
    return Touched(
        broken,
        tuple(one for text in texts for one in _texts(_as_shown(text, shown), was, now, asked)),
        tuple(_cases(was, now, asked, shown)),
        tuple(found for log in known if (found := stuck(log, now)) is not None),
        tuple(_rulings(changes)),
        tuple(log.path for log in logs if log not in known),
    )


def _new_findings(before: Report, after: Report, path: str) -> Iterator[Finding]:
    known = {(one.code, one.message) for one in before.findings}
    return (replace(one, path=path) for one in after.findings if (one.code, one.message) not in known)


# --- texts -----------------------------------------------------------------------------------------------------------


def _texts(text: Translation, was: Spec, now: Spec, asked: Asked) -> Iterator[TouchedText]:
    """The findings of a text on the new version that it does not have on the old one."""
    found = single_findings(text, now.model, now.report).findings
    known = _known(text, was, {one.rule for one in found}) if found else frozenset()
    for one in found:
        if _key(one) not in known:
            yield TouchedText(text.lang, one, _sentence(one, text), asked.by(one.rule) or asked.loose)


def _known(text: Translation, was: Spec, rules: Collection[str]) -> frozenset[tuple[object, ...]]:
    """The findings of the old version about the texts of some rules: a whole text takes ten times as long."""
    some = replace(
        text,
        rules={id_: passage for id_, passage in text.rules.items() if id_ in rules},
        rulings={id_: passage for id_, passage in text.rulings.items() if id_ in rules},
    )
    return frozenset(map(_key, single_findings(some, was.model, was.report).findings))


def _as_shown(text: Translation, shown: Callable[[str], str]) -> Translation:
    """The same text with its path as it is shown."""
    source = text.source
    found, _ = read(Source(shown(source.path), source.text))
    assert found is not None
    return found


def _key(one: Finding) -> tuple[object, ...]:
    return one.code, one.start, one.message


def _sentence(one: Finding, text: Translation) -> str:
    """The sentence of a text with the start of a finding."""
    passage = text.passages.get(one.rule)
    if passage is None:
        return ""
    at = text.source.line_start(one.start.line) + one.start.column - 1
    said = passage.text.text
    for span in passages(said, find(text.lang), 0, len(said)):
        place = passage.text.value_span(span.start, span.end)
        if place.start <= at < place.end:
            return said[span.start : span.end]
    return ""


# --- scenarios and rulings -------------------------------------------------------------------------------------------


def _cases(was: Spec, now: Spec, asked: Asked, shown: Callable[[str], str]) -> Iterator[TouchedCase]:
    """The cases that fail on the new version and pass on the old one."""
    for file in files_scenario([project.of(now.model.source.path).scenarios_of(now.id)]):
        path = shown(str(file))
        outcome = run_scenario(path, now)
        failing = [case for case in outcome.cases if not case.passed]
        known = frozenset(case.id for case in run_scenario(path, was).cases if case.passed) if failing else frozenset()
        for case in failing:
            if case.id in known:
                first = next(one for one in case.findings if one.severity == "error")
                # The changes of the rules that fire in a case; without any, those of cards and components.
                own = tuple(one for one in asked.changes.every if case.fired.intersection(one.rules))
                yield TouchedCase(path, case, first, own or asked.loose)


def _rulings(changes: Changes) -> Iterator[tuple[str, tuple[Change, ...]]]:
    """The rulings that what changed depends on, and those that changed themselves."""
    old, new = parts_of(changes.old), parts_of(changes.new)
    for ruling in dict.fromkeys((*changes.old.rulings, *changes.new.rulings)):
        found = tuple(one for one in changes.every if one.name == ruling or _depends(one, ruling, (old, new)))
        if found:
            yield ruling, found


def _depends(change: Change, ruling: str, versions: tuple[Parts, Parts]) -> bool:
    """Whether the part of a spec that changed names a ruling, in either version."""
    found = (part for of in versions for (_, name), part in of.of.items() if name == change.name)
    return any(("ruling", ruling) in part.uses for part in found)


@dataclass(frozen=True)
class Stuck:
    """A log that replays on the old version and not on the new one.

    `line` is the first line that differs. `says`, `player` and `rule` are those of the last choice up to there, and
    `number` counts it among the choices; 0 if there is none. `lost` says whether the choice itself is no longer there;
    otherwise something else comes of it. `reason` is why the game cannot be set up at all, "" if it can.
    """

    path: str
    line: int
    number: int = 0
    says: str = ""
    player: int = 0
    rule: str = ""
    lost: bool = False
    reason: str = ""


def replays(log: Source, spec: Spec) -> bool:
    """Whether a log is of this version: all of it replays."""
    head = first_value(log.text)
    return head.get("game") == spec.id and _first_difference(log, head, spec) is None


def stuck(log: Source, now: Spec) -> Stuck | None:
    """Where a log of the old version stops on the new one; None if it does not."""
    found = _first_difference(log, first_value(log.text), now)
    if found is None:
        return None
    line, reason = found
    return Stuck(log.path, line, reason=reason) if reason else _at(log, line)


def _first_difference(log: Source, head: dict[str, Any], spec: Spec) -> tuple[int, str] | None:
    """The first line of a log that differs on a version, or why the game cannot be set up; None if all agree."""
    try:
        game = spec.game(head.get("players"), rulings_of(spec.model, head), "interpreter")
        replay_on(game, log.text)
    except LogError as error:
        return error.line, ""
    except (TypeError, ValueError) as error:
        return 1, str(error)
    return None


def _at(log: Source, line: int) -> Stuck:
    choices = [(at, one) for at, one in enumerate(_events(log.text), 1) if at <= line and one.get("event") == "choice"]
    if not choices:
        return Stuck(log.path, line)
    at, one = choices[-1]
    says, rule = (str(one.get(key, "")) for key in ("says", "rule"))
    player = one.get("player")
    return Stuck(log.path, line, len(choices), says, player if isinstance(player, int) else 0, rule, at == line)


def _events(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = {}
        yield value if isinstance(value, dict) else {}
