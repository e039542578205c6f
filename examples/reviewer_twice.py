"""A reviewer of texts that asks another one twice and keeps the remarks that agree.

    ftk text check rulebook.txt --lang uk --spec fortheking --keep \\
        --reviewer "python examples/reviewer_twice.py --reverse 'python examples/reviewer.py URL MODEL'"

Two remarks agree if they are about the same passage and rule and their words overlap. A passage counts as read if
both answers have it. With --reverse, the second question has the passages in reverse order.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any


def asked(command: str, question: dict[str, Any]) -> tuple[dict[int, dict[str, Any]], dict[str, Any]]:
    """The entries of `read` in the answer of a shell command, by passage; and who answered, and what it cost."""
    done = subprocess.run(command, shell=True, input=json.dumps(question).encode(), stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"`{command}` ended with status {done.returncode}.")
    read: dict[int, dict[str, Any]] = {}
    about: dict[str, Any] = {}
    for answer in objects(done.stdout.decode("utf-8", "replace"), question):
        read |= {one["passage"]: one for one in answer.get("read", [])}
        about |= {key: answer[key] for key in ("by", "cost") if key in answer}
    if not read:
        sys.exit(f"`{command}` gave no answer with a list `read`.")
    return read, about


def objects(written: str, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The JSON objects in what was written, except the question and what stands in it."""
    texts = [question["task"], *(one["text"] for one in question["passages"])]
    at = written.find("{")
    while at >= 0:
        try:
            found, end = json.JSONDecoder().raw_decode(written, at)
        except ValueError:
            end = at + 1
        else:
            if "passages" not in found and not any(written[at:end] in text for text in texts):
                yield found
        at = written.find("{", end)


def agree(one: dict[str, Any], other: dict[str, Any], text: str) -> bool:
    """Whether two remarks about a passage are about the same rule and about words that overlap."""
    if one["rule"] != other["rule"]:
        return False
    second = places(other["words"], text)
    return any(start < end and begin < stop for start, stop in places(one["words"], text) for begin, end in second)


def places(words: str, text: str) -> list[tuple[int, int]]:
    """Where words stand in a text, whatever their case and the blanks between them."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    return [found.span() for found in re.finditer(pattern, text, re.IGNORECASE)] if pattern else []


def main() -> None:
    parser = argparse.ArgumentParser(description="Asks a reviewer twice and keeps the remarks that agree.")
    parser.add_argument("command", help="the command line of the reviewer")
    parser.add_argument("--reverse", action="store_true", help="reverse the order of the passages the second time")
    options = parser.parse_args()
    question = json.load(sys.stdin)
    first, about = asked(options.command, question)
    passages = question["passages"]
    again = question | {"passages": passages[::-1] if options.reverse else passages}
    second, about_second = asked(options.command, again)
    texts = {one["passage"]: one["text"] for one in passages}
    read = []
    for passage in sorted(first.keys() & second.keys() & texts.keys()):
        others = second[passage]["remarks"]
        agreed = [a for a in first[passage]["remarks"] if any(agree(a, b, texts[passage]) for b in others)]
        read.append(first[passage] | {"remarks": agreed})
    cost = {"cost": about["cost"] + about_second.get("cost", 0)} if "cost" in about else {}
    print(json.dumps(about | cost | {"read": read}, ensure_ascii=False))


if __name__ == "__main__":
    try:
        main()
    except (KeyError, TypeError, AttributeError) as error:
        sys.exit(f"A question or an answer has another form than expected: {error!r}")
