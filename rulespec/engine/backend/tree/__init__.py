"""Generated code as a tree: its nodes, and what writes them, whatever the dialect."""
