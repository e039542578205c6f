"""Card sheets: the cards of a game on pages to print, in any language, for proofs and prototypes."""
