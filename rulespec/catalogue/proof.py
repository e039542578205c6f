"""RS6xx: every part is right by itself, but something about the game as a whole cannot be proven or looks wrong."""

from rulespec.catalogue.kind import Kind, Severity

PROOF = (
    Kind(
        "RS601",
        "no-choice",
        Severity.ERROR,
        "A choice may come up empty, and the step does not say what happens then.",
        """A player is asked to choose, but every option is bound to a condition or to cards that may not be there. At
the table somebody would shrug and go on; the rule has to say so. `none: skip` goes on with the next step,
`none: leave` ends the loop around. Nothing is needed where an option is always open, or where the spec has just made
sure that the zone holds a card.

Bad:
    choose:
      by: p
      options: [{says: "take {c}", pick: {c: market}, do: [{move: {card: c, from: market, to: box}}]}]
Good:
    choose:
      by: p
      options: [{says: "take {c}", pick: {c: market}, do: [{move: {card: c, from: market, to: box}}]}]
      none: skip
""",
    ),
    Kind(
        "RS602",
        "repeat-may-not-end",
        Severity.ERROR,
        "A loop may go on for ever.",
        """A loop is known to end when every round moves at least one card, or leaves the loop, and no card can come
back to a zone it has left: then the cards run out. A round in which a player may do nothing, a move from a zone that
may be empty, or cards that go round in a circle break this proof. Where the rules themselves set a number of rounds,
say it with `at_most:` (10,000 at the most).

Bad:
    repeat: {while: size(deck) > 0, do: [{move: {top: 1, from: discard, to: box}}]}
Good:
    repeat: {while: size(deck) > 0, do: [{move: {top: 1, from: deck, to: box}}]}
""",
    ),
    Kind(
        "RS603",
        "too-intricate",
        Severity.ERROR,
        "There are too many ways through the game to prove anything about it.",
        """To show that every loop ends and every choice can be made, the checker goes through the whole game once,
with procedures written out where they run, and through some loops twice. Loops nested many levels deep, or long
procedures that run from very many places, make that more than can be done.

Bad:
    repeat: {until: a, do: [{repeat: {until: b, do: [{repeat: {until: c, do: […]}}]}}]}      # and so on, 15 deep
Good:
    repeat: {until: a and b and c, do: […]}
""",
    ),
    Kind(
        "RS604",
        "too-much-work",
        Severity.ERROR,
        "Loops inside loops add up to more steps than can be waited for.",
        """Every loop by itself has an end, but rounds multiply: 1,000 rounds of 1,000 rounds are a million. The limit
is 10,000,000 steps from one choice of a player to the next at worst.

Bad:
    repeat: {at_most: 5000, do: [{repeat: {at_most: 5000, do: [{shuffle: deck}]}}]}
Good:
    repeat: {at_most: 50, do: [{repeat: {at_most: 50, do: [{shuffle: deck}]}}]}
""",
    ),
    Kind(
        "RS605",
        "draft-does-not-add-up",
        Severity.ERROR,
        "The places of a draft do not hold just as many cards as are drawn.",
        """With fewer places a drawn card would have nowhere to go; with more, some place stays short. Both are worked
out for every player count and ruling, and the message names the first where they differ.

Bad:
    draws: players + 1
    places: [{limit: 1, …}, {limit: players - 1, …}]
Good:
    draws: players + 1
    places: [{limit: 1, …}, {limit: players - 1, …}, {limit: 1, …}]
""",
    ),
    Kind(
        "RS606",
        "wrong-face",
        Severity.ERROR,
        "A place of a draft says a face that its zone contradicts.",
        """A card laid face up is seen by everybody, one laid face down is not. Who sees a zone is declared once, with
the zone, and the face has to agree.

Bad:
    zones: {market: {seen_by: everybody}}
    places: [{to: market, face: down, …}]
Good:
    zones: {market: {seen_by: everybody}}
    places: [{to: market, face: up, …}]
""",
    ),
    Kind(
        "RS607",
        "wrong-look",
        Severity.ERROR,
        "The zone in which drawn cards are looked at does not fit the draft.",
        """A drawn card lies there while its drawer decides. So the drawer must see it, and it is neither the zone the
cards come from nor one of the places they go to.

Bad:
    by: dealer
    look: deck
Good:
    by: dealer
    look: drawn[dealer]
""",
    ),
    Kind(
        "RS608",
        "auction-without-bids",
        Severity.ERROR,
        "In some setting the highest bid allowed is below the lowest.",
        """`cap` is a number above which nobody ever bids. Where it lies below the opening bid everybody can only
pass.

Bad:
    opening: 1
    cap: players - 2
Good:
    opening: 1
    cap: 20
""",
    ),
    Kind(
        "RS609",
        "empty-lot",
        Severity.ERROR,
        "An auction may begin with nothing to bid for.",
        """It cannot be shown that the zone under `lot:` holds a card when the bidding begins. Usually a card is moved
there just before, from a zone that may be empty itself. Ask first whether there is a card.

Bad:
    - {move: {top: 1, from: deck, to: lot}}
    - {auction: {lot: lot, …}}
Good:
    - if: size(deck) > 0
      then:
        - {move: {top: 1, from: deck, to: lot}}
        - {auction: {lot: lot, …}}
""",
    ),
    Kind(
        "RS610",
        "rows-overlap",
        Severity.ERROR,
        "Two rows of a decision table apply at once, though its hit policy is unique.",
        """`hit: unique` promises that the order of the rows does not matter. Here two of them apply together, and the
message shows when. Make them exclude each other, or let the first one count with `hit: first`.

Bad:
    hit: unique
    rows: [{when: players > 2, …}, {when: players < 4, …}]
Good:
    hit: unique
    rows: [{when: players > 2, …}, {when: players <= 2, …}]
""",
    ),
    Kind(
        "RS611",
        "rows-leave-gap",
        Severity.ERROR,
        "No row of a decision table applies in a case that is said to be impossible.",
        """`otherwise: impossible` promises that the rows cover everything. The message shows a case that they do not.
Add a row for it, or say under `otherwise:` what happens.

Bad:
    rows: [{when: players == 2, …}, {when: players == 3, …}]
    otherwise: impossible
Good:
    rows: [{when: players == 2, …}, {when: players > 2, …}]
    otherwise: impossible
""",
    ),
    Kind(
        "RS612",
        "row-never-applies",
        Severity.WARNING,
        "A row of a decision table never applies.",
        """Its condition cannot come true here, or an earlier row of a `hit: first` table always takes its cases.
Often the rows stand in the wrong order: the special case belongs before the general one.

Bad:
    hit: first
    rows: [{when: players > 1, …}, {when: players == 4, …}]
Good:
    hit: first
    rows: [{when: players == 4, …}, {when: players > 1, …}]
""",
    ),
    Kind(
        "RS613",
        "not-proven",
        Severity.INFO,
        "Whether exactly one row of a decision table applies is left open.",
        """The rows depend on so many things, or on things so closely tied to each other, that trying every case is
out of reach or would raise false alarms. Nothing is wrong by itself: should two rows apply, the first one counts;
should none apply, nothing happens. Rows that depend on fewer things can be checked.

Bad:
    hit: unique
    rows: [{when: size(hand[p]) > 3, …}, {when: "count(c in hand[p]) <= 3", …}]
Good:
    hit: unique
    rows: [{when: size(hand[p]) > 3, …}, {when: size(hand[p]) <= 3, …}]
""",
    ),
    Kind(
        "RS614",
        "no-end",
        Severity.ERROR,
        "The game does not say who wins.",
        """A game ends with a ranking of its players. There is none, or not in every setting: look at `only_if`.

Bad:
    play: [{shuffle: deck}]
Good:
    play: [{shuffle: deck}, {rank: {among: {p: player}, by: [{high: "points[p]"}], left: share}}]
""",
    ),
    Kind(
        "RS615",
        "not-last",
        Severity.ERROR,
        "A ranking is not the last thing that happens.",
        """The ranking is the end of the game. Steps after it would change what has been decided, and inside a loop, a
choice or a condition it might come twice or never. What stops a game early belongs into the conditions of its loops.

Bad:
    play: [{rank: {…}}, {shuffle: deck}]
Good:
    play: [{shuffle: deck}, {rank: {…}}]
""",
    ),
    Kind(
        "RS616",
        "may-still-tie",
        Severity.INFO,
        "Players may be level after the last link of an award, and then nobody takes the place.",
        """`left: nobody` answers the question, so nothing is wrong. It is only worth knowing that the case can come
up: no link compares seats or cards that are all different.

Bad:
    by: [{high: "wealth[p]"}]
    left: nobody
Good:
    by: [{high: "wealth[p]"}, {low: seat_of(p)}]
    left: nobody
""",
    ),
    Kind(
        "RS617",
        "links-not-fixed",
        Severity.ERROR,
        "The links of a chain of tie-breaks are repeated for something that can change.",
        """A chain is fixed before the game begins, so that everybody can see what breaks a tie. Its links can be
repeated for every member of an enum or for every player, but not for cards or numbers; and they come in the order in
which the enum lists its members, not round `from` one of them.

Bad:
    by: [{each: {c: deck}, by: [{high: "worth[p]"}]}]
    by: [{each: {s: suit from trump}, by: [{high: "cards_of[p, s]"}]}]
Good:
    by: [{each: {s: suit}, by: [{high: "cards_of[p, s]"}]}]
""",
    ),
    Kind(
        "RS618",
        "never-reached",
        Severity.WARNING,
        "A step, or a link of a chain of tie-breaks, is never reached.",
        """Whatever comes before always leaves the loop, or has always decided already: no two players have the same
seat, so nothing after a comparison of seats is ever asked.

Bad:
    repeat: {do: [{leave: repeat}, {shuffle: deck}]}
Good:
    repeat: {do: [{shuffle: deck}, {leave: repeat}]}
""",
    ),
    Kind(
        "RS619",
        "never-used",
        Severity.WARNING,
        "Something is declared and then never used.",
        """A zone, value, table, procedure, ruling, enum or card field that no rule mentions is often the trace of a
rule that was forgotten, or of a name that was misspelled where it should be used.

Bad:
    zones: {deck: {seen_by: nobody}, dekc: {seen_by: nobody}}
    setup: [{shuffle: deck}]
Good:
    zones: {deck: {seen_by: nobody}}
    setup: [{shuffle: deck}]
""",
    ),
    Kind(
        "RS620",
        "card-out-of-play",
        Severity.WARNING,
        "A card stays in the game though what it shows is not in play.",
        """The enum's `in_play` takes a member out at some player count, but `leave_out:` keeps a card of it. One of
the two has probably been forgotten.

Bad:
    suit: {members: [red, blue], in_play: suit == red or players > 2}
    manifest: [{suit: [red, blue]}]
Good:
    suit: {members: [red, blue], in_play: suit == red or players > 2}
    manifest: [{suit: [red, blue]}]
    leave_out: {if: card.suit == blue and players == 2}
""",
    ),
    Kind(
        "RS621",
        "always-true",
        Severity.WARNING,
        "A condition is true for every number of players and every ruling.",
        """The question need not be asked. Often a number or a ruling's answer is not the one that was meant.

Bad:
    if: players >= 2
Good:
    if: players > 2
""",
    ),
    Kind(
        "RS622",
        "never-true",
        Severity.WARNING,
        "A condition is false for every number of players and every ruling.",
        """What stands under `then` never happens. Often a number or a ruling's answer is not the one that was meant.

Bad:
    if: players > 9
Good:
    if: players > 4
""",
    ),
    Kind(
        "RS623",
        "never-in-game",
        Severity.WARNING,
        "A step is in the game for no number of players and no ruling.",
        """Its `only_if` contradicts itself, or the one of a step around it.

Bad:
    only_if: players > 2 and players < 3
Good:
    only_if: players > 2 and players < 5
""",
    ),
    Kind(
        "RS624",
        "unsaid-pick",
        Severity.WARNING,
        "The words of an option leave out what is picked.",
        """Every combination of picks is an action of its own, and the words are all that a player sees of it. Where a
pick is not mentioned, different actions read the same.

Bad:
    {says: take a card, pick: {c: market}, …}
Good:
    {says: "take {c}", pick: {c: market}, …}
""",
    ),
    Kind(
        "RS625",
        "same-words",
        Severity.WARNING,
        "Two options of one choice have the same words.",
        """Nobody could tell them apart, neither at the table nor in a log.

Bad:
    options: [{says: pay, do: [{set: {gold: 0}}]}, {says: pay, do: [{set: {silver: 0}}]}]
Good:
    options: [{says: pay gold, do: [{set: {gold: 0}}]}, {says: pay silver, do: [{set: {silver: 0}}]}]
""",
    ),
    Kind(
        "RS626",
        "broken-invariant",
        Severity.ERROR,
        "Something that must always hold does not hold once the game is set up.",
        """The setup was carried out for every number of players, and there the condition under `invariants:` came out
false. Either the condition is wrong, or the list of cards, what is left out, or what is taken away does not match the
rulebook.

Bad:
    setup: [{move: {top: 1, from: deck, to: box}}]
    invariants: [{id: deck.whole, holds: size(box) == 0, at: setup.end}]
Good:
    setup: [{move: {top: 1, from: deck, to: box}}]
    invariants: [{id: deck.one_out, holds: size(box) == 1, at: setup.end}]
""",
    ),
    Kind(
        "RS627",
        "claim-too-particular",
        Severity.ERROR,
        "A claim speaks of single members, so that not all ways the value could stand can be looked at.",
        """A claim goes through every way a value could stand. There are far too many for that unless it does not matter
which member stands where, only how many do: so a claim may go through the enum, but not name one of its members,
compare members by their order, look them up in a table, or look at cards and at other values. For the same reason the
value itself cannot hold members of the enum it goes by.

Bad:
    {id: a.moves, for_all: place, given: place[A] == 3, holds: can_rise[A]}
Good:
    {id: one.moves, for_all: place, given: any(c in hero if place[c] == 3), holds: any(c in hero if can_rise[c])}
""",
    ),
    Kind(
        "RS628",
        "claim-too-wide",
        Severity.ERROR,
        "There are too many ways the value of a claim could stand, or too many settings to try it in.",
        """They are gone through one by one, and nobody would wait for that. A value with fewer members or a narrower
type has fewer ways. All of them are tried for every number of players and every answer to the rulings that the claim
leans on, itself or through definitions; 64 such settings are the most.

Bad:
    values: {gold: {per: house, type: 0..1000, start: 0}}
    claims: [{id: rich, for_all: gold, given: "true", holds: sum(gold[h] for h in house) >= 0}]
Good:
    values: {gold: {per: house, type: 0..9, start: 0}}
    claims: [{id: rich, for_all: gold, given: "true", holds: sum(gold[h] for h in house) >= 0}]
""",
    ),
    Kind(
        "RS629",
        "claim-fails",
        Severity.ERROR,
        "A claim does not hold: there is a way the value could stand against it.",
        """Every way the value could stand was looked at, and in the one shown the condition under `given` holds and the
one under `holds` does not. Either the rules leave a gap there, or the claim needs a narrower `given`.

Bad:
    claims: [{id: room, for_all: place, given: "true", holds: any(c in hero if can_rise[c])}]
Good:
    claims: [{id: room, for_all: place, given: any(c in hero if place[c] == 0), holds: any(c in hero if can_rise[c])}]
""",
    ),
    Kind(
        "RS630",
        "nothing-compared",
        Severity.ERROR,
        "In some setting every criterion of an award or a ranking is left out.",
        """Each criterion has an `only_if`, and with the number of players or the rulings shown none of them is in the
game. Then nothing says who is better. Give that setting a criterion of its own.

Bad:
    by: [{only_if: players > 2, high: "wealth[p]"}]
Good:
    by: [{only_if: players > 2, high: "wealth[p]"}, {only_if: players == 2, high: "lead[p]"}]
""",
    ),
    Kind(
        "RS631",
        "looks-unseen",
        Severity.WARNING,
        "What a player can choose depends on cards that this player cannot see.",
        """The options a player is offered are known to that player. Where they are the cards of a hidden zone, or are
there only if certain cards lie in it, they tell what nobody was to know. A card that is taken unseen is moved at
random; a zone that may be searched is seen by whoever searches it. Who plays alone is not warned: such a player may be
asked to name what was drawn from the real cards.

Bad:
    choose: {by: seat(1), options: [{says: "steal {c}", pick: {c: "hand[seat(2)]"}, do: [{move: {card: c, …}}]}]}
Good:
    choose: {by: seat(1), options: [{says: steal, do: [{move: {random: 1, from: "hand[seat(2)]", …}}]}]}
""",
    ),
    Kind(
        "RS632",
        "takes-others",
        Severity.ERROR,
        "A loop over the cards of a zone takes other cards out of that zone than the one whose turn it is.",
        """The cards are gone through from the last to the first, by their places. Where a round takes another card away
the places shift, and a card could come round twice or not at all.

Bad:
    each: {c: row}
    do: [{move: {top: 1, from: row, to: box}}]
Good:
    each: {c: row}
    do: [{move: {card: c, from: row, to: box}}]
""",
    ),
)
