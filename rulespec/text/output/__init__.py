"""What is made from texts and read back: rulebooks, exchange files, new texts and comparisons of texts."""
