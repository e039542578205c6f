"""What a translation leaves out, and what it says of rules there are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import PurePath

from rulespec.diagnostics import Finding, Span, finding
from rulespec.model.spec import Spec
from rulespec.text.translation import Passage, Translation


def check(translation: Translation, spec: Spec) -> Iterator[Finding]:
    """Everything in which a translation does not fit its spec."""
    yield from _language(translation)
    for what, passages, known in (
        ("rule", translation.rules, {rule.id: rule.title for rule in spec.rules.values()}),
        ("ruling", translation.rulings, {ruling.id: ruling.question for ruling in spec.rulings.values()}),
    ):
        yield from _missing(translation, what, passages, known)
        yield from _extra(translation, what, passages, known)


def _language(translation: Translation) -> Iterator[Finding]:
    named = PurePath(translation.source.path).stem
    if named in ("en", "uk", "zh-Hant", "zh-Hans") and named != translation.lang:
        message = f"The file is called {named}, but its text says it is {translation.lang}."
        hint = "Correct `lang:`, or rename the file."
        yield finding("text-other-language", message, translation.source, Span(0, 0), hint)


def _missing(
    translation: Translation, what: str, passages: Mapping[str, Passage], known: Mapping[str, str]
) -> Iterator[Finding]:
    source, place = translation.source, translation.place
    for id_ in known:
        if id_ not in passages:
            message = f"The {what} `{id_}` has no text in {translation.lang}: {known[id_]}"
            hint = f"Add it under `{what}s:`."
            message = message if message.endswith((".", "?")) else message + "."
            yield finding("text-missing", message, source, place, hint, id_, translation.lang)


def _extra(
    translation: Translation, what: str, passages: Mapping[str, Passage], known: Mapping[str, str]
) -> Iterator[Finding]:
    for passage in passages.values():
        if passage.id not in known:
            near = get_close_matches(passage.id, known, n=1)
            hint = f"Did you mean `{near[0]}`?" if near else "Delete the text, or add the rule to the spec."
            message = f"The spec has no {what} `{passage.id}`."
            yield finding("text-extra", message, translation.source, passage.key, hint, lang=translation.lang)
