"""RS321 to RS399: expressions that cannot be worked out, or not always."""

from rulespec.catalogue.kind import Kind, Severity

EXPRESSIONS = (
    Kind(
        "RS321",
        "type-mismatch",
        Severity.ERROR,
        "Two things are put together that are of different kinds.",
        """A number is compared with a name, a condition is no condition, a zone is asked for and a player is given.
Such a rule has no meaning. Often a field is missing behind a card, or an index behind a value.

Bad:
    if: card == king
Good:
    if: card.kind == king
""",
    ),
    Kind(
        "RS322",
        "wrong-arguments",
        Severity.ERROR,
        "A function or procedure is given too much, too little, or in the wrong form.",
        """Every function and procedure takes what it was made for, no more and no less. sum, min and max go over
something with `… for x in …`; count and first take `x in … if …`; any and all take either.

Bad:
    is: count(hand[p])
Good:
    is: count(c in hand[p] if c.kind == gold)
""",
    ),
    Kind(
        "RS323",
        "out-of-range",
        Severity.ERROR,
        "A number can leave the range it must keep to.",
        """Every number has a range, and the checker follows it through all arithmetic. Here it could go beyond what its
place allows, perhaps only in a rare game, and then the game would stop. Say what happens at the edge;
`clamp`, `min` and `max` keep a number inside.

Bad:
    set: {"level[o]": "level[o] + 1"}
Good:
    set: {"level[o]": "min(level[o] + 1, 6)"}
""",
    ),
    Kind(
        "RS324",
        "may-be-absent",
        Severity.ERROR,
        "Something is used that may be absent.",
        """A card may lack the field, a zone may be empty, nobody may hold the title. Nothing is neither more nor less
than a number, and cannot be added or chosen. Say with `??` what counts in that case. The functions sum, min,
max and count need no such help: they pass over what is absent.

Bad:
    if: card.marker > players
Good:
    if: "(card.marker ?? 0) > players"
""",
    ),
    Kind(
        "RS325",
        "never-absent",
        Severity.WARNING,
        "Something is treated as if it could be absent, and it never is.",
        """This does no harm to the game, but it tells the reader of a case that cannot occur. Often the question mark
is missing behind a type, or the wrong name was used.

Bad:
    is: "level[o] ?? 0"
Good:
    is: level[o]
""",
    ),
    Kind(
        "RS326",
        "always-same",
        Severity.WARNING,
        "A comparison comes out the same in every game.",
        """The ranges of the two sides leave only one outcome, so the question need not be asked. Most often a number
was mistyped, or a range is narrower than was meant.

Bad:
    if: players > 5         # for 2..5 players
Good:
    if: players == 5
""",
    ),
    Kind(
        "RS327",
        "too-large",
        Severity.ERROR,
        "A number can grow beyond 2,147,483,647.",
        """Whatever the language works out must fit the numbers of every machine a game may run on. No rulebook comes
near this limit, so there is a slip in a factor, or a number with too many digits.

Bad:
    is: influence[p] * 1000000000
Good:
    is: influence[p] * 10
""",
    ),
    Kind(
        "RS328",
        "too-wide",
        Severity.ERROR,
        "A range to go through holds more than 10,000 numbers.",
        """Going through a range means trying every number in it, and choosing from it means an action for each. Nobody
at a table does that. Use the range the rules really need.

Bad:
    pick: {n: 1..1000000}
Good:
    pick: {n: "1..size(hand[p])"}
""",
    ),
    Kind(
        "RS329",
        "too-costly",
        Severity.ERROR,
        "An expression takes too much work.",
        """Each derived value is worked out anew wherever it is used. Where values lean on each other many levels deep,
or several folds stand inside one another, the work multiplies until a single question takes minutes. Store a
part of it with `set`, or go through less.

Bad:
    a: {is: "b == b"}
    b: {is: "c == c"}      # and so on, twenty times
Good:
    a: {type: bool, start: false}     # set when it changes
""",
    ),
    Kind(
        "RS330",
        "division-by-zero",
        Severity.ERROR,
        "The number divided by can be 0.",
        """There is no answer to a division by nothing, so the divisor must be something that never becomes 0 in any
game. `//` divides and rounds down, `%` gives the remainder.

Bad:
    is: "size(deck) % size(hand[p])"
Good:
    is: "size(deck) % max(1, size(hand[p]))"
""",
    ),
    Kind(
        "RS331",
        "folded-expression",
        Severity.ERROR,
        "An expression is written with `>`.",
        """A text folded with `>` loses its line breaks, and with them the way back to the place where something is
wrong. Write the expression on one line. A long one reads better in parts: give each part a name under
`values:`.

Bad:
    is: >
      level[o]
      + 1
Good:
    is: level[o] + 1
""",
    ),
    Kind(
        "RS332",
        "bad-expression",
        Severity.ERROR,
        "The text is not an expression.",
        """Expressions are one line of names, whole numbers, comparisons, `and`, `or`, `not`, arithmetic, `a ? b : c`,
and functions. The mark shows where the text stops making sense.

Bad:
    if: players = 2
Good:
    if: players == 2
""",
    ),
    Kind(
        "RS333",
        "not-constant",
        Severity.ERROR,
        "Something must be known before the game begins, and it is not.",
        """Which rules, cards and members are in a game, who sees a zone, the entries of a table, the highest bid and
the start of a value are settled before the first card is drawn. They can depend on the number of players, on
rulings and on tables only.

Bad:
    only_if: size(deck) == 0
Good:
    only_if: players == 2
""",
    ),
    Kind(
        "RS334",
        "empty-range",
        Severity.ERROR,
        "Nothing lies in this range.",
        """The first number or name of a range is the smaller one; both ends belong to it. What is drawn at random needs
at least one thing to draw from, in every game.

Bad:
    type: 6..1
Good:
    type: 1..6
""",
    ),
)
