"""Worked examples in rule texts. A case of the scenarios of the game proves each: it is played before it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from rulespec.base import project
from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import say
from rulespec.base.source import Source, read
from rulespec.games.api import Spec
from rulespec.games.scenario.cases import Case
from rulespec.games.scenario.runner import CaseResult
from rulespec.games.scenario.runner import files as files_scenario
from rulespec.games.scenario.runner import ids as ids_scenario
from rulespec.games.scenario.runner import results as results_scenario
from rulespec.games.scenario.start import case_in
from rulespec.language.model.constants import Setting
from rulespec.language.model.names import suggest
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.quantity.reader import read as read_quantities
from rulespec.text.reading.translation import Example, Passage, Translation


def check(translation: Translation, spec: Spec) -> Iterator[Finding]:
    """Examples that no case proves (RS907), and numbers in them that their case does not have (RS908)."""
    results = _results(translation, spec)
    for passage, example in _examples(translation):
        result = results.get(example.case.text)
        if result is None or not result.passed:
            case = example.case.text
            if result is not None:
                message, hint = (
                    say("The case `{case}` fails, so it does not prove this example.", case=case),
                    say("Run `ftk test {spec}`.", spec=_folder(spec)),
                )
            else:
                every = ids_scenario([_folder(spec)])
                message = say("The scenarios of {model} have no case `{case}`.", model=spec.model.title, case=case)
                hint = suggest(case, every) or say("Add the case, or name another one.")
            yield finding(
                "example-unproved", message, passage.source, example.case.span, hint, passage.id, translation.lang
            )
        else:
            yield from _numbers(translation, passage, example, result)


def proved(translation: Translation, spec: Spec, setting: Setting) -> Mapping[str, tuple[Example, ...]]:
    """The examples, by rule, whose cases pass and are for this number of players and these rulings."""
    results, found = _results(translation, spec), dict[str, tuple[Example, ...]]()
    for passage, example in _examples(translation):
        result = results.get(example.case.text)
        if result is not None and result.passed and _is_for(result, setting):
            found[passage.id] = (*found.get(passage.id, ()), example)
    return found


def named(translation: Translation, spec: Spec, setting: Setting) -> Iterator[tuple[str, Example]]:
    """The same examples, each with its name in a rulebook: the id of its rule, and its number there from 0."""
    for rule, examples in proved(translation, spec, setting).items():
        yield from ((f"{rule}-{number}", example) for number, example in enumerate(examples))


def case_of(example: Example, spec: Spec) -> Case:
    """The case of a proved example. Raises NoStart if there is none any more."""
    return case_in(_sources(spec), example.case.text, spec)


def _examples(translation: Translation) -> Iterator[tuple[Passage, Example]]:
    return ((passage, example) for passage in translation.rules.values() for example in passage.examples)


def _results(translation: Translation, spec: Spec) -> Mapping[str, CaseResult]:
    """The results of the cases of all examples, by id."""
    wanted = frozenset(example.case.text for _, example in _examples(translation))
    if not wanted:
        return {}
    return _played(spec, wanted, tuple(_sources(spec)))


def _sources(spec: Spec) -> Iterator[Source]:
    """The files of the scenarios of a game that can be read."""
    found = (read(path)[0] for path in files_scenario([_folder(spec)]))
    return (source for source in found if source is not None)


@lru_cache(maxsize=8)
def _played(spec: Spec, ids: frozenset[str], sources: tuple[Source, ...]) -> Mapping[str, CaseResult]:
    """The results of cases, which are played once for the texts in all languages."""
    return results_scenario(sources, ids, spec)


def _folder(spec: Spec) -> str:
    return str(project.of(spec.model.source.path).scenarios_of(spec.id))


def _is_for(result: CaseResult, setting: Setting) -> bool:
    rulings = setting.spec.rulings
    options = {id_: rulings[id_].options[chosen] for id_, chosen in setting.chosen.items()}
    defaults = {id_: ruling.options[0] for id_, ruling in rulings.items()}
    return result.players == setting.players and defaults | dict(result.rulings) == options


def _numbers(translation: Translation, passage: Passage, example: Example, result: CaseResult) -> Iterator[Finding]:
    prose = example.prose(translation.lang, passage.id)
    known = result.numbers | {result.players}
    for quantity in read_quantities(prose.text, translation.lang):
        if quantity.kind in _COUNTED and not _values(quantity) <= known:
            said = prose.text[quantity.start : quantity.end]
            message = say("The case `{result}` has no number “{said}”.", result=result.id, said=said)
            hint = say("Correct the example, or the case. A result that the example gives is expected in the case.")
            yield prose.say("example-number", message, quantity.start, quantity.end, hint)


_COUNTED = frozenset({Kind.CARDINAL, Kind.SIGNED, Kind.RANGE})


def _values(quantity: Quantity) -> set[int]:
    """The numbers of a quantity that a case must have. A number word for one is usually an article."""
    ends = {quantity.value, quantity.high if quantity.high is not None else quantity.value}
    # Without a sign, as the numbers of a case are read.
    return {abs(int(end)) for end in ends} - {1}
