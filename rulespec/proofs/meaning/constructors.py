"""The constructors of phrases, one row each: the names of their parts, and what they say in contrasts.

Every language has a linearisation of each row in `rulespec/text/languages/<tag>/describe.yaml`. A new constructor is a
row here, a line in every language, and a place in `expressions.py` or `steps.py` that builds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Says = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Constructor:
    """`parts` names the parts in order; a name with `*` stands for any number, with `?` for one that may be missing.

    `says` are the contrasts that every phrase of this constructor states: pairs of a family and a value. `implies` are
    contrasts in which a text may state the same in other words: what does not hold may hold for none. They agree with
    texts, but exclude nothing.
    """

    name: str
    parts: tuple[str, ...] = ()
    says: Says = ()
    implies: Says = ()


def _row(name: str, parts: str = "", *says: str, implies: str = "") -> Constructor:
    return Constructor(name, tuple(parts.split()), _pairs(says), _pairs(filter(None, implies.split(", "))))


def _pairs(written: Iterable[str]) -> Says:
    return tuple((family, value) for family, _, value in (one.partition(": ") for one in written))


_LEAVES = (
    _row("number"),
    _row("variable"),
    _row("member"),
    _row("nothing"),
    _row("true"),
    _row("false"),
    _row("player_count"),
    _row("option"),
    _row("procedure"),
)

_THINGS = (
    _row("zone", "owner? of*"),
    _row("value", "of*"),
    _row("field", "card of?"),
    _row("table", "by of*"),
    _row("size", "zone"),
    _row("top_card", "zone", "stack: top"),
    _row("bottom_card", "zone", "stack: bottom"),
    _row("nth_from_top", "number zone", "stack: top"),
    _row("nth_from_bottom", "number zone", "stack: bottom"),
    _row("card_in", "zone"),
    _row("seat", "number"),
    _row("ordinal", "member"),
    _row("left_neighbour", "player", "side: left"),
    _row("right_neighbour", "player", "side: right"),
    _row("square_at", "square way distance"),
    _row("square_on", "first second"),
    _row("way_between", "from to"),
    _row("opposite_way", "way"),
    _row("way_clockwise", "way places"),
)

_AMOUNTS = (
    _row("plus", "items*"),
    _row("minus", "from what"),
    _row("times", "items*"),
    _row("half", "what", "fraction: half", "rounding: down"),
    _row("third", "what", "fraction: third", "rounding: down"),
    _row("divided", "what by", "rounding: down"),
    _row("remainder", "what by"),
    _row("negative", "what"),
    _row("absolute", "what"),
    _row("smaller", "items*", "extreme: fewest"),
    _row("larger", "items*", "extreme: most"),
    _row("bounded", "what low high"),
    _row("or_else", "what instead"),
    _row("conditional", "if then otherwise"),
    _row("seat_number", "player"),
    _row("sum", "what over"),
    _row("count", "over"),
    _row("lowest", "what over", "extreme: fewest"),
    _row("highest", "what over", "extreme: most"),
    _row("earliest", "what over", "sequence: first", implies="distance: nearest"),
    _row("latest", "what over", "sequence: last", implies="distance: farthest"),
    _row("first_of", "over", "sequence: first"),
    _row("with_highest", "over by", "extreme: most"),
    _row("with_lowest", "over by", "extreme: fewest"),
    _row("longest_run", "over"),
)

_TESTS = (
    _row("more", "what than", "comparison: more"),
    _row("less", "what than", "comparison: less"),
    _row("at_least", "what than", "comparison: at_least"),
    _row("at_most", "what than", "comparison: at_most"),
    _row("after", "what than", "order: after"),
    _row("before", "what than", "order: before"),
    _row("not_before", "what than", "order: after"),
    _row("not_after", "what than", "order: before"),
    _row("is", "what value", implies="identity: same"),
    _row("is_not", "what value", "truth: not", implies="identity: different, quantity: none"),
    _row("is_kind", "card value"),
    _row("is_not_kind", "card value", "truth: not"),
    _row("holds", "what"),
    _row("fails", "what", "truth: not", implies="quantity: none"),
    _row("absent", "what", "truth: not", implies="quantity: none"),
    _row("present", "what"),
    _row("not", "what", "truth: not", implies="quantity: none"),
    _row("empty", "zone", "occupancy: empty", "quantity: none"),
    _row("occupied", "zone", "occupancy: full", implies="quantity: some, quantity: rest"),
    _row("contains", "set what"),
    _row("lacks", "set what", "truth: not", implies="quantity: none"),
    _row("all_of", "items*", "junction: all_of"),
    _row("any_of", "items*", "junction: any_of"),
    _row("exists", "over test?", "quantity: some"),
    _row("for_all", "over test", "quantity: all"),
    _row("with_players", "counts*"),
    _row("enough_tokens"),
)

_DOMAINS = (
    _row("over", "variable domain condition?"),
    _row("cards_in", "zone"),
    _row("chosen_from", "set"),
    _row("near", "square"),
    _row("ahead", "square way"),
    _row("on_row", "row"),
    _row("in_line", "value"),
    _row("members"),
    _row("players"),
    _row("everybody"),
    _row("numbers", "low high"),
)

_LOOPS = (
    _row("each", "variable domain but?", "quantity: all"),
    _row("each_count", "variable amount but?"),
    _row("each_from", "variable start but?", "quantity: all", "side: left"),
    _row("repeat_while", "condition"),
    _row("repeat_until", "condition", implies="comparison: exactly"),
    _row("repeat", ""),
    _row("repeat_at_most", "amount", "comparison: at_most"),
    _row("after_at_most", "amount"),
    _row("leave_loop"),
    _row("leave_named", "procedure"),
    _row("end_play"),
)

_STEPS = (
    _row("shuffle", "zone", implies="selection: random"),
    _row("show_top", "amount source to", "stack: top"),
    _row("show_bottom", "amount source to", "stack: bottom"),
    _row("show_card", "card source to"),
    _row("show_all", "source to", "quantity: all"),
    _row("show_matching", "variable condition source to", "quantity: all"),
    _row("move_top", "amount source target face?", "stack: top"),
    _row("move_bottom", "amount source target face?", "stack: bottom"),
    _row("move_random", "amount source target face?", "selection: random"),
    _row("move_card", "card source target face?"),
    _row("move_cards", "cards source target face?"),
    _row("move_all", "source target face?", "quantity: all", implies="quantity: rest"),
    _row("move_matching", "variable condition source target face?", "quantity: all", implies="quantity: rest"),
    _row("face_up", "", "face: up"),
    _row("face_down", "", "face: down"),
    _row("transfer", "amount source target sort?"),
    _row("transfer_each", "variable domain amount source target", "quantity: all"),
    _row("jokers", "source target"),
    _row("too_few_move"),
    _row("connect", "value variable from through"),
    _row("connect_both", "value variable from through ahead domain"),
    _row("becomes", "value to"),
    _row("becomes_if", "value to"),
    _row("becomes_true", "value"),
    _row("becomes_false", "value", "truth: not"),
    _row("becomes_nothing", "value", implies="possession: lose"),
    _row("increase", "value by limits?", "change: increase"),
    _row("decrease", "value by limits?", "change: decrease"),
    _row("changes_by", "value by limits?"),
    _row("limits", "low high"),
    _row("must_choose", "by picks*", "modality: must", "duty: binding"),
    _row("may_choose", "by picks*", "modality: may", implies="duty: optional"),
    _row("must_choose_such", "by condition picks*", "modality: must", "duty: binding"),
    _row("may_choose_such", "by condition picks*", "modality: may", implies="duty: optional"),
    _row("may_take", "by option", "modality: may", implies="duty: optional"),
    _row("must_take", "by option", "modality: must", "duty: binding"),
    _row("taken", "option"),
    _row("pick", "variable domain"),
    _row("pick_exactly", "variable domain amount", "comparison: exactly"),
    _row("pick_up_to", "variable domain amount", "comparison: at_most"),
    _row("pick_between", "variable domain low high"),
    _row("unable_skip", "by", implies="quantity: none"),
    _row("unable_leave", "by", implies="quantity: none"),
    _row("let", "variable what"),
    _row("pick_random", "variable domain", "selection: random"),
    _row("drawn_for_some", "variable viewer where", "sight: secret", implies="scope: only"),
    _row("drawn_for_none", "variable", "sight: secret"),
    _row("carry_out", "procedure arguments*"),
    _row("effect", "member arguments*"),
    _row("effect_when", "member procedure arguments*"),
    _row("moment", "procedure"),
    _row("argument", "variable what"),
    _row("otherwise"),
    _row("applies"),
)

_DRAFT = (
    _row("draft", "by amount source", "possession: take"),
    _row("draft_looks", "by", "sight: secret"),
    _row("draft_place", "by amount target face?", "comparison: exactly"),
    _row("draft_closed"),
    _row("drafted", "target"),
)

_AUCTION = (
    _row("auction", "lot"),
    _row("bidding_order", "start", "side: left"),
    _row("bidder_if", "condition", "scope: only"),
    _row("opening", "amount", "comparison: at_least"),
    _row("raise", "amount", "comparison: at_least"),
    _row("bid_cap", "amount", "comparison: at_most", implies="quantity: none"),
    _row("bid_limit", "amount", "comparison: at_most"),
    _row("means", "amount", "comparison: at_most", "transfer: pay"),
    _row("may_bid", "by", "modality: may", implies="duty: optional"),
    _row("may_pass", "by", "modality: may", implies="duty: optional"),
    _row("passed_is_out"),
    _row("bidding_starts"),
    _row("winner_pays", "", "transfer: pay"),
    _row("winner_takes", "", "possession: take", implies="transfer: receive"),
    _row("winner_cannot_pay", "", "transfer: pay"),
    _row("nobody_bids", "", "quantity: none"),
    _row("auctioned_again", "start"),
)

_SECRET = (
    _row("secret_choice", "who", "sight: secret", "face: down"),
    _row("secret_all", "", "sight: secret", "face: down"),
    _row("revealed_together", "", "sight: open", "face: up"),
)

_PRIZE = "transfer: receive, comparison: exactly"

_RANKING = (
    _row("award", "variable domain player", "quantity: all"),
    _row("candidates", "condition", "scope: only"),
    _row("best_most", "by", "extreme: most", "comparison: more"),
    _row("best_fewest", "by", "extreme: fewest", "comparison: less"),
    _row("best_first", "by", "sequence: first", "distance: nearest"),
    _row("best_last", "by", "sequence: last", "distance: farthest"),
    _row("tie_most", "by", "extreme: most", "comparison: more"),
    _row("tie_fewest", "by", "extreme: fewest", "comparison: less"),
    _row("tie_first", "by", "sequence: first", "distance: nearest"),
    _row("tie_last", "by", "sequence: last", "distance: farthest"),
    _row("tie_each", "variable domain", "quantity: all", implies="order: after"),
    _row("prize", "value worth?", "possession: take", implies=_PRIZE),
    _row("prize_next", "value worth?", "possession: take", implies=f"{_PRIZE}, quantity: rest"),
    _row("left_nobody", "", "quantity: none"),
    _row("left_share", "", "result: shared"),
    _row("left_seat", "", "sequence: first", "result: alone"),
    _row("rank", "player"),
)

_DEFINITIONS = (
    _row("defined", "value as"),
    _row("defined_if", "value as"),
    _row("always", "value"),
    _row("never", "value", "truth: not"),
    _row("starts", "value as"),
    _row("starts_true", "value"),
    _row("starts_false", "value", "truth: not"),
    _row("starts_without", "value", "truth: not"),
    _row("conserved", "value places*"),
    _row("ranges", "value low high"),
    _row("table_row", "table as"),
    _row("seen_by_all", "zone", "sight: open", implies="face: up"),
    _row("seen_by_owner", "zone", "sight: secret", implies="scope: only"),
    _row("seen_by_others", "zone", "sight: secret"),
    _row("seen_by_some", "zone viewer where", "sight: secret", implies="scope: only"),
    _row("seen_by_none", "zone", "sight: secret", implies="face: down"),
    _row("value_seen_by_all", "value", "sight: open"),
    _row("value_seen_by_owner", "value", "sight: secret", implies="scope: only"),
    _row("value_seen_by_others", "value", "sight: secret"),
    _row("value_seen_by_some", "value viewer where", "sight: secret", implies="scope: only"),
    _row("value_seen_by_none", "value", "sight: secret"),
    _row("removed_cards", "condition", "possession: lose"),
    _row("procedure_is", "procedure parameters*"),
)

CONSTRUCTORS: dict[str, Constructor] = {
    row.name: row
    for group in (
        *(_LEAVES, _THINGS, _AMOUNTS, _TESTS, _DOMAINS, _LOOPS, _STEPS),
        *(_DRAFT, _AUCTION, _SECRET, _RANKING, _DEFINITIONS),
    )
    for row in group
}
"""Every constructor by its name in `Phrase.constructor`."""
