"""The sealed model of a spec."""
