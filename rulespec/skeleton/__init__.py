"""New games: the files of a skeleton, or of another game, under another id."""

from rulespec.skeleton.copied import MOST_PLAYERS, NewFile, NewGame, Refused, languages_of, new_game, suggested

__all__ = ["MOST_PLAYERS", "NewFile", "NewGame", "Refused", "languages_of", "new_game", "suggested"]
