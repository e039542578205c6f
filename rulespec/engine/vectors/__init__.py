"""Many games at once, in machine code."""
