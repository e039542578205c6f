"""RS99x: files of translators' tools that come back."""

from rulespec.catalogue.kind import Kind, Severity

TEXT_EXCHANGE = (
    Kind(
        "RS990",
        "exchange-broken",
        Severity.ERROR,
        "A file from a translation tool cannot be read.",
        """It is neither a whole PO file nor a whole XLIFF 2.0 file, or its header no longer says which game and
language it is for. Nothing of it is taken. Files come back in the format they were exported in; XLIFF 1.2 is another.

Bad:
    msgstr "Shuffle the cards.
Good:
    msgstr "Shuffle the cards."
""",
    ),
    Kind(
        "RS991",
        "exchange-dtd",
        Severity.ERROR,
        "An XLIFF file declares a document type.",
        """Document types can define entities that grow into gigabytes or read other files. XLIFF needs none, so a file
that has one is not read at all.

Bad:
    <!DOCTYPE xliff [<!ENTITY a "…">]>
    <xliff …>
Good:
    <xliff …>
""",
    ),
    Kind(
        "RS992",
        "exchange-other-game",
        Severity.ERROR,
        "A file from a translation tool belongs to another game.",
        """Its header names another game than the translation it was to be written into. Nothing of it is taken.

Bad:
    "Project-Id-Version: checkers\\n"      # imported into the game cards
Good:
    "Project-Id-Version: cards\\n"
""",
    ),
    Kind(
        "RS993",
        "exchange-other-language",
        Severity.ERROR,
        "A file from a translation tool is in another language.",
        """Its header names another language than the translation it was to be written into. Nothing of it is taken.

Bad:
    "Language: en\\n"                      # imported into uk.yaml
Good:
    "Language: uk\\n"
""",
    ),
    Kind(
        "RS994",
        "exchange-unknown-unit",
        Severity.ERROR,
        "A text that came back belongs to no rule of the game.",
        """Every text carries the id of its rule: `rules/<rule id>/title`, `rules/<rule id>/text`, `rulings/<id>/text`,
or `title` for the title of the book. This id is not one of them: it was changed on the way, or the rule was renamed
since the export. The other texts of the file are taken.

Bad:
    msgctxt "rules/setup.dek/text"
Good:
    msgctxt "rules/setup.deck/text"
""",
    ),
    Kind(
        "RS995",
        "exchange-duplicate-unit",
        Severity.ERROR,
        "A text came back twice in one file.",
        """Only one of the two can be right, and nobody says which. The first one counts; delete the other.

Bad:
    msgctxt "rules/deal/title"
    …
    msgctxt "rules/deal/title"
Good:
    msgctxt "rules/deal/title"
    …
    msgctxt "rules/deal/text"
""",
    ),
    Kind(
        "RS996",
        "exchange-emptied",
        Severity.WARNING,
        "A text that exists came back empty.",
        """An import never deletes a text, so the one in the translation stays. Perhaps the tool left out what was not
finished.

Bad:
    msgctxt "rules/deal/title"
    msgid "Deal"
    msgstr ""                               # and the translation has a title
Good:
    msgctxt "rules/deal/title"
    msgid "Deal"
    msgstr "Роздайте карти"
""",
    ),
    Kind(
        "RS997",
        "exchange-incomplete",
        Severity.ERROR,
        "Only a part of a text came back.",
        """A new rule needs both its title and its text, and a text that a tool has cut into segments needs all of them.
What is incomplete is left as it was; the rest of the file is taken.

Bad:
    <unit id="rules:deal:text">
      <segment><source>Deal.</source><target>Роздайте.</target></segment>
      <segment><source>Then bid.</source></segment>
    </unit>
Good:
    <unit id="rules:deal:text">
      <segment><source>Deal.</source><target>Роздайте.</target></segment>
      <segment><source>Then bid.</source><target>Торгуйтеся.</target></segment>
    </unit>
""",
    ),
    Kind(
        "RS998",
        "exchange-inline-code",
        Severity.ERROR,
        "A text came back with a code of a translation tool inside.",
        """Rule text is Markdown. Codes such as `<ph/>` and `<pc>` stand for something that only the tool knows, and
their meaning would be lost. The text is left as it was.

Bad:
    <target>Роздайте <pc id="1">5</pc> карт.</target>
Good:
    <target>Роздайте **5** карт.</target>
""",
    ),
    Kind(
        "RS999",
        "exchange-unwritable",
        Severity.ERROR,
        "Texts cannot be written into a translation file without harm to others.",
        """The YAML of the file is laid out in a way that a change in one place would change another text, so it stays
as it was. This is rare: trailing blank lines that belong to a text, for example.

Bad:
    text: |+
      Deal five cards.


Good:
    text: |-
      Deal five cards.
""",
    ),
)
