"""Converts the Markdown of rule texts to HTML: paragraphs, lists, tables and emphasis, but no links or images.

Importing this module loads the Markdown parser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unicodedata import east_asian_width

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token

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
