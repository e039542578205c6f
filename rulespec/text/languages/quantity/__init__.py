"""Reads the numbers of a text, in digits and words, by value and by kind."""
