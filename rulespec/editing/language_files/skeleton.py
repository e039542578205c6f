"""The files of a new language of a project, with what is known of it filled in and what is open explained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

import regex

from rulespec.base.failure import Refusal
from rulespec.base.messages import say
from rulespec.base.project import shown
from rulespec.base.source import Source
from rulespec.editing.language_files.places import RECORD
from rulespec.editing.language_files.samples import written
from rulespec.editing.language_files.schemas import schema_of
from rulespec.language.layout import formatted
from rulespec.proofs.meaning.constructors import FAMILIES
from rulespec.text.languages.data import is_pattern
from rulespec.text.languages.quantity.reader import read as quantities
from rulespec.text.languages.quantity.spelled import spelled
from rulespec.text.languages.record import FORMAT_KEY, Language
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, LANGUAGES
from rulespec.text.languages.registry import find as find_language
from rulespec.text.languages.tags import similar, tag_of
from rulespec.text.languages.valid import PRIVATE
from rulespec.text.reading.contrasts.lexicon import Role, lexicon_of

_WIDTH = 118
_NOT_COPIED = ("tag", "name", "extends", "aliases", "folders", "digest")
_WORDS = (*range(21), *range(30, 100, 10), 100, 1000)
"""The numbers whose words a new file of numerals has."""
_LAST_ORDINAL = 12


def new_language(folder: Path, written_tag: str, origin: str = "") -> dict[str, str]:
    """The files of a new language in `folder/TAG`, by path. With `origin`, open parts are those of that language, as
    comments to be translated.

    The languages of the project must be in use. Raises Refusal for a tag that is none, a language that has files
    already, and an origin without a record.
    """
    tag = _tag(written_tag)
    target = folder / tag
    if target.is_dir() and any(target.iterdir()):
        raise Refusal(
            say("{target} has files of {tag} already.", target=shown(str(target)), tag=tag),
            say("Nothing was written. Change them, or delete the folder."),
        )
    here = find_language(tag)
    model = find_language(_tag(origin)) if origin else None
    if model is not None and not model.folders:
        raise Refusal(say("There is no record of {origin} to begin with.", origin=origin), _with_records())
    files = {f"{RECORD}.yaml": _record(tag, here, model)}
    if not here.folders:
        files |= {"numerals.yaml": _numerals(here), "contrasts.yaml": _contrasts(here)}
    if model is not None:
        files |= {name: _as_comments(path, here, model) for name, path in _data_of(model)}
    about = (
        "Small texts with what is to be read in them: `numbers`, `contrasts`, `terms`, `findings`, or the `rule` that"
        " they are true of. `ftk check` and `ftk language test` read them. Add sentences of your own."
    )
    lines = [_comment(about), "samples:"]
    lines += [f"  - {{text: {_flow(text)}, numbers: [{number}]}}" for text, number in _read_now(here)]
    lines += [
        '  # - {text: Pass two cards to your left neighbour., numbers: [2], contrasts: ["side: left"]}',
        '  # - {text: You may not pass., contrasts: ["modality: may_not"]}',
        "  # - {text: Shuffle the cards., terms: {card: [cards]}, findings: []}",
    ]
    files["samples.yaml"] = "\n".join(lines) + "\n"
    return {str(target / name): formatted(Source(name, text)).text for name, text in files.items()}


def _tag(text: str) -> str:
    known = tag_of(text)
    if known is not None:
        return known.text
    if PRIVATE.fullmatch(text) and regex.fullmatch(r"[A-Za-z0-9-]+", text):
        return text
    near = similar(text) if len(text) < 100 else ""
    hint = say(
        "Write a tag of BCP 47, such as `de`, `pt-BR` or `zh-Hant`; `qaa` to `qtz` are for a language without a code."
    )
    raise Refusal(
        say("There is no language with the tag `{tag}`.", tag=text),
        say("Did you mean `{name}`?", name=near) if near else hint,
    )


def _with_records() -> str:
    known = [tag for tag, one in LANGUAGES.items() if one.folders]
    return say("There is one of {languages}.", languages=tuple(known))


_LEXICONS = ("contrasts", "counted", "describe", "changes")


def _data_of(model: Language) -> Iterator[tuple[str, Path]]:
    for name in (f"{one}.yaml" for one in _LEXICONS):
        path = model.file(name)
        if path is not None:
            yield name, path


def _as_comments(path: Path, here: Language, model: Language) -> str:
    """A data file of another language, each line a comment. It counts as missing until the signs are removed."""
    about = (
        f"{path.name} of {model.name}, as comments, so that nothing of it is in force. Translate it to {here.name}, and"
        " remove the number sign and the space at the start of each line."
    )
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join([_comment(about), f"{FORMAT_KEY}: 1", *(f"# {line}".rstrip() for line in lines)]) + "\n"


# --- the record ------------------------------------------------------------------------------------------------------


def _record(tag: str, here: Language, model: Language | None) -> str:
    """The text of a record, with what CLDR has filled in. If there is a record already, its values are comments."""
    known = _values(here if model is None else model)
    filled = {}
    if not here.folders:
        filled = {"script": here.script, "direction": here.direction} | _values(here) | {"name": here.name or "Name"}
    examples = (model or find_language(LANGUAGE_OF_SPECS)).name
    parts = [_comment(_ABOUT.format(name=here.name or tag, examples=examples))]
    parts.append(f"{FORMAT_KEY}: 1\ntag: {_flow(tag)}")
    for key, part in schema_of(RECORD)["properties"].items():
        if key not in (FORMAT_KEY, "tag"):
            value = filled.get(key)
            example = part["examples"][0] if key in _NOT_COPIED else known.get(key, part["examples"][0])
            line = f"# {key}: {_flow(example)}" if value is None else f"{key}: {_flow(value)}"
            parts.append(f"{_comment(str(part['description']))}\n{line}")
    return "\n\n".join(parts) + "\n"


_ABOUT = (
    "{name}. Values without a number sign are in force; remove the sign before a key, and write your own value, to set"
    " it. The others are examples in {examples}. Patterns are regular expressions, in any case. `ftk check` says what"
    " is wrong here."
)


def _comment(text: str) -> str:
    return "\n".join(f"# {line}" for line in wrap(text, _WIDTH))


def _values(language: Language) -> dict[str, Any]:
    """The values of a record that are not those of an empty one, as data."""
    found = {}
    for each in fields(Language):
        default = each.default if each.default is not MISSING else None
        if each.default_factory is not MISSING:
            default = each.default_factory()
        value = getattr(language, each.name)
        if each.name not in ("folders", "digest") and value != default:
            found[each.name] = _data(value)
    return found


def _data(value: Any) -> Any:
    if isinstance(value, regex.Pattern):
        return value.pattern
    if is_dataclass(value) and not isinstance(value, type):
        empty = type(value)()
        every = {each.name: getattr(value, each.name) for each in fields(value)}
        return {name: _data(one) for name, one in every.items() if one != getattr(empty, name)}
    if isinstance(value, tuple):
        return [_data(one) for one in value]
    return dict(value) if isinstance(value, Mapping) else value


def _flow(value: Any) -> str:
    import yaml

    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10**9, sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")


# --- numerals, contrasts, samples -------------------------------------------------------------------------------------


def _numerals(here: Language) -> str:
    # The words of CLDR by kind and value. A form cannot have a space: longer numbers are left to CLDR.
    found: dict[str, dict[int, list[str]]] = {}
    for text, (kind, value) in _spelled(here):
        wanted = value in _WORDS if kind == "cardinal" else value <= _LAST_ORDINAL
        if wanted and not regex.search(r"[\s+]", text):
            found.setdefault(kind, {}).setdefault(value, []).append(text)
    words = found
    about = (
        f"Number words of {here.name}, beside those of CLDR, which are read in any case. Forms of a word stand with"
        " spaces between them. docs/text.md explains the other keys: endings, patterns, not_numbers."
    )
    lines = [_comment(about)]
    if not words:
        lines.append(f"{FORMAT_KEY}: 1")
        return "\n".join([*lines, "# forms:", "#   cardinal: {2: two, 3: three}", "#   ordinal: {2: second}"]) + "\n"
    lines.append("forms:")
    for kind, values in words.items():
        lines.append(f"  {kind}:")
        lines += [f"    {value}: {_flow(' '.join(forms))}" for value, forms in sorted(values.items())]
    lines += ["", "# Patterns for numbers in a context, such as “from 2 to 4”:", "# patterns:"]
    lines.append("#   - {kind: range, like: '(?<!\\w)from (?P<low>{n}) to (?P<high>{n})'}")
    return "\n".join(lines) + "\n"


def _spelled(here: Language) -> Iterator[tuple[str, tuple[str, int]]]:
    """The number words of CLDR with their kind and value."""
    between = " " if here.spaced else ""
    yield from ((between.join(words), known) for words, known in spelled(here.tag, here.spaced).items())


def _contrasts(here: Language) -> str:
    """A lexicon of comments: English wordings of each value, to be replaced. It counts as missing until then."""
    about = (
        f"Wordings of contrasts in {here.name}. All of it is a comment, so that no contrast is read. Remove the number"
        " sign before `families:` and before a family, and replace the English wordings by yours: words in their"
        " dictionary form, or a pattern between slashes. Then do the same for `negation:`."
    )
    lexicon = lexicon_of(find_language(LANGUAGE_OF_SPECS))
    wordings = lexicon.wordings.each if lexicon is not None else ()
    lines = [_comment(about), f"{FORMAT_KEY}: 1", "# families:"]
    for family, values in FAMILIES.items():
        lines.append(f"#   {family}:")
        for value in values:
            known = [
                one.text for one in wordings if (one.role, one.family, one.value) == (Role.CONTRAST, family, value)
            ]
            lines.append(f"#     {value}: {_flow([one for one in known if not is_pattern(one)][:3])}")
    negators = [one.text for one in wordings if one.role is Role.NEGATES_NEXT and not is_pattern(one.text)]
    lines += ["# negation:", f"#   before: {_flow(negators[:4])}", "#   reach: 5"]
    return "\n".join(lines) + "\n"


def _read_now(here: Language) -> list[tuple[str, str]]:
    """Number words and figures with the number that is read in them already."""
    words = [(text, f"{value}{'.' * (kind == 'ordinal')}") for text, (kind, value) in _spelled(here)]
    words = [(text, number) for text, number in words if number in ("2", "3", "2.", "12", "20")]
    every = [*words, ("12–15", "12..15")]
    found = [(text, number) for text, number in every if [*map(written, quantities(text, here.tag))] == [number]]
    first = {number: text for text, number in reversed(found)}  # of several words for a number, the first
    return [(text, number) for number, text in reversed(first.items())]
