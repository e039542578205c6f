"""Two versions of a game in the same seeded games: the first difference, and the change in the figures.

pair = paired(old, new, players=4)
result = play(pair, games=10_000, seed=1)
result.to_dict()
"""
