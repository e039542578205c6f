"""The glossary of a game: concepts, their terms in each language and their names in the spec."""

from rulespec.text.glossary.check import check
from rulespec.text.glossary.concepts import Concept, Glossary, Status, Term, Terms, read
from rulespec.text.glossary.finder import Finder, Mention, finder
from rulespec.text.glossary.layout import to_yaml
from rulespec.text.glossary.near_matches import NearMatch
from rulespec.text.glossary.table import from_csv, to_csv
from rulespec.text.glossary.tbx import V2 as TBX_2
from rulespec.text.glossary.tbx import V3 as TBX_3
from rulespec.text.glossary.tbx import from_tbx, to_tbx

__all__ = [
    "TBX_2",
    "TBX_3",
    "Concept",
    "Finder",
    "Glossary",
    "Mention",
    "NearMatch",
    "Status",
    "Term",
    "Terms",
    "check",
    "finder",
    "from_csv",
    "from_tbx",
    "read",
    "to_csv",
    "to_tbx",
    "to_yaml",
]
