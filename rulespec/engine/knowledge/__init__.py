"""What a player observes of events, and what they know: as data, as text, as numbers, as possible worlds."""
