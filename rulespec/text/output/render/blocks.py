"""The blocks of a rule text: paragraphs, list items, tables, lines and code, each of which may be marked as changed.

Importing this module loads the Markdown parser.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher

from markdown_it.token import Token

from rulespec.text.output.render.prose import parsed

CHANGED = "changed"
"""The class of a block that is marked."""


def marked(parts: Sequence[str], numbers: Collection[int] = ()) -> list[list[Token]]:
    """The tokens of each of several texts. Their blocks with these numbers, from 0, have the class `changed`."""
    tokens = [parsed(text) for text in parts]
    openers = (opener for part in tokens for opener, _ in _blocks(part))
    for number, opener in enumerate(openers):
        if number in numbers:
            opener.attrJoin("class", CHANGED)
    return tokens


def differing(old: Sequence[str], new: Sequence[str]) -> set[int]:
    """The numbers of the blocks of the new texts that the old ones do not have; where one is gone without another in
    its place, that of the block after it, or of the last one."""
    before, after = _contents(old), _contents(new)
    found: set[int] = set()
    for kind, _, _, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "delete" and after:
            found.add(min(start, len(after) - 1))
        elif kind != "equal":
            found.update(range(start, end))
    return found


def numbers_of(parts: Sequence[str]) -> range:
    """The numbers of all blocks of texts."""
    return range(len(_contents(parts)))


def _contents(parts: Sequence[str]) -> list[tuple[bool, str]]:
    """What a reader sees of each block, and whether it is in a text after the first: what became a worked example has
    changed."""
    return [(bool(at), content) for at, text in enumerate(parts) for _, content in _blocks(parsed(text))]


def _blocks(tokens: Sequence[Token]) -> list[tuple[Token, str]]:
    """The first token of each block with its kind and text."""
    found: dict[int, tuple[Token, str]] = {}
    for opener, content in _leaves(tokens):
        # By identity: tokens have no hash.
        _, before = found.get(id(opener), (opener, ""))
        found[id(opener)] = (opener, f"{before}\n{content}")
    return list(found.values())


def _leaves(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    """Each token with text, and each end of a row, with the token that opens its block: a table is one block, and so is
    a list item whose paragraph has no tags."""
    around: list[Token] = []
    for token in tokens:
        if token.nesting == 1:
            around.append(token)
            continue
        table = next((one for one in around if one.type == "table_open"), None)
        if token.nesting == -1:
            around.pop()
            if table is not None and token.type == "tr_close":
                yield table, token.type
        elif token.type == "inline":
            yield table or next(one for one in reversed(around) if not one.hidden), _kind(around) + _shown(token)
        else:
            yield token, f"{_kind(around)}{token.type} {token.content}"


def _kind(around: Sequence[Token]) -> str:
    """What a block is: inside which lists, quotations and cells. Paragraphs of lists may have tags or not."""
    return "".join(f"{one.type} " for one in around if one.type != "paragraph_open")


def _shown(inline: Token) -> str:
    """The words of a block with their emphasis. Where its lines are broken does not show."""
    return "".join(
        one.content if one.type in ("text", "softbreak") else f"<{one.type} {one.content}>"
        for one in inline.children or ()
    )
