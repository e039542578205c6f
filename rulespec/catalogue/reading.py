"""RS0xx: a file cannot be read as text."""

from rulespec.catalogue.kind import Kind, Severity

READING = (
    Kind(
        "RS001",
        "file-not-found",
        Severity.ERROR,
        "There is no file at this path.",
        """Nothing was checked, because the path leads nowhere. Most often it has a typing error, or the command was
started in another folder than the path was meant for.

Bad:
    ftk check spec/fortheking.yaml
Good:
    ftk check specs/fortheking.yaml
""",
    ),
    Kind(
        "RS002",
        "is-a-directory",
        Severity.ERROR,
        "The path is a folder where one file is needed.",
        """A single file was asked for here. Name the file inside the folder.

Bad:
    ftk cards specs
Good:
    ftk cards specs/fortheking.yaml
""",
    ),
    Kind(
        "RS003",
        "unreadable-file",
        Severity.ERROR,
        "The file exists but the system does not let it be read.",
        """The operating system refused: the file belongs to somebody else, the disk has a fault, or the name is not
one a file can have. The message ends with the system's own reason. Correct the permissions, or copy the file
elsewhere.

Bad:
    chmod 000 specs/fortheking.yaml
Good:
    chmod 644 specs/fortheking.yaml
""",
    ),
    Kind(
        "RS004",
        "file-too-large",
        Severity.ERROR,
        "The file is larger than 5 MiB.",
        """A whole game with its texts stays far below one mebibyte, so a file this large is almost surely the wrong
one, and reading it could exhaust the machine.

Bad:
    ftk check photos-of-the-cards.zip
Good:
    ftk check specs/fortheking.yaml
""",
    ),
    Kind(
        "RS005",
        "not-utf-8",
        Severity.ERROR,
        "The bytes of the file are not UTF-8 text.",
        """Every file of a spec is UTF-8, so that Ukrainian and Chinese look the same on every machine. The message
names the first byte that does not fit, counted from 0. Open the file in the encoding it was written in (old
Ukrainian files are often Windows-1251, old Chinese ones Big5 or GB18030), and save it as UTF-8.

Bad:
    saved as "Windows-1251"
Good:
    saved as "UTF-8"
""",
    ),
    Kind(
        "RS006",
        "other-encoding",
        Severity.ERROR,
        "The file is marked as UTF-16 or UTF-32.",
        """The first bytes of the file announce an encoding other than UTF-8. Some Windows editors call it
"Unicode". Save the file again and choose UTF-8.

Bad:
    saved as "Unicode" or "UTF-16 LE"
Good:
    saved as "UTF-8"
""",
    ),
    Kind(
        "RS007",
        "control-character",
        Severity.ERROR,
        "The text holds an invisible control character.",
        """Control characters cannot be seen, yet they make two names different that look the same, and YAML does
not allow them. They usually come from copying out of a PDF or from a damaged file. Delete the character; where it
is really meant, write it as an escape in double quotes.

Bad:
    name: King<NUL>
Good:
    name: King
    mark: "\\u0007"
""",
    ),
    Kind(
        "RS008",
        "empty-file",
        Severity.ERROR,
        "The file has nothing in it.",
        """An empty file is usually one that was never saved, or whose saving was interrupted. Bring it back from
version control, or write the spec; the smallest one begins with the two lines below.

Bad:
    (nothing)
Good:
    rulespec: 1
    game: {id: fortheking, version: 1.0.0, players: 2..5}
""",
    ),
)
