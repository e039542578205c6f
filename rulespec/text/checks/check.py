"""Checks of a translation against its spec, its glossary and the other languages."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import PurePath

from rulespec.base.diagnostics import Finding, Report, finding
from rulespec.base.messages import say
from rulespec.language.document import parse
from rulespec.language.model.spec import Spec
from rulespec.text.checks.detectors import STATEMENTS, detected
from rulespec.text.checks.page import Page
from rulespec.text.checks.places import beside_others, one_for_each
from rulespec.text.checks.typography.scripts import is_in_script
from rulespec.text.languages.registry import find, nearest
from rulespec.text.reading.ignores import not_ignored, without_ignored
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules.book import Book
from rulespec.text.rules.on_cards import filled_passage, filled_translation
from rulespec.text.seals import edits, staleness, untranslated
from rulespec.text.seals.confirmation import renewed
from rulespec.text.seals.kept_words import Kept, nothing


def check(
    translation: Translation,
    spec: Spec,
    book: Book | None,
    others: Collection[Translation],
    versions: Iterable[Spec] = (),
    only: Container[str] | None = None,
    kept: Kept = nothing,
) -> Iterator[Finding]:
    """All findings for a translation, each by itself with the places that disagree with it. Without a glossary its
    sentences are not checked. `one_for_each` puts them together.

    `others` are the texts in all languages. `versions` are earlier versions of the spec, which are iterated over more
    than once: a text is also compared with what has changed since the version that it was confirmed with. Its words
    then and those of its source are `kept`. Single texts are checked only if `only` is None or has the id of their rule
    or ruling.
    """
    translation = filled_translation(renewed(translation, spec, versions), spec)
    found = _found(translation, spec, book, others, versions, only, kept)
    return (beside_others(one, spec, others) for one in found)


def check_text(
    translation: Translation,
    passage: Passage,
    spec: Spec,
    book: Book | None,
    others: Collection[Translation],
    versions: Iterable[Spec] = (),
    kept: Kept = nothing,
) -> Iterator[Finding]:
    """The findings for the text of one rule or ruling of a translation that no comment ignores, one for each sentence,
    list or table; see `check`."""
    source = edits.source_among(translation, others)
    if untranslated.is_untranslated(passage, translation.lang, source):
        return untranslated.check(translation, source, [passage.id])
    passage = filled_passage(passage, spec, translation.lang)
    found = (
        *_of_text(translation, passage, spec, book, others, kept),
        *staleness.check(translation, [passage], spec, book, versions),
    )
    placed = (beside_others(one, spec, others) for one in found)
    return one_for_each(not_ignored(placed, translation.source), translation)


def _found(
    translation: Translation,
    spec: Spec,
    book: Book | None,
    others: Collection[Translation],
    versions: Iterable[Spec],
    only: Container[str] | None,
    kept: Kept,
) -> Iterator[Finding]:
    """The findings for a translation whose placeholders are filled."""
    if wrong := list(_language(translation)):
        yield from wrong  # what is written in another language lacks everything
        return
    yield from edits.wrong_source(translation, others)
    for what, passages, known in (
        ("rule", translation.rules, {rule.id: rule.title for rule in spec.rules.values()}),
        ("ruling", translation.rulings, {ruling.id: ruling.question for ruling in spec.rulings.values()}),
    ):
        yield from _missing(translation, what, passages, known)
        yield from _extra(translation, what, passages, known)
    source = edits.source_among(translation, others)
    drafts = untranslated.untranslated_ids(translation, source)
    if wrong := list(_script(translation, drafts)):
        yield from wrong
        return
    yield from untranslated.check(translation, source, translation.passages)
    checked_now = [p for id_, p in translation.passages.items() if id_ not in drafts and (only is None or id_ in only)]
    for passage in checked_now:
        yield from _of_text(translation, passage, spec, book, others, kept)
    # All texts together: a change is reported once, at the nearest of those that are due for it.
    yield from staleness.check(translation, checked_now, spec, book, versions)


def _of_text(
    translation: Translation,
    passage: Passage,
    spec: Spec,
    book: Book | None,
    others: Collection[Translation],
    kept: Kept,
) -> Iterator[Finding]:
    """The findings of all detectors for one text whose placeholders are filled."""
    page = Page(passage, translation.lang, spec, book, translation, others, kept)
    return (found for _, found in detected(page))


CONTRADICTIONS = ("fact-contradicted", "order-contradicted")
"""The findings for what a text says and the spec excludes."""


def contradicted(translation: Translation, book: Book) -> tuple[str, ...]:
    """The ids of the rules and rulings whose texts contradict the spec, in the order of the translation."""
    translation = filled_translation(translation, book.spec)
    pages = (Page(one, translation.lang, book.spec, book, translation) for one in translation.passages.values())
    found = [one for page in pages for _, one in detected(page, STATEMENTS)]
    left = without_ignored(Report.of(found), translation.source, parse(translation.source)[0]).findings
    return tuple(dict.fromkeys(one.rule for one in left if one.rule and one.name in CONTRADICTIONS))


def check_passage(passage: Passage, lang: str, book: Book) -> Iterator[Finding]:
    """All findings for the text of one rule alone."""
    return (found for _, found in detected(Page(passage, lang, book.spec, book), STATEMENTS))


def _language(translation: Translation) -> Iterator[Finding]:
    named = PurePath(translation.source.path).stem
    if named != translation.lang and nearest(named) == named:
        message = say("The file name says {named}, but `lang:` says {lang}.", named=named, lang=translation.lang)
        hint = say("Correct `lang:`, or rename the file.")
        yield finding("text-other-language", message, translation.source, translation.lang_place, hint)


def _script(translation: Translation, drafts: Container[str]) -> Iterator[Finding]:
    """A file whose texts, drafts left out, are written in another script than their language."""
    tag, script = translation.lang, find(translation.lang).script
    said = " ".join(one.text.text for id_, one in translation.passages.items() if id_ not in drafts)
    if not is_in_script(said, script):
        message = say(
            "`{tag}` is written in {script}, but nearly all letters of the text are not.", script=script, tag=tag
        )
        hint = say("Correct `lang:`, or name the script in the tag, as in `sr-Latn`.")
        yield finding("other-script", message, translation.source, translation.lang_place, hint)


_WITHOUT_TEXT = {
    "rule": say("The rule `{id}` has no text in {lang}: {text}"),
    "ruling": say("The ruling `{id}` has no text in {lang}: {text}"),
}
_NOT_IN_SPEC = {"rule": say("The spec has no rule `{id}`."), "ruling": say("The spec has no ruling `{id}`.")}


def _missing(
    translation: Translation, what: str, passages: Mapping[str, Passage], known: Mapping[str, str]
) -> Iterator[Finding]:
    source, place = translation.source, translation.place
    meant = {near for id_ in passages if id_ not in known for near in _near(id_, passages, known)}
    for id_ in known:
        if id_ not in passages and id_ not in meant:
            said = known[id_] if known[id_].endswith((".", "?")) else f"{known[id_]}."
            message = say(_WITHOUT_TEXT[what], id=id_, lang=translation.lang, text=said)
            hint = say("Add it under `{section}:`.", section=f"{what}s")
            yield finding("text-missing", message, source, place, hint, id_, translation.lang)


def _near(id_: str, passages: Mapping[str, Passage], known: Mapping[str, str]) -> list[str]:
    """The rule without a text that an unknown id most likely means."""
    return get_close_matches(id_, [one for one in known if one not in passages], n=1)


def _extra(
    translation: Translation, what: str, passages: Mapping[str, Passage], known: Mapping[str, str]
) -> Iterator[Finding]:
    for passage in passages.values():
        if passage.id not in known:
            near = _near(passage.id, passages, known)
            hint = (
                say("Did you mean `{name}`?", name=near[0])
                if near
                else say("Delete the text, or add the rule to the spec.")
            )
            message = say(_NOT_IN_SPEC[what], id=passage.id)
            yield finding("text-extra", message, passage.source, passage.key, hint, lang=translation.lang)
