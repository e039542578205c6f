"""Colours as three or six hexadecimal digits: their contrast and their distance, as WCAG and CIE define them."""

from __future__ import annotations

from math import dist

READABLE = 4.5
"""The least contrast of words with what is behind them, as WCAG 2 asks for (level AA)."""
APART = 20
"""The distance of colours that differ at a glance."""


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def ink(colour: str) -> str:
    """The colour of words on a colour: the one of black and white with more contrast, which is at least `READABLE`."""
    return max("#000", "#fff", key=lambda words: contrast(words, colour))


def distance(one: str, other: str) -> float:
    """How different two colours look, in CIELAB: 0 for the same, below about 15 for those that are easily confused."""
    return dist(_lab(one), _lab(other))


def _linear(colour: str) -> list[float]:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = (part / 255 for part in bytes.fromhex(digits))
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _lab(colour: str) -> tuple[float, float, float]:
    red, green, blue = _linear(colour)
    x = _root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = _root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = _root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(part: float) -> float:
    return part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
