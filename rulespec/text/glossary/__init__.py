"""The glossary of a game: concepts, their terms in each language and their names in the spec."""
