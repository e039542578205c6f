"""What reads each format: samples to start from, a function that reads one mutant, and the exceptions it documents."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import click
from click.testing import CliRunner

import rulespec
from ftk_cli import baseline, card_list
from ftk_cli.failure import Failure
from ftk_cli.report.batch import Batch
from ftk_cli.settings import settings
from rulespec.base.failure import SimulationError
from rulespec.base.source import Source, from_bytes
from rulespec.base.spreadsheet.writing import new_workbook
from rulespec.engine.states.log import LogError, lines, replay
from rulespec.games.rulebook import book_of, check_raw, texts_of
from rulespec.play.simulate import records
from rulespec.play.simulate.run import simulate
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.glossary.concepts import read as read_glossary
from rulespec.text.glossary.entries import to_yaml
from rulespec.text.glossary.table import from_csv, to_csv
from rulespec.text.glossary.tbx import from_tbx, to_tbx
from rulespec.text.output.diff.compare import LabelledText
from rulespec.text.output.diff.compare import diff as diff_diff
from rulespec.text.output.diff.page import html as html_diff
from rulespec.text.output.exchange.edit import apply
from rulespec.text.output.exchange.glossary_edit import merge
from rulespec.text.output.exchange.po import from_po, to_po
from rulespec.text.output.exchange.units import Entries
from rulespec.text.output.exchange.xliff import from_xliff
from rulespec.text.output.exchange.xliff_1 import to_xliff_1
from rulespec.text.output.exchange.xliff_2 import to_xliff_2
from rulespec.text.output.render.book import Rulebook
from rulespec.text.output.render.markdown import markdown
from rulespec.text.output.render.page import html as html_render
from rulespec.text.raw.alignment import align
from rulespec.text.raw.draft import draft
from rulespec.text.reading.translation import read as read_translation
from rulespec.text.review.answer import KINDS
from rulespec.text.review.kept import Reading, Remark
from rulespec.text.review.kept import read as read_review
from rulespec.text.review.kept import write as write_review
from rulespec.text.review.states import fresh, with_reading
from rulespec.text.review.states import texts_of as texts_of_review

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
STALL = TESTS / "bad" / "text" / "stall"

DECISIONS = 60
"""Decisions played of a mutant without errors: more than a round of every small game."""
GAMES = 6
"""Games in a run folder: few, because a damaged chunk is played again."""


class Project:
    """A folder with a small game and files of every kind, where mutants are put in the place of files."""

    def __init__(self) -> None:
        shared = Path("/dev/shm")  # memory: a mutant is a file written and read once
        self.path = Path(tempfile.mkdtemp(prefix="ftk-fuzz-", dir=shared if shared.is_dir() else None))
        shutil.copytree(STALL, self.path, dirs_exist_ok=True)
        self.spec_path = self.path / "stall.yaml"
        self.spec = rulespec.load(self.spec_path)
        self.game = self.spec.game(players=2, engine="interpreter")

    def put(self, name: str, data: bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def played(self) -> rulespec.State:
        """A game that random players played to its end."""
        state, chance = self.game.new_initial_state(seed=1), Random(1)
        while not state.is_terminal():
            state.apply_actions({seat: chance.choice(state.legal_actions(seat)) for seat in state.deciders()})
        return state


Back = Callable[[Source], tuple[Entries | None, list[rulespec.Finding]]]
Read = Callable[[Project, bytes], None]
Samples = Callable[[Project], Iterator[bytes]]


@dataclass(frozen=True)
class Reader:
    """One reader. `allowed` are the exceptions that it documents for bad input."""

    format: str
    samples: Samples
    read: Read
    allowed: tuple[type[BaseException], ...] = ()
    share: int = 4
    """How many of the mutants it gets, next to the others. Readers that take long get one."""
    rare: Samples | None = None
    """Samples that take long: one mutant in a hundred is made of them."""


def _files(*patterns: str) -> Samples:
    def samples(project: Project) -> Iterator[bytes]:
        for pattern in patterns:
            yield from (path.read_bytes() for path in sorted(ROOT.glob(pattern)) if path.is_file())

    return samples


def _check(name: str) -> Read:
    def read(project: Project, data: bytes) -> None:
        rulespec.check(project.put(name, data))

    return read


# --- readers of YAML --------------------------------------------------------------------------------------------------


def _spec_samples(project: Project) -> Iterator[bytes]:
    from high_card import SPEC

    yield SPEC.encode()
    yield from [project.spec_path.read_bytes()] * 3
    good = ("tests/engines/*.yaml", "tests/exchange/game.yaml", "tests/idiom.yaml", "tests/bad/text/*.yaml")
    bad = ("tests/bad/model/**/*.yaml", "tests/bad/checks/**/*.yaml", "tests/bad/schema/**/*.yaml")
    yield from _files(*good, *bad)(project)


def _read_spec(project: Project, data: bytes) -> None:
    """Checks a spec. One without errors never raises in play, so it is played, too."""
    path = project.put("mutant.yaml", data)
    if not rulespec.check(path).ok:
        return
    spec, chance = rulespec.load(path), Random(0)
    state = spec.game(engine="interpreter").new_initial_state(seed=0)
    for _ in range(DECISIONS):
        if state.is_terminal():
            break
        state.apply_actions({seat: chance.choice(state.legal_actions(seat)) for seat in state.deciders()})
    list(lines(state))
    for seat in range(state.game.players):
        state.observation_string(seat)


def _read_book(project: Project, data: bytes) -> None:
    """Checks all that depends on a spec: its texts, glossary, scenarios, deck and saved games."""
    before = project.spec_path.read_bytes()
    try:
        project.put("stall.yaml", data)
        if rulespec.check(project.spec_path).ok:
            texts = ("translations/stall/en.yaml", "translations/stall/zh-Hant.yaml", "glossaries/stall.yaml")
            for name in (*texts, *_DEPENDENTS):
                rulespec.check(project.path / name)
    finally:
        project.spec_path.write_bytes(before)


_DEPENDENTS = {
    "scenarios/stall/a.yaml": b"""
scenario: 2
game: stall
cases:
  - id: sale.first
    title: The first sale
    players: 2
    from: sale
    given: {zones: {"hand[player 1]": [bread 1 A], deck: [cheese 2 E, fish 3 G]}, values: {"coins[player 1]": 3}}
    do: [{player 1: bid 2}, {player 2: pass}]
    expect: {values: {"coins[player 1]": 1, "worth[bread]": 2}, zones: {"hand[player 1]": {size: 2}}}
  - id: setup.deal
    title: The deal
    players: 3
    rulings: {wares_tie: value}
    expect: {legal: {includes: [bid 2], excludes: [bid 1]}, fires: [setup.deal], says: Deal the hands}
""",
    "decks/a.yaml": b"""
deck: 1
game: stall
replaces: {ware: bread}
cards: [{ware: bread, value: 1..3, letter: A}, {ware: bread, value: 1, letter: B, copies: 2, status: certain}]
""",
}


def _samples_of(name: str, *patterns: str) -> Samples:
    def samples(project: Project) -> Iterator[bytes]:
        yield from [_DEPENDENTS[name]] * 5
        for sample in _files(*patterns)(project):
            yield re.sub(rb"(?m)^game: \w+", b"game: stall", sample)  # a small game, which is quick to load

    return samples


def _read_translation(project: Project, data: bytes) -> None:
    """Checks a text. One that can be read is exported, rendered and compared with another language, too."""
    path = project.put("translations/stall/uk.yaml", data)
    rulespec.check(path)
    source, _ = from_bytes(data, str(path))
    text, _ = read_translation(source) if source is not None else (None, [])
    if text is not None:
        to_po(text, project.spec.model)
        to_xliff_2(text, project.spec.model)
        markdown(Rulebook(text, project.game.setting))
        html_render(Rulebook(text, project.game.setting, with_rulings=True))
        other, book = texts_of(project.spec)["en"], book_of(project.spec)
        assert book is not None
        both = [LabelledText("mutant", text), LabelledText("en", other)]
        html_diff(diff_diff(project.spec.model, book.glossary, both))


def _review_samples(project: Project) -> Iterator[bytes]:
    for name in ("tests/bad/reviews/*.yaml", "tests/formats/brook/before/*.review.yaml"):
        yield from _files(name)(project)
    translation, model = texts_of(project.spec)["en"], project.spec.model
    made = fresh("stall", "en", "", model)
    for number, one in enumerate(texts_of_review(translation, model)):
        words = one.text.split()[0]
        remarks = (Remark(words, one.rule, KINDS[number % 3], "No: “it” is other."),) * (number % 2)
        made = with_reading(made, one, Reading("by: me", "2026-11-27", 2, remarks), model)
    yield from [write_review(made).encode()] * 3


def _read_review(project: Project, data: bytes) -> None:
    """Checks a review alone and beside its text, and writes what was read."""
    path = project.put("reviews/stall/en.review.yaml", data)
    try:
        rulespec.check(path)
        rulespec.check(project.path / "translations/stall/en.yaml")
        source, _ = from_bytes(data, str(path))
        made, _ = read_review(source) if source is not None else (None, [])
        if made is not None:
            assert read_review(Source("made", write_review(made)))[0] == made
    finally:
        path.unlink()


def _read_glossary(project: Project, data: bytes) -> None:
    """Checks a glossary and a text that is held against it, and writes it in all formats."""
    before = (project.path / "glossaries/stall.yaml").read_bytes()
    try:
        path = project.put("glossaries/stall.yaml", data)
        rulespec.check(path)
        rulespec.check(project.path / "translations/stall/en.yaml")
        source, _ = from_bytes(data, str(path))
        made, _ = read_glossary(source) if source is not None else (None, [])
        if made is not None:
            for write in (to_yaml, to_csv, to_tbx):
                write(made)
    finally:
        project.put("glossaries/stall.yaml", before)


# --- other formats ----------------------------------------------------------------------------------------------------


def _log_samples(project: Project) -> Iterator[bytes]:
    yield "".join(f"{line}\n" for line in lines(project.played())).encode()


def _read_log(project: Project, data: bytes) -> None:
    rulespec.check(project.put("game.jsonl", data))
    replay(project.game, data.decode("utf-8", "replace"))


def _state_samples(project: Project) -> Iterator[bytes]:
    state = project.game.new_initial_state(seed=1)
    yield state.to_json().encode()
    yield project.played().to_json().encode()


def _read_state(project: Project, data: bytes) -> None:
    rulespec.check(project.put("state.json", data))
    project.game.state_from_json(data.decode("utf-8", "replace"))


def _exchanged(write: Callable[..., str]) -> Samples:
    def samples(project: Project) -> Iterator[bytes]:
        texts = texts_of(project.spec)
        for lang in texts:
            yield write(texts[lang], project.spec.model, texts["en"]).encode()

    return samples


def _read_exchanged(name: str, back: Back) -> Read:
    def read(project: Project, data: bytes) -> None:
        path = project.put(name, data)
        rulespec.check(path)
        source, _ = from_bytes(data, str(path))
        entries, _ = back(source) if source is not None else (None, [])
        for text in texts_of(project.spec).values() if entries is not None else ():
            apply(text.source, entries, project.spec.model)

    return read


def _terms(write: Callable[[Glossary], str]) -> Samples:
    def samples(project: Project) -> Iterator[bytes]:
        book = book_of(project.spec)
        assert book is not None
        yield write(book.glossary).encode()

    return samples


def _read_terms(name: str, back: Callable[[Source, str], tuple[str, list[rulespec.Finding]]]) -> Read:
    def read(project: Project, data: bytes) -> None:
        path = project.put(name, data)
        rulespec.check(path)
        source, _ = from_bytes(data, str(path))
        if source is not None:
            made, _ = back(source, "stall")
            book = book_of(project.spec)
            assert book is not None
            merge(book.glossary.source, Source("made.yaml", made))

    return read


def _cards_samples(project: Project) -> Iterator[bytes]:
    yield b"ware,value,letter,copies,status,source\nbread,1,A,2,printed,\ncheese,3,H,1,certain,\n"
    yield b"ware;value;letter\nfish;2;E\n"
    yield new_workbook([["ware", "value", "copies"], ["bread", 1, 2]], "Cards")


def _read_cards(project: Project, data: bytes) -> None:
    with CliRunner().isolation():
        card_list.update(project.spec.model, str(project.put("cards.csv", data)), card_list.Options(quiet=True))


def _baseline_samples(project: Project) -> Iterator[bytes]:
    yield b"""{"version": 1, "findings": [{"path": "a.yaml", "code": "RS101", "rule": "", "message": "wrong"},
      {"path": "a.yaml", "code": "RS102", "rule": "deal", "message": "also wrong"}]}"""


def _read_baseline(project: Project, data: bytes) -> None:
    baseline.apply(Batch(_some_findings(), ("a.yaml",)), str(project.put("known.json", data)), None)


@cache
def _some_findings() -> rulespec.Report:
    return rulespec.check(STALL / "bad" / "en.yaml")


def _run_samples(project: Project) -> Iterator[bytes]:
    kept = project.path / "kept"
    if not kept.exists():
        simulate(project.game, GAMES, seed=1, into=kept)
    yield from (path.read_bytes() for path in sorted(kept.glob("*.json")))


def _read_run(project: Project, data: bytes) -> None:
    """Reads a run folder in which one file is a mutant, most often with the right checksum, so that more is read."""
    folder = project.path / "run"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(project.path / "kept", folder)
    for path in sorted(folder.glob("*.json")):
        if path.name.startswith("chunk") == (b'"figures"' in data):
            path.write_bytes(data)
            if len(data) % 4:
                _seal(path)
            break
    simulate(project.game, GAMES, seed=1, into=folder)


def _seal(path: Path) -> None:
    """Gives a record the checksum that fits it, if it is one."""
    with suppress(ValueError, RecursionError):
        record = json.loads(path.read_bytes())
        if isinstance(record, dict):
            record.pop(records.CHECKSUM, None)
            records.write(path, record)


def _settings_samples(project: Project) -> Iterator[bytes]:
    yield b'fail-on = "warning"\nignore = ["RS619", "never-used"]\n\n[severity]\nRS619 = "info"\n'
    yield b'[project]\nn = 3\n[[a.b]]\nc = {d = [1, 2.5], "e" = 1979-05-27}\n[tool.ftk]\nignore = ["RS619"]\n'


def _read_settings(project: Project, data: bytes) -> None:
    folder = project.put(f"settings/{'pyproject' if b'tool' in data else 'ftk'}.toml", data).parent
    try:
        settings(folder)
    finally:
        shutil.rmtree(folder)


def _template_samples(project: Project) -> Iterator[bytes]:
    yield (ROOT / "rulespec/text/output/sheets/templates/card.svg.j2").read_bytes()
    yield b"""{% set size = fitted(card.title, 6, width - 8) %}<text y="{{ size * 2 }}">{{ card.title }}</text>
      {% for field in card.fields %}<text y="{{ 10 + 5 * loop.index }}">{{ field.label ~ ": " ~ field.word }}
      {%- if field.number %} {{ "%d" % field.word | int }}{% endif %}</text>{% endfor %}
      {% for n in range(3) %}<circle r="{{ n ** 2 }}"/>{% endfor %}{{ "{:>3}".format(card.copies) | center(9) }}"""


def _read_template(project: Project, data: bytes) -> None:
    project.put("looks/card.svg.j2", data)
    rulespec.check(project.put("looks/stall.yaml", b"looks: 1\ngame: stall\ncard: card.svg.j2\n"))


def _read_raw(project: Project, data: bytes) -> None:
    source, _ = from_bytes(data, "raw.txt")
    book = book_of(project.spec)
    if source is None or book is None:
        return
    lang = "uk" if any("а" <= c <= "я" for c in source.text) else "zh-Hant" if "的" in source.text else "en"
    check_raw(source, lang, project.spec)
    own = texts_of(project.spec).get(lang)
    draft(align(source.text, lang, book, own), own)


READERS: dict[str, Reader] = {
    "spec": Reader("yaml", _spec_samples, _read_spec, share=4, rare=_files("specs/*.yaml")),
    "book": Reader("yaml", lambda project: iter([project.spec_path.read_bytes()]), _read_book, share=1),
    "overlay": Reader(
        "yaml",
        _files("tests/bad/overlays/*.yaml", "tests/bad/text/stall/variants/stall/*.yaml"),
        _check("variants/stall/mutant.yaml"),
        share=2,
    ),
    "deck": Reader("yaml", _samples_of("decks/a.yaml", "tests/bad/decks/*.yaml"), _check("decks/mutant.yaml"), share=2),
    "looks": Reader(
        "yaml",
        _files("tests/bad/looks/*.yaml", "tests/formats/brook/before/specs/looks/*.yaml"),
        _check("looks/stall.yaml"),
    ),
    "language": Reader(
        "yaml",
        _files("rulespec/text/languages/de/*.yaml", "tests/bad/language_files/*/languages/nl/language.yaml"),
        _check("languages/nl/language.yaml"),
        share=2,
    ),
    "scenario": Reader(
        "yaml",
        _samples_of("scenarios/stall/a.yaml", "tests/bad/scenarios/*.yaml"),
        _check("scenarios/stall/mutant.yaml"),
        share=2,
        rare=_files("specs/scenarios/*/*.yaml"),
    ),
    "translation": Reader(
        "yaml",
        _files("tests/bad/text/stall/translations/stall/*.yaml", "tests/bad/text/stall/bad/*.yaml"),
        _read_translation,
        share=1,
        rare=_files("specs/translations/*/*.yaml"),
    ),
    "glossary": Reader(
        "yaml",
        _files("tests/bad/text/stall/glossaries/*.yaml", "tests/bad/glossary/**/*.yaml"),
        _read_glossary,
        share=1,
        rare=_files("specs/glossaries/*.yaml"),
    ),
    "review": Reader("yaml", _review_samples, _read_review, share=2),
    "log": Reader("jsonl", _log_samples, _read_log, (LogError,), share=1),
    "state": Reader("json", _state_samples, _read_state, (rulespec.StateError,), share=1),
    "po": Reader("blocks", _exchanged(to_po), _read_exchanged("mutant.po", from_po)),
    "xliff": Reader("xml", _exchanged(to_xliff_2), _read_exchanged("mutant.xlf", from_xliff)),
    "xliff-1.2": Reader("xml", _exchanged(to_xliff_1), _read_exchanged("mutant.xlf", from_xliff)),
    "tbx": Reader("xml", _terms(to_tbx), _read_terms("mutant.tbx", from_tbx), share=1),
    "csv": Reader("csv", _terms(to_csv), _read_terms("mutant.csv", from_csv), share=1),
    "cards": Reader("csv", _cards_samples, _read_cards, (Failure, click.exceptions.Exit), share=8),
    "baseline": Reader("json", _baseline_samples, _read_baseline, (Failure,), share=8),
    "run": Reader("json", _run_samples, _read_run, (SimulationError,)),
    "settings": Reader("blocks", _settings_samples, _read_settings, (Failure,)),
    "template": Reader("blocks", _template_samples, _read_template, share=2),
    "raw": Reader(
        "blocks", _files("tests/bad/text/stall/raw/*.txt"), _read_raw, share=1, rare=_files("tests/raw_texts/*/*.txt")
    ),
}
"""Every reader of files. A test asks for a row for each kind of file."""


@cache
def project() -> Project:
    """The project of this process, with the files that others depend on."""
    made = Project()
    for name, content in _DEPENDENTS.items():
        made.put(name, content)
    return made
