"""A game at a table, without the table: what every interface to a game shares, from the terminal to a page."""
