"""Judgements: what a text mentions against what its rule does, and against the texts in other languages."""
