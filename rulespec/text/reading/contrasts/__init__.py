"""Contrasts in texts: words that give one of several mutually exclusive values, such as left or right.

The families are in `rulespec.proofs.meaning.constructors`, the wordings of a language in its `contrasts.yaml`.
"""
