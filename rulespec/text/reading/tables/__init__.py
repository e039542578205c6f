"""Tables by player count, in any layout: lists, Markdown tables, columns or running text."""
