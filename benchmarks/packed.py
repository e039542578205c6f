"""The evaluation sets of `benchmarks/texts`, each packed in one file: `README.md` there has a row for each.

    python benchmarks/packed.py unpack SET FOLDER
    python benchmarks/packed.py pack FOLDER SET

Packing the same files again gives the same bytes.
"""

from __future__ import annotations

import argparse
import io
import tarfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

TEXTS = Path(__file__).parent / "texts"


@cache
def files(name: str, folder: str = "") -> Mapping[str, str]:
    """The texts of the files of a set by their paths, or of those in a folder of it, by their paths there."""
    start = f"{folder}/" if folder else ""
    with tarfile.open(_path(name)) as packed:
        found = {one.name: packed.extractfile(one) for one in packed.getmembers()}
        return {
            path.removeprefix(start): file.read().decode()
            for path, file in found.items()
            if file is not None and path.startswith(start)
        }


def unpack(name: str, folder: Path) -> None:
    """Writes the files of a set into a folder."""
    for path, text in files(name).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())


def pack(folder: Path, name: str) -> None:
    """Makes a set of the files in a folder."""
    with tarfile.open(_path(name), "w:xz", preset=9) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            content = path.read_bytes()
            entry = tarfile.TarInfo(path.relative_to(folder).as_posix())  # without time, owner and rights of the file
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))


def _path(name: str) -> Path:
    return TEXTS / f"{name}.tar.xz"


def main() -> None:
    parser = argparse.ArgumentParser(description="Packs and unpacks evaluation sets.")
    commands = parser.add_subparsers(required=True, metavar="unpack | pack")
    one = commands.add_parser("unpack")
    one.add_argument("name", metavar="SET")
    one.add_argument("folder", type=Path)
    one.set_defaults(run=lambda given: unpack(given.name, given.folder))
    one = commands.add_parser("pack")
    one.add_argument("folder", type=Path)
    one.add_argument("name", metavar="SET")
    one.set_defaults(run=lambda given: pack(given.folder, given.name))
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
