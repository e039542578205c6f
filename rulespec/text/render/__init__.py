"""Renders the rulebook for one number of players as Markdown, HTML and PDF."""

from rulespec.text.render.book import Rulebook, sections
from rulespec.text.render.markdown import markdown
from rulespec.text.render.page import html
from rulespec.text.render.pdf import pdf
from rulespec.text.render.sections import Section
from rulespec.text.render.since import Since, changed_blocks

__all__ = ["Rulebook", "Section", "Since", "changed_blocks", "html", "markdown", "pdf", "sections"]
