"""What a translation leaves out, and what it says of rules there are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import PurePath

from rulespec.diagnostics import Finding, Position
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
        yield Finding("text-other-language", message, translation.source.path, Position(1, 1), Position(1, 1), hint)


def _missing(
    translation: Translation, what: str, passages: Mapping[str, Passage], known: Mapping[str, str]
) -> Iterator[Finding]:
    start, end = (translation.source.position(at) for at in (translation.place.start, translation.place.end))
    for id_ in known:
        if id_ not in passages:
            message = f"The {what} `{id_}` has no text in {translation.lang}: {known[id_]}"
            hint = f"Add it under `{what}s:`."
            path = translation.source.path
            message = message if message.endswith((".", "?")) else message + "."
            yield Finding("text-missing", message, path, start, end, hint, id_, translation.lang)


def _extra(
    translation: Translation, what: str, passages: Mapping[str, Passage], known: Mapping[str, str]
) -> Iterator[Finding]:
    for passage in passages.values():
        if passage.id not in known:
            near = get_close_matches(passage.id, known, n=1)
            hint = f"Did you mean `{near[0]}`?" if near else "Delete the text, or add the rule to the spec."
            start, end = (translation.source.position(at) for at in (passage.key.start, passage.key.end))
            message = f"The spec has no {what} `{passage.id}`."
            yield Finding("text-extra", message, translation.source.path, start, end, hint, "", translation.lang)
