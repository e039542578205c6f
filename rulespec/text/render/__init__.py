"""Renders the rulebook for one number of players as Markdown and HTML."""

from rulespec.text.render.book import Section, sections
from rulespec.text.render.markdown import markdown
from rulespec.text.render.page import html

__all__ = ["Section", "html", "markdown", "sections"]
