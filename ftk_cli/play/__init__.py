"""`ftk play`: a game in the terminal, with hidden information hidden."""
