# `make demo` and `make test` work on a fresh machine: both set up .venv first.
PYTHON ?= python3
BIN := .venv/bin
FTK := $(BIN)/ftk

.PHONY: demo test lint findings clean

# The main job from end to end: the rules are checked, the cards sorted, the scenarios run, many games counted, and the
# three games played.
demo: .venv/installed
	$(FTK) check
	$(FTK) text status
	$(FTK) text diff uk zh en --rule esteem.bid --rule end.winner
	$(FTK) cards fortheking --players 4 | head -n 12
	$(FTK) test -q
	$(FTK) simulate fortheking --players 4 --games 100000 --ruling overbid=forbidden -q
	$(FTK) balance kingme --players 4 --games 500 --no-rulings -q | head -n 24
	$(FTK) play kingme --players 4 --people none --seed 1 | tail -n 12
	$(FTK) play keyflower_king --people none --seed 1 -q | tail -n 12
	$(FTK) play fortheking --players 4 --people none --seed 44 --ruling overbid=forbidden

test: lint
	$(BIN)/pytest -n 2 -q
	$(FTK) check

# docs/findings/ is made from rulespec/findings/; a test fails where it is out of date.
findings: .venv/installed
	$(BIN)/python -m rulespec.findings.docs docs/findings

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/mypy

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q -c constraints.txt -e '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
