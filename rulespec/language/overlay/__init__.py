"""Overlays: files that extend a spec by what differs in a variant, merged into it by id."""

from rulespec.language.overlay.deck import with_deck
from rulespec.language.overlay.file import Overlay, read_overlay
from rulespec.language.overlay.stack import VariantError, base_of, is_overlay, stacked, unsound, with_variant

__all__ = [
    "Overlay",
    "VariantError",
    "base_of",
    "is_overlay",
    "read_overlay",
    "stacked",
    "unsound",
    "with_deck",
    "with_variant",
]
