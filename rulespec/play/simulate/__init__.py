"""Many games of a spec by random players, and their figures.

figures = simulate(game, games=10_000, seed=1, workers=2).figures
"""
