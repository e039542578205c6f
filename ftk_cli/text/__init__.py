"""`ftk text`: the rule text of a game."""
