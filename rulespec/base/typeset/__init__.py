"""PDF/UA, tagged, and pictures made of a template and data, with typst: the same bytes at every run.

Needs the extra `pdf`.
"""
