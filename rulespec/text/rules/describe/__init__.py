"""Generated descriptions: what the rules of a spec do, as sentences in a language."""
