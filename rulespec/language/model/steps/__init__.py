"""The steps of the language: one file for each construct, with all that is known of it."""
