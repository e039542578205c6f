"""The page of a kind of finding: one YAML file per kind and language, `LANG/CODE-NAME.yaml`.

English pages have every key. A page in another language may leave keys out; the English text is used for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from rulespec.findings.kind import FindingKind

DEFAULT_LANGUAGE = "en"


@dataclass(frozen=True)
class Page:
    """The explanation of a kind of finding. All texts but the samples are Markdown; `title` is one sentence."""

    title: str
    why: str
    bad: str
    good: str

    def text(self) -> str:
        """The page without its title, as plain text."""
        return f"{self.why}\nBad:\n{_indented(self.bad)}Good:\n{_indented(self.good)}"


@cache
def page_of(kind: FindingKind, lang: str = DEFAULT_LANGUAGE) -> Page:
    """The page of `kind` in a language; in English where the language has none."""
    return Page(**{**_read(kind, DEFAULT_LANGUAGE), **_read(kind, lang)})


def _read(kind: FindingKind, lang: str) -> dict[str, str]:
    import yaml

    path = files(__package__).joinpath(lang, f"{kind.code}-{kind.name}.yaml")
    texts: dict[str, str] = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return texts


def _indented(sample: str) -> str:
    return "".join(f"    {line}".rstrip() + "\n" for line in sample.splitlines())
