"""New games: the files of a skeleton, or of another game, under another id."""

from rulespec.base.refusal import Refusal
from rulespec.editing.skeleton.copied import NewFile, NewGame, languages_of, new_game, suggested
from rulespec.language.model.build import MOST_PLAYERS

__all__ = ["MOST_PLAYERS", "NewFile", "NewGame", "Refusal", "languages_of", "new_game", "suggested"]
