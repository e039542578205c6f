"""Paired games as one self-contained HTML page: no script, and no external font or image."""

from __future__ import annotations

from rulespec.balance.page import Plot, minus
from rulespec.changes import Words
from rulespec.pages import templates
from rulespec.paired.difference import Difference
from rulespec.paired.run import Result
from rulespec.paired.view import CAVEAT, bot_words, headline, sections


def html(result: Result, first: Difference | None, words: Words) -> str:
    """The changes in a language, and the report, as HTML. The id of each section is its anchor."""
    environment = templates("rulespec.paired")
    environment.filters["minus"] = minus
    return environment.get_template("paired.html.j2").render(
        result=result,
        words=words,
        headline=headline(result),
        caveat=CAVEAT,
        bot=bot_words(result.bot),
        sections=list(sections(result, first)),
        plot=Plot,
    )
