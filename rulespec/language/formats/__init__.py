"""The formats of files: their numbers, and files of older numbers in the present one."""

from rulespec.language.formats.current import changes, current, document, lifted, number_of, older
from rulespec.language.formats.table import FORMATS, Format, Lift

__all__ = ["FORMATS", "Format", "Lift", "changes", "current", "document", "lifted", "number_of", "older"]
