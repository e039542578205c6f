"""The program of a setting: its intermediate representation, and how a sealed spec is lowered to it."""
