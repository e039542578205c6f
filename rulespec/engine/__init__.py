"""Plays a sealed spec."""
