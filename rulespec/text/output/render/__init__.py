"""Renders the rulebook for one number of players as Markdown, HTML and PDF."""

from rulespec.text.output.render.book import Picture, Rulebook, sections
from rulespec.text.output.render.markdown import markdown
from rulespec.text.output.render.page import html
from rulespec.text.output.render.pdf import pdf
from rulespec.text.output.render.sections import RuleSection
from rulespec.text.output.render.since import Marks, Since, changed

__all__ = ["Marks", "Picture", "RuleSection", "Rulebook", "Since", "changed", "html", "markdown", "pdf", "sections"]
