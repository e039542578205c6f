"""Programs that stand for a reviewer: a script for each test, and questions to ask it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

_HEAD = '''
import json, os, sys, time
asked = sys.stdin.buffer.read().decode()
question = json.loads(asked)
numbers = [one["passage"] for one in question["passages"]]
folder = os.path.dirname(os.path.abspath(__file__))

def right(**about):
    print(json.dumps({"read": [{"passage": one, "remarks": []} for one in numbers], **about}))

def count():
    """How often the question was asked, this time included."""
    with open(os.path.join(folder, f"{numbers[0]}.count"), "a+") as file:
        file.write("x")
        file.seek(0)
        return len(file.read())
'''


def program(folder: Path, body: str) -> str:
    """The command line of a script that has read the question, as `asked` and `question`."""
    path = folder / "reviewer_of_test.py"
    path.write_text(f"{_HEAD}\n{body}\n", encoding="utf-8")
    return f"{shlex.quote(sys.executable)} -S -E {shlex.quote(str(path))}"


def question(*texts: str, first: int = 1) -> dict[str, Any]:
    """A question about passages, numbered from `first`."""
    numbered = [{"passage": at, "line": at, "rules": ["deal"], "text": text} for at, text in enumerate(texts, first)]
    return {
        "reviewer": 2,
        "task": "Check the passages.",
        "index": [{"id": "deal", "title": "The deal"}],
        "rules": [{"id": "deal", "title": "The deal", "does": ["Each player draws 5 cards."]}],
        "terms": {},
        "passages": numbered,
    }


def questions(number: int) -> list[dict[str, Any]]:
    """Questions about one passage each, numbered from 1."""
    return [question(f"Everybody takes {at} cards.", first=at) for at in range(1, number + 1)]
