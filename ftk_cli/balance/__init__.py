"""`ftk balance`: seats, prizes, cards and rulings, compared in games of bots or random players."""
