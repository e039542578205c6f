# Every target works on a fresh machine: it installs first what it needs into .venv.
PYTHON ?= python3
BIN := .venv/bin
FTK := $(BIN)/ftk

.PHONY: demo quick test soak tools lint catalogs schema site pictures package addresses clean

# One game: a changed number and the texts that it makes wrong, the rulebook, the end of a game, a balance table. About
# 60 lines and 20 s of processor time; the full output of every command goes to build/demo.log.
demo: .venv/installed
	scripts/demo.sh

# Tests start Python hundreds of times. It compiles ftk once, also where the environment forbids bytecode beside sources.
quick test soak: export PYTHONDONTWRITEBYTECODE :=
quick test soak: export PYTHONPYCACHEPREFIX := $(CURDIR)/build/bytecode

# Three tiers of tests, each with lint; each test says itself to which it belongs (CONTRIBUTING.md).
# Before a commit: the fast tests.
quick: lint
	$(BIN)/pytest -n 2 -q -m "not slow and not soak"

# Before a push, and in CI: every behaviour, with a sample of the cases where each one takes long.
test: lint
	$(BIN)/pytest -n 2 -q -m "not soak"
	$(FTK) check

# Every night, and before a release: everything.
soak: tools lint
	$(BIN)/pytest -n 2 -q
	$(FTK) check

# What `soak` tests with and `test` does not ask for: WebAssembly, PDF, the site, Node packages (670 MB) and a browser.
# What cannot be installed is left out: the tests that need it skip themselves and name it.
tools: .venv/tests
	-$(BIN)/pip install -q -c constraints.txt -e '.[pdf,site,wasm]' pypdf wasmtime
	-npm install --silent --no-audit --no-fund --prefix .venv \
		yaml-language-server@1.25.0 playwright-core@1.65.1 axe-core@4.14.1 pyodide@314.0.7
	-command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
		timeout 300 sh -c 'apt-get update -qq && apt-get install -y -qq chromium fonts-noto-cjk' >/dev/null

# The catalogs of messages get the templates that are new in the code, and lose those that are gone; a test fails
# where they differ. Translators fill them in with any editor of PO files.
catalogs: .venv/installed
	$(BIN)/python -m rulespec.base.findings.extract rulespec/base/findings/locale

# What the steps of the language say of their keys, written into the published schema of specs.
schema: .venv/installed
	$(BIN)/python -m rulespec.language.model.steps.schema

# The documentation as a site in build/site, links checked. Packages for it: 60 MB, once.
site: .venv/installed
	$(BIN)/pip install -q -c constraints.txt -e '.[site]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q

# The sdist and the wheel in dist/, checked and tried with every Python at hand. A release is a tag: CONTRIBUTING.md.
package: .venv/installed
	$(BIN)/pip install -q -c constraints.txt build twine
	$(BIN)/python scripts/release.py

# The addresses of the site and of the repository, which are placeholders, in all files that have them:
# make addresses SITE=https://… REPOSITORY=https://…
addresses: .venv/installed
	$(BIN)/python scripts/addresses.py $(SITE) $(REPOSITORY)

# The pictures of the documentation, which are committed. Needs Chromium.
pictures: .venv/installed
	$(BIN)/pip install -q -c constraints.txt -e '.[site]'
	$(BIN)/python scripts/pictures.py

lint: .venv/tests
	$(BIN)/ruff check .
	$(BIN)/mypy

# What a user has: 120 MB.
.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q -c constraints.txt -e .
	touch $@

# What tests and linters need as well: 870 MB.
.venv/tests: .venv/installed
	$(BIN)/pip install -q -c constraints.txt -e '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
