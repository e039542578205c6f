"""RS8xx: decks that do not fit their game."""

from rulespec.catalogue.kind import Kind, Severity

DECKS = (
    Kind(
        "RS801",
        "deck-no-game",
        Severity.ERROR,
        "The game of a deck cannot be played.",
        """The deck names a game that has no spec, or whose spec has errors of its own. The spec is looked for beside
the deck and in the two folders above it, then among the games that come with the package. Correct the name, or put the
spec right first; until then nobody can tell whether the cards fit.

Bad:
    game: forthequeen
Good:
    game: fortheking
""",
    ),
    Kind(
        "RS802",
        "deck-other-game",
        Severity.ERROR,
        "A deck is used with a game it was not made for.",
        """A deck names the game whose cards it replaces. Another game has other cards, even where their fields are
called the same. Use the deck with its own game; if the spec has a new id, change `game:` in the deck.

Bad:
    ftk play kingme --deck king_cards.yaml        # game: fortheking
Good:
    ftk play fortheking --deck king_cards.yaml
""",
    ),
    Kind(
        "RS803",
        "deck-replaces-nothing",
        Severity.ERROR,
        "No card of the game is what the deck says it replaces.",
        """A card goes out when it has every field under `replaces:` with just this value. Where no card does, the deck
would only add cards. Leave out a field, or look the values up with `ftk cards`.

Bad:
    replaces: {kind: king, office: military}      # no King card shows an office
Good:
    replaces: {kind: king}
""",
    ),
    Kind(
        "RS804",
        "deck-wrong-number",
        Severity.ERROR,
        "A deck does not have as many cards as it replaces.",
        """A game counts on its number of cards. Count the rows, with their lists, ranges and `copies`: most often a
card was forgotten or typed twice. Totals and rules of the spec are looked at once the number is right.

Bad:
    cards: [{first: plus, copies: 14}]            # the game has 15
Good:
    cards: [{first: plus, copies: 15}]
""",
    ),
    Kind(
        "RS805",
        "deck-lacks-field",
        Severity.ERROR,
        "A card of a deck lacks what all cards show that it replaces.",
        """The field may be absent on other cards, but all those that go out have it, so the rules surely ask for it.
Give the card a value.

Bad:
    replaces: {kind: king}
    cards: [{second: plus}]
Good:
    replaces: {kind: king}
    cards: [{first: plus, second: plus}]
""",
    ),
    Kind(
        "RS806",
        "deck-breaks-total",
        Severity.ERROR,
        "With a deck the cards no longer add up to a total of the game.",
        """The spec says how many cards there are with a certain value. The deck has the right number of cards, but not
the right mixture. Compare it with the cards once more; only if they really are different, the total in the spec is
wrong.

Bad:
    cards: [{letter: A, copies: 9}, {letter: B, copies: 7}]
Good:
    cards: [{letter: A, copies: 8}, {letter: B, copies: 8}]     # totals: {letter: {A: 8, B: 8}}
""",
    ),
    Kind(
        "RS807",
        "deck-other-card",
        Severity.ERROR,
        "A card of a deck is of another sort than those it replaces.",
        """Every card of a deck has the fields under `replaces:` with the same values. They need not be repeated, and
cannot be different: cards of another sort go into a deck of their own.

Bad:
    replaces: {kind: king}
    cards: [{kind: gold, value: 3}]
Good:
    replaces: {kind: king}
    cards: [{first: plus}]
""",
    ),
)
