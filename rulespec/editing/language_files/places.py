"""Which file of a language a file is: by its place, `languages/TAG/NAME.yaml`."""

from __future__ import annotations

from pathlib import Path

from rulespec.base.project import FOLDER_OF_LANGUAGES

RECORD = "language"
SAMPLES = "samples"
NAMES = frozenset((RECORD, "numerals", "contrasts", "counted", "describe", "changes", SAMPLES))
"""The names of the files of a language, without `.yaml`."""

UNREAD = frozenset({"acts", "cases", "predicates", "roles"})
"""The names of files that earlier versions read. A language of a project may still have them: they are put aside."""


def name_of(path: str) -> str:
    """The name of the file of a language at a path, such as "contrasts", also in `UNREAD`; "" for a file elsewhere."""
    file = Path(path)
    inside = file.suffix in (".yaml", ".yml") and Path(path).absolute().parent.parent.name == FOLDER_OF_LANGUAGES
    return file.stem if inside and (file.stem in NAMES or file.stem in UNREAD) else ""
