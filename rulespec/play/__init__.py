"""Games played: by bots, at a table, by thousands, in search of errors, and in other libraries."""
