"""Renders the rulebook for one number of players as Markdown, HTML and PDF."""
