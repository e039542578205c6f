"""RS301 to RS320: names that do not stand for what they should."""

from rulespec.catalogue.kind import Kind, Severity

NAMES = (
    Kind(
        "RS301",
        "unknown-name",
        Severity.ERROR,
        "Nothing here has this name.",
        """An expression uses names that are declared in the spec: values, zones, tables, members of enums, answers to
rulings, and the variables of the steps around it. Most often the name is misspelt, or a variable is used
outside the step that gives it. In the words of a choice only variables can be said.

Bad:
    while: size(dekc) > 0
Good:
    while: size(deck) > 0
""",
    ),
    Kind(
        "RS302",
        "unclear-name",
        Severity.ERROR,
        "The name belongs to several enums, and nothing shows which is meant.",
        """The same name may be a member of two enums, because what it is compared with or assigned to tells which is
meant. Here there is nothing of the kind. Compare it with something of the enum that is meant, or give the
members different names.

Bad:
    is: plus
Good:
    is: "card.first ?? plus"
""",
    ),
    Kind(
        "RS303",
        "name-taken",
        Severity.ERROR,
        "The name already means something else.",
        """One name has one meaning, because an expression does not say which kind of name it means: a zone, a value, an
enum, one of its members, a variable of a step further out, or a word of the language. Whoever reads the rule
aloud would be misled, too. Rename one of the two.

Bad:
    zones: {deck: {seen_by: nobody}}
    values: {deck: {type: 0..9, start: 0}}
Good:
    zones: {deck: {seen_by: nobody}}
    values: {deck_size: {type: 0..9, start: 0}}
""",
    ),
    Kind(
        "RS304",
        "unknown-type",
        Severity.ERROR,
        "There is no such type.",
        """A type is a range of whole numbers such as 1..6, `bool`, `player` or the name of an enum; a `?` behind it
says that it may be absent. Only `player` and enums can stand under `per:`, for there is one of each.

Bad:
    type: integer
Good:
    type: 0..20
""",
    ),
    Kind(
        "RS305",
        "wrong-index",
        Severity.ERROR,
        "The square brackets after a name do not fit it.",
        """Values, tables and zones that are declared `per` something need one index for each in brackets; all others
take none. The hint shows how the name is written. `cards: start:` names one zone for all cards.

Bad:
    to: hand
Good:
    to: hand[p]
""",
    ),
    Kind(
        "RS306",
        "unknown-field",
        Severity.ERROR,
        "Cards have no such field.",
        """The fields of a card are declared under `cards: fields:`, and only those can stand in the manifest, among the
totals, or after the dot in an expression. Beside them a row of the manifest has only `copies`, `status` and
`source`.

Bad:
    - {kind: gold, valeu: 3}
Good:
    - {kind: gold, value: 3}
""",
    ),
    Kind(
        "RS307",
        "unknown-function",
        Severity.ERROR,
        "There is no such function.",
        """The language has a fixed set of functions: size, top, left_of, right_of, seat, seat_of, abs, clamp, min and
max, and sum, count, any, all, min, max and first over something. What is missing can often be said as a
derived value under `values:`.

Bad:
    is: length(deck)
Good:
    is: size(deck)
""",
    ),
    Kind(
        "RS308",
        "duplicate-id",
        Severity.ERROR,
        "Two rules have the same id.",
        """Rule texts, logs, coverage and findings all refer to rules by their ids, so an id names one rule, for ever.
Invariants share these names.

Bad:
    - {id: end, note: The deck is empty.}
    - {id: end, note: Count the points.}
Good:
    - {id: end.deck, note: The deck is empty.}
    - {id: end.points, note: Count the points.}
""",
    ),
    Kind(
        "RS309",
        "bad-member",
        Severity.ERROR,
        "A range of letters is the wrong way round.",
        """An enum can be a list of names or a range of letters. The order counts, and the earlier letter stands first.

Bad:
    letter: I..A
Good:
    letter: A..I
""",
    ),
    Kind(
        "RS310",
        "no-owner",
        Severity.ERROR,
        "A zone is shown to its owner but has none.",
        """Only a zone that is declared `per: player` belongs to somebody. Say everybody or nobody for the others.

Bad:
    hand: {seen_by: owner}
Good:
    hand: {per: player, seen_by: owner}
""",
    ),
    Kind(
        "RS311",
        "no-start",
        Severity.ERROR,
        "A stored value does not say what it is at the start.",
        """The game must know the value before anything has happened. Give it a start, or let its type end in `?`: then
it is absent until it is set.

Bad:
    dealer: {type: player}
Good:
    dealer: {type: player, start: seat(1)}
""",
    ),
    Kind(
        "RS312",
        "not-a-value",
        Severity.ERROR,
        "Only a stored value can be set.",
        """Setting needs a place to put the result: a value declared with `type:`. A derived value (`is:`) changes by
itself when what it leans on changes; zones change by moving cards.

Bad:
    set: {"points[p]": 3}        # points follows from level
Good:
    set: {"level[o]": 3}
""",
    ),
    Kind(
        "RS313",
        "circular-value",
        Severity.ERROR,
        "A value is defined by itself.",
        """Working it out would never come to an end. The message names every value on the way round; one of them must
be stored, or lean on something else.

Bad:
    a: {is: b + 1}
    b: {is: a - 1}
Good:
    a: {is: b + 1}
    b: {type: 0..9, start: 0}
""",
    ),
    Kind(
        "RS314",
        "recursive-procedure",
        Severity.ERROR,
        "A procedure runs itself.",
        """Procedures are written out where they run, so one that comes back to itself would never end. What happens
again and again is a repeat.

Bad:
    refill:
      do: [{move: {top: 1, from: deck, to: row}}, {run: refill}]
Good:
    refill:
      do: {repeat: {while: size(row) < 5, do: {move: {top: 1, from: deck, to: row}}}}
""",
    ),
    Kind(
        "RS315",
        "none-in-play",
        Severity.ERROR,
        "At some player count an enum has no member in play.",
        """What goes through the enum, draws from it or looks for its best member would have nothing to work with. Check
the condition under `in_play:` for every player count, with the answers taken for the rulings.

Bad:
    in_play: players > 2      # for 2..5 players
Good:
    in_play: office != provisions or players > 2
""",
    ),
    Kind(
        "RS316",
        "too-many-cells",
        Severity.ERROR,
        "A value has more than 20,000 places.",
        """Every index multiplies what has to be remembered. Nobody could lay that out on a table; most likely one index
too many was given.

Bad:
    per: [player, letter, letter, letter, letter]
Good:
    per: [player, letter]
""",
    ),
)
