"""RS5xx: steps that cannot be taken."""

from rulespec.catalogue.kind import Kind, Severity

STEPS = (
    Kind(
        "RS501",
        "nothing-to-leave",
        Severity.ERROR,
        "There is no repeat to leave.",
        """`leave: repeat` and `none: leave` end the innermost repeat around them. A procedure does not see the repeat
around the step that runs it; nor does an option of a secret choice, since the others' choices still count.

Bad:
    play: [{leave: repeat}]
Good:
    play:
      - repeat: {do: [{if: size(deck) == 0, then: {leave: repeat}}]}
""",
    ),
    Kind(
        "RS502",
        "endless-repeat",
        Severity.ERROR,
        "Nothing ever ends this repeat.",
        """A repeat needs `while:`, `until:` or `at_most:`, or a way to leave it from inside. Without one the game would
never come to an end.

Bad:
    repeat: {do: [{shuffle: deck}]}
Good:
    repeat: {while: size(deck) > 0, do: [{move: {top: 1, from: deck, to: row}}]}
""",
    ),
    Kind(
        "RS503",
        "wrong-from",
        Severity.ERROR,
        "Only players and enums can be gone round starting with one of them.",
        """Players sit in a circle, and the members of an enum can be taken round from any of them. Cards and numbers
have an order of their own.

Bad:
    each: {c: deck}
    from: dealer
Good:
    each: {p: player}
    from: left_of(dealer)
""",
    ),
    Kind(
        "RS504",
        "wrong-domain",
        Severity.ERROR,
        "A card is drawn at random under a name, or something other than an enum is awarded.",
        """`random:` gives a name to a number, a player or a member of an enum. A card taken at random is moved, so that
everybody knows where it went. An `award:` goes through the members of an enum, so that everybody can be told by name
what was won.

Bad:
    random: {c: deck}
    award: {each: {n: 1..2}, …}
Good:
    move: {random: 1, from: deck, to: row}
    award: {each: {c: cup}, …}
""",
    ),
    Kind(
        "RS505",
        "moves-nowhere",
        Severity.WARNING,
        "Cards are moved from a zone into the same zone.",
        """Nothing happens in such a step. Most likely one of the two zones is not the one that was meant.

Bad:
    move: {top: 1, from: deck, to: deck}
Good:
    move: {top: 1, from: deck, to: row}
""",
    ),
    Kind(
        "RS506",
        "too-many-choices",
        Severity.ERROR,
        "A choice stands for more than 20,000 actions.",
        """Every combination of picks is one action that a player, a bot or a log can name; in an auction every bid is
one. Let the player choose one thing after the other, or lower the highest bid to what can really be bid.

Bad:
    pick: {a: "hand[p]", b: "hand[p]", c: "hand[p]"}
Good:
    pick: {a: "hand[p]"}       # and the next choice picks b
""",
    ),
    Kind(
        "RS507",
        "too-many-steps",
        Severity.ERROR,
        "Procedures written out where they run make the game too long.",
        """Each `run` stands for all the steps of its procedure. Procedures that run each other twice, level after
level, double at each level. What a secret choice does is written out for every player, so one inside the other
multiplies too. Use a repeat, or fewer of them.

Bad:
    a: {do: [{run: b}, {run: b}]}
    b: {do: [{run: c}, {run: c}]}      # and so on
Good:
    a: {do: {repeat: {at_most: 4, do: {run: c}}}}
""",
    ),
)
