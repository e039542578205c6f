"""Overlays: files that extend a spec by what differs in a variant, merged into it by id."""
