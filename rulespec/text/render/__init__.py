"""The rulebook of one number of players, from the texts: as Markdown and as a page."""

from rulespec.text.render.book import Section, markdown, sections
from rulespec.text.render.page import html

__all__ = ["Section", "html", "markdown", "sections"]
