"""Runs the program of `--reviewer`, which answers a question about a raw text: JSON in, JSON out."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import click

from ftk_cli import failure
from ftk_cli.language import language


def ask(command: str, question: dict[str, Any]) -> Any:
    """The answer of a shell command to a question, which it reads from standard input.

    What the command writes to standard error is shown. Raises Failure if it fails or answers with something else than
    JSON; words around the outermost braces are left aside.
    """
    asked = json.dumps(question | {"answer_in": language()}, ensure_ascii=False).encode()
    if sys.stderr.isatty() and not failure.is_quiet():
        click.echo("Asking the reviewer …", err=True)
    done = subprocess.run(command, shell=True, input=asked, stdout=subprocess.PIPE)  # the user's own command line
    if done.returncode:
        hint = "It must read a question from standard input, write its answer to standard output, and exit with 0."
        raise failure.Failure(f"The reviewer `{command}` ended with status {done.returncode}.", hint)
    written = done.stdout.decode("utf-8", "replace")
    start, end = written.find("{"), written.rfind("}") + 1
    try:
        return json.loads(written[start:end])
    except (ValueError, RecursionError):
        found = " ".join(written.split())[:80] or "nothing"
        hint = 'It must be JSON such as {"remarks": []}. docs/text.md#a-reviewer explains it.'
        raise failure.Failure(f"The answer of the reviewer `{command}` is no JSON: {found}", hint) from None
