"""A game with its files: its spec, scenarios, saved games, texts, and the versions that these were confirmed with."""
