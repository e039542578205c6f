"""Contrasts in texts: words that give one of several mutually exclusive values, such as left or right.

`rulespec.proofs.meaning.contrasts` has the families. The wordings of a language are in its folder, in `contrasts.yaml`.
"""
