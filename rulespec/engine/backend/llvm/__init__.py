"""A small compiler from a subset of Python's `ast` to machine code, through llvmlite; and the loading of that code."""
