"""Proofs about a sealed model: the checks of its play, and the propositions that its rules state."""
