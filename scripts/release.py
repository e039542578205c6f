"""Builds the package, checks it, and tries it in clean environments: `make package`.

Builds an sdist and a wheel in dist/, checks their metadata and the files in them, installs them with every Python from
3.11 on that is at hand, and runs a game, a check and a page there. Prints a table; fails if anything did.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PYODIDE = ROOT / ".venv/node_modules/pyodide"
"""What `make tools` installs. Without it, a page is not tried: it would be downloaded for each Python."""

PACKAGES = ("rulespec", "ftk_cli")
GAMES = "specs"
BESIDE = ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md")
"""What else an sdist must hold."""


@dataclass
class Tried:
    """What was run with one Python and one archive: the name of each step, and how it ended."""

    python: str
    archive: str
    steps: dict[str, str] = field(default_factory=dict)


STEPS = ("install", "version", "game", "check", "page")


def main() -> int:
    wheel, sdist = built()
    wrong = [*contents(wheel, sdist)]
    run(sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist))
    found = [tried(name, python, archive) for name, python in pythons() for archive in (wheel, sdist)]
    print(f"| Python | archive | {' | '.join(STEPS)} |\n|---|---|{'---|' * len(STEPS)}")
    for one in found:
        print(f"| {one.python} | {one.archive} | {' | '.join(one.steps.get(step, '') for step in STEPS)} |")
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    failed = [one for one in found if any(end.startswith("failed") for end in one.steps.values())]
    return 1 if wrong or failed else 0


def built() -> tuple[Path, Path]:
    """The wheel and the sdist of the present version."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", str(DIST), str(ROOT))
    return next(DIST.glob("*.whl")), next(DIST.glob("*.tar.gz"))


def run(*command: str, cwd: Path = ROOT) -> str:
    """The output of a command. Raises CalledProcessError."""
    done = subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True, env=environment())
    if done.returncode:
        sys.stderr.write(done.stdout[-3000:] + done.stderr[-3000:])
        done.check_returncode()
    return done.stdout


def environment() -> dict[str, str]:
    """Without what would let a clean environment see this checkout."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


# --- contents --------------------------------------------------------------------------------------------------------


def contents(wheel: Path, sdist: Path) -> Iterator[str]:
    """What archives lack of the tracked files, and what they hold besides."""
    tracked = run("git", "ls-files", *PACKAGES, GAMES).splitlines()
    wanted = {f"rulespec/{path}" if path.startswith(f"{GAMES}/") else path for path in tracked}
    in_wheel = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    yield from differences(wheel.name, wanted, in_wheel)
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    ours = {name for name in names if name.split("/")[0] in (*PACKAGES, GAMES)}
    yield from differences(sdist.name, {*tracked}, ours)
    if missing := sorted({*BESIDE} - names):
        yield f"{sdist.name} lacks {', '.join(missing)}."


def differences(archive: str, wanted: set[str], found: set[str]) -> Iterator[str]:
    for words, names in (("lacks", wanted - found), ("holds besides", found - wanted)):
        if names:
            yield f"{archive} {words} {len(names)} files, such as {min(names)}."


# --- clean environments ----------------------------------------------------------------------------------------------


def pythons() -> Iterator[tuple[str, str]]:
    """Every supported Python at hand: on the path, or one of pyenv."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for name in PYTHONS:
        kept = sorted(home.glob(f"{name}.*/bin/python"), key=lambda path: int(re.findall(r"\d+", path.parts[-3])[2]))
        path = str(kept[-1]) if kept else shutil.which(f"python{name}")
        if path is not None:
            yield name, path


def tried(name: str, python: str, archive: Path) -> Tried:
    """Installs an archive with a Python in an environment of its own, and uses it in a folder of its own."""
    found = Tried(name, "wheel" if archive.suffix == ".whl" else "sdist")
    with tempfile.TemporaryDirectory(prefix="ftk-package-") as folder:
        home = Path(folder)
        scripts = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
        ftk = str(scripts / "ftk")
        commands = {
            "install": [[python, "-m", "venv", "venv"], [str(scripts / "pip"), "install", "-q", str(archive)]],
            "version": [[ftk, "--version"]],
            "game": [
                [ftk, "play", "pig", "--people", "none", "--seed", "1"],
                [ftk, "simulate", "nim", "--games", "50"],
            ],
            "check": [[ftk, "new", "river", "--lang", "en,uk"], [ftk, "check"], [ftk, "test", "river"]],
            "page": [[ftk, "page", "site", "--pyodide", str(PYODIDE), "-q"]] if PYODIDE.is_dir() else [],
        }
        for step, each in commands.items():
            try:
                said = [run(*command, cwd=home) for command in each]
            except subprocess.CalledProcessError as error:
                found.steps[step] = f"failed ({error.returncode})"
                break
            found.steps[step] = (said[0].splitlines()[0] if step == "version" else "ok") if said else "not tried"
    return found


if __name__ == "__main__":
    sys.exit(main())
