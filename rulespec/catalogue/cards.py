"""RS4xx: cards and tables that contradict themselves."""

from rulespec.catalogue.kind import Kind, Severity

CARDS = (
    Kind(
        "RS401",
        "field-missing",
        Severity.ERROR,
        "A row of the manifest lacks a field.",
        """Every card has all the fields, except those whose type ends in `?`. Give the row a value, or make the field
optional.

Bad:
    fields: {kind: kind, value: 1..4}
    manifest: [{kind: king}]
Good:
    fields: {kind: kind, value: 1..4?}
    manifest: [{kind: king}]
""",
    ),
    Kind(
        "RS402",
        "unknown-source",
        Severity.ERROR,
        "A source is named that the game does not list.",
        """What the rules were taken from is listed once under `game: sources:`, with a short name for each. Rows of the
manifest (`source:`) and rulings (`silent:`) use these names.

Bad:
    source: [sheeet]
Good:
    source: [sheet]
""",
    ),
    Kind(
        "RS403",
        "too-many-cards",
        Severity.ERROR,
        "The manifest stands for more than 10,000 cards.",
        """A list or range in a row makes one card for each of its values, together with those of all other fields. A
range or a number of copies is far too large here. The rows after this one were not read.

Bad:
    - {kind: gold, value: 1..3, copies: 9999}
Good:
    - {kind: gold, value: 1..3, copies: 9}
""",
    ),
    Kind(
        "RS404",
        "wrong-value",
        Severity.ERROR,
        "A field or table has no such value.",
        """What stands in the manifest, in totals and as a row of a table must belong to the type declared for it.

Bad:
    - {kind: glod, value: 3}
Good:
    - {kind: gold, value: 3}
""",
    ),
    Kind(
        "RS405",
        "wrong-total",
        Severity.ERROR,
        "The manifest does not add up to its total.",
        """Totals are there to catch slips in the manifest: count the printed cards again, then correct whichever is
wrong.

Bad:
    manifest: [{kind: king, copies: 14}]
    totals: {kind: {king: 15}}
Good:
    manifest: [{kind: king, copies: 15}]
    totals: {kind: {king: 15}}
""",
    ),
    Kind(
        "RS406",
        "table-gap",
        Severity.ERROR,
        "A table has no entry for something it goes by.",
        """A table answers for every player count, or for every member of its enum. A missing entry is a question the
rules leave open, so it is never taken for 0.

Bad:
    removed: {by: players, 2: 22, 3: 13}       # for 2..4 players
Good:
    removed: {by: players, 2: 22, 3: 13, 4: 8}
""",
    ),
    Kind(
        "RS407",
        "listed-twice",
        Severity.ERROR,
        "A set names the same member twice.",
        """A field that holds a set takes a list, and a list of six names stands for six members. One that stands there
twice is nearly always a slip for another.

Bad:
    goals: [red, blue, red]
Good:
    goals: [red, blue, green]
""",
    ),
)
