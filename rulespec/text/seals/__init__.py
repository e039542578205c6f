"""What a text was confirmed with: its rule, its words, those of its source, and what has changed since."""
