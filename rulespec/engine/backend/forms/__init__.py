"""The forms of generated code: playouts, segments, and what is built on segments, in Python and in machine code."""
