"""Checks of a translation against its spec, its glossary and the other languages."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import groupby
from pathlib import PurePath

from rulespec.base.diagnostics import Finding, Position, Related, Report, Severity, Span, finding, related
from rulespec.base.messages import counted, say, sentences
from rulespec.base.project import shown
from rulespec.language.document import parse
from rulespec.language.model.spec import Spec
from rulespec.proofs.checks import locations
from rulespec.text.checks.detectors import STATEMENTS, detected
from rulespec.text.checks.page import Page
from rulespec.text.checks.typography.scripts import is_in_script
from rulespec.text.languages.registry import find, nearest
from rulespec.text.reading.clauses import is_item, passages
from rulespec.text.reading.ignores import not_ignored, without_ignored
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules.book import Book
from rulespec.text.rules.on_cards import filled_passage, filled_translation
from rulespec.text.seals import edits
from rulespec.text.seals.confirmation import renewed, stale
from rulespec.text.seals.since import Kept, is_untranslated, nothing, source_among, untranslated, untranslated_ids


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
    source = source_among(translation, others)
    if is_untranslated(passage, translation.lang, source):
        return untranslated(translation, source, [passage.id])
    passage = filled_passage(passage, spec, translation.lang)
    found = (
        *_of_text(translation, passage, spec, book, others, kept),
        *stale(translation, [passage], spec, book, versions),
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
    for what, texts, known in (
        ("rule", translation.rules, {rule.id: rule.title for rule in spec.rules.values()}),
        ("ruling", translation.rulings, {ruling.id: ruling.question for ruling in spec.rulings.values()}),
    ):
        yield from _unmatched(translation, what, texts, known)
    source = source_among(translation, others)
    drafts = untranslated_ids(translation, source)
    if wrong := list(_script(translation, drafts)):
        yield from wrong
        return
    yield from untranslated(translation, source, translation.passages)
    checked_now = [p for id_, p in translation.passages.items() if id_ not in drafts and (only is None or id_ in only)]
    for passage in checked_now:
        yield from _of_text(translation, passage, spec, book, others, kept)
    # All texts together: a change is reported once, at the nearest of those that are due for it.
    yield from stale(translation, checked_now, spec, book, versions)


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


def _unmatched(
    translation: Translation, what: str, passages: Mapping[str, Passage], known: Mapping[str, str]
) -> Iterator[Finding]:
    """Rules or rulings without a text, and texts of none."""
    source, place = translation.source, translation.place
    meant = {near for id_ in passages if id_ not in known for near in _near(id_, passages, known)}
    for id_ in known:
        if id_ not in passages and id_ not in meant:
            said = known[id_] if known[id_].endswith((".", "?")) else f"{known[id_]}."
            message = say(_WITHOUT_TEXT[what], id=id_, lang=translation.lang, text=said)
            hint = say("Add it under `{section}:`.", section=f"{what}s")
            yield finding("text-missing", message, source, place, hint, id_, translation.lang)
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


def _near(id_: str, passages: Mapping[str, Passage], known: Mapping[str, str]) -> list[str]:
    """The rule without a text that an unknown id most likely means."""
    return get_close_matches(id_, [one for one in known if one not in passages], n=1)


STRENGTH = (
    "fact-contradicted",
    "order-contradicted",
    "number-unaccounted",
    "fact-missing",
    "language-number",
    "language-contrast",
    "language-lacks",
    "language-adds",
    "example-unproved",
    "example-number",
    "text-stale",
    "source-edited",
    "text-edited",
)
"""The kinds of finding of which a sentence, list or table has one, the strongest reason first among those of one
severity."""

_EXAMPLES = ("example-unproved", "example-number")
_WHOLE = -1
"""The place of what concerns a whole text or its examples."""


def one_for_each(found: Iterable[Finding], translation: Translation) -> Iterator[Finding]:
    """The findings about a translation, one for each sentence, list or table: the strongest, with the others as its
    related places. In no order.

    What concerns a whole text, or is only stale, goes with the strongest finding about a sentence of it; an example
    with its rule. Examples of rules without another finding are one finding together: one change has broken them.
    """
    rules: dict[str, list[Finding]] = {}
    for one in found:
        if one.name in STRENGTH and one.rule in translation.passages:
            rules.setdefault(one.rule, []).append(one)
        else:
            yield one
    unproved: list[Finding] = []
    for rule, those in rules.items():
        if all(one.name == "example-unproved" for one in those):
            unproved += those
        else:
            yield from _of_sentence(sorted(those, key=_order), translation.passages[rule], translation.lang)
    if unproved:
        more = counted("{number} more example is unproved.", "{number} more examples are unproved.", len(unproved) - 1)
        yield _joined(unproved, more if len(unproved) > 1 else "")


def _of_sentence(found: Sequence[Finding], passage: Passage, lang: str) -> Iterator[Finding]:
    """The findings about one text, given with the strongest first."""
    blocks = list(_blocks(passage, lang)) if len(found) > 1 else []
    placed: dict[int, list[Finding]] = {}
    for one in found:
        at = next((i for i, (start, end, _) in enumerate(blocks) if start <= one.start < end), _WHOLE)
        placed.setdefault(at, []).append(one)
    whole, stale = placed.pop(_WHOLE, []), [at for at, those in placed.items() if those[0].name == "text-stale"]
    if len(stale) < len(placed) or any(one.name not in ("text-stale", *_EXAMPLES) for one in whole):
        whole += [one for at in stale for one in placed.pop(at)]
    placed.setdefault(next(iter(placed), _WHOLE), []).extend(whole)
    for at, those in placed.items():
        cells = sum(one.name == those[0].name for one in those) - 1 if at >= 0 and blocks[at][2] else 0
        more = counted(
            "{number} more place in this list is wrong.", "{number} more places in this list are wrong.", cells
        )
        yield _joined(sorted(those, key=_order), more if cells else "")


def _joined(found: Sequence[Finding], more: str) -> Finding:
    """The first finding, with the others as related places, and how many more there are in the message."""
    first, *others = found
    if not others:
        return first
    places = [Related(one.message, one.path, one.start, one.end, one.name, one.rule) for one in others]
    beside = dict.fromkeys((*first.related, *places, *(place for one in others for place in one.related)))
    return replace(first, message=sentences(first.message, more), related=tuple(beside))


def _order(found: Finding) -> tuple[bool, int, Position, str]:
    """Errors first, so that none is only a place of a warning."""
    return found.severity != Severity.ERROR, STRENGTH.index(found.name), found.start, found.message


def _blocks(passage: Passage, lang: str) -> Iterator[tuple[Position, Position, bool]]:
    """The sentences and lists of a text, each with whether it is a list."""
    prose, text = passage.prose(lang), passage.text.text
    spans = passages(text, find(lang), 0, len(text))
    for is_list, some in groupby(spans, lambda span: is_item(text, span.start)):
        group = list(some)
        for span in [Span(group[0].start, group[-1].end)] if is_list else group:
            _, start, end = passage.source.located(prose.place(span.start, span.end))
            yield start, end, is_list


# --- the places that disagree ----------------------------------------------------------------------------------------

_AGAINST_SPEC = frozenset(
    (
        "fact-missing",
        "fact-contradicted",
        "order-contradicted",
        "number-unaccounted",
        "text-missing",
        "text-stale",
        "text-edited",
    )
)
_AGAINST_TEXTS = frozenset(("language-lacks", "language-adds", "language-number", "language-contrast", "term-confused"))


def beside_others(found: Finding, spec: Spec, others: Collection[Translation] = ()) -> Finding:
    """A finding about a text with what the text contradicts: the rule in the spec, or `others`, the texts in all
    languages."""
    if found.name in _AGAINST_SPEC:
        return replace(found, related=(*found.related, *_rule(found.rule, spec)))
    if found.name in _AGAINST_TEXTS:
        return replace(found, related=(*found.related, *_texts(found, others)))
    return found


def _rule(id_: str, spec: Spec) -> Iterator[Related]:
    declared = spec.rules.get(id_) or spec.rulings.get(id_)
    if declared is not None:
        span = locations.at(spec, declared.span, "id")
        yield _shown(related(say("The rule in the spec."), spec.source, span))


def _texts(found: Finding, others: Iterable[Translation]) -> Iterator[Related]:
    for other in others:
        passage = other.passages.get(found.rule)
        if passage is not None and other.lang != found.lang:
            message = say("The text in {lang}.", lang=other.lang)
            yield _shown(related(message, passage.source, passage.text.span))


def _shown(place: Related) -> Related:
    return replace(place, path=shown(place.path))
