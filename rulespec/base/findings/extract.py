"""The templates of all messages in the code and the schemas, and the catalogs made of them. `make catalogs` runs it.

A template is the text that `say` or `counted` is given. Schemas hold phrases for messages under keys such as `x-kind`.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polib
import yaml

from rulespec.base.findings.help_texts import phrases
from rulespec.base.messages import COMMA, GROUP, PERCENT

PACKAGES = ("rulespec", "ftk_cli")
PHRASES = ("x-also", "x-empty", "x-hint", "x-kind", "x-name", "x-question")
"""The keys of our schemas whose values are parts of messages."""

WORDS = (
    ("rulespec/text/languages/en/changes.yaml", "kinds"),
    ("rulespec/text/languages/en/changes.yaml", "impacts"),
    *(("ftk_cli/click.yaml", key) for key in ("page", "errors", "types", "placeholders")),
)
"""Files of data with mappings and lists whose values are templates, with the keys of these."""

TITLES = "rulespec/base/findings/en"
"""The folder of the English pages of findings, whose titles name their kinds."""

_MESSAGES = "rulespec/base/messages.py"
"""The file with `say` itself, and with lists such as “a, b or c”."""

_LETTERS = re.compile(r"[^\W\d_]")
_FIELD = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class Template:
    """A template with the first file that it is in; `many` is its plural form, "" if it has none."""

    text: str
    many: str
    file: str


def templates(root: Path) -> Iterator[Template]:
    """Every template below a folder with the packages, once, in the order of the files."""
    found = {sign: Template(sign, "", _MESSAGES) for sign in (COMMA, GROUP, PERCENT)}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            for text, many in _in_code(path):
                found.setdefault(text, Template(text, many, path.relative_to(root).as_posix()))
        for path in sorted(
            (root / package / "language" / "schema").glob("*.schema.json")
        ):  # older ones word no messages
            for text in _in_schema(json.loads(path.read_text(encoding="utf-8"))):
                found.setdefault(text, Template(text, "", path.relative_to(root).as_posix()))
    for path in sorted((root / TITLES).glob("*.yaml")):
        text = yaml.safe_load(path.read_text(encoding="utf-8"))["title"]
        found.setdefault(text, Template(text, "", path.relative_to(root).as_posix()))
    for file, key in WORDS:
        data = yaml.safe_load((root / file).read_text(encoding="utf-8"))[key]
        for text in data.values() if isinstance(data, dict) else data:
            found.setdefault(text, Template(text, "", file))
    yield from sorted(found.values(), key=lambda one: one.file)


def _in_code(path: Path) -> Iterator[tuple[str, str]]:
    code = path.read_text(encoding="utf-8")
    tree = ast.parse(code)
    if "import click" in code:
        yield from ((phrase, "") for node in ast.walk(tree) for text in _help(node) for phrase in phrases(text))
    # Other files may have a `say` or `counted` of their own, which makes no message.
    for node in ast.walk(tree) if "rulespec.base.messages" in code or path.match(_MESSAGES) else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("say", "counted"):
            forms = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            if forms and is_translatable(forms[0]):
                yield forms[0], forms[1] if node.func.id == "counted" else ""


def _help(node: ast.AST) -> Iterator[str]:
    """The help of a command, which is its docstring, or of an option, or the lines of a table of commands."""
    if isinstance(node, ast.FunctionDef):
        made_by = {ast.unparse(one.func) for one in node.decorator_list if isinstance(one, ast.Call)}
        if not made_by.isdisjoint(("click.command", "click.group")):
            yield ast.get_docstring(node) or ""
    if isinstance(node, ast.keyword) and node.arg == "help" and isinstance(node.value, ast.Constant):
        yield str(node.value.value)
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "COMMANDS":
        yield from (does for _, does in ast.literal_eval(node.value).values())


def _in_schema(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from (value for key, value in part.items() if key in PHRASES and isinstance(value, str))
    for value in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from _in_schema(value)


def is_translatable(template: str) -> bool:
    """Whether a template has words, a full stop, quotation marks, or signs between several values: what differs by
    language."""
    rest = _FIELD.sub("", template)
    return bool(_LETTERS.search(rest)) or rest in (".", "“”") or len(_FIELD.findall(template)) > 1


def fields(template: str) -> set[str]:
    """The names of the values in a template."""
    return set(_FIELD.findall(template))


def updated(catalog: polib.POFile, wanted: list[Template]) -> polib.POFile:
    """The catalog with an entry for each template: those that it has keep their translations, others are empty."""
    known = {entry.msgid: entry for entry in catalog}
    made = polib.POFile(wrapwidth=0)
    made.header, made.metadata = catalog.header, catalog.metadata
    forms = int(catalog.metadata["Plural-Forms"].partition("nplurals=")[2][0])
    for one in wanted:
        entry = known.get(one.text, polib.POEntry(msgid=one.text))
        new = polib.POEntry(msgid=one.text, comment=entry.comment, tcomment=entry.tcomment)
        new.occurrences, new.flags = [(one.file, "")], [flag for flag in entry.flags if flag == "fuzzy"]
        if one.many:
            new.msgid_plural = one.many
            new.msgstr_plural = {form: entry.msgstr_plural.get(form, "") for form in range(forms)}
        else:
            new.msgstr = entry.msgstr
        made.append(new)
    return made


def main(folder: Path) -> None:
    """Updates the catalogs in a folder with the templates of the code around it, and says how far each has come."""
    wanted = list(templates(Path(__file__).resolve().parents[3]))
    for path in sorted(folder.glob("*.po")):
        catalog = updated(polib.pofile(path.read_text(encoding="utf-8")), wanted)
        path.write_text(str(catalog) + "\n", encoding="utf-8")
        print(f"{path.name}: {len(catalog.translated_entries())} of {len(catalog)} templates are translated")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
