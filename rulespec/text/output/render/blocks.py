"""The blocks of a rule text: paragraphs, list items, tables, lines and code, and which are marked as changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any
from unicodedata import east_asian_width

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token

from rulespec.base.pages.sheet import Section
from rulespec.text.output.render.index import RuleSection

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


@dataclass(frozen=True)
class Marks:
    """What is marked of a rule: its title, and blocks of its text and of its worked examples by their numbers. Those of
    the examples go on where those of the text end."""

    title: bool = False
    blocks: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Since:
    """The earlier version, the marks of each changed rule, and the changes in words.

    Rulings are rules named `ruling-ID`.
    """

    version: str = ""
    marks: Mapping[str, Marks] = field(default_factory=dict)
    changes: tuple[Section, ...] = ()

    def blocks(self, id_: str) -> frozenset[int]:
        """The marked blocks of a rule."""
        return self.marks.get(id_, Marks()).blocks


def changed(
    old: Iterable[RuleSection], new: Iterable[RuleSection], names: Mapping[str, str], meant: Collection[str]
) -> dict[str, Marks]:
    """The marks of each new section that differs from the old one, or that is among those `meant` otherwise.

    `names` are the old ids of rules with other ids. All blocks of a section are marked if it is new, or if it is meant
    otherwise with the same words.
    """
    before = {one.id: one for one in old}
    found = ((one.id, _marks(before.get(names.get(one.id, one.id)), one, one.id in meant)) for one in new)
    return {id_: marks for id_, marks in found if marks != Marks()}


def _marks(old: RuleSection | None, new: RuleSection, meant: bool) -> Marks:
    every = frozenset(numbers_of(new.parts))
    if old is None:
        return Marks(True, every)
    emptied = not every and bool(numbers_of(old.parts))  # then only the title can be marked
    marks = Marks(old.title != new.title or emptied, frozenset(differing(old.parts, new.parts)))
    return Marks(blocks=every) if meant and marks == Marks() else marks


# The page loads nothing and links to nothing. Headings inside a rule would break its outline.
_NOT_USED = ["link", "image", "autolink", "html_inline", "html_block", "reference", "heading", "lheading", "code"]


def converter() -> MarkdownIt:
    """The converter for rule texts. Unsupported syntax is output as text."""
    made = MarkdownIt("commonmark", {"html": False})
    made.inline = _Inline()
    made.configure("commonmark").enable("table").disable(_NOT_USED)
    made.options["html"] = False  # the preset enables it
    made.add_render_rule("softbreak", _soft_break)
    return made


def rendered(tokens: Sequence[Token]) -> str:
    """The HTML of the tokens of a rule text."""
    made = converter()
    return str(made.renderer.render(tokens, made.options, {}))


def parsed(text: str) -> list[Token]:
    """The tokens of a rule text; a line break inside a paragraph has its text as content."""
    tokens: list[Token] = converter().parse(text)
    for token in tokens:
        inside = token.children or []
        for at, one in enumerate(inside):
            if one.type == "softbreak":
                one.content = _soft_break(None, inside, at).replace("\n", " ")
    return tokens


class _State(StateInline):
    """Emphasis that works where words have no spaces between them.

    In CommonMark, a ** between a letter and a quotation mark neither opens nor closes emphasis without a space. Chinese
    has no spaces between words, so next to a Chinese character only the presence of a space decides.
    """

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:
        found = super().scanDelims(start, canSplitWord)
        before, after = self.src[max(0, start - 1) : start], self.src[start + found.length :][:1]
        if self.src[start] != "*" or not (_is_wide(before) or _is_wide(after)):
            return found
        return Scanned(bool(after.strip()), bool(before.strip()), found.length)


class _Inline(ParserInline):
    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        # The same as in the base class, except for the class of the state, which it does not let others choose.
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def plain_text(text: str) -> str:
    """A rule text without emphasis: a line for each paragraph and each item of a list."""
    inline = (token.children or [] for token in parsed(text) if token.type == "inline")
    return "\n".join(" ".join("".join(one.content for one in parts).split()) for parts in inline)


def in_one_line(text: str) -> str:
    """The lines of a text as one: with spaces between words, without any between Chinese or Japanese characters."""
    made = ""
    for line in filter(None, (" ".join(one.split()) for one in text.splitlines())):
        joint = "" if not made or (_is_wide(made[-1]) and _is_wide(line[0])) else " "
        made += joint + line
    return made


def _is_wide(sign: str) -> bool:
    return bool(sign) and east_asian_width(sign) in "WF"


def _soft_break(_: Any, tokens: Sequence[Token], at: int, *rest: Any) -> str:
    """A line break inside a paragraph: a space between words, nothing between Chinese or Japanese characters."""
    before = next((t.content for t in reversed(tokens[:at]) if t.content), "")[-1:]
    after = next((t.content for t in tokens[at + 1 :] if t.content), "")[:1]
    return "" if _is_wide(before) and _is_wide(after) else "\n"
