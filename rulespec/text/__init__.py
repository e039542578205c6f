"""Rule text: one text per rule id and language, held against the spec.

    translation, findings = text.read(source)
    findings += text.check(translation, spec)
"""

from rulespec.text.check import check
from rulespec.text.render import markdown
from rulespec.text.translation import Passage, Translation, read, translations

__all__ = ["Passage", "Translation", "check", "markdown", "read", "translations"]
