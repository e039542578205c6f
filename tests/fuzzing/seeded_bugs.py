"""Bugs put into the code on purpose, to measure what the fuzzer finds."""

from __future__ import annotations
import __future__

import inspect
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from fuzzing.run import failing, mutant


@dataclass(frozen=True)
class Bug:
    """A change of one function that makes one reader raise, or never end, for some input."""

    name: str
    reader: str
    function: str  # module:qualified name
    old: str
    new: str


BUGS = (
    Bug(
        "an unknown number of a rule is looked up",
        "spec",
        "rulespec.language.model.states:_Facts.its",
        "if key not in ITS:",
        "if False:",
    ),
    Bug(
        "a term that the glossary lacks is looked up",
        "book",
        "rulespec.text.checks.terms:unspoken",
        " if concept in book.glossary.concepts]",
        "]",
    ),
    Bug(
        "nesting is not limited",
        "spec",
        "rulespec.language.document:_Builder._count",
        "len(self._stack) >= MAX_DEPTH",
        "False",
    ),
    Bug(
        "a key may be a list",
        "deck",
        "rulespec.language.document:_Builder._entries",
        "not isinstance(key, Scalar) or not _is_name(key)",
        "False",
    ),
    Bug(
        "a whole number may be of any size",
        "spec",
        "rulespec.language.document:_Builder._scalar",
        "bounded(value)",
        "value",
    ),
    Bug(
        "a value that the game does not have is taken",
        "scenario",
        "rulespec.games.scenario.vocabulary:Vocabulary.number",
        "if found is None:",
        "if False:",
    ),
    Bug(
        "a text may be missing",
        "translation",
        "rulespec.text.reading.translation:_text",
        'node.text if isinstance(node, Scalar) else ""',
        "node.text",
    ),
    Bug(
        "a status of a term is not checked",
        "csv",
        "rulespec.text.glossary.entries:_Gathered._term",
        "status not in list(Status)",
        "False",
    ),
    Bug(
        "a line of a log may hold any JSON",
        "log",
        "rulespec.engine.states.log:_object",
        "value if isinstance(value, dict) else None",
        "value",
    ),
    Bug(
        "a choice may have any length",
        "state",
        "rulespec.engine.states.game:_choices",
        "len(c) == 2",
        "c",
    ),
    Bug(
        "an entry of a PO file may lack a context",
        "po",
        "rulespec.text.output.exchange.po:_returned",
        'str(entry.msgctxt or "")',
        "entry.msgctxt.strip()",
    ),
    Bug(
        "a unit of XLIFF may lack a translation",
        "xliff",
        "rulespec.text.output.exchange.xliff:_entries",
        'version.text(unit) or ""',
        "version.text(unit).strip()",
    ),
    Bug(
        "a run record may name any game",
        "run",
        "rulespec.play.simulate.folder:_well_formed",
        "isinstance(run.game, dict)",
        "True",
    ),
    Bug(
        "a loop does not end",
        "raw",
        "rulespec.text.reading.ignores:ignores",
        "    for ",
        "    while '\\n\\n\\n' in source.text: pass\n    for ",
    ),
    Bug(
        "a baseline may hold any JSON",
        "baseline",
        "ftk_cli.baseline:_read",
        "(AttributeError, ValueError, KeyError, TypeError, RecursionError)",
        "ValueError",
    ),
)


def found_after(bug: Bug, number: int, seed: int = 0) -> int | None:
    """The number of the first mutant that fails with the bug; None if none of `number` does."""
    with seeded(bug):
        for at in range(number):
            if failing(bug.reader, mutant(bug.reader, at, seed).data, limit=5) is not None:
                return at
    return None


@contextmanager
def seeded(bug: Bug) -> Iterator[None]:
    """Puts the bug into the code of its function, so that all modules that imported the function run it."""
    module, _, name = bug.function.partition(":")
    function: Any = import_module(module)
    for part in name.split("."):
        function = getattr(function, part)
    source = textwrap.dedent(inspect.getsource(function))
    if bug.old not in source:
        raise ValueError(f"{bug.function} has changed: it has no `{bug.old}`")
    scope: dict[str, Any] = {}
    flags = __future__.annotations.compiler_flag
    code = compile(source.replace(bug.old, bug.new, 1), f"<{bug.name}>", "exec", flags)
    exec(code, function.__globals__, scope)
    before, function.__code__ = function.__code__, scope[function.__name__].__code__
    try:
        yield
    finally:
        function.__code__ = before
