"""Games in progress: their states on every engine, logs, saved states and playouts."""
