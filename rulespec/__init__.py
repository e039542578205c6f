"""Board-game rules as versioned YAML specs: read, check, explain and play them."""

__version__ = "0.1.0"
