"""What changed in a game between two versions of its spec: every change with its kind, its impact and its words."""
