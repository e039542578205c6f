"""Reads the numbers of a text, in digits and words, by value and by kind."""

from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.quantity.reader import read

__all__ = ["Kind", "Quantity", "read"]
