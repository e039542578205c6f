"""What is wrong with the number words of a language and with their grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulespec.diagnostics import Finding, Span, finding, related
from rulespec.document import Mapping, Scalar
from rulespec.messages import Message, quoted, say
from rulespec.source import Source, read
from rulespec.text.quantity.numerals import tokens_of
from rulespec.text.quantity.outline import SLOTS
from rulespec.text.quantity.patterns import common_macros

KIND = "language-record"
SLOT_NAMES = frozenset((*SLOTS, *common_macros()))
"""The names that may stand in braces in every pattern of numbers."""

_FORM = re.compile(r"\S+")
_LINE = re.compile(r"(?:at )?line (\d+),? col(?:umn)? (\d+)")
_NAMED = re.compile(r"Rule '(\w+)'|<(\w+)\b|`(\w+)`|Terminal\('(\w+)'\)")


def check(root: Mapping, source: Source) -> Iterator[Finding]:
    """Number words with two values, endings that there are not, and words that no grammar reads."""
    for key in ("forms", "words"):
        table = root.get(key)
        for _, values in table.entries if isinstance(table, Mapping) else ():
            if isinstance(values, Mapping):
                yield from _values(values, _endings(root), source)
    yield from _words(root, source)


def _endings(root: Mapping) -> dict[str, str]:
    node = root.get("endings")
    return {key: one.text for key, one in node.items() if isinstance(one, Scalar)} if isinstance(node, Mapping) else {}


def _values(values: Mapping, endings: dict[str, str], source: Source) -> Iterator[Finding]:
    first: dict[str, tuple[str, Span]] = {}
    for value, node in values.entries:
        for found in _FORM.finditer(node.text) if isinstance(node, Scalar) else ():
            place = node.value_span(*found.span()) if isinstance(node, Scalar) else values.span
            stem, _, named = found[0].partition("+")
            if named and named not in endings:
                message = say("There are no endings `{name}`.", name=named)
                yield finding(KIND, message, source, place, say("Add them under `endings:`, or correct the name."))
                continue
            for form in dict.fromkeys(stem + one.strip(".") for one in (endings[named].split() if named else [""])):
                before, there = first.setdefault(form.lower(), (value.text, place))
                if before != value.text:
                    message = say(
                        "`{form}` is {value} here and {before} above.", form=form, value=value.text, before=before
                    )
                    other = related(say("Here it is {value}.", value=before), source, there)
                    hint = say("Delete it in one of the two places.")
                    yield finding(KIND, message, source, place, hint, related=[other])
                    break


def _words(root: Mapping, source: Source) -> Iterator[Finding]:
    """Words by tokens that no grammar beside the file has."""
    words, key, forms = root.get("words"), root.key("words"), root.key("forms")
    if not isinstance(words, Mapping) or key is None:
        return
    grammar = Path(source.path).with_name("numerals.lark")
    text = _grammar(grammar)
    if text is None:
        message = say("`words` are read by a grammar, and there is no numerals.lark beside this file.")
        yield finding(
            KIND, message, source, key.span, say("Write number words under `forms:`, which needs no grammar.")
        )
        return
    if forms is not None:
        message = say("`forms` are not read beside `words`, which a grammar reads.")
        yield finding(KIND, message, source, forms.span, say("Delete one of the two."))
    try:
        tokens = tokens_of(text.text)
    except ValueError:
        return  # the check of the record reports it in the grammar
    for token, _ in words.entries:
        if token.text not in tokens:
            message = say("The grammar has no token `{token}`.", token=token.text)
            yield finding(KIND, message, source, token.span, say("Correct it here, or use it in numerals.lark."))


def check_grammar(folder: Path) -> Iterator[Finding]:
    """The finding about the grammar of a language that cannot be used, at its place in numerals.lark."""
    source = _grammar(folder / "numerals.lark")
    if source is None:
        return
    try:
        tokens_of(source.text)
    except ValueError as error:
        rules = sorted(set(re.findall(r"^\s*- <(\w+)", str(error), re.MULTILINE)), key=source.text.find)
        message = say("The grammar cannot be used: {reason}.", reason=str(error).split("\n")[0].rstrip(".: "))
        if rules:
            message = say("The rules {rules} of the grammar match the same words.", rules=quoted(rules))
        yield finding(KIND, message, source, _place(source, str(error)), _hint(str(error)))


def _hint(error: str) -> Message:
    if "collision" in error.lower():
        return say("Delete one of them, or make them differ.")
    return say("Correct it, or delete the file and write number words under `forms:` of numerals.yaml.")


def is_grammar_sound(folder: Path) -> bool:
    """Whether the grammar of a language, if it has one, can be used."""
    return next(check_grammar(folder), None) is None


def _grammar(path: Path) -> Source | None:
    return read(path)[0] if path.is_file() else None


def _place(source: Source, error: str) -> Span:
    """The place that an error of lark is about: its line and column, or the first rule that it names."""
    found = _LINE.search(error)
    if found is not None and int(found[1]) <= source.line_count:
        at = min(source.line_start(int(found[1])) + int(found[2]) - 1, len(source.text))
        return Span(at, at + 1)
    names = [name for one in _NAMED.finditer(error) for name in one.groups() if name]
    begins = (re.search(rf"^\??{name}\b", source.text, re.MULTILINE) for name in sorted(names, key=source.text.find))
    within = (re.search(rf"\b{name}\b", source.text) for name in names)
    return next((Span(*one.span()) for one in (*begins, *within) if one is not None), Span(0, 0))
