"""PDF/UA, tagged, and pictures made of a template and data, with typst: the same bytes at every run.

Needs the extra `pdf`.
"""

from rulespec.base.typeset.pdf import Manner, TypesetError, lacking, missing, pdf, png

__all__ = ["Manner", "TypesetError", "lacking", "missing", "pdf", "png"]
