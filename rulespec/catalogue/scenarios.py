"""RS7xx: scenarios that do not fit their game, or that the game does not fulfil."""

from rulespec.catalogue.kind import Kind, Severity

SCENARIOS = (
    Kind(
        "RS701",
        "scenario-failed",
        Severity.ERROR,
        "The game does something else than a case expects.",
        """The case was played as written, and this expectation did not hold. The message says what was expected and
what came instead. Either the last change to the rules did something it should not have done, or it was meant and
the case is out of date. Look the rule up in the rulebook before changing either.

Bad:
    do: [player 1: bid 2, player 2: pass, player 3: pass]
    expect: {zones: {"hand[2]": [gold 3]}}
Good:
    do: [player 1: bid 2, player 2: pass, player 3: pass]
    expect: {zones: {"hand[1]": [gold 3]}}
""",
    ),
    Kind(
        "RS702",
        "scenario-no-game",
        Severity.ERROR,
        "The game of a scenario file cannot be played.",
        """The file names a game that has no spec, or whose spec has errors. The spec is looked for beside the file and
in the two folders above it, then among the games that come with the package. Correct the name, or put the spec right
first; without it not one case can run.

Bad:
    game: forthequeen
Good:
    game: fortheking
""",
    ),
    Kind(
        "RS703",
        "scenario-unknown-name",
        Severity.ERROR,
        "A case names something that the game does not have.",
        """Rules, zones, values, rulings, players, sources and actions are called what the spec calls them. A zone or a
value that exists once for every player or office needs to say which one.

Bad:
    zones: {hand: [gold 2]}
    fires: [esteem.paygold]
Good:
    zones: {"hand[1]": [gold 2]}
    fires: [esteem.pay_gold]
""",
    ),
    Kind(
        "RS704",
        "scenario-unclear-card",
        Severity.ERROR,
        "The words for a card fit no card of the game, or several.",
        """A card is named by some of the words on its face, as long as no other face has them all. Cards marked for
more players are not in the game. Add or correct words until only one face is left.

Bad:
    zones: {"hand[1]": [diplomacy]}
Good:
    zones: {"hand[1]": [diplomacy A]}
""",
    ),
    Kind(
        "RS705",
        "scenario-card-taken",
        Severity.ERROR,
        "A position uses more copies of a card than there are.",
        """Every card lies in one place only. The position already holds all copies of this card that are in the game
with this number of players.

Bad:
    zones: {"hand[1]": [diplomacy A], "hand[2]": [diplomacy A]}
Good:
    zones: {"hand[1]": [diplomacy A], "hand[2]": [diplomacy B]}
""",
    ),
    Kind(
        "RS706",
        "scenario-bad-value",
        Severity.ERROR,
        "A case uses a value that cannot be.",
        """A number lies outside its range, a player or an office is not in this game, a ruling has no such answer, or
something is given that only follows from other values. The hint lists what can be written.

Bad:
    values: {"esteem[military]": 7}
Good:
    values: {"esteem[military]": 6}
""",
    ),
    Kind(
        "RS707",
        "scenario-same-id",
        Severity.ERROR,
        "Two cases of a game have the same id.",
        """Reports name cases by their ids, so each needs one of its own among all the files of a game.

Bad:
    - id: esteem.pay_gold
    - id: esteem.pay_gold
Good:
    - id: esteem.pay_gold.exact
    - id: esteem.pay_gold.no_change
""",
    ),
    Kind(
        "RS708",
        "scenario-not-legal",
        Severity.ERROR,
        "A choice cannot be made at this point of the game.",
        """It is somebody else's turn, the action is not among the legal ones, or the game is already over. The hint
lists what could be chosen. The rest of the case was not played.

Bad:
    do: [player 1: bid 4, player 2: bid 4]
Good:
    do: [player 1: bid 4, player 2: bid 5]
""",
    ),
    Kind(
        "RS709",
        "scenario-no-start",
        Severity.ERROR,
        "A case cannot begin at the rule it names.",
        """Under these rulings and with this number of players the rule has no place of its own in the game, it runs
from several places, or the position lacks what it needs. Begin with a rule that leads to it.

Bad:
    given: {at: king.first, rest: box}
Good:
    given: {at: esteem.auction, zones: {lot: [king plus]}, rest: box}
""",
    ),
    Kind(
        "RS710",
        "scenario-expects-nothing",
        Severity.WARNING,
        "A case has no expectation, so it can never fail.",
        """Choices alone only show that the game lets them be made. Say what must come of them.

Bad:
    do: [player 1: pass, player 2: pass]
Good:
    do: [player 1: pass, player 2: pass]
    expect: {zones: {lot: []}}
""",
    ),
)
