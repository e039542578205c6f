"""The statistics of balance against answers that are known: worked out by hand, or built into a small game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.play.balance import rulings
from rulespec.play.balance.accumulator import Accumulator
from rulespec.play.balance.card_kinds import kinds_of
from rulespec.play.balance.cross_products import CrossProducts, joined
from rulespec.play.balance.estimate import (
    chi_square_tail,
    equality_test,
    holm,
    mean,
    ratio,
    share,
    student_reach,
    student_tail,
)
from rulespec.play.balance.page import html
from rulespec.play.balance.report import Fit, Played, fit, report
from rulespec.play.balance.result import Balance
from rulespec.play.balance.rulings import Answer, Asked
from rulespec.play.balance.run import _chunks, balance, count
from rulespec.play.balance.run import settings as sets_of_answers
from rulespec.play.balance.sentences import CHANGE, SHARE, headline, seats
from rulespec.play.balance.view import Axis
from rulespec.play.simulate.figures import proportion
from rulespec.play.simulate.run import simulate

PEBBLES = Path(__file__).parent / "balance" / "pebbles.yaml"
"""Points are the sizes of the pebbles held; other answers to rulings change them by known amounts."""


def products_of(*rows: Sequence[int]) -> CrossProducts:
    """The sums of rows."""
    products = CrossProducts(len(rows[0]) + 1)
    products.add(list(zip(*rows, strict=True)))
    return products


# --- distributions, from tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "freedom", "p"),
    [(3.841459, 1, 0.05), (5.991465, 2, 0.05), (7.814728, 3, 0.05), (16.918978, 9, 0.05), (18.466827, 4, 0.001)],
)
def test_chi_square(x: float, freedom: int, p: float) -> None:
    assert chi_square_tail(x, freedom) == pytest.approx(p, rel=1e-6)
    assert chi_square_tail(0, freedom) == 1


@pytest.mark.parametrize(("freedom", "t"), [(1, 12.706205), (2, 4.302653), (4, 2.776445), (49, 2.009575)])
def test_student(freedom: int, t: float) -> None:
    assert student_tail(-t, freedom) == pytest.approx(0.05, rel=1e-6)
    assert student_reach(freedom) == pytest.approx(t, rel=1e-6)


def test_student_becomes_normal() -> None:
    assert student_reach(10**6) == pytest.approx(1.959964, rel=1e-6)
    assert student_tail(1.96, 1000) == pytest.approx(student_tail(1.96, 1001), rel=1e-2)
    assert student_reach(0) == math.inf


# --- sums ------------------------------------------------------------------------------------------------------------

ROWS = st.lists(st.tuples(*[st.integers(-9, 9)] * 3), min_size=1, max_size=12)


@given(ROWS, ROWS, ROWS)
def test_sums_join_in_any_order(a: list[tuple[int, ...]], b: list[tuple[int, ...]], c: list[tuple[int, ...]]) -> None:
    whole = products_of(*a, *b, *c)
    assert (
        whole
        == joined([products_of(*a), joined([products_of(*b), products_of(*c)])])
        == joined([products_of(*c), products_of(*b), products_of(*a)])
    )


@given(ROWS)
def test_rows_count_like_columns(rows: list[tuple[int, ...]]) -> None:
    products = CrossProducts(4)
    for row in rows:
        products.add_row([(0, 1), *((i, x) for i, x in enumerate(row, 1) if x)])
    assert products == products_of(*rows)


@given(ROWS)
def test_columns_are_put_together(rows: list[tuple[int, ...]]) -> None:
    assert products_of(*rows).merged([[1, 3], [2]]) == products_of(*((a + c, b) for a, b, c in rows))
    assert products_of(*rows).merged([[2]]) == products_of(*((b,) for _, b, _ in rows))


# --- estimates -------------------------------------------------------------------------------------------------------


def test_a_mean_with_its_interval() -> None:
    found = mean(products_of((2,), (4,), (9,)), {1: 1})
    assert (found.value, found.freedom) == (5, 2)
    assert found.error == pytest.approx(math.sqrt(13 / 3))
    assert found.high - found.value == pytest.approx(4.302653 * math.sqrt(13 / 3))
    assert mean(products_of((2,), (4,), (9,)), {1: 1}, 10).error == pytest.approx(found.error / 10)


def test_one_game_has_no_interval() -> None:
    found = mean(products_of((2,)), {1: 1})
    assert found.value == 2 and math.isnan(found.low) and math.isnan(found.chance)


def test_a_ratio_by_hand() -> None:
    # Worth 9 in three times, R = 3, what is left over -1, 0, 1, 0.
    found = ratio(products_of((2, 1), (0, 0), (4, 1), (3, 1)), {1: 1}, {2: 1})
    assert found.value == 3
    assert found.error == pytest.approx(math.sqrt(2 * 4 / 3) / 3)
    assert math.isnan(ratio(products_of((0, 0)), {1: 1}, {2: 1}).value)


def test_a_share_is_wilsons_unless_a_game_counts_more_than_once() -> None:
    once = share(products_of((1, 1), (0, 1), (0, 1), (0, 0)), {1: 1}, {2: 1})
    assert (once.value, once.low, once.high) == pytest.approx(proportion(1, 3))
    # Ten games with ten times each that always go together count as ten, not as a hundred.
    together = share(products_of(*[(10, 10)] * 5, *[(0, 10)] * 5), {1: 1}, {2: 1})
    assert together.value == 0.5
    assert together.high - together.low > 2 * (proportion(50, 100)[2] - proportion(50, 100)[1])


# --- tests -----------------------------------------------------------------------------------------------------------


def test_whether_seats_are_alike_is_pearsons_where_nobody_shares() -> None:
    found = equality_test(products_of(*[(6, 0, 0)] * 30, *[(0, 6, 0)] * 20, *[(0, 0, 6)] * 10), [1, 2, 3])
    assert found is not None
    assert (found.statistic, found.freedom, found.shows) == (10, 2, True)
    assert found.p == pytest.approx(math.exp(-5))


def test_shared_wins_tell_nothing_about_seats() -> None:
    # McNemar (1947): (6 - 2)² / (6 + 2), however many games are shared.
    found = equality_test(products_of(*[(2, 0)] * 6, *[(0, 2)] * 2, *[(1, 1)] * 90), [1, 2])
    assert found is not None and found.statistic == 2
    assert found.p == pytest.approx(math.erfc(1))
    assert equality_test(products_of((1, 1), (1, 1)), [1, 2]) is None


def test_many_looks_need_more() -> None:
    assert holm([0.04]) == [True]
    assert holm([0.04, 0.04]) == [False, False]
    assert holm([0.04, 0.02, math.nan]) == [True, True, False]
    assert holm([0.2, 0.001, 0.03]) == [False, True, False]


# --- least squares ---------------------------------------------------------------------------------------------------

BY_HAND = ((0, 1), (1, 3), (2, 2), (3, 5))
"""x and y: slope 1.1, intercept 1.1; what is left over is -0.1, 0.8, -1.3, 0.6."""


def fitted(*batches: Sequence[Sequence[int]]) -> Fit:
    return fit([products_of(*rows) for rows in batches])


def test_least_squares_by_hand() -> None:
    found = fitted(*([row] for row in BY_HAND))
    assert found.intercept.value == pytest.approx(1.1)
    assert found.effects[1].value == pytest.approx(1.1)
    assert found.explained == pytest.approx(6.05 / 8.75)
    # The sum of ((x - 1.5) u)² is 1.415, that of (x - 1.5)² is 5; for few clusters 4/3 * 3/2.
    assert found.effects[1].error == pytest.approx(math.sqrt(1.415 / 25 * 2))


def test_errors_know_that_rows_of_a_batch_belong_together() -> None:
    found = fitted(BY_HAND[:2], BY_HAND[2:])
    assert found.effects[1].value == pytest.approx(1.1)
    assert found.effects[1].error == pytest.approx(math.sqrt(2 * 0.25**2 / 25 * 2 * 1.5))
    assert found.effects[1].freedom == 1


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=4, max_size=30), *[st.integers(-9, 9)] * 3)
def test_what_is_exactly_so_is_found_exactly(counts: list[tuple[int, int]], start: int, a: int, b: int) -> None:
    rows = [(x, y, start + a * x + b * y) for x, y in [(0, 0), (1, 0), (0, 1), *counts]]
    found = fitted(*([row] for row in rows))
    assert [found.intercept.value, found.effects[1].value, found.effects[2].value] == [start, a, b]
    assert found.effects[1].error == pytest.approx(0, abs=1e-9)


def test_columns_that_follow_from_others_have_no_effect_of_their_own() -> None:
    # x, 2x, always 3, never any, and 7 less x: only the first is free.
    rows = [(x, 2 * x, 3, 0, 7 - x, y) for x, y in BY_HAND]
    found = fitted(*([row] for row in rows))
    assert list(found.effects) == [1]
    assert found.effects[1].value == pytest.approx(1.1)


def test_too_few_rows_have_no_errors() -> None:
    found = fitted([(0, 1)], [(1, 3)])
    assert found.effects[1].value == 2 and math.isnan(found.effects[1].low)
    assert fitted([(0, 1), (1, 3), (2, 2)]).effects[1].freedom == 0
    assert math.isnan(fitted([(0, 1)], [(1, 1)]).explained)


# --- a game that is known --------------------------------------------------------------------------------------------


@cache
def pebbles(players: int = 3, **answers: str) -> rulespec.Game:
    return rulespec.load(PEBBLES).game(players, answers)


@cache
def known(players: int = 3, games: int = 200, **answers: str) -> Balance:
    return balance(pebbles(players, **answers), games, seed=4)


def test_a_card_is_worth_what_it_counts() -> None:
    found = known().cards
    assert found is not None and found.faces is None
    assert (found.results, found.batches, found.kinds.explained) == (600, 50, 1)
    *held, lost = found.kinds.cards
    assert (lost.copies, lost.held, lost.effect, lost.why) == (1, 0, None, "never")
    for card in held:
        assert card.copies == 4 and 0 < card.held < 1 and card.effect is not None
        assert card.effect.value == int(card.name.split()[-1])
        assert card.effect.error == pytest.approx(0, abs=1e-9)


def test_cards_without_an_effect_of_their_own_say_why() -> None:
    # Everybody always has one approval. Rejections used up in the last round are on the discard pile.
    found = balance(rulespec.load("kingme").game(3), 60, 0, rulings=False).cards
    assert found is not None
    assert [card.name for card in found.kinds.cards if card.why == "always"] == ["approve"]
    assert len([card for card in found.kinds.cards if card.why == "follows"]) == 1


def test_no_cards_and_no_awards_no_sections() -> None:
    stones = rulespec.loads(STONES).game()
    found = balance(stones, 20, 0)
    assert (found.cards, found.prizes, found.rulings) == (None, None, ())
    assert "<h2" in html(found)


STONES = """\
rulespec: 2
game: {id: stones, version: 1.0.0, title: "Stones <b>&</b>", players: 2}
values:
  left: {type: 0..9, start: 9, title: stones}
play:
  - repeat:
      while: left > 0
      at_most: 9
      then: error
      do:
        each: {p: player}
        do:
          choose:
            by: p
            options: [{says: "take {n}", pick: {n: 1..2}, if: n <= left, do: {set: {left: "max(left - n, 0)"}}}]
            none: skip
  - {id: end, title: The last seat wins, rank: {among: {p: player}, by: [{high: seat_of(p), title: seat}], left: share}}
"""


def test_a_seat_that_always_wins_is_found() -> None:
    found = balance(rulespec.loads(STONES).game(), 50, 0)
    assert found.seats.wins is not None and found.seats.wins.statistic == 50
    assert [seat.differs for seat in found.seats.seats] == [-1, 1]
    assert found.seats.advantage == 1
    verdict = next(seats(found))
    assert verdict.startswith("Seat 2 wins significantly more often and seat 1 wins significantly less often (χ² =")


def test_equal_seats_are_not_distinguished() -> None:
    found = known().seats
    assert found.wins is not None and not found.wins.shows
    assert [seat.differs for seat in found.seats] == [0, 0, 0]
    assert next(seats(known())).startswith("No seat advantage detected (χ²")


def test_seats_agree_with_simulate() -> None:
    figures = simulate(pebbles(), 200, 4).to_dict()
    found = known().to_dict()["seats"]
    for seat, wins, points in zip(found["seats"], figures["wins"], figures["points"], strict=True):
        assert seat["wins"] == {"value": wins["share"], "low": wins["low"], "high": wins["high"]}
        assert seat["points"]["value"] == points["mean"]
        assert (seat["least"], seat["most"]) == (points["least"], points["most"])
    assert found["shared_wins"]["value"] == figures["shared_wins"] / 200
    assert found["decisions"]["value"] == figures["length"]["mean"]


def test_what_a_prize_is_worth() -> None:
    found = known(ribbons="two").prizes
    assert found is not None and not found.all_points
    assert [(prize.title, prize.subject) for prize in found.prizes] == [("most", "grey"), ("most", "red")]
    for prize in found.prizes:
        assert prize.worth is not None and prize.adds is not None
        assert (prize.worth.value, prize.worth.error) == (2, 0)
        assert prize.given.value == pytest.approx(1 - prize.nobody.value)
        assert prize.adds.value == pytest.approx(2 * prize.given.value / 3)
        assert sum(seat.value for seat in prize.seats) == pytest.approx(1)
        assert prize.wins.value > 1 / 3


def test_prizes_are_all_the_points_where_they_are() -> None:
    text = PEBBLES.read_text(encoding="utf-8").replace("sum(c.size for c in hand[p]) + ahead[p] + ", "")
    found = balance(rulespec.loads(text).game(2, {"ribbons": "two"}), 30, 0, rulings=False)
    assert found.prizes is not None and found.prizes.all_points
    parts = [prize.part for prize in found.prizes.prizes]
    assert sum(part for part in parts if part is not None) == pytest.approx(1)


# --- rulings ---------------------------------------------------------------------------------------------------------


def test_what_rulings_change_is_what_was_built_in() -> None:
    found = {one.ruling: one for one in known().rulings or ()}
    ahead, level = found["head_start"].changes, found["level"].changes
    assert (ahead["points"].difference.value, ahead["points"].difference.error) == (1, 0)  # 3 for one of three
    assert ahead["points"].after == pytest.approx(ahead["points"].before + 1)
    assert ahead["points"].shows and ahead["advantage"].shows and not ahead["decisions"].shows
    assert found["head_start"].differing == 200
    assert level["shared"].after == 0 and level["shared"].shows
    assert level["points"].difference.value == 0 and not level["points"].shows


def test_rulings_are_sorted_by_how_much_they_change() -> None:
    found = known().rulings or ()
    assert found[0].ruling == "head_start" and [one.shows for one in found] == [True, True, True, False]
    assert [one.size for one in found] == sorted((one.size for one in found), reverse=True)
    assert (found[-1].ruling, found[-1].differing, found[-1].changes) == ("pockets", 0, {})


def test_a_ruling_is_compared_game_by_game() -> None:
    found = {one.ruling: one for one in known().rulings or ()}["ribbons"].changes
    other = known(ribbons="two").seats
    assert found["advantage"].after == pytest.approx(other.advantage)
    assert found["shared"].after == pytest.approx(other.shared.value)
    assert found["points"].after == pytest.approx(sum(seat.points.value for seat in other.seats) / 3)
    # Two runs that have nothing in common would leave more to chance than the points of one alone.
    assert found["points"].difference.error < min(seat.points.error for seat in other.seats)


def test_answers_that_no_game_can_be_made_of_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rulings.under

    def under(game: rulespec.Game, answer: Answer) -> rulespec.Game:
        if answer.ruling == "ribbons":
            raise ValueError("there are no ribbons")
        return whole(game, answer)

    monkeypatch.setattr(rulings, "under", under)
    found = balance(pebbles(2), 10, 0).rulings or ()
    assert (found[-1].answer, found[-1].failed) == ("two", "there are no ribbons")
    assert sets_of_answers(pebbles(2)) == 3


def test_nobody_asked_about_rulings() -> None:
    assert balance(pebbles(2), 10, 0, rulings=False).rulings is None
    assert sets_of_answers(pebbles(2), rulings=False) == 1


# --- one game after the other ----------------------------------------------------------------------------------------

GAMES = 24


@cache
def piece(first: int, last: int) -> Accumulator:
    return count(pebbles(2), range(first, last), seed=4, answers=Asked.of(pebbles(2)).played)


def together(cuts: Sequence[int]) -> Accumulator:
    """The games in pieces, joined."""
    ends = [0, *cuts, GAMES]
    whole = count(pebbles(2), range(0), seed=4, answers=Asked.of(pebbles(2)).played)
    for first, last in pairwise(ends):
        whole.join(piece(first, last))
    return whole


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, GAMES), max_size=4).map(sorted))
def test_what_is_kept_does_not_depend_on_the_pieces(cuts: list[int]) -> None:
    assert together(cuts) == together([])


def same(found: Balance) -> dict[str, object]:
    return {key: value for key, value in found.to_dict().items() if key != "seconds"}


def test_the_report_does_not_depend_on_the_workers() -> None:
    done: list[int] = []
    two = balance(pebbles(2, ribbons="two"), 90, 3, workers=2, progress=done.append)
    assert repr(same(two)) == repr(same(balance(pebbles(2, ribbons="two"), 90, 3)))
    assert sum(done) == 90 * sets_of_answers(pebbles(2, ribbons="two"))


def test_a_report_on_one_game_has_no_spread() -> None:
    found = balance(pebbles(2), 1, 0)
    assert found.games == 1 and math.isnan(found.seats.seats[0].points.low)
    assert "–" in html(found)


def test_one_seat_has_nobody_to_compare_with() -> None:
    found = balance(pebbles(1), 10, 0)
    assert found.seats.wins is None and found.seats.advantage == 0
    assert next(seats(found)) == "A game for one player has no seats to compare."


# --- how it is shown -------------------------------------------------------------------------------------------------


def test_large_decks_are_counted_by_the_first_fields_of_the_face() -> None:
    kinds = kinds_of(rulespec.load("fortheking").game(4))
    assert len(kinds.columns) == 54 and len(kinds.groups) == 16
    assert sorted(column for _, columns in kinds.groups for column in columns) == list(range(54))
    assert sum(kind.copies for kind, _ in kinds.groups) == sum(kind.copies for kind in kinds.columns) == 88


def test_axes_have_round_ticks() -> None:
    assert Axis.over([0.18, 0.33]).ticks == pytest.approx((0.15, 0.2, 0.25, 0.3, 0.35))
    assert Axis.over([-3, 182]).ticks == (-50, 0, 50, 100, 150, 200)
    assert Axis.over([0, 1]).ticks[-1] == 1
    assert Axis.over([2, 2]).place(2) == pytest.approx(0.5)
    assert Axis.over([math.nan]).ticks[0] == 0
    assert Axis.over([1.5, 3.5]).place(2.5) == 0.5


def test_figures_rounded_to_nothing_have_no_sign() -> None:
    assert (CHANGE(-0.001), CHANGE(0.5), CHANGE(-1234), SHARE(math.nan)) == ("0.00", "+0.50", "-1,234.00", "–")


class Reader(HTMLParser):
    """Collects tags, and checks that they are closed."""

    VOID = frozenset({"meta", "link", "line", "circle"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else() -> None:
    page, reader = html(known()), Reader()
    reader.feed(page)
    assert reader.open == [] and "<script" not in page and "//" not in page
    ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    plots = [attributes["aria-labelledby"] for _, attributes in reader.tags if attributes.get("role") == "img"]
    assert len(plots) > 10 and {name for names in plots for name in (names or "").split()} <= set(ids)
    assert "head_start=three" in page and "What is the most of a colour worth?" in page


def test_nothing_in_a_spec_can_be_markup() -> None:
    page = html(balance(rulespec.loads(STONES).game(), 5, 0))
    assert "Stones &lt;b&gt;&amp;&lt;/b&gt;" in page and "<b>" not in page


@given(st.integers(1, 300), st.integers(1, 50), st.dictionaries(st.integers(0, 300), st.integers(1, 40)))
def test_chunks_in_a_folder_keep_their_games(games: int, size: int, sizes: dict[int, int]) -> None:
    """Every game is in one chunk, and a chunk that is kept and lies in a batch is one."""
    kept = {first: first + sizes[first] for first in sorted(sizes)}
    chunks = [*_chunks(games, size, kept)]
    assert [number for _, chunk in chunks for number in chunk] == [*range(games)]
    assert {0: 120, 120: 300}.items() <= {
        chunk.start: chunk.stop for _, chunk in _chunks(30_000, 500, {0: 120, 120: 300})
    }.items()


def test_a_report_can_be_made_of_what_was_kept() -> None:
    kept = piece(0, GAMES)
    found = report(Played(pebbles(2), 4, [kept], None), 1.5)
    assert headline(found) == "Pebbles, 24 games of 2 random players, seed 4"
    assert found.cards is not None and found.cards.batches == 1
    assert all(card.effect is None or math.isnan(card.effect.low) for card in found.cards.kinds.cards)
