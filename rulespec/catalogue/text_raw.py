"""RS980–RS989: a publisher's raw text, and findings that are set aside."""

from rulespec.catalogue.kind import Kind, Severity

TEXT_RAW = (
    Kind(
        "RS980",
        "other-game",
        Severity.ERROR,
        "This is not this game's rulebook.",
        """Too few of the rules of the spec can be found in the text, or its words are hardly those of this game. It is
another game's rulebook, or in another language than `--lang` says.

Bad:
    ftk text check chess.txt --lang en --spec fortheking
Good:
    ftk text check fortheking_rules.txt --lang en --spec fortheking
""",
    ),
    Kind(
        "RS985",
        "ignore-without-reason",
        Severity.ERROR,
        "A finding is set aside without a reason.",
        """Whoever reads this later must know why it may stay. Give the code or name of the finding, and a reason.

Bad:
    # ftk: ignore RS952
Good:
    # ftk: ignore RS952 the publisher prints it like this
""",
    ),
    Kind(
        "RS986",
        "ignore-unused",
        Severity.WARNING,
        "A remark sets aside a finding that is not there.",
        """What it spoke of has been mended, or it names the wrong code. Left standing, it would hide the next mistake.

Bad:
    # ftk: ignore RS952 the publisher prints it like this    (and nothing is wrong in the line)
Good:
    (no remark)
""",
    ),
    Kind(
        "RS987",
        "baseline-unused",
        Severity.WARNING,
        "A baseline lists a finding that is not there any more.",
        """It has been mended, which is good news; left in the file, it would hide the next mistake of its kind.

Bad:
    ftk text check rules.txt --lang uk --spec fortheking --baseline known.json      (and one of them is mended)
Good:
    ftk text check rules.txt --lang uk --spec fortheking --write-baseline known.json
""",
    ),
)
