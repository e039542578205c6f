"""The balance of a game and the worth of its parts, to bots or random players.

result = balance(game, games=2000, seed=0)
result.to_dict()
"""
