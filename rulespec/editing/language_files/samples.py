"""Samples of a language: small texts with what is to be read in them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.findings import KINDS
from rulespec.base.messages import NOTHING, Message, quoted, say
from rulespec.base.project import FOLDER_OF_LANGUAGES
from rulespec.base.source import Source
from rulespec.editing.language_files.places import SAMPLES
from rulespec.games.rulebook import check_translation
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar
from rulespec.language.document.nodes import Sequence as ListNode
from rulespec.proofs.meaning.constructors import FAMILIES
from rulespec.text.checks.check import CONTRADICTIONS
from rulespec.text.checks.typography import check as typography
from rulespec.text.glossary.concepts import read as read_glossary
from rulespec.text.glossary.finder import finder
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.quantity.reader import read as quantities
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import find as find_language
from rulespec.text.languages.registry import still_in_use
from rulespec.text.reading.contrasts.reader import read as contrasts
from rulespec.text.reading.prose import whole

KIND = "language-sample"

OF_TRUE = (*CONTRADICTIONS, "number-unaccounted", "term-forbidden", "term-confused")
"""The findings that a sentence which is true of a rule must not have."""


@dataclass(frozen=True)
class Sample:
    """A text with what is expected of it, as nodes of its file."""

    text: str
    span: Span
    expected: Mapping


def samples_in(root: Node) -> list[Sample]:
    """The samples of a file that has the shape of one."""
    listed = root.get("samples") if isinstance(root, Mapping) else None
    nodes = listed.items if isinstance(listed, ListNode) else ()
    found = ((node, node.get("text")) for node in nodes if isinstance(node, Mapping))
    return [Sample(text.text, text.span, node) for node, text in found if isinstance(text, Scalar)]


def failures(sample: Sample, language: Language, source: Source) -> Iterator[Finding]:
    """What is read in a text otherwise than expected. The language must be in use."""
    for key, compared in _COMPARED.items():
        node = sample.expected.get(key)
        for message, hint in compared(sample, node, language, source) if node is not None else ():
            span = node.span if isinstance(node, Scalar) else _head(sample.expected, key)
            yield finding(KIND, message, source, span, hint, lang=language.tag)


def _head(sample: Mapping, key: str) -> Span:
    name = sample.key(key)
    return name.span if name is not None else sample.span


Said = Iterator[tuple[Message, Message]]


def _texts(node: Node) -> list[str]:
    return [item.text for item in node.items if isinstance(item, Scalar)] if isinstance(node, ListNode) else []


def _listed(words: Sequence[str]) -> list[str] | Message:
    return quoted(list(words)) if words else say("nothing")


def _numbers(sample: Sample, node: Node, language: Language, source: Source) -> Said:
    wanted = _texts(node)
    read = [text for one in quantities(sample.text, language.tag) if (text := written(one))]
    if read != wanted:
        hint = say("Add number words or patterns to numerals.yaml, or correct the sample.")
        yield say("The numbers read are {read}, not {wanted}.", read=_listed(read), wanted=_listed(wanted)), hint


_NOT_WRITTEN = (Kind.ARTICLE, Kind.MARKER, Kind.PAGE, Kind.YEAR)


def written(one: Quantity) -> str:
    """A quantity as samples write it; "" for one that counts nothing: an article, a list mark, a page, a year."""
    if one.kind in _NOT_WRITTEN:
        return ""
    value = str(one.value)
    signed = f"+{value}" if one.value > 0 else value
    if one.kind is Kind.RANGE:
        return f"{value}..{one.high}"
    if one.kind is Kind.RELATIVE:
        return f"n{signed}" if one.value else "n"
    return {Kind.ORDINAL: f"{value}.", Kind.SIGNED: signed}.get(one.kind, value)


def _contrasts(sample: Sample, node: Node, language: Language, source: Source) -> Said:
    wanted = [" ".join(text.split()) for text in _texts(node)]
    known = {f"{family}: {value}" for family, values in FAMILIES.items() for value in values}
    for text in wanted:
        if text.removeprefix("not ") not in known:
            hint = say("Write a family and its value, such as `side: left`.")
            yield say("There is no contrast `{text}`.", text=text), hint
            return
    read = [f"{'not ' * one.negated}{one.family}: {one.value}" for one in contrasts(sample.text, language)]
    if Counter(read) != Counter(wanted):
        hint = say("Add wordings to contrasts.yaml, or correct the sample.")
        yield say("The contrasts read are {read}, not {wanted}.", read=_listed(read), wanted=_listed(wanted)), hint


def _terms(sample: Sample, node: Node, language: Language, source: Source) -> Said:
    if not isinstance(node, Mapping):
        return
    wanted = {term: _texts(words) for term, words in node.items()}
    read: dict[str, list[str]] = {term: [] for term in wanted}
    for start, end, term in _mentions(sample.text, tuple(wanted), language):
        read[term].append(sample.text[start:end])
    for term, words in wanted.items():
        if read[term] != words:
            values = {"term": term, "read": _listed(read[term]), "wanted": _listed(words)}
            hint = say("Give the language a lemmatiser or endings, the term its `forms:`, or correct the sample.")
            yield say("The term `{term}` matches {read}, not {wanted}.", **values), hint


def _mentions(text: str, terms: tuple[str, ...], language: Language) -> Iterator[tuple[int, int, str]]:
    """Where terms are found in a text: start, end and the term."""
    concepts = {f"term_{number}": {language.tag: {"preferred": term}} for number, term in enumerate(terms)}
    file = {"glossary": 1, "game": "samples", "concepts": concepts}
    with still_in_use():
        # Reading a file puts the languages of its project in use.
        known, _ = read_glossary(Source("samples", json.dumps(file, ensure_ascii=False)))
    for one in finder(known, language.tag).find(text) if known is not None else ():
        yield one.start, one.end, terms[int(one.concept.removeprefix("term_"))]


def _findings(sample: Sample, node: Node, language: Language, source: Source) -> Said:
    wanted = _texts(node)
    for name in wanted:
        if name not in KINDS:
            yield say("There is no finding `{name}`.", name=name), say("`ftk explain` lists all findings.")
            return
    found = list(typography(whole(Source("sample", sample.text), language.tag)))
    if Counter(one.name for one in found) != Counter(wanted):
        names = [one.name for one in found]
        message = say("The findings are {read}, not {wanted}.", read=_listed(names), wanted=_listed(wanted))
        yield message, found[0].message if found else NOTHING  # type: ignore[misc]


def _rule(sample: Sample, node: Node, language: Language, source: Source) -> Said:
    game, _, rule = (part.strip() for part in (node.text if isinstance(node, Scalar) else "").partition(":"))
    for one in _untrue(sample.text, game, rule, language, source):
        yield say("The text is to be true of `{rule}`, but: {message}", rule=rule, message=one.message), one.hint  # type: ignore[misc]
        return


def _untrue(text: str, game: str, rule: str, language: Language, source: Source) -> Iterator[Finding]:
    """What is found in a text of a rule that a true text must not have."""
    folder = next(
        (one.parent for one in Path(source.path).absolute().parents if one.name == FOLDER_OF_LANGUAGES), Path()
    )
    rules = {rule: {"title": "Sample", "text": text}}
    file = {"translation": 3, "game": game, "lang": language.tag, "title": "Sample", "rules": rules}
    path = folder / "translations" / game / f"{language.tag}.yaml"
    with still_in_use():
        report = check_translation(Source(str(path), json.dumps(file, ensure_ascii=False, indent=1)))
    unknown = ("text-no-game", "text-extra")
    yield from (one for one in report.findings if one.name in unknown or (one.rule == rule and one.name in OF_TRUE))


_COMPARED: dict[str, Callable[[Sample, Node, Language, Source], Said]] = {
    "numbers": _numbers,
    "contrasts": _contrasts,
    "terms": _terms,
    "findings": _findings,
    "rule": _rule,
}
"""How each key of a sample is compared."""


def samples_of(folder: Path, tag: str) -> Path | None:
    """The file with the samples of a language, of the project with this folder of languages or of this package."""
    own = folder / tag / f"{SAMPLES}.yaml"
    return own if own.is_file() else find_language(tag).file(f"{SAMPLES}.yaml")


def samples_read(source: Source) -> list[tuple[str, int, int]]:
    """The texts of a file of samples, each with the first and the last line of its sample."""
    root, _ = parse(source)
    samples = samples_in(root) if root is not None else []
    lines = (source.located(one.expected.span)[1:] for one in samples)
    return [(one.text, start.line, end.line) for one, (start, end) in zip(samples, lines, strict=True)]
