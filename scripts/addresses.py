"""Writes other addresses of the site and of the repository into every file that has them: `make addresses`.

The addresses stand in pyproject.toml. Other files repeat them, because JSON Schemas, manifests of editors and examples
to copy need them in full.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEVER = ("tests/formats/",)
"""Files that are never edited."""


def addresses() -> tuple[str, str]:
    """The address of the site, and that of the repository."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    return urls["Homepage"], urls["Repository"]


def files() -> list[Path]:
    """The tracked files that hold the address of the site or of the repository."""
    found = subprocess.run(
        ["git", "grep", "-lIF", *(part for one in addresses() for part in ("-e", one))],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return [ROOT / name for name in found.splitlines() if not name.startswith(NEVER)]


def main(site: str, repository: str) -> None:
    old_site, old_repository = addresses()
    for path in files():
        text = path.read_text(encoding="utf-8")
        # The address of the repository may begin with that of the site.
        parts = (part.replace(old_site, site.rstrip("/")) for part in text.split(old_repository))
        path.write_text(repository.rstrip("/").join(parts), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Usage: make addresses SITE=https://… REPOSITORY=https://…")
    main(sys.argv[1], sys.argv[2])
