"""The formats of reports, text and machine-readable: one function per format."""

from __future__ import annotations

from collections.abc import Callable

from ftk_cli.report import data, github, junit, sarif, text
from ftk_cli.report.batch import Batch, Look

__all__ = ["FORMATS"]

FORMATS: dict[str, Callable[[Batch, Look], str]] = {
    "text": text.render,
    "json": data.render,
    "sarif": sarif.render,
    "github": github.render,
    "junit": junit.render,
}
