"""New games: the files of a skeleton, or of another game, under another id."""

from rulespec.model.build import MOST_PLAYERS
from rulespec.skeleton.copied import NewFile, NewGame, Refused, languages_of, new_game, suggested

__all__ = ["MOST_PLAYERS", "NewFile", "NewGame", "Refused", "languages_of", "new_game", "suggested"]
