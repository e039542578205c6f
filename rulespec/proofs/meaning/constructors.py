"""The constructors of phrases, one row each: the names of their parts, and what they say in contrasts.

Those of steps are in the files of the constructs. Every language has a linearisation of each row in
`rulespec/text/languages/<tag>/describe.yaml`. A new constructor is a row here, a line in every language, and a place in
`expressions.py` that builds it.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.language.model.phrase import Constructor, constructor
from rulespec.language.model.steps.table import OPERATIONS, PARTS

_LEAVES = (
    constructor("number"),
    constructor("variable"),
    constructor("member"),
    constructor("nothing"),
    constructor("true"),
    constructor("false"),
    constructor("player_count"),
    constructor("option"),
    constructor("procedure"),
)

_THINGS = (
    constructor("zone", "owner? of*"),
    constructor("value", "of*"),
    constructor("field", "card of?"),
    constructor("table", "by of*"),
    constructor("size", "zone"),
    constructor("top_card", "zone", "stack: top"),
    constructor("bottom_card", "zone", "stack: bottom"),
    constructor("nth_from_top", "number zone", "stack: top"),
    constructor("nth_from_bottom", "number zone", "stack: bottom"),
    constructor("card_in", "zone"),
    constructor("where_lies", "card zone"),
    constructor("seat", "number"),
    constructor("repeated", "items*"),
    constructor("ordinal", "member"),
    constructor("left_neighbour", "player", "side: left"),
    constructor("right_neighbour", "player", "side: right"),
    constructor("square_at", "square way distance"),
    constructor("square_on", "first second"),
    constructor("way_between", "from to"),
    constructor("opposite_way", "way"),
    constructor("way_clockwise", "way places"),
)

_AMOUNTS = (
    constructor("plus", "items*"),
    constructor("minus", "from what"),
    constructor("times", "items*"),
    constructor("half", "what", "fraction: half", "rounding: down"),
    constructor("third", "what", "fraction: third", "rounding: down"),
    constructor("divided", "what by", "rounding: down"),
    constructor("remainder", "what by"),
    constructor("negative", "what"),
    constructor("absolute", "what"),
    constructor("smaller", "items*", "extreme: fewest"),
    constructor("larger", "items*", "extreme: most"),
    constructor("bounded", "what low high"),
    constructor("or_else", "what instead"),
    constructor("conditional", "if then otherwise"),
    constructor("seat_number", "player"),
    constructor("sum", "what over"),
    constructor("count", "over"),
    constructor("lowest", "what over", "extreme: fewest"),
    constructor("highest", "what over", "extreme: most"),
    constructor("earliest", "what over", "sequence: first", implies="distance: nearest"),
    constructor("latest", "what over", "sequence: last", implies="distance: farthest"),
    constructor("first_of", "over", "sequence: first"),
    constructor("with_highest", "over by", "extreme: most"),
    constructor("with_lowest", "over by", "extreme: fewest"),
    constructor("longest_run", "over"),
)

_TESTS = (
    constructor("more", "what than", "comparison: more"),
    constructor("less", "what than", "comparison: less"),
    constructor("at_least", "what than", "comparison: at_least"),
    constructor("at_most", "what than", "comparison: at_most"),
    constructor("after", "what than", "order: after"),
    constructor("before", "what than", "order: before"),
    constructor("not_before", "what than", "order: after"),
    constructor("not_after", "what than", "order: before"),
    constructor("is", "what value", implies="identity: same"),
    constructor("is_not", "what value", "truth: not", implies="identity: different, quantity: none"),
    constructor("is_kind", "card value"),
    constructor("is_not_kind", "card value", "truth: not"),
    constructor("holds", "what"),
    constructor("fails", "what", "truth: not", implies="quantity: none"),
    constructor("absent", "what", "truth: not", implies="quantity: none"),
    constructor("present", "what"),
    constructor("not", "what", "truth: not", implies="quantity: none"),
    constructor("empty", "zone", "occupancy: empty", "quantity: none"),
    constructor("occupied", "zone", "occupancy: full", implies="quantity: some, quantity: rest"),
    constructor("contains", "set what"),
    constructor("lacks", "set what", "truth: not", implies="quantity: none"),
    constructor("all_of", "items*", "junction: all_of"),
    constructor("any_of", "items*", "junction: any_of"),
    constructor("exists", "over test?", "quantity: some"),
    constructor("for_all", "over test", "quantity: all"),
    constructor("with_players", "counts*"),
    constructor("enough_tokens"),
    constructor("afterwards", "what"),
)

_DOMAINS = (
    constructor("over", "variable domain condition?"),
    constructor("cards_in", "zone"),
    constructor("chosen_from", "set"),
    constructor("near", "square"),
    constructor("ahead", "square way"),
    constructor("on_row", "row"),
    constructor("in_line", "value"),
    constructor("members"),
    constructor("players"),
    constructor("everybody"),
    constructor("numbers", "low high"),
)

_PLACES = (
    constructor("apply", "rule"),
    constructor("part_of", "rule"),
)

_EVENTS = (
    constructor("you"),
    constructor("player_number"),
    constructor("face"),
    constructor("some_card"),
    constructor("message"),
    constructor("named"),
    constructor("several", "items*"),
    constructor("copies", "number what"),
    constructor("thing", "of*"),
    constructor("owned", "owner of*"),
    constructor("picked", "items*"),
    constructor("chooses", "player option"),
    constructor("only_choice", "choice"),
    constructor("moves", "source target cards*"),
    constructor("moves_unseen", "source target number"),
    constructor("moves_many", "source target number"),
    constructor("gathered", "target cards*"),
    constructor("shown", "to zone cards*"),
    constructor("reshuffled", "zone"),
    constructor("sinks", "zone number?"),
    constructor("now", "value content"),
    constructor("listed", "value entries*"),
    constructor("emptied", "value squares*"),
    constructor("tally", "of content"),
    constructor("place", "of*"),
    constructor("piece", "owner?"),
    constructor("goes_to", "piece from to taken?"),
    constructor("is_taken", "piece squares*"),
    constructor("leaves", "piece squares*"),
    constructor("is_placed", "piece squares*"),
    constructor("set_up", "piece number"),
    constructor("turns_into", "piece into squares*"),
    constructor("drawn", "what"),
    constructor("drawn_unseen"),
    constructor("final_order", "items*"),
    constructor("in_place", "number player"),
    constructor("sees", "player what content"),
    constructor("cards_seen", "cards*"),
    constructor("noted", "card notes*"),
    constructor("note", "value content"),
    constructor("broken", "number"),
    constructor("happens", "number what"),
)
"""What is reported of a game in progress: see `rulespec.play.table.narrator`."""

_DEFINITIONS = (
    constructor("defined", "value as"),
    constructor("defined_if", "value as"),
    constructor("always", "value"),
    constructor("never", "value", "truth: not"),
    constructor("starts", "value as"),
    constructor("starts_true", "value"),
    constructor("starts_false", "value", "truth: not"),
    constructor("starts_without", "value", "truth: not"),
    constructor("conserved", "value places*"),
    constructor("ranges", "value low high"),
    constructor("table_row", "table as"),
    constructor("seen_by_all", "zone", "sight: open", implies="face: up"),
    constructor("seen_by_owner", "zone", "sight: secret", implies="scope: only"),
    constructor("seen_by_others", "zone", "sight: secret"),
    constructor("seen_by_some", "zone viewer where", "sight: secret", implies="scope: only"),
    constructor("seen_by_none", "zone", "sight: secret", implies="face: down"),
    constructor("value_seen_by_all", "value", "sight: open"),
    constructor("value_seen_by_owner", "value", "sight: secret", implies="scope: only"),
    constructor("value_seen_by_others", "value", "sight: secret"),
    constructor("value_seen_by_some", "value viewer where", "sight: secret", implies="scope: only"),
    constructor("value_seen_by_none", "value", "sight: secret"),
    constructor("removed_cards", "condition", "possession: lose"),
    constructor("procedure_is", "procedure parameters*"),
)

_WRITTEN = (
    constructor("unnamed"),
    constructor("that"),
    constructor("those"),
    constructor("each_one"),
    constructor("kind_card", "variable?"),
    constructor("its", "of*"),
    constructor("whose", "domain tests*"),
    constructor("none_is", "over"),
    constructor("joined_and", "items*"),
    constructor("joined_or", "items*"),
    constructor("one_of", "items*"),
    constructor("best_if", "condition"),
    constructor("tie_if", "condition"),
    constructor("order_if", "condition"),
    constructor("no_less", "what low"),
    constructor("no_more", "what high"),
    constructor("table_rows", "table entries*"),
    constructor("entry", "value by*"),
    constructor("move_every", "which source target face?"),
    constructor("show_every", "which source to"),
    constructor("each_times", "amount but?"),
)
"""What descriptions write in place of others: no proposition has them."""

UNWRITTEN = frozenset({"move_matching", "show_matching", "picked"})
"""What is always written as something else: languages have no words for these."""

DEFINING = frozenset(row.name for row in _DEFINITIONS)
"""The constructors of definitions."""

CONSTRUCTORS: dict[str, Constructor] = {
    row.name: row
    for group in (
        *(_LEAVES, _THINGS, _AMOUNTS, _TESTS, _DOMAINS, _PLACES, _EVENTS, _DEFINITIONS, _WRITTEN),
        *(vars(construct).get("constructors", ()) for construct in (*OPERATIONS.values(), *PARTS.values())),
    )
    for row in group
}
"""Every constructor by its name in `Phrase.constructor`."""


FAMILIES: Mapping[str, tuple[str, ...]] = {
    "side": ("left", "right"),
    "stack": ("top", "bottom"),
    "extreme": ("most", "fewest"),
    "distance": ("nearest", "farthest"),
    "comparison": ("more", "less", "at_least", "at_most", "exactly"),
    "sequence": ("first", "last"),
    "order": ("before", "after"),
    "moment": ("at_once", "later", "early"),
    "face": ("up", "down"),
    "sight": ("open", "secret"),
    "quantity": ("all", "some", "rest", "none"),
    "fraction": ("half", "third", "double"),
    "rounding": ("up", "down"),
    "change": ("increase", "decrease"),
    "modality": ("may", "must", "may_not"),
    "duty": ("binding", "optional"),
    "transfer": ("pay", "receive"),
    "possession": ("take", "lose"),
    "scope": ("only", "also"),
    "inclusion": ("with", "without"),
    "identity": ("same", "different"),
    "selection": ("random", "chosen"),
    "result": ("shared", "alone", "lost"),
    "occupancy": ("empty", "full"),
    "junction": ("all_of", "any_of"),
    "truth": ("not",),
}
"""The values of each family. A text that gives another value than the rule contradicts it."""

NEGATED: Mapping[tuple[str, str], str] = {
    ("comparison", "more"): "at_most",
    ("comparison", "less"): "at_least",
    ("comparison", "at_least"): "less",
    ("comparison", "at_most"): "more",
    ("order", "before"): "after",
    ("order", "after"): "before",
    ("moment", "at_once"): "later",
    ("face", "up"): "down",
    ("face", "down"): "up",
    ("sight", "open"): "secret",
    ("sight", "secret"): "open",
    ("quantity", "all"): "some",
    ("quantity", "some"): "none",
    ("quantity", "none"): "some",
    ("modality", "may"): "may_not",
    ("modality", "may_not"): "may",
    ("duty", "binding"): "optional",
    ("duty", "optional"): "binding",
    ("scope", "only"): "also",
    ("identity", "same"): "different",
    ("identity", "different"): "same",
    ("occupancy", "empty"): "full",
    ("selection", "random"): "chosen",
    ("result", "shared"): "alone",
    ("result", "alone"): "shared",
}
"""The value that the negation of a value states. Without a row, its negation states no other value: a
player who does not sit on the left need not sit on the right."""

REACHED: frozenset[tuple[str, str]] = frozenset(
    {
        ("quantity", "some"),
        ("sight", "open"),
        *(("comparison", value) for value in ("more", "less", "at_least", "at_most")),
    }
)
"""The values that a negated verb reaches: “does not pay more than 5” is “pays at most 5”."""

STATES: frozenset[str] = frozenset({"face", "identity", "occupancy"})
"""The families of values that things have, which a prohibition negates as well: what must not lie face down, lies face
up."""

NEGATIVE: Mapping[tuple[str, str], frozenset[tuple[str, str]]] = {
    ("modality", "may_not"): REACHED | {("change", "increase"), ("change", "decrease")},
    ("quantity", "none"): REACHED | {("modality", "may"), ("duty", "optional")},
}
"""The values that negate others by themselves, and which: “may not bid more” is “bids at most as much”, and what may
not rise does not rise."""
