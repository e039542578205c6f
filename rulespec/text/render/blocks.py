"""The blocks of a rule text: its paragraphs, list items, tables and code, each of which may be marked as changed.

Importing this module loads the Markdown parser.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher

from markdown_it.token import Token

from rulespec.text.render.prose import parsed

CHANGED = "changed"
"""The class of a block that is marked."""


def marked(text: str, numbers: Collection[int] = ()) -> list[Token]:
    """The tokens of a text; the blocks with these numbers, from 0, have the class `changed`."""
    tokens = parsed(text)
    for number, (opener, _) in enumerate(_blocks(tokens)):
        if number in numbers:
            opener.attrJoin("class", CHANGED)
    return tokens


def differing(old: str, new: str) -> set[int]:
    """The numbers of the blocks of the new text that the old one does not have; where one is gone without another in
    its place, that of the block after it, or of the last one."""
    before, after = ([content for _, content in _blocks(parsed(text))] for text in (old, new))
    found: set[int] = set()
    for kind, _, _, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "delete" and after:
            found.add(min(start, len(after) - 1))
        elif kind != "equal":
            found.update(range(start, end))
    return found


def numbers_of(text: str) -> range:
    """The numbers of all blocks of a text."""
    return range(len(_blocks(parsed(text))))


def _blocks(tokens: Sequence[Token]) -> list[tuple[Token, str]]:
    """The first token of each block with the text of the block."""
    found: dict[int, tuple[Token, str]] = {}
    for opener, content in _leaves(tokens):
        _, before = found.get(id(opener), (opener, ""))
        found[id(opener)] = (opener, f"{before}\n{content}")
    return list(found.values())


def _leaves(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    """Each token with text, with the token that opens its block: a table is one block, and so is a list item whose
    paragraph has no tags."""
    around: list[Token] = []
    for token in tokens:
        if token.nesting == 1:
            around.append(token)
        elif token.nesting == -1:
            around.pop()
        elif token.type == "inline":
            table = next((one for one in around if one.type == "table_open"), None)
            yield table or next(one for one in reversed(around) if not one.hidden), token.content
        elif token.content:
            yield token, token.content
