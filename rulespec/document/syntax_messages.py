"""Messages and hints of RS101 `yaml-syntax`, one row for each complaint of the YAML parser."""

from dataclasses import dataclass

from rulespec.messages import Message, say


@dataclass(frozen=True)
class Wording:
    """A message and hint for an error of the parser; `needle` is searched in its text "context: problem"."""

    needle: str
    message: Message
    hint: Message
    at_start: bool = False  # the finding is at the start of the construct, not where parsing failed


# The parser reports an unclosed bracket only lines later, so the finding is at the bracket.
UNCLOSED = Wording(
    "",
    say("The bracket is not closed, or a comma is missing inside it."),
    say("Close it, or add the comma."),
    at_start=True,
)
NO_COLON = Wording(
    "could not find expected ':'",
    say('The line is neither "key: value" nor "- item".'),
    say("Add a colon and a space after the key, or join the line to the text above."),
    at_start=True,
)
WORDINGS = (
    Wording("tab character|'\\\\t'", say("A tab is used for indentation."), say("Indent with spaces.")),
    Wording(
        "quoted scalar: found unexpected (end|document)",
        say("The quote is not closed."),
        say("Add the closing quote. In single quotes, write an apostrophe twice."),
        at_start=True,
    ),
    Wording(
        "quoted",
        say("The escape does not exist in double quotes."),
        say("Write \\\\ for a backslash, or use single quotes."),
    ),
    Wording(
        "',' or",
        say("A comma or a closing bracket is missing before this position."),
        say("Add it, or put quotes around the text."),
    ),
    Wording(
        "mapping values are not allowed",
        say("The colon starts a second value on this line."),
        say('Put quotes around a text that contains ": ", or indent the line like its neighbours.'),
    ),
    NO_COLON,
    Wording("cannot start any token", say("A value cannot begin with {sign}."), say("Put quotes around it.")),
    Wording(
        "alphabetic or numeric|tag",
        say("A value cannot begin with {sign}."),
        say("Put quotes around it."),
        at_start=True,
    ),
    Wording(
        "directive|incompatible",
        say("A line that begins with % is a YAML directive, which is not allowed."),
        say("Delete the line."),
    ),
    Wording(
        "block scalar",
        say("Only an indentation number, + or - may follow | and > on their line."),
        say("Begin the text on the next line, indented."),
    ),
    Wording(
        "document start",
        say("The value is complete before this position."),
        say("Put quotes around the whole text, or delete the rest."),
    ),
    Wording(
        "node content",
        say("A value is missing before this character."),
        say("Write the value, or delete the character."),
    ),
    Wording(
        "sequence entries are not allowed",
        say("A list cannot begin on the line of its key."),
        say("Put each item on a line of its own, or put quotes around a text that begins with a hyphen."),
    ),
    Wording(
        "block end|expected key|'-' indicator",
        say("The indentation or the syntax does not fit the lines above."),
        say("Indent it like its neighbours. Delete text after a closing quote or bracket."),
    ),
    Wording("", say("The text is not valid YAML."), say("Compare it with the lines around it.")),
)
