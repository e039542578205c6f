"""Messages and hints of RS101 `yaml-syntax`, one row for each complaint of the YAML parser."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """How to say what the parser says; `needle` is searched in its "context: problem"."""

    needle: str
    message: str
    hint: str
    at_start: bool = False  # point at what was begun rather than at where it went wrong


# The parser notices a forgotten bracket only lines later, so the bracket is the place to show.
UNCLOSED = Wording(
    "",
    "This bracket is never closed, or a comma is missing in it.",
    "Close it, or add the comma.",
    at_start=True,
)
WORDINGS = (
    Wording("tab character|'\\\\t'", "A tab stands where only spaces may indent.", "Indent with spaces."),
    Wording(
        "quoted scalar: found unexpected (end|document)",
        "The text that begins with this quote is never closed.",
        "Add the closing quote; in single quotes write an apostrophe twice.",
        at_start=True,
    ),
    Wording(
        "quoted",
        "There is no such escape in double quotes.",
        "Write \\\\ for a backslash, or use single quotes.",
    ),
    Wording("',' or", "A comma or a closing bracket is missing before this.", "Add it, or put quotes round the text."),
    Wording(
        "mapping values are not allowed",
        "A colon here would begin a second value.",
        'Put quotes round a text that holds ": ", or indent the line like its neighbours.',
    ),
    Wording(
        "could not find expected ':'",
        'This line is neither "key: value" nor "- item".',
        "Add a colon and a space after the key, or join the line to the text above.",
        at_start=True,
    ),
    Wording("cannot start any token", "A value cannot begin with {sign}.", "Put quotes round it."),
    Wording("alphabetic or numeric|tag", "A value cannot begin with {sign}.", "Put quotes round it.", at_start=True),
    Wording("directive|incompatible", "A line that begins with % has no place in a spec.", "Delete the line."),
    Wording(
        "block scalar",
        "Only an indentation number, + or - may follow | and > on their line.",
        "Begin the text on the next line, indented.",
    ),
    Wording(
        "document start",
        "The value is complete before this place, so nothing can follow.",
        "Put quotes round the whole text, or delete what is too much.",
    ),
    Wording("node content", "A value is missing before this sign.", "Write the value, or delete the extra sign."),
    Wording(
        "sequence entries are not allowed",
        "A list cannot begin on the line of its key.",
        "Put each item on a line of its own, or put quotes round a text that begins with a hyphen.",
    ),
    Wording(
        "block end|expected key|'-' indicator",
        "This does not fit the lines above it.",
        "Indent it like its neighbours; after a closing quote or bracket nothing may follow.",
    ),
    Wording("", "This is not valid YAML.", "Compare it with the lines around it."),
)
