"""Outdated texts: what a text says that was so in the version of the spec that it was confirmed with."""

from rulespec.text.seals.outdated.findings import check

__all__ = ["check"]
