"""`ftk lsp`: what editors ask while a file is written."""
