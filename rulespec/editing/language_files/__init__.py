"""The files of a language in a project, `languages/TAG/`: what they may hold, what is wrong with them, and new ones."""
