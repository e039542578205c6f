"""Quantities by value: the numbers of a text in digits and words, and what each does there."""

from rulespec.text.quantity.quantity import Kind, Quantity
from rulespec.text.quantity.reader import read

__all__ = ["Kind", "Quantity", "read"]
