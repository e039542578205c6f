"""Scenarios: test cases of a game in YAML, run against its spec.

outcomes = scenario.run_all(["specs/scenarios"])
silent = scenario.coverage(spec, {rule for outcome in outcomes for rule in outcome.fired})
"""
