"""Named chance: random draws that depend on the rule that draws, not on how many draws came before.

Two versions of a game that are played this way with one seed stay together as long as their rules agree (see
`rulespec.versions.paired`). Ordinary games draw from one generator and are not affected.
"""
