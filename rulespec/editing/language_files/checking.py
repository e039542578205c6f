"""Everything wrong with the files of a language: its record, its data files and its samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from rulespec.base.diagnostics import Finding, Severity, Span, finding
from rulespec.base.messages import NOTHING, Message, say
from rulespec.base.source import Source, read
from rulespec.editing.language_files import numerals
from rulespec.editing.language_files.patterns import broken, patterns
from rulespec.editing.language_files.places import RECORD, SAMPLES, UNREAD, name_of
from rulespec.editing.language_files.samples import failures, samples_in
from rulespec.editing.language_files.schemas import Schema, home_of, schema_of
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence, at, key_at
from rulespec.language.formats.current import document
from rulespec.language.schema.validate import findings as schema_findings
from rulespec.text.checks.counted import lexicon_of as counted_of
from rulespec.text.languages.data import FORMER
from rulespec.text.languages.quantity.patterns import numerals_of
from rulespec.text.languages.record import Language, has_content, is_content
from rulespec.text.languages.registry import (
    PACKAGE,
    read_in,
    read_unproved,
    unknown,
)
from rulespec.text.languages.registry import (
    find as find_language,
)
from rulespec.text.languages.registry import (
    use as use_language,
)
from rulespec.text.languages.tags import tag_of
from rulespec.text.languages.valid import PRIVATE, problems
from rulespec.text.reading.contrasts.lexicon import lexicon_of
from rulespec.text.rules.describe.grammar import grammar_in
from rulespec.versions.changes.words import phrases_in

READERS: dict[str, Callable[[Language], object]] = {
    "numerals": numerals_of,
    "contrasts": lexicon_of,
    "counted": counted_of,
    "describe": grammar_in,
    "changes": phrases_in,
}
"""A reader by the name of its file. It raises ValueError with the file if that is invalid."""


KIND = "language-record"


def check(source: Source) -> Iterator[Finding]:
    """Everything wrong with a file of a language. Never raises for bad input.

    A data file is one by its place, `languages/TAG/NAME.yaml`; any other file is a record.
    """
    name = name_of(source.path) or RECORD
    if name == "predicates" and is_content(source.text):
        message = say("Predicates are read in contrasts.yaml now, and this file is not read.")
        yield _say(source, Span(0, 0), message, _MOVED)
    if name in UNREAD or (name != RECORD and source.text.strip() and not is_content(source.text)):
        return
    schema = schema_of(name)
    root, found = document(source, RECORD) if name == RECORD else _data(source, name)
    found = list(found)
    if not isinstance(root, Mapping):
        yield from found
        return
    misplaced = list(_of_other_files(root, source, name, schema))
    places = {one.start for one in misplaced}
    found = [one for one in found if not (one.name == "unknown-key" and one.start in places)]
    if name == "describe" and _adds_to_a_grammar(Path(source.path).parent):
        found = [one for one in found if one.name != "missing-key"]
    found += misplaced
    macros = root.get("macros")
    own = [key for key, _ in macros.items()] if isinstance(macros, Mapping) else []
    known = {*own, *(numerals.SLOT_NAMES if name == "numerals" else ())}
    found += (
        _say(source, scalar.value_span(one.start, one.end), one.message, one.hint)
        for scalar, kind in patterns(root, schema)
        for one in broken(scalar, kind, known)
    )
    found += _record(root, source) if name == RECORD else ()
    found += numerals.check(root, source) if name == "numerals" else ()
    yield from found
    if all(one.severity != Severity.ERROR for one in found):
        yield from _deep(root, source, name)


_MOVED = say(
    "Move `predicates:` to contrasts.yaml, with `obligation` for `duty` and `refund` for `change`; the words of"
    " `negators:` to `before:` under its `negation:`; all other lists to its `clauses:`. Then delete this file."
)


def check_samples(source: Source, language: Language) -> Iterator[Finding]:
    """Everything wrong with a file of samples, and with how its texts are read in a language, which must be in use."""
    root, found = _data(source, SAMPLES)
    yield from found
    if root is not None and all(one.severity != Severity.ERROR for one in found):
        yield from _failures(root, source, language)


def _failures(root: Node, source: Source, language: Language) -> Iterator[Finding]:
    for sample in samples_in(root):
        yield from failures(sample, language, source)


def _data(source: Source, name: str) -> tuple[Node | None, list[Finding]]:
    """The document of a data file, in which every scalar is a text, and what is wrong with its YAML and its shape. Keys
    of earlier versions are left out."""
    root, found = parse(source)
    found = [one for one in found if one.name not in _OF_TYPES or one.message == _LIST_AS_KEY]
    if root is None:
        return None, found
    texts, former = _texts(root), FORMER.get(f"{name}.yaml", frozenset())
    if isinstance(texts, Mapping):
        texts = replace(texts, entries=tuple((key, value) for key, value in texts.entries if key.text not in former))
    return texts, [*found, *schema_findings(texts, source, schema_of(name))]


_LIST_AS_KEY = say("A list or mapping cannot be a key.")
_OF_TYPES = ("ambiguous-scalar", "key-not-text")
"""Findings about words such as `no` and `true`, which are texts in a data file."""


def _texts(node: Node) -> Node:
    if isinstance(node, Scalar):
        return replace(node, value=node.text)
    if isinstance(node, Sequence):
        return replace(node, items=tuple(map(_texts, node.items)))
    return replace(node, entries=tuple((key, _texts(value)) for key, value in node.entries))


def _head(root: Mapping) -> Span:
    """The first key of a file."""
    return root.entries[0][0].span if root.entries else Span(root.span.start, root.span.start)


def _say(source: Source, span: Span, message: Message, hint: Message = NOTHING) -> Finding:
    return finding(KIND, message, source, span, hint)


def _of_other_files(root: Mapping, source: Source, name: str, schema: Schema) -> Iterator[Finding]:
    """Keys that belong to another file of the language."""
    for key, _ in root.entries:
        home = home_of(key.text, name) if key.text not in schema["properties"] else ""
        if home:
            message = say("`{key}` is no key of {name}.yaml.", key=key.text, name=name)
            yield _say(source, key.span, message, say("Move it to {home}.yaml, to which it belongs.", home=home))


# --- the record ------------------------------------------------------------------------------------------------------


def _record(root: Mapping, source: Source) -> Iterator[Finding]:
    """A tag that is none, or not that of the folder."""
    tag = root.get("tag")
    if not isinstance(tag, Scalar) or not isinstance(tag.value, str):
        return
    known = tag_of(tag.text)
    if known is None and not PRIVATE.fullmatch(tag.text):
        yield unknown(tag, source)
    elif known is not None and known.text != tag.text:
        message = say("The tag `{tag}` is written `{now}` today.", tag=tag.text, now=known.text)
        yield finding("language-tag", message, source, tag.span, say("Write `{now}`.", now=known.text))
    folder = Path(source.path).absolute().parent.name
    if name_of(source.path) and folder != tag.text:
        message = say("The tag is `{tag}`, but the folder is `{folder}`.", tag=tag.text, folder=folder)
        yield _say(source, tag.span, message, say("Make them the same."))


def _deep(root: Mapping, source: Source, name: str) -> Iterator[Finding]:
    """What is wrong with values that have the right shape: read as the checks of texts read them."""
    folder = Path(source.path).absolute().parent
    if not name_of(source.path):
        return
    if name == RECORD:
        yield from _values(root, source, folder)
        yield from _figures(root, source, folder)
        path = folder / "numerals.lark"
        grammar = read(path)[0] if path.is_file() else None
        if grammar is not None:
            hint = say("Write number words under `forms:` of numerals.yaml, and delete this file.")
            yield _say(grammar, Span(0, 0), say("Number words need no grammar, and this one is not read."), hint)
        return
    try:
        language = _language(folder)
    except ValueError:
        if not has_content(folder / f"{RECORD}.yaml"):
            message = say("There is no language.yaml beside this file, so it is not read.")
            hint = say("Write one: `ftk language new {tag}` writes it with what CLDR has.", tag=folder.name)
            yield _say(source, _head(root), message, hint)
        return  # else the check of the record says what is wrong
    if name == SAMPLES:
        yield from _failures(root, source, language)
    else:
        # What a reader of the data says that no other check has found
        try:
            READERS[name](language)
        except ValueError as error:
            reason = str(error).removeprefix(str(Path(source.path).absolute())).removeprefix(source.path).lstrip(": ")
            yield _say(source, _head(root), say("The file cannot be read: {error}.", error=reason))


def _language(folder: Path) -> Language:
    """The language of a folder, in use. Raises ValueError if its record is invalid."""
    if folder.parent == PACKAGE:
        return find_language(folder.name)
    use_language(folder.parent)
    return read_in(folder.parent, folder.name)


def _adds_to_a_grammar(folder: Path) -> bool:
    """Whether the grammar of a language gives only what differs from that of another one."""
    try:
        return len(_language(folder).files("describe.yaml")) > 1
    except ValueError:  # what is wrong with the record is a finding of its own file
        return False


def _values(root: Mapping, source: Source, folder: Path) -> Iterator[Finding]:
    """The record with what it inherits: what cannot be used, or an unknown language that it extends."""
    extends = root.get("extends")
    try:
        made = read_unproved(folder.parent, folder.name)
    except ValueError as error:
        node = extends if isinstance(extends, Scalar) else root.key("tag")
        yield _say(source, node.span if node is not None else root.span, *_cannot(error, extends))
        return
    for one in problems(made):
        if isinstance(root.get(str(one.path[0])), Scalar | Sequence | Mapping):
            value = at(root, one.path)
            span = value.span if isinstance(value, Scalar) else key_at(root, one.path[:1]).span
            yield _say(source, span, one.message, one.hint)


def _figures(root: Mapping, source: Source, folder: Path) -> Iterator[Finding]:
    """The finding about marks in figures with which no number can be read."""
    node = root.key("figures")
    if node is None:
        return
    try:
        numerals_of(replace(read_in(folder.parent, folder.name), folders=()))
    except ValueError:
        yield _say(source, node.span, say("Numbers cannot be read with these marks."), say("Write one mark for each."))


def _cannot(error: ValueError, extends: Node | None) -> tuple[Message, Message]:
    if not isinstance(extends, Scalar):
        return say("The record cannot be read: {error}.", error=str(error)), NOTHING
    if "extend each other" in str(error):
        message = say("The language extends itself, through `{tag}`.", tag=extends.text)
        return message, say("Delete one `extends:` of the circle.")
    if "there is no language" in str(error):
        message = say("There is no language `{tag}` to extend.", tag=extends.text)
        return message, say("Write the tag of a language of the project, of ftk, or of CLDR.")
    return say("The record of `{tag}` cannot be read.", tag=extends.text), say("Run `ftk check` on its folder.")
