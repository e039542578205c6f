"""PDF/UA made of a template and data, with typst: tagged, and the same bytes at every run. Needs the extra `pdf`."""

from rulespec.base.typeset.pdf import TypesetError, lacking, missing, pdf

__all__ = ["TypesetError", "lacking", "missing", "pdf"]
