"""Messages and hints of RS101 `yaml-syntax`, one row for each complaint of the YAML parser."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """A message and hint for an error of the parser; `needle` is searched in its text "context: problem"."""

    needle: str
    message: str
    hint: str
    at_start: bool = False  # the finding is at the start of the construct, not where parsing failed


# The parser reports an unclosed bracket only lines later, so the finding is at the bracket.
UNCLOSED = Wording(
    "",
    "The bracket is not closed, or a comma is missing inside it.",
    "Close it, or add the comma.",
    at_start=True,
)
NO_COLON = Wording(
    "could not find expected ':'",
    'The line is neither "key: value" nor "- item".',
    "Add a colon and a space after the key, or join the line to the text above.",
    at_start=True,
)
WORDINGS = (
    Wording("tab character|'\\\\t'", "A tab is used for indentation.", "Indent with spaces."),
    Wording(
        "quoted scalar: found unexpected (end|document)",
        "The quote is not closed.",
        "Add the closing quote. In single quotes, write an apostrophe twice.",
        at_start=True,
    ),
    Wording(
        "quoted",
        "The escape does not exist in double quotes.",
        "Write \\\\ for a backslash, or use single quotes.",
    ),
    Wording(
        "',' or",
        "A comma or a closing bracket is missing before this position.",
        "Add it, or put quotes around the text.",
    ),
    Wording(
        "mapping values are not allowed",
        "The colon starts a second value on this line.",
        'Put quotes around a text that contains ": ", or indent the line like its neighbours.',
    ),
    NO_COLON,
    Wording("cannot start any token", "A value cannot begin with {sign}.", "Put quotes around it."),
    Wording("alphabetic or numeric|tag", "A value cannot begin with {sign}.", "Put quotes around it.", at_start=True),
    Wording(
        "directive|incompatible",
        "A line that begins with % is a YAML directive, which is not allowed.",
        "Delete the line.",
    ),
    Wording(
        "block scalar",
        "Only an indentation number, + or - may follow | and > on their line.",
        "Begin the text on the next line, indented.",
    ),
    Wording(
        "document start",
        "The value is complete before this position.",
        "Put quotes around the whole text, or delete the rest.",
    ),
    Wording("node content", "A value is missing before this character.", "Write the value, or delete the character."),
    Wording(
        "sequence entries are not allowed",
        "A list cannot begin on the line of its key.",
        "Put each item on a line of its own, or put quotes around a text that begins with a hyphen.",
    ),
    Wording(
        "block end|expected key|'-' indicator",
        "The indentation or the syntax does not fit the lines above.",
        "Indent it like its neighbours. Delete text after a closing quote or bracket.",
    ),
    Wording("", "The text is not valid YAML.", "Compare it with the lines around it."),
)
