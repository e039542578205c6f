"""The JSON Schemas of files, and the findings about their shape."""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.language.schema.validate import text as schema_text

__all__ = [
    "schema_text",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.language.schema.validate": "text=schema_text",
    },
)
