"""Renders the rulebook for one number of players as Markdown and HTML."""

from rulespec.text.render.book import Rulebook, sections
from rulespec.text.render.markdown import markdown
from rulespec.text.render.page import html
from rulespec.text.render.sections import Section

__all__ = ["Rulebook", "Section", "html", "markdown", "sections"]
