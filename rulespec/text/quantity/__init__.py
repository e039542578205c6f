"""Reads the numbers of a text, in digits and words, by value and by kind."""

from rulespec.text.quantity.quantity import Kind, Quantity
from rulespec.text.quantity.reader import read

__all__ = ["Kind", "Quantity", "read"]
