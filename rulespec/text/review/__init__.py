"""An external reviewer of a raw text: what it is asked, and what becomes of its answer.

A reviewer is any program that reads texts as people do, such as a script around a language model. It gets the rules
and the text as JSON and answers with remarks. A remark counts if it names a line, words that stand there, and a rule.
"""

from rulespec.text.review.answer import findings
from rulespec.text.review.question import question

__all__ = ["findings", "question"]
