"""The page of a kind of finding: one YAML file per kind and language, `LANG/CODE-NAME.yaml`.

English pages have every key. A page in another language may leave keys out; the English text is used for them. Titles,
which name the kinds, are in the catalogs: a language may have them without pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from rulespec.base.findings.catalog import DEFAULT_LANGUAGE, catalog_of, text_in
from rulespec.base.findings.kind import FindingKind
from rulespec.base.findings.table import GROUPS
from rulespec.base.messages import say

DOCS = "https://ftk.example/findings"
"""Where the site has the pages of findings. Schemas have their `$id` on the same site."""


@dataclass(frozen=True)
class Page:
    """The explanation of a kind of finding: `title` is one sentence, `what`, `why` and `fix` are Markdown paragraphs.

    `bad` is a sample that has the finding, `good` the same sample without it. `lang` is the language of the paragraphs.
    """

    title: str
    what: str
    why: str
    fix: str
    bad: str
    good: str
    lang: str = DEFAULT_LANGUAGE

    def prose(self) -> str:
        """What the check found, why it matters and how to fix it, with a blank line between the parts."""
        why, fix = say("Why it matters: {text}", text=self.why), say("How to fix: {text}", text=self.fix)
        return f"{self.what}\n{text_in(why, self.lang)}\n{text_in(fix, self.lang)}"

    def text(self) -> str:
        """The page without its title, as plain text with indented samples."""
        bad, good = (text_in(text, self.lang) for text in (say("Bad:"), say("Good:")))
        return f"{self.prose()}\n{bad}\n{_indented(self.bad)}{good}\n{_indented(self.good)}"


@cache
def page_of(kind: FindingKind, lang: str = DEFAULT_LANGUAGE) -> Page:
    """The page of `kind` in a language; in English where the language has none, but for the title."""
    english, theirs, catalog = _read(kind, DEFAULT_LANGUAGE), _read(kind, lang), catalog_of(lang)
    title = catalog.template(english["title"]) if catalog is not None else english["title"]
    return Page(**{**english, **theirs, "title": title}, lang=lang if theirs else DEFAULT_LANGUAGE)


def help_uri(kind: FindingKind) -> str:
    """The address of the section about `kind` on the site of the documentation."""
    group = next(group for group in GROUPS if kind in group.kinds)
    return f"{DOCS}/{group.id}/#{anchor(kind)}"


def anchor(kind: FindingKind) -> str:
    """The anchor that Markdown renderers make of the section's heading."""
    return f"{kind.code}-{kind.name}".lower()


def _read(kind: FindingKind, lang: str) -> dict[str, str]:
    import yaml

    path = files(__package__).joinpath(lang, f"{kind.code}-{kind.name}.yaml")
    texts: dict[str, str] = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return texts


def _indented(sample: str) -> str:
    return "".join(f"    {line}".rstrip() + "\n" for line in sample.splitlines())
