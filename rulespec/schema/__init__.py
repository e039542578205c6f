"""The JSON Schemas of files, and the findings about their shape."""

from typing import TYPE_CHECKING

from rulespec.lazy import importer

if TYPE_CHECKING:
    from rulespec.schema.validate import text as schema_text

__all__ = [
    "schema_text",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.schema.validate": "text=schema_text",
    },
)
