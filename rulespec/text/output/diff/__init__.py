"""Comparison of languages: the texts of every rule side by side, with the facts of the rule.

result = diff(spec, glossary, [LabelledText("uk", ukrainian), LabelledText("en", english)])
to_dict(result), html(result)
"""
