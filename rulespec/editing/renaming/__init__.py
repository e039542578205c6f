"""Renames a name of a spec in all files about its game, so that only the name changes."""
