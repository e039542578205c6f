"""The JSON Schemas of files, and the findings about their shape."""
