"""Scenarios: test cases of a game in YAML, run against its spec.

outcomes = scenario.run_all(["specs/scenarios"])
silent = scenario.coverage(spec, {rule for outcome in outcomes for rule in outcome.fired})
"""

from rulespec.games.scenario.cases import Case
from rulespec.games.scenario.runner import (
    CaseResult,
    Outcome,
    coverage,
    files,
    ids,
    results,
    run,
    run_all,
    run_source,
    run_sources,
)
from rulespec.games.scenario.start import NoStart, Start, before_rule, case_in, from_case, from_there, variant_of

__all__ = [
    "Case",
    "CaseResult",
    "NoStart",
    "Outcome",
    "Start",
    "before_rule",
    "case_in",
    "coverage",
    "files",
    "from_case",
    "from_there",
    "ids",
    "results",
    "run",
    "run_all",
    "run_source",
    "run_sources",
    "variant_of",
]
