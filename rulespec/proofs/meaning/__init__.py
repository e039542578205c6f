"""What the rules of a game do, as propositions derived from the sealed model."""
