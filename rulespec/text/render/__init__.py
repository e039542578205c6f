"""Renders the rulebook for one number of players as Markdown, HTML and PDF."""

from rulespec.text.render.book import Rulebook, sections
from rulespec.text.render.markdown import markdown
from rulespec.text.render.page import html
from rulespec.text.render.pdf import pdf
from rulespec.text.render.sections import RuleSection
from rulespec.text.render.since import Marks, Since, changed

__all__ = ["Marks", "RuleSection", "Rulebook", "Since", "changed", "html", "markdown", "pdf", "sections"]
