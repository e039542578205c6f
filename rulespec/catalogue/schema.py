"""RS2xx: the YAML is fine, but it does not have the form of a spec."""

from rulespec.catalogue.kind import Kind, Severity

SCHEMA = (
    Kind(
        "RS201",
        "unknown-key",
        Severity.ERROR,
        "A key is not one of those that may stand here.",
        """Every mapping of a spec has a fixed set of keys, so that a typing error cannot make a rule vanish without a
word. Most often the key is misspelled, or it stands one level too far in or out. `ftk schema` shows all keys; editors
that read it offer them while you write.

Bad:
    - {shufle: deck}
Good:
    - {shuffle: deck}
""",
    ),
    Kind(
        "RS202",
        "missing-key",
        Severity.ERROR,
        "A key that is always needed is not there.",
        """Without it the mapping has no meaning: a move needs to know where the cards come from and where they go, a
loop needs something to do.

Bad:
    - {move: {top: 1, from: deck}}
Good:
    - {move: {top: 1, from: deck, to: discard}}
""",
    ),
    Kind(
        "RS203",
        "open-question",
        Severity.ERROR,
        "A question that a rulebook has to answer has no answer here.",
        """Drafts, auctions, decision tables, awards and rankings say everything in one place and have no silent
defaults, because what a rulebook forgets to say is exactly what people quarrel about at the table. Look the answer
up. If no source has one, decide, and record the question under `rulings:`.

Bad:
    rank:
      among: {p: player}
      by: [{high: "points[p]"}]
Good:
    rank:
      among: {p: player}
      by: [{high: "points[p]"}]
      left: share
""",
    ),
    Kind(
        "RS204",
        "wrong-kind",
        Severity.ERROR,
        "A value is of another kind than the one needed here.",
        """A list stands where a single value is needed, a number where a text is, or nothing at all. A text that
begins with a brace or a bracket is a frequent cause: without quotes YAML takes it for a mapping or a list.

Bad:
    says: {c}
Good:
    says: "{c}"
""",
    ),
    Kind(
        "RS205",
        "not-allowed",
        Severity.ERROR,
        "A value is not one of the few that may stand here.",
        """Here only certain words have a meaning, and the message lists them.

Bad:
    deck: {seen_by: noone}
Good:
    deck: {seen_by: nobody}
""",
    ),
    Kind(
        "RS206",
        "bad-name",
        Severity.ERROR,
        "A name, id, version or range is not written the way it must be.",
        """Names stand in expressions and ids in logs, links and translations, so they keep to a few characters: small
letters, digits and underscores, ids with dots between the parts. What people read belongs into `title:`, in any script.

Bad:
    - {id: Setup-Deck, shuffle: deck}
Good:
    - {id: setup.deck, title: Shuffle the deck, shuffle: deck}
""",
    ),
    Kind(
        "RS207",
        "several-operations",
        Severity.ERROR,
        "A step does more than one thing.",
        """The keys of a mapping have no order, so two operations in one step would leave open which comes first. Write
two steps, one after the other; or put one inside the other under `do:`.

Bad:
    - {shuffle: deck, move: {top: 1, from: deck, to: lot}}
Good:
    - {shuffle: deck}
    - {move: {top: 1, from: deck, to: lot}}
""",
    ),
    Kind(
        "RS208",
        "no-operation",
        Severity.ERROR,
        "A step does not say what happens.",
        """It may have an id and a title, but no operation such as `do`, `move` or `choose`. If the rule is one that
people follow and the computer has nothing to do for, say it in `note:`.

Bad:
    - {id: setup.seats, title: Sit down round the table}
Good:
    - {id: setup.seats, title: Sit down round the table, note: Any order will do.}
""",
    ),
    Kind(
        "RS209",
        "too-few",
        Severity.ERROR,
        "A list, mapping, text or number is smaller than it can be.",
        """An empty list of options or places is usually one that was never filled in. Where nothing is meant to
happen, a step with `note:` says so and shows that nobody forgot it.

Bad:
    choose: {by: p, options: []}
Good:
    choose: {by: p, options: [{says: draw, do: [{move: {top: 1, from: deck, to: "hand[p]"}}]}]}
""",
    ),
    Kind(
        "RS210",
        "too-many",
        Severity.ERROR,
        "A mapping has more entries, or a number is larger, than can be.",
        """`each` and `random` go through one thing at a time, so that the order in which things happen is plain. Put
one into the other. Numbers have limits that no real game reaches.

Bad:
    - each: {p: player, o: office}
      do: [{set: {"seen[p, o]": "false"}}]
Good:
    - each: {p: player}
      do:
        - each: {o: office}
          do: [{set: {"seen[p, o]": "false"}}]
""",
    ),
    Kind(
        "RS211",
        "misplaced-key",
        Severity.ERROR,
        "A key stands here without the other key it belongs to.",
        """Some keys only add to another one: `else` to `if`, `with` to `run`, `where` to `every`, `start` to `type`.
Alone, or next to a different operation, they would be read and then do nothing.

Bad:
    - {move: {top: 3, where: c.kind == gold, from: deck, to: box}}
Good:
    - {move: {every: c, where: c.kind == gold, from: deck, to: box}}
""",
    ),
    Kind(
        "RS212",
        "either-or",
        Severity.ERROR,
        "Two keys stand together that exclude each other.",
        """A value is either stored (`type`) or computed (`is`); a criterion looks for the most (`high`) or the least
(`low`); a move takes one card, some from the top, some at random, or every card.

Bad:
    wealth: {type: 0..9, is: size(coins)}
Good:
    wealth: {is: size(coins)}
""",
    ),
)
