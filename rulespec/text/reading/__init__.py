"""The reading of a text: from a file to its passages, sentences and clauses, and what they mention."""
