"""Overlays: files that extend a spec by what differs in a variant, merged into it by id."""

from rulespec.language.overlay.file import JOINT, Overlay, read_overlay
from rulespec.language.overlay.stack import VariantError, is_overlay, stacked, with_variant

__all__ = ["JOINT", "Overlay", "VariantError", "is_overlay", "read_overlay", "stacked", "with_variant"]
