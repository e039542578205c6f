"""The rulebook that plays: its examples and the set-up step by step, with other choices played from each decision."""
