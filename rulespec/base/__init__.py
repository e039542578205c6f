"""The base: messages, findings, sources of text, and what is kept on disk. No module here knows a game or a spec."""
