"""`ftk balance`: seats, prizes, cards and rulings, compared in random play."""
