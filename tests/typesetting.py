"""The mark of tests that make a PDF: they need typst, pypdf to read it, and a font with Chinese letters."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from rulespec.base.typeset.pdf import lacking


def _missing() -> str:
    packages = [name for name in ("typst", "pypdf") if find_spec(name) is None]
    if packages:
        return f"{' and '.join(packages)} missing: `make tools`"
    return "no font with Chinese letters: `apt-get install fonts-noto-cjk`" if lacking("Hans") else ""


MISSING = _missing()
needs_pdf = pytest.mark.skipif(bool(MISSING), reason=MISSING)
