"""A text in a language that has none yet: the words of another language, to be translated."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rulespec.base.source import Source
from rulespec.language.formats.table import FORMATS
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, find
from rulespec.text.output.exchange.yaml_patch import ScalarContext, fresh
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.seals.since import is_same_language


def nearest_of(lang: str, known: Collection[str]) -> str:
    """The language of a game to translate from into another one: one with the same language and script, else that of
    specs, else the first; "" if there is none."""
    form = find(lang).han_form
    alike = (tag for tag in known if is_same_language(tag, lang) and find(tag).han_form == form)
    return next(alike, LANGUAGE_OF_SPECS if LANGUAGE_OF_SPECS in known else next(iter(known), ""))


def begun(lang: str, source: Translation, path: str) -> Source:
    """A translation file with the titles, texts and examples of `source`, none of them confirmed."""
    lines = [
        FORMATS["translation"].first_line,
        *(f"# {line}" for line in _remarks(lang, source.lang)),
        f"game: {source.game}",
        *([f"variant: {source.variant}"] if source.variant else []),
        f"lang: {lang}",
        f"source: {source.lang}",
        f"title: {_scalar(source.title, 2)}",
        "",
        *_block("rules", source.rules),
        *(["", *_block("rulings", source.rulings)] if source.rulings else []),
    ]
    return Source(path, "\n".join(lines) + "\n")


def in_words(tag: str) -> str:
    """A language with its tag, such as `Swedish (sv)`."""
    return f"{find(tag).name} ({tag})"


def _remarks(lang: str, source: str) -> list[str]:
    if is_same_language(lang, source):
        return [f"The texts are those in {in_words(source)}. Change what {in_words(lang)} writes otherwise."]
    return [
        f"A draft: the texts are in {in_words(source)}, to be translated into {in_words(lang)}. A text with the words",
        f"of its source counts as untranslated (RS915); `ftk text changes {lang}` lists these.",
        "Delete this comment when none is left.",
    ]


def _block(name: str, passages: Mapping[str, Passage]) -> Iterator[str]:
    yield f"{name}:" if passages else f"{name}: {{}}"
    for id_, one in passages.items():
        yield f"  {id_}:"
        if one.title:
            yield f"    title: {_scalar(one.title, 6)}"
        yield f"    text: {_scalar(one.written.text, 6)}"
        yield from ["    examples:"] if one.examples else []
        for example in one.examples:
            yield f"      - case: {_scalar(example.case.text, 10)}"
            yield f"        text: {_scalar(example.text.text, 10)}"


def _scalar(text: str, indent: int) -> str:
    return fresh(text, ScalarContext(False, indent, "\n"), block="\n" in text)
