"""What a rule does: its facts, the sentences that describe it, and the evidence for them in a text."""
