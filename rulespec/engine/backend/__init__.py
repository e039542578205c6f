"""Programs as source: the same flat program as the interpreter's, specialised to Python or to machine code. What
anything means is said by the interpreter; these must do the same."""
