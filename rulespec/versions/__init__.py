"""Two versions of a game compared: changes, what texts must follow, and games of both in pairs."""
