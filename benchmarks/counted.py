"""How many wrong forms of nouns after numbers are found in Ukrainian phrases that the check was not made with.

    .venv/bin/python benchmarks/counted.py [-v]

The phrases are the set `counted_uk`: right ones, and wrong ones with their wrong words. A wrong form is found if a
finding is about a word of these. At the first run 85 of 100 were found, and no right phrase had a finding. With -v what
is missed and what is reported wrongly is listed. The extra `morphology` must be installed.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter

import yaml
from packed import files

from rulespec.base.source import Source
from rulespec.text.checks.counted import check
from rulespec.text.languages import morphology
from rulespec.text.reading.prose import whole


def reported(text: str) -> list[str]:
    """The words of a phrase that findings name."""
    found = check(whole(Source("phrase.md", text), "uk"))
    return [form for one in found for form in re.findall("“([^“”]+)”", one.message)]


def main() -> None:
    parser = argparse.ArgumentParser(description="How many wrong forms of nouns after numbers are found in Ukrainian.")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    if not morphology.is_available("uk"):
        parser.exit(2, "The extra `morphology` is not installed.\n")
    every, found = Counter[str](), Counter[str]()
    for phrase in yaml.safe_load(files("counted_uk")["phrases.yaml"]):
        words = reported(phrase["text"])
        kind = "right phrases" if phrase["right"] else phrase["kind"]
        is_reported = bool(words) if phrase["right"] else any(one in phrase["wrong"] for one in words)
        every[kind] += 1
        found[kind] += is_reported
        if options.verbose and is_reported == phrase["right"]:
            print(f"{kind}: {phrase['text']}")
    for kind, number in sorted(every.items()):
        print(f"{kind}: {found[kind]} of {number} reported")
    wrong = every.total() - every["right phrases"]
    print(f"all wrong phrases: {found.total() - found['right phrases']} of {wrong} reported")


if __name__ == "__main__":
    main()
