"""New games: the files of a skeleton, or of another game, under another id."""
