"""Renders the rulebook for one number of players as Markdown and HTML."""

from rulespec.text.render.book import Section, for_players, markdown, sections
from rulespec.text.render.page import html

__all__ = ["Section", "for_players", "html", "markdown", "sections"]
