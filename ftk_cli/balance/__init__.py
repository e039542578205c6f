"""`ftk balance`: how balanced a game is, and what each part of it is worth."""
