"""The page of limits: every number on it is that of the code, and every limit of the code is on it."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

import pytest

from ftk_cli import keyboard, options
from ftk_cli.play import session
from rulespec.base import source, store, worklist
from rulespec.base.findings import KINDS
from rulespec.base.spreadsheet import archive, sheet
from rulespec.engine.backend.forms import machine_playout, machine_vector
from rulespec.engine.knowledge import tensors
from rulespec.engine.search import belief, tree_search
from rulespec.engine.states import state as engine_state
from rulespec.engine.states import vector_code
from rulespec.games import api
from rulespec.language import document
from rulespec.language.expr import parser
from rulespec.language.model import (
    boards,
    build,
    enums,
    folds,
    manifest,
    measure,
    positions,
    procedures,
    stocks,
    types,
    values,
    zones,
)
from rulespec.language.model import tables as model_tables
from rulespec.language.model.infer import inference
from rulespec.language.model.steps import option, reading
from rulespec.language.schema.validate import text as schema
from rulespec.play.bots import limit
from rulespec.proofs.checks import assignments, claims, dataflow, size, state, tables
from rulespec.text.glossary import tbx
from rulespec.text.output.exchange import markup
from rulespec.text.output.sheets import bounded
from rulespec.versions.changes import proofs, settled

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")


def most_copies() -> int:
    found = json.loads(schema("rulespec-2"))["$defs"]["manifest_row"]["properties"]["copies"]
    return int(found["else"]["maximum"])


LIMITS = {
    "the size of a file": [source.MAX_BYTES // 2**20],
    "findings of one kind in a file that are shown": [worklist.MOST_SHOWN],
    "what a template of cards computes for a card": [bounded.LARGEST, bounded.LARGEST // bounded.STEP],
    "rows and columns of a spreadsheet": [sheet.MOST_ROWS, sheet.MOST_COLUMNS],
    "cells of a sheet, and characters in them": [sheet.MOST_CELLS, sheet.MOST_CHARACTERS],
    "the parts of a workbook, unpacked": [archive.MOST_UNPACKED // 2**20],
    "tags of a part of a workbook": [archive.MOST_TAGS],
    "values in a file": [document.MAX_NODES],
    "levels of lists and mappings": [document.MAX_DEPTH],
    "levels of elements in XLIFF and TBX files": [markup.MAX_DEPTH, tbx._MAX_DEPTH],
    "a number": [types.LIMIT],
    "the length of an expression": [parser.LONGEST],
    "levels of an expression": [parser.DEEPEST],
    "an expression with the definitions of its values: parts": [measure.LARGEST],
    "an expression with the definitions of its values: levels": [measure.DEEPEST],
    "an expression: steps to evaluate it, at worst": [measure.COSTLIEST],
    "elements of a domain in which `longest_run` looks": [folds.LONGEST_RUN],
    "the numbers of a range in a fold or loop": [inference.WIDEST],
    "players": [build.MOST_PLAYERS],
    "cards": [manifest.MOST_CARDS],
    "copies in a row of the manifest": [most_copies()],
    "cells of a value, over all indices": [values.MOST_CELLS],
    "numbers of all positions that a value remembers": [positions.MOST_NUMBERS],
    "tokens of a kind in a place at the start": [stocks.MOST_TOKENS],
    "zones of one declaration": [zones.MOST_ZONES],
    "entries of a table": [model_tables.MOST_ROWS],
    "squares of a grid": [boards.MOST_SQUARES],
    "rows of a board": [boards.MOST_ROWS],
    "squares, times directions, times distances": [boards.MOST_ENTRIES],
    "members of an enum with sets on cards": [types.MOST_MEMBERS],
    "steps, with procedures and secret choices written out": [reading.MOST_STEPS],
    "procedures that run each other, in levels": [procedures.DEEPEST],
    "elements of a picked set": [types.MOST_PICKED],
    "weight of an action": [reading.MOST_WEIGHT],
    "actions of one option": [option.MOST_ACTIONS],
    "rounds of a `repeat` by `at_most`": [dataflow.MOST_ROUNDS],
    "steps between two choices, at worst": [size.MOST_WORK],
    "steps that are tried for one option": [size.MOST_WORK],
    "random choices in the setup that a check makes": [api.MOST_CHOICES],
    "steps of the analysis that proves that the game ends": [dataflow.MOST_STEPS],
    "combinations tried for one decision table": [tables.MOST_COMBINATIONS],
    "combinations tried for all tables of a game": [tables.MOST_IN_ALL],
    "settings (players and rulings) tried for one question": [assignments.MOST_SETTINGS],
    "assignments tried for one claim": [claims.MOST_WAYS],
    "settings in which a claim is tried": [claims.MOST_SETTINGS],
    "combinations of options tried for `in_play`": [enums.MOST_COMBINATIONS],
    "facts that are known at one step": [state.MOST_FACTS],
    "ways to pick that are tried to show that a choice is possible": [state.MOST_TRIED],
    "combinations tried to show that two versions of an expression are the same": [proofs.MOST_COMBINATIONS],
    "combinations tried for two versions of a game": [proofs.MOST_IN_ALL],
    "assignments tried for a claim of two versions": [settled.MOST_WAYS],
    "`--seed`": [options.LARGEST_SEED],
    "`--games`": [options.MOST_GAMES],
    "zones, times 64 more than the smallest power of two above the number of cards and 16, with 4 for each cell of a "
    "value, in playouts in machine code": [machine_playout.MOST_PLACES],
    "`--bot NAME:N/TIME`: simulations, seconds": [limit.MOST_SIMULATIONS, limit.MOST_MILLISECONDS // 1000],
    "cards of one face, in a vector whose observations are bytes": [vector_code.MOST_COPIES],
    "games without a decision that a vector skips one after another": [machine_vector.MOST_EMPTY],
    "decisions of a simulation that are kept in the tree of a search": [tree_search.MOST_STEPS],
    "possible worlds that are tried until the same players decide in one": [engine_state.MOST_WORLDS],
    "ways of choosing unseen that are tried for one decision of a weighted world": [belief.MOST_WAYS],
    "contents of a value that each have a number in a tensor": [tensors.MOST_PLACES],
    "all kept entries together (code, findings, lemmas)": [store.MOST_BYTES // 2**20],
    "characters of an answer in `ftk play` and `ftk text review`": [keyboard.LONGEST_LINE],
    "answers without a meaning in a row, in `ftk play` and `ftk text review`": [session.MOST_WRONG],
}
"""What the page says of each thing, from the code."""

ROWS = {
    re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", what): (limit, found)
    for what, limit, found in re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| [^|]+ \|$", PAGE, re.MULTILINE)
    if what not in ("what", "---")
}

_LIMIT = re.compile(
    r"^(?:MOST|LARGEST|LONGEST|WIDEST|DEEPEST|COSTLIEST|LIMIT|MAX)(?:_[A-Z]+)*(?= = [\d(])", re.MULTILINE
)
NO_LIMITS_OF_USERS = {
    "rulespec/versions/changes/settled.py": "examples that are shown",
    "rulespec/engine/backend/tree/statements.py": "what is nested deeper is written as a function",
    "rulespec/engine/backend/runtime/search_names.py": "higher numbers are marks of absent values",
}


def test_the_page_has_the_limits_of_the_code() -> None:
    assert {what: numbers(limit) for what, (limit, _) in ROWS.items()} == LIMITS


def numbers(text: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)]


def test_every_finding_of_the_page_exists() -> None:
    named = [name for _, found in ROWS.values() for name in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", found)]
    assert named and set(named) <= set(KINDS)


@pytest.mark.parametrize(
    "folder", ["language/model", "proofs/checks", "language/expr", "language/document", "engine", "versions/changes"]
)
def test_every_limit_of_the_language_is_on_the_page(folder: str) -> None:
    known = {number for row in LIMITS.values() for number in row}
    for path in sorted((ROOT / "rulespec" / folder).rglob("*.py")):
        name = str(path.relative_to(ROOT))
        names = _LIMIT.findall(path.read_text(encoding="utf-8")) if name not in NO_LIMITS_OF_USERS else []
        module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
        missing = [constant for constant in names if getattr(module, constant) not in known]
        assert not missing, f"{name}: docs/limits.md and LIMITS lack {missing}"
