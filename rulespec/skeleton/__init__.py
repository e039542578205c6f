"""New games: the files of a skeleton, or of another game, under another id."""

from rulespec.model.build import MOST_PLAYERS
from rulespec.refusal import Refusal
from rulespec.skeleton.copied import NewFile, NewGame, languages_of, new_game, suggested

__all__ = ["MOST_PLAYERS", "NewFile", "NewGame", "Refusal", "languages_of", "new_game", "suggested"]
