"""Questions to git about files. It runs nothing that the configuration of a repository names, and fetches nothing."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from rulespec.base.messages import say

_HOOK = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE"),
)
"""Variables that git sets for its hooks. They name one repository, and the files may be in another one."""

_SAFE = {
    "GIT_NO_LAZY_FETCH": "1",
    # Versions before 2.39.4 fetch what a partial clone lacks all the same. No protocol has this name.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
}

_COMMAND = ("git", "--no-pager", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")


def ask(words: Sequence[str], folder: Path | None = None, stdin: bytes = b"", seconds: int = 5) -> tuple[bytes, str]:
    """What git prints in a folder, and why it cannot answer ("" if it can).

    It answers in milliseconds; a folder on a dead network share never does.
    """
    command = [*_COMMAND, "-C", str(folder or "."), *words]
    # Without a folder the question is about the repository of the hook itself.
    dropped = _HOOK if folder is not None else ()
    environment = {name: value for name, value in os.environ.items() if name not in dropped} | _SAFE
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=seconds, env=environment)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return b"", say("git cannot be run ({reason})", reason=error)
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    reasons = [line.removeprefix("fatal: ") for line in lines if line.startswith("fatal: ")] or lines or [""]
    return (
        (b"", say("git says: {reason}", reason=reasons[0].strip().rstrip(".")))
        if done.returncode
        else (done.stdout, "")
    )
