"""What each detector of translations earns: `benchmarks/ablation.py --translations`.

The mistakes are a sample of those of `mutations.py`, some of each kind in each text, and the edits of
the set `text_edits` that change what a text says. A finding is new if the shipped text does not have it; it is right
if it is about the changed sentence, or about the whole text, which lacks something. Detectors that compare a text with
what it was when it was confirmed are left out: they report each edit (`tests/test_text_edits.py`).
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from mutation_workshop import SPECS, Workshop, with_text, workshop  # found through the line above
from mutations import OPERATORS, mutants
from own_lines import own_lines
from packed import files

from rulespec.base.diagnostics import Finding
from rulespec.base.source import read
from rulespec.text.checks.detectors import DETECTORS, Detector, detected
from rulespec.text.checks.page import Page
from rulespec.text.languages.registry import find
from rulespec.text.reading.clauses import passages
from rulespec.text.reading.translation import Passage
from rulespec.text.reading.translation import read as read_translation

GAMES = ("fortheking", "kingme")
LANGUAGES = ("en", "uk", "zh-Hant")
ROWS = tuple(one for one in DETECTORS if one.name != "edits")
OF_PASSAGES = ("fact-missing", "language-lacks")
"""The names of findings about a whole text."""

SHARED = frozenset({"rulespec.text.checks.detectors", "rulespec.text.checks.page"})


@dataclass(frozen=True)
class Mistake:
    """A text with a mistake of a kind, and the text without it."""

    game: str
    lang: str
    kind: str
    passage: Passage
    was: Passage


def mistakes(each: int) -> Iterator[Mistake]:
    """A sample of the mistakes, at most `each` of a kind in a text."""
    for game in GAMES:
        shop = workshop(game)
        for lang in LANGUAGES:
            for kind in OPERATORS:
                every = [one for one in mutants(shop, lang, kind) if one.text is not None]
                for one in Random(f"{game} {lang} {kind}").sample(every, min(each, len(every))):
                    was = shop.texts[lang].passages[one.passage]
                    yield Mistake(game, lang, kind, with_text(was, one.text or ""), was)
    yield from _edits(each)


def _edits(each: int) -> Iterator[Mistake]:
    some: Counter[tuple[str, str, str]] = Counter()
    for edit in yaml.safe_load(files("text_edits")["edits.yaml"])["edits"]:
        game, lang, kind = edit["game"], edit["lang"], edit["kind"]
        some[game, lang, kind] += 1
        if game in GAMES and kind != "polish" and some[game, lang, kind] <= each:
            source, _ = read(str(SPECS / "translations" / game / f"{lang}.yaml"))
            assert source is not None
            if source.text.count(edit["old"]) == 1:
                changed, _ = read_translation(type(source)(source.path, source.text.replace(edit["old"], edit["new"])))
                was = workshop(game).texts[lang].passages[edit["rule"]]
                if changed is not None and changed.passages[edit["rule"]].text.text != was.text.text:
                    yield Mistake(game, lang, kind, changed.passages[edit["rule"]], was)


class Ablation:
    """Runs the detectors, and counts what each of them finds."""

    def __init__(self) -> None:
        self.count: Counter[tuple[str, str]] = Counter()
        self.planted: Counter[str] = Counter()
        self.seconds: dict[str, float] = defaultdict(float)
        self._clean: dict[tuple[str, str, str], Counter[tuple[str, str, str]]] = {}

    def _findings(self, shop: Workshop, lang: str, passage: Passage) -> Iterator[tuple[Detector, Finding, Page]]:
        translation, book = shop.texts[lang], shop.book
        others = tuple(shop.texts.values())
        page = Page(passage, lang, book.spec, book, translation, others)
        assert page.reading is not None  # reading counts for no detector
        before = time.process_time()
        for detector, found in detected(page, ROWS):
            now = time.process_time()
            self.seconds[detector.name] += now - before
            yield detector, found, page
            before = time.process_time()

    def measure(self, one: Mistake) -> None:
        """Counts the new findings for a text with a mistake."""
        shop, key = workshop(one.game), (one.game, one.lang, one.was.id)
        if key not in self._clean:
            self._clean[key] = Counter(_key(d, f) for d, f, _ in self._findings(shop, one.lang, one.was))
        left, right = self._clean[key].copy(), set[str]()
        for detector, found, page in self._findings(shop, one.lang, one.passage):
            left[_key(detector, found)] -= 1
            if left[_key(detector, found)] < 0:
                is_right = _is_right(found, page, one.was.text.text)
                self.count[detector.name, "right" if is_right else "not right"] += 1
                right |= {detector.name} if is_right else set()
        self.planted[one.kind] += 1
        self.count.update((name, what) for name in right for what in ("found", one.kind))
        self.count.update((name, "alone") for name in right if len(right) == 1)


def _key(detector: Detector, found: Finding) -> tuple[str, str, str]:
    return detector.name, found.name, str(found.message)


def _is_right(found: Finding, page: Page, was: str) -> bool:
    """Whether a finding is about the sentences that have been changed, or the whole text."""
    if found.name in OF_PASSAGES:
        return True
    text = page.prose.text
    start = _alike(text, was)
    same = _alike(text[start:][::-1], was[start:][::-1])
    end = max(len(text) - same, start)
    every = passages(text, find(page.lang), 0, len(text))
    around = [one for one in every if one.start <= end and start <= one.end]
    place = page.prose.place(min((start, *(one.start for one in around))), max((end, *(one.end for one in around))))
    source = page.prose.source
    return source.position(place.start) <= found.end and found.start <= source.position(place.end)


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def report(each: int) -> None:
    """Prints the table."""
    ablation = Ablation()
    for one in mistakes(each):
        ablation.measure(one)
    count, planted = ablation.count, ablation.planted
    total, lines = sum(ablation.seconds.values()), own_lines(ROWS, "rulespec.text", SHARED)
    print(f"{sum(planted.values())} mistakes\n")
    head = ("detector", "found", "alone", "right", "not right", "of kinds", "time", "lines")
    print(f"| {' | '.join(head)} |\n|{len(head) * '---|'}")
    for row in ROWS:
        name = row.name
        of = ", ".join(f"{kind} {count[name, kind] / planted[kind]:.0%}" for kind in planted if count[name, kind])
        cells = (count[name, "found"], count[name, "alone"], count[name, "right"], count[name, "not right"], of)
        print(f"| {name} | {' | '.join(map(str, cells))} | {ablation.seconds[name] / total:.0%} | {lines[name]} |")
