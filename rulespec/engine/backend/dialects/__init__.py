"""The two dialects of generated code: zones as lists for Python, and as flat arrays for machine code."""
