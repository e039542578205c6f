"""The engines, and the code they run: compiled on first use, cached on disk, called."""
