"""Two versions of a text in one language: the sentences that are new, gone, changed or moved.

for one in revised(old, new):
    one.rule, one.kind, one.old, one.new
"""
