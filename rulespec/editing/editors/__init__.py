"""What editors show at a place of a file: pure functions of texts, which a language server sends."""
