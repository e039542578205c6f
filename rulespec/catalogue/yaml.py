"""RS1xx: the text is not YAML, or uses a part of YAML that a spec may not use."""

from rulespec.catalogue.kind import Kind, Severity

YAML = (
    Kind(
        "RS101",
        "yaml-syntax",
        Severity.ERROR,
        "The text is not valid YAML at this place.",
        """Reading stops at the first place where the layout makes no sense, so later mistakes show up only once
this one is put right. The usual reasons are a bracket or quote that is never closed, a tab used to indent, a line
that starts in another column than its neighbours, and a text with ": " in it that has no quotes.

Bad:
    question: Overbid: allowed or not?
Good:
    question: "Overbid: allowed or not?"
""",
    ),
    Kind(
        "RS102",
        "duplicate-key",
        Severity.ERROR,
        "The same key stands twice in one mapping.",
        """Most YAML tools keep the last of the two and drop the first without a word, so one of the two rules would
be lost. Delete one, or join them.

Bad:
    totals: {king: 15, gold: 39, king: 16}
Good:
    totals: {king: 15, gold: 39}
""",
    ),
    Kind(
        "RS103",
        "key-not-text",
        Severity.ERROR,
        "A key is neither text nor a plain whole number.",
        """Keys are names, and names are text. Whole numbers such as player counts may stand as they are (they are
read as the text of the number); true, null, fractions, lists and mappings may not. Put quotes round the key, or
choose a name.

Bad:
    true: {copies: 2}
    1.5: {copies: 2}
Good:
    "true": {copies: 2}
    4: {copies: 2}
""",
    ),
    Kind(
        "RS104",
        "nested-too-deep",
        Severity.ERROR,
        "Lists and mappings are nested more than 64 levels deep.",
        """No rulebook needs this; such a file is damaged or made to break tools. If a rule really became so deep,
give its inner parts names of their own and refer to them.

Bad:
    [[[[[[[[[[ … ]]]]]]]]]]
Good:
    [1, 2, 3]
""",
    ),
    Kind(
        "RS105",
        "too-many-nodes",
        Severity.ERROR,
        "The file holds more than 200,000 values.",
        """A whole game needs a few thousand. Check that it is the right file; a long list of equal cards is written
once, with the number of copies.

Bad:
    [gold, gold, gold, …]
Good:
    {kind: gold, copies: 39}
""",
    ),
    Kind(
        "RS106",
        "yaml-alias",
        Severity.ERROR,
        "An alias (*name) stands where a value should be written out.",
        """Aliases make one line mean something that stands elsewhere, so an erratum to the one place silently
changes the other; nested ones can also blow a small file up until no machine can hold it. Write the value out.

Bad:
    setup: &deal {from: deck, to: hand}
    refill: *deal
Good:
    setup: {from: deck, to: hand}
    refill: {from: deck, to: hand}
""",
    ),
    Kind(
        "RS107",
        "yaml-anchor",
        Severity.ERROR,
        "An anchor (&name) is set on a value.",
        """An anchor only serves aliases, and a spec has none. Delete it. A text that begins with "&" needs quotes.

Bad:
    setup: &deal {from: deck, to: hand}
Good:
    setup: {from: deck, to: hand}
""",
    ),
    Kind(
        "RS108",
        "yaml-tag",
        Severity.ERROR,
        "A tag (!name) is set on a value.",
        """Tags ask the reader to build special objects; a spec has only texts, numbers, true, false, null, lists
and mappings. Delete the tag; use quotes to make something a text. A text that begins with "!" needs quotes.

Bad:
    version: !!str 1.0
Good:
    version: "1.0"
""",
    ),
    Kind(
        "RS109",
        "yaml-merge-key",
        Severity.ERROR,
        "A merge key (<<) copies another mapping in.",
        """What a merge key brings in cannot be seen where it takes effect, and YAML 1.2 no longer has it. Write the
entries out: whoever reads the line then sees everything it says.

Bad:
    advanced:
      <<: *basic
      rounds: 6
Good:
    advanced:
      hand: 5
      rounds: 6
""",
    ),
    Kind(
        "RS110",
        "multiple-documents",
        Severity.ERROR,
        "A second document begins in the same file.",
        """A line of three hyphens starts a new document, and one file holds one spec. Everything from here on was
not checked. Move it to a file of its own, or delete the line.

Bad:
    game: {id: kingme}
    ---
    game: {id: fortheking}
Good:
    game: {id: kingme}
""",
    ),
    Kind(
        "RS111",
        "empty-document",
        Severity.ERROR,
        "The file holds no value, only comments or blank lines.",
        """There is nothing to check. Perhaps everything was commented out.

Bad:
    # rulespec: 1
Good:
    rulespec: 1
""",
    ),
    Kind(
        "RS112",
        "ambiguous-scalar",
        Severity.WARNING,
        "Older YAML tools read this value as something else.",
        """Here values are read by the rules of YAML 1.2: `no` is a text. Many editors and scripts still follow YAML
1.1, where `no` is false, `010` is eight, `1:30` is ninety and `2024-01-01` is a date. Quotes make every tool agree.

Bad:
    answer: no
    time: 1:30
Good:
    answer: "no"
    time: "1:30"
""",
    ),
    Kind(
        "RS113",
        "number-too-large",
        Severity.ERROR,
        "A whole number does not fit in 64 bits.",
        """Games are played with 64-bit whole numbers, from -9223372036854775808 to 9223372036854775807. A longer
row of digits is probably an identifier: put quotes round it.

Bad:
    barcode: 40123456789012345678901
Good:
    barcode: "40123456789012345678901"
""",
    ),
    Kind(
        "RS114",
        "number-not-finite",
        Severity.ERROR,
        "A number is infinite or not a number at all.",
        """Nothing can be counted or compared with it. Leave the limit out, or write the largest number that can
occur.

Bad:
    limit: .inf
Good:
    limit: 99
""",
    ),
    Kind(
        "RS115",
        "line-separator",
        Severity.ERROR,
        "The text holds an invisible Unicode line separator.",
        """U+0085, U+2028 and U+2029 end a line for some YAML tools and are ordinary characters for others, so a
comment or a text would end at different places. They come from copying out of PDF or web pages. Replace each with a
line break or a space.

Bad:
    text: one<U+2028>two
Good:
    text: one two
""",
    ),
    Kind(
        "RS116",
        "needs-quotes",
        Severity.ERROR,
        "A text without quotes holds a sign that has another meaning in YAML.",
        """Inside `{…}` and `[…]` a comma ends a text, and a bracket or brace begins a list or mapping of its own.
Everywhere a colon with a space behind it begins a value. So an expression with an index, with two arguments or with
`? :` is cut into pieces, sometimes without a word. Put quotes round all of it; a key can have quotes, too.

Bad:
    - {set: {coins[p]: min(coins[p] + 1, 9)}}
Good:
    - {set: {"coins[p]": "min(coins[p] + 1, 9)"}}
""",
    ),
)
