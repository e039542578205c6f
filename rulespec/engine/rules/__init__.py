"""What all states of a game share: names, actions, who sees what, code."""
