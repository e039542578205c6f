"""The interpreter, which defines what a program does, and what every module that runs a program shares."""
