"""The samples on the pages of findings: the bad one has the finding, the good one does not.

A sample is a part of a file. It is merged into a base file of its kind in `tests/findings` or below and checked there.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import rulespec
from rulespec.base.diagnostics import Finding, Severity
from rulespec.base.findings import KINDS
from rulespec.base.findings.kind import FindingKind
from rulespec.base.findings.pages import page_of
from rulespec.base.findings.table import GROUPS
from rulespec.base.messages import Message
from rulespec.base.source import Source
from rulespec.base.source import read as read_file
from rulespec.games.api import built, check_deck, check_spec
from rulespec.games.looks import check_looks
from rulespec.games.rulebook import check_glossary, check_translation
from rulespec.games.scenario.runner import run as run_scenario
from rulespec.language.document import parse
from rulespec.language.document.nodes import plain
from rulespec.language.document.text_checks import half_quoted
from rulespec.play.deep.report import findings as findings_deep
from rulespec.play.deep.run import search as search_deep
from rulespec.text.checks.typography import check as check_typography
from rulespec.text.glossary.check import check as check_glossary_
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.glossary.concepts import read as read_glossary
from rulespec.text.glossary.table import from_csv
from rulespec.text.output.exchange.edit import apply
from rulespec.text.output.exchange.po import from_po
from rulespec.text.output.exchange.xliff import from_xliff
from rulespec.text.reading.prose import whole
from rulespec.text.seals.confirmation import confirmation
from rulespec.versions.changes.rise import damaged, misnamed, not_raised

pytestmark = pytest.mark.slow("checks a game or a text for each finding")

HERE = Path(__file__).parent
BASE = HERE / "findings" / "sample.yaml"
STALL = HERE / "bad" / "text" / "stall"
EXCHANGE = HERE / "exchange"

Run = Callable[[FindingKind, str, Path], list[Finding]]

NOT_RUN = {
    "RS001": "a command line",
    "RS002": "a command line",
    "RS003": "a command line",
    "RS004": "a command line",
    "RS005": "the encoding of a file cannot be shown in a sample",
    "RS006": "the encoding of a file cannot be shown in a sample",
    "RS011": "a command line",
    "RS105": "the file would be too large for a page",
    "RS408": "a card list",
    "RS603": "the loops are abbreviated",
    "RS658": "a bug of an engine",
    "RS802": "a command line",
    "RS830": "a command line",
    "RS853": "one line of a log",
    "RS891": "a command line",
    "RS905": "the digests of a rule of another game",
    "RS916": "the attributes of a member of another game",
    "RS917": "the glossary beside a text",
    "RS980": "a command line",
    "RS981": "the review beside a text",
    "RS982": "the review beside a text",
    "RS983": "the review beside a text",
    "RS988": "a command line",
    "RS989": "the answer of a program",
    "RS987": "a command line",
    "RS999": "needs a file and an import that changes it",
}
"""Pages whose samples cannot be run, with the reason. Tests of the checks themselves cover these kinds."""

GROUP_OF = {kind.code: group.id for group in GROUPS for kind in group.kinds}

TOP_LEVEL = {"game", "enums", "cards", "tables", "zones", "values", "rulings", "procedures"}
"""Keys of a spec whose entries a sample adds to those of the base. A sample replaces the lists of other keys."""

RULES = {
    "RS910": "setup.deal",
    "RS911": "setup.components",
    "RS912": "end",
    "RS913": "setup.deal",
    "RS918": "sale.nobody",
    "RS920": "sale.show",
    "RS921": "sale.auction",
    "RS922": "setup.deal",
    "RS923": "sale.nobody",
    "RS940": "setup.removal",
    "RS942": "sale",
    "RS944": "sale.nobody",
    "RS945": "wares_tie",
    "RS946": "sale.broke",
    "RS947": "setup.deal",
}
"""The rule of tests/bad/text/stall whose text the sample is."""


OTHERS_TOO = {"RS619", "RS919", "RS935"}
"""Kinds that the base files have as well, so that the good sample only has fewer of them than the bad one."""


class _Folded(yaml.SafeDumper):
    """Writes a text that ends with a line break as a folded block, as it was in the sample."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = ">" if text.endswith("\n") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Folded.add_representer(str, _text)


def loaded(text: str) -> Any:
    """The data of a YAML 1.2 text."""
    root, _ = parse(Source("sample.yaml", text))
    return plain(root) if root is not None else None


def dumped(data: Any) -> str:
    return yaml.dump(data, Dumper=_Folded, sort_keys=False, width=100_000, allow_unicode=True)


def characters(sample: str) -> str:
    """The sample with its visible names of invisible characters replaced by these characters."""
    return sample.replace("<NUL>", "\0").replace("<U+2028>", "\u2028")


def merged(base: dict[str, Any], sample: dict[str, Any]) -> dict[str, Any]:
    out = dict(base)
    for key, value in sample.items():
        both = key in TOP_LEVEL and isinstance(out.get(key), dict) and isinstance(value, dict)
        out[key] = {**out[key], **value} if both else value
    return out


def in_yaml(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    root, found = parse(Source("sample.yaml", characters(sample)))
    return [*found, *(half_quoted(root) if root is not None else ())]


def in_files(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    path = folder / "file.yaml"
    path.write_text("" if sample.startswith("(no content)") else characters(sample), encoding="utf-8")
    return read_file(path)[1]


def in_spec(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """A list is a list of steps before the ranking; a mapping has keys of a spec."""
    return list(check_spec(Source("sample.yaml", whole_spec(sample))).findings)


def in_search(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """What a deep search of the spec finds."""
    found = search_deep(rulespec.loads(whole_spec(sample)), games=400 if kind.code == "RS655" else 120)
    return [one.finding for one in findings_deep(found)]


def whole_spec(sample: str) -> str:
    """The base with a sample in it."""
    base = loaded(BASE.read_text(encoding="utf-8"))
    part = loaded(sample)
    if isinstance(part, list):
        ended = any("rank" in step for step in part)
        part = {"play": part if ended else [*part, base["play"][-1]]}
    cards = part.get("cards", {})
    if "manifest" in cards and "totals" not in cards:
        base["cards"].pop("totals")
    return dumped(merged(base, part))


def in_steps(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """Steps as they are written, quotes included."""
    base = loaded(BASE.read_text(encoding="utf-8"))
    end = dumped([base.pop("play")[-1]])
    return list(check_spec(Source("sample.yaml", f"{dumped(base)}play:\n{sample}{end}")).findings)


def in_scenario(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """The keys of a file, or those of a case."""
    part = loaded(sample)
    case = {"id": "sample", "title": "A sample", "players": 2, "expect": {"decides": "player 1"}}
    if "do" in part and "expect" not in part:
        case["expect"] = {"decides": "nobody"}
    file = {"scenario": 2, "game": "sample", "cases": [case]}
    if part.keys() & file.keys():
        file |= part
    else:
        case |= part
        case = {key: value for key, value in case.items() if value is not None}
        file["cases"] = [case]
    path = folder / "cases.yaml"
    path.write_text(dumped(file), encoding="utf-8")
    return list(run_scenario(path).findings)


def in_deck(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    base = {"deck": 1, "game": "sample", "replaces": {"kind": "king"}, "cards": [{"letter": "A..C", "copies": 2}]}
    return list(check_deck(Source(str(folder / "deck.yaml"), dumped(base | loaded(sample)))).findings)


def in_overlay(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """Keys of an overlay of a game with an auction, of which an older version and another overlay are kept."""
    spec = merged(loaded(BASE.read_text(encoding="utf-8")), {})
    spec["play"].insert(1, _AUCTION)
    old = merged(spec, {"game": {"version": "0.9.0"}, "setup": spec["setup"][:1]})
    part = loaded(sample)
    changes = {"change": {"rules": {"turn": {"title": "Take a coin"}}}}
    base = {"overlay": 2, "id": "mine", "extends": "sample", "version": "1.0.0", "title": "Mine"}
    base |= {} if part.keys() & {"change", "add", "remove"} else changes
    files = {
        "sample.yaml": spec,
        "versions/sample/old.spec": old,
        "variants/sample/mine.yaml": base | part,
        "variants/sample/other.yaml": base | changes | {"id": "other", "extends": "sample+mine", "title": "Other"},
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dumped(content), encoding="utf-8")
    return list(rulespec.check(folder / "variants/sample/mine.yaml").findings)


_AUCTION = {
    "id": "sale",
    "title": "A sale",
    "do": [
        {"move": {"top": 1, "from": "deck", "to": "lot"}},
        {
            "if": "size(lot) > 0",
            "then": {
                "auction": {
                    "lot": "lot",
                    "bidders": {"p": "player"},
                    "from": "dealer",
                    "opening": 1,
                    "raise": 1,
                    "cap": 20,
                    "limit": "coins[p]",
                    "means": "coins[p]",
                    "bid": {"id": "turn.bid", "title": "Bid", "says": "bid {amount}"},
                    "pass": {"id": "turn.out", "title": "Pass", "says": "pass", "means": "out_for_the_round"},
                    "pays": {"set": {"coins[winner]": "max(coins[winner] - price, 0)"}},
                    "takes": {"move": {"every": "c", "from": "lot", "to": "hand[winner]"}},
                    "cannot_pay": {
                        "do": {"note": "It cannot happen."},
                        "then": "again_without_winner",
                        "from": "dealer",
                    },
                    "nobody": {"do": {"move": {"every": "c", "from": "lot", "to": "discard"}}},
                }
            },
        },
    ],
}


def in_saved_game(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    path = folder / "game.jsonl"
    path.write_text(sample, encoding="utf-8")
    return list(rulespec.check(path).findings)


def named_file(part: dict[str, Any], default: str) -> tuple[str, dict[str, Any]]:
    """The name and the content of a file: a sample may give both as `NAME.yaml: {…}`."""
    name = next((key for key in part if str(key).endswith(".yaml")), None)
    return (name, part[name]) if name else (default, part)


def in_translation(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """A spec of two rules, and its translation with all their texts, or those of the sample."""
    spec = merged(loaded(BASE.read_text(encoding="utf-8")), {"play": [{"rank": _RANK}]})
    del spec["rulings"]
    (folder / "sample.yaml").write_text(dumped(spec), encoding="utf-8")
    spec_now = rulespec.load(folder / "sample.yaml").model
    agreed = sample.replace("3-0f3a99c2-77d0e2aa-41c6d0b3", confirmation(spec_now, "setup.deck"))
    name, part = named_file(loaded(agreed), "en.yaml")
    rules = {
        "setup.deck": {"title": "The deck", "text": "x"},
        "deal.hands": {"title": "The hands", "text": "Deal the hands."},
    }
    base = {"translation": 3, "game": "sample", "lang": "en", "title": "Sample", "rules": rules}
    cases = folder / "scenarios" / "sample" / "cases.yaml"
    cases.parent.mkdir(parents=True, exist_ok=True)
    cases.write_text(dumped({"scenario": 2, "game": "sample", "cases": [_HANDS]}), encoding="utf-8")
    path = folder / "translations" / "sample" / name
    if "source" in part:
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "en.yaml").write_text(dumped(base), encoding="utf-8")
    return list(check_translation(Source(str(path), dumped(base | part))).findings)


def in_versions(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """Keys of a spec, of which the sample game is the last release."""
    released = BASE.read_text(encoding="utf-8")
    if kind.name == "release-damaged":
        old, report = built(Source("1.0.0.yaml", dumped(merged(loaded(released), loaded(sample)))))
        return [damaged(Source("sample.yaml", released), "1.0.0.yaml", report)] if old is None else []
    path = "specs/history/sample/1.0.0.yaml" if kind.name == "release-misnamed" else "sample.yaml"
    new, _ = built(Source(path, dumped(merged(loaded(released), loaded(sample)))))
    old, _ = built(Source("released.yaml", released))
    assert old is not None and new is not None
    return [*not_raised(old, new, "v1.0.0"), *misnamed(new)]


_HANDS = {"id": "hands", "title": "Two each", "players": 2, "expect": {"zones": {"hand[1]": {"size": 2}}}}
_RANK = {"among": {"p": "player"}, "by": [{"high": "coins[p]"}], "left": "share"}


def in_rule_text(kind: FindingKind, sample: str, folder: Path) -> Iterator[tuple[str, list[Finding]]]:
    """For every language of the sample: what is found in the good translation with this text for the rule."""
    rule = RULES[kind.code]
    for lang, text in loaded(sample).items():
        path = STALL / "translations" / "stall" / f"{lang}.yaml"
        whole_book = loaded(path.read_text(encoding="utf-8"))
        whole_book["rules" if rule in whole_book["rules"] else "rulings"][rule]["text"] = text
        yield lang, list(check_translation(Source(str(path), dumped(whole_book))).findings)


def in_comment(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """An ignore comment at the end of a good translation."""
    path = STALL / "translations" / "stall" / "en.yaml"
    comment = "" if sample.startswith("(no comment)") else sample
    return list(check_translation(Source(str(path), path.read_text(encoding="utf-8") + comment)).findings)


def in_prose(kind: FindingKind, sample: str, folder: Path) -> Iterator[tuple[str, list[Finding]]]:
    """A text per language, or one English text."""
    part = None if sample.startswith(("#", "-")) else loaded(sample)
    for lang, text in (part if isinstance(part, dict) else {"en": sample}).items():
        prose = whole(Source("sample.md", text), lang)
        yield lang, list(check_typography(prose, letters=frozenset("ABCDEFGHI")))


def in_glossary(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """Concepts, or keys of a glossary."""
    if kind.name == "glossary-lacks":
        spec = loaded(BASE.read_text(encoding="utf-8"))
        spec["states"] = {"deal.hands": [{"terms": ["deck", "hand"]}]}
        (folder / "sample.yaml").write_text(dumped(spec), encoding="utf-8")
    if sample.startswith("concept,"):
        return list(from_csv(Source("terms.csv", sample), "sample")[1])
    part = loaded(sample)
    part = part if part.keys() & {"game", "concepts"} else {"concepts": part}
    base = {"glossary": 1, "game": "sample", "concepts": {"deck": {"names": "deck", "en": {"preferred": "deck"}}}}
    source = Source(str(folder / "glossaries" / "sample.yaml"), dumped(base | part))
    if kind.name == "glossary-other-game":
        return list(check_glossary_(_read(source), rulespec.load(BASE).model))
    return list(check_glossary(source).findings)


def in_language(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """Keys of a record, or samples, of a language of a project."""
    target = folder / "languages" / "nl"
    target.mkdir(parents=True, exist_ok=True)
    is_record = kind.name == "language-record"
    (target / "language.yaml").write_text(f"language: 1\ntag: nl\n{sample * is_record}", encoding="utf-8")
    path = target / ("language.yaml" if is_record else "samples.yaml")
    if not is_record:
        path.write_text(f"samples:\n{sample}", encoding="utf-8")
    return list(rulespec.check(path).findings)


def in_looks(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """Keys of the looks of the cards."""
    (folder / "king.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return list(check_looks(Source(str(folder / "looks.yaml"), f"looks: 1\ngame: sample\n{sample}")).findings)


def _read(source: Source) -> Glossary:
    read, found = read_glossary(source)
    assert read is not None, found
    return read


def in_exchange(kind: FindingKind, sample: str, folder: Path) -> list[Finding]:
    """A PO or XLIFF file, or a part of one: lines of its header, entries, a unit or the target of a unit."""
    xliff = "<" in sample
    entries, found = (from_xliff if xliff else from_po)(Source("file", _xliff(sample) if xliff else _po(sample)))
    if entries is None:
        return list(found)
    source, _ = read_file(EXCHANGE / "uk.yaml")
    assert source is not None
    return [*found, *apply(source, entries, rulespec.load(EXCHANGE / "game.yaml").model)[1]]


def _po(sample: str) -> str:
    if sample.startswith("msgid"):
        return sample
    head = {"Language": "uk", "Project-Id-Version": "tiny 1.0.0"}
    if sample.startswith('"'):
        key, _, value = sample.split("#")[0].strip().strip('"').removesuffix("\\n").partition(": ")
        head[key] = value
        sample = ""
    lines = "".join(f'"{key}: {value}\\n"\n' for key, value in head.items())
    entries = [f"msgctxt {part}" for part in sample.split("msgctxt ")[1:]]
    texts = "\n".join(e if "msgid" in e else f'{e}msgid "Deal"\nmsgstr "Роздайте"\n' for e in entries)
    return f'msgid ""\nmsgstr ""\n{lines}\n{texts}'


def _xliff(sample: str) -> str:
    if "<xliff" in sample:
        return sample
    if "<unit" not in sample:
        sample = f'<unit id="rules:deal:text"><segment><source>Deal.</source>{sample}</segment></unit>'
    head = '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="uk">'
    return f'{head}<file id="tiny">{sample}</file></xliff>'


RUNS: dict[str, Any] = {
    "files": in_files,
    **dict.fromkeys(("RS009", "RS010"), in_spec),
    "yaml": in_yaml,
    **dict.fromkeys(("schema", "names", "expressions", "cards", "steps", "proof"), in_spec),
    "search": in_search,
    "scenarios": in_scenario,
    "decks": in_deck,
    "overlays": in_overlay,
    "saved-games": in_saved_game,
    "versions": in_versions,
    "texts": in_translation,
    "text-facts": in_rule_text,
    "terms": in_rule_text,
    "glossaries": in_glossary,
    "languages": in_prose,
    "typography": in_prose,
    "raw-texts": in_comment,
    "exchange": in_exchange,
    "RS116": in_steps,
    **dict.fromkeys(("RS915", "RS924", "RS925", "RS926", "RS927"), in_translation),
    "RS929": in_language,
    "language-samples": in_language,
    "card-sheets": in_looks,
    **dict.fromkeys(("RS919", "RS948", "RS949"), in_glossary),
}
"""How to run the samples of a group of findings; a code comes before its group."""


def found_in(kind: FindingKind, sample: str, folder: Path) -> Iterator[tuple[str, list[Finding]]]:
    """What is found in a sample, for each of its languages."""
    shutil.copy(BASE, folder / "sample.yaml")
    found = RUNS.get(kind.code, RUNS[GROUP_OF[kind.code]])(kind, sample, folder)
    yield from [("", found)] if isinstance(found, list) else found


def test_every_reason_is_about_a_kind() -> None:
    assert NOT_RUN.keys() | RULES.keys() <= {kind.code for kind in KINDS.values()}


# The samples of the search play many games; tests/test_deep.py has its findings in a small game.
RUN = [
    pytest.param(kind, marks=[pytest.mark.soak] * (GROUP_OF[kind.code] == "search"), id=kind.code)
    for kind in KINDS.values()
    if kind.code not in NOT_RUN
]


@pytest.mark.parametrize("kind", RUN)
def test_a_sample_shows_its_finding(kind: FindingKind, tmp_path: Path) -> None:
    page = page_of(kind)
    for lang, found in found_in(kind, page.bad, tmp_path):
        assert kind.name in {f.name for f in found}, (lang, [f"{f.name}: {f.message}" for f in found])
        assert all(isinstance(text, Message) for one in found for text in (one.message, one.hint) if text), "no catalog"
    for lang, found in found_in(kind, page.good, tmp_path):
        errors = [f"{f.name}: {f.message}" for f in found if f.severity == Severity.ERROR or f.name == kind.name]
        assert not errors or kind.code in OTHERS_TOO, (lang, errors)


@pytest.mark.parametrize("code", sorted(OTHERS_TOO))
def test_a_good_sample_has_fewer_findings(code: str, tmp_path: Path) -> None:
    kind = next(kind for kind in KINDS.values() if kind.code == code)
    bad, good = (
        {f.message for _, found in found_in(kind, sample, tmp_path) for f in found if f.name == kind.name}
        for sample in (page_of(kind).bad, page_of(kind).good)
    )
    assert bad - good
