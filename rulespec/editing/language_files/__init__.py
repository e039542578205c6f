"""The files of a language in a project, `languages/TAG/`: what they may hold, what is wrong with them, and new ones."""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.base.refusal import Refusal
    from rulespec.editing.language_files.checking import check, check_samples
    from rulespec.editing.language_files.listing import Listed, listed
    from rulespec.editing.language_files.places import name_of
    from rulespec.editing.language_files.samples import KIND as SAMPLE_KIND
    from rulespec.editing.language_files.samples import samples_of, samples_read
    from rulespec.editing.language_files.schemas import DATA, schema_of
    from rulespec.editing.language_files.skeleton import new_language

__all__ = [
    "DATA",
    "SAMPLE_KIND",
    "Listed",
    "Refusal",
    "check",
    "check_samples",
    "listed",
    "name_of",
    "new_language",
    "samples_of",
    "samples_read",
    "schema_of",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.editing.language_files.checking": "check check_samples",
        "rulespec.editing.language_files.listing": "Listed listed",
        "rulespec.editing.language_files.places": "name_of",
        "rulespec.editing.language_files.samples": "KIND=SAMPLE_KIND samples_of samples_read",
        "rulespec.editing.language_files.schemas": "DATA schema_of",
        "rulespec.editing.language_files.skeleton": "new_language",
        "rulespec.base.refusal": "Refusal",
    },
)
