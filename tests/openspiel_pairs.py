"""The games of the gallery beside OpenSpiel's: names, parameters, moves, chance and results."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from side_by_side import Chance, Event, Pair, Setting

from rulespec.engine.states.state import State

RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
FROM_ACE = (RANKS[-1], *RANKS[:-1])
SUITS = ("clubs", "diamonds", "hearts", "spades")
OH_HELL = ("clubs", "diamonds", "spades", "hearts")
FIREWORKS = ("red", "yellow", "green", "white", "blue")
DICE = ("red", "green", "blue", "white", "black")
MORRIS = (
    *("a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4"),
    *("e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"),
)
FLEET = {"board_width": 4, "board_height": 4, "ship_sizes": "[2;3]", "ship_values": "[1;1]", "num_shots": 12}
YACHT = (
    *("ones", "twos", "threes", "fours", "fives", "sixes", "chance", "four_alike", "full_house"),
    *("small_straight", "large_straight", "yacht"),
)


def winner(state: State) -> list[float]:
    """1 for the only first, -1 for the others; 0 for all in a draw."""
    places = state.ranking()
    if places.count(1) > 1:
        return [0.0] * len(places)
    return [1.0 if place == 1 else -1.0 / (len(places) - 1) for place in places]


def shared(state: State) -> list[float]:
    """1 for the first, shared if several are; -1 shared by the others; 0 for all in a draw."""
    places = state.ranking()
    first, others = places.count(1), len(places) - places.count(1)
    return [0.0 if not others else 1 / first if place == 1 else -1 / others for place in places]


def playing_card(rank: str, suit: str, suits: Sequence[str] = SUITS) -> int:
    return 4 * RANKS.index(rank) + suits.index(suit)


def playing_cards(**cards: str) -> tuple[int, ...]:
    """Several cards, each by rank and suit."""
    return tuple(sorted(playing_card(*card.split()) for card in cards.values()))


def card_by_suit(rank: str, suit: str) -> int:
    return 13 * SUITS.index(suit) + RANKS.index(rank)


def deck_numbers(state: State) -> list[float]:
    """Crazy Eights as OpenSpiel scores it: a number card counts its number in the deck, not its face."""
    hands = [
        [playing_card(*face(state, card)) for card in state.zone("hand", seat)] for seat in range(state.game.players)
    ]
    return [float(-sum(_worth(card, card + 2) for card in hand)) for hand in hands]


def crazy_eights_faces(theirs: Any) -> list[float]:
    """The faces of the cards left in the hands of a finished game of theirs, followed through its history."""
    (_, dealer), *moves = [(step.player, step.action) for step in theirs.full_history()]
    players = theirs.num_players()
    hands: list[list[int]] = [[] for _ in range(players)]
    cards, seat = players * (7 if players == 2 else 5), dealer - 52 + 1
    for number, (player, action) in enumerate(moves):
        seat = player if player >= 0 else seat
        if player >= 0 and action < 52:
            hands[player].remove(action)
        elif player < 0 and number < cards:
            hands[(seat + number) % players].append(action)
        elif player < 0 and number > cards:
            hands[seat].append(action)
    return [float(-sum(_worth(card, card // 4 + 2) for card in hand)) for hand in hands]


def _worth(card: int, number: int) -> int:
    return 50 if card // 4 == 6 else 10 if card // 4 >= 9 else number


def square(name: str, columns: int) -> int:
    """The number of a square such as `d4` on a board with so many columns, row by row."""
    return columns * (int(name[1:]) - 1) + "abcdefgh".index(name[0])


def step(name: str, way: str, capture: int) -> int:
    """A step of a piece in Breakthrough: the square it leaves, one of six directions, and whether it captures."""
    ways = ("north_west", "north", "north_east", "south_west", "south", "south_east")
    return 2 * (6 * square(name, 8) + ways.index(way)) + capture


def diagonal(name: str, way: str, jump: int) -> int:
    """A move in Checkers: the square it leaves, one of four directions, and whether it jumps. Row 8 is their first."""
    ways, number = ("north_west", "north_east", "south_east", "south_west"), square(name, 8)
    return 2 * (4 * (number % 8 + 8 * (7 - number // 8)) + ways.index(way)) + jump


def clobbered(name: str, way: str) -> int:
    """A move in Clobber: the square it leaves, and the way up, right, down or left. Row 1 is their top row."""
    return 4 * square(name, 6) + ("south", "east", "north", "west").index(way)


def placed(s: str, w: str) -> int:
    """A ship on a board of 4 x 4: its upper left square and whether it lies across. Row 4 is their first."""
    return (16 if w == "across" else 32) + shot_at(s)


def shot_at(s: str) -> int:
    return 4 * (4 - int(s[1:])) + "abcd".index(s[0])


def pawn(*ways: str) -> int:
    """A move of a pawn in Quoridor: where it goes from the third square of the third row, on squares and gaps."""
    steps = {"north": -34, "east": 2, "south": 34, "west": -2}
    return 36 + sum(steps[way] for way in ways)


def wall(name: str, east: int, south: int) -> int:
    """A wall in Quoridor: a gap beside a square, where the top row is 9."""
    return 17 * (2 * (9 - int(name[1:])) + south) + 2 * "abcdefghi".index(name[0]) + east


def drawn(line: str) -> int:
    """A line in Dots and Boxes: all lines to the right, then all lines downwards."""
    dots = line.split("_")
    across = dots[0][1:] == dots[1][1:]
    return square(min(dots), 2) if across else 6 + square(min(dots), 3)


def halves(state: State) -> list[float]:
    return [score / 2 for score in state.scores()]


def face(state: State, card: int) -> list[str]:
    """The words of the name of a card."""
    return state.game.card_name(card).split()


def chance(
    zone: str = "", number: Callable[[list[str]], int | None] = lambda face: None, *lots: Callable[[int], int]
) -> Chance:
    """The cards that leave a zone, by the words on their face, None for a card that they do not draw; and the numbers
    drawn: the first of a game by the first row of `lots`, all from the last on by that one."""

    def outcomes(state: State, events: Sequence[Event]) -> Iterator[int]:
        earlier = sum(event[0] == "random" for event in (state.events or ())[: -len(events) or None])
        for event in events:
            if event[0] == "random" and lots:
                yield lots[min(earlier, len(lots) - 1)](event[3])
                earlier += 1
            if event[0] == "move" and state.game.zone_id(event[3]) == zone:
                outcome = number(face(state, event[2]))
                if outcome is not None:
                    yield outcome

    return outcomes


def rolled_together(state: State, events: Sequence[Event]) -> Iterator[int]:
    """Several dice as one number to the base of 6, the first die last."""
    dice = [event[3] - 1 for event in events if event[0] == "random"]
    if dice:
        yield sum(die * 6**place for place, die in enumerate(dice))


def mirrored(state: State) -> list[float]:
    """Where our first seat is their second player."""
    return state.returns()[::-1]


def chess_move(theirs: Any, action: int) -> tuple[str]:
    """A move in Chess, by what stands on the board before and after it."""
    before, after = _chess_board(theirs), _chess_board(theirs.child(action))
    white = str(theirs).split()[1] == "w"
    own = [one for one in {*before, *after} if (before.get(one) != after.get(one))]
    gone = [one for one in own if before.get(one, " ").isupper() == white and one in before]
    came = [one for one in own if after.get(one, " ").isupper() == white and one in after]
    if len(gone) > 1:
        (king,) = (one for one in came if after[one] in "kK")
        return (f"castle {'east' if king[0] == 'g' else 'west'}",)
    (start,), (end,) = gone, came
    if before[start] == after[end]:
        return (f"{start} {end}",)
    side = "" if start[0] == end[0] else "_east" if start[0] < end[0] else "_west"
    kinds = {"n": "knight", "b": "bishop", "r": "rook", "q": "queen"}
    return (f"{start} {'north' if white else 'south'}{side}, {kinds[after[end].lower()]}",)


def _chess_board(theirs: Any) -> dict[str, str]:
    """The pieces by square, from the notation of Forsyth and Edwards."""
    rows = re.sub(r"\d", lambda digit: int(digit[0]) * " ", str(theirs).split()[0]).split("/")
    squares = ((f"{'abcdefgh'[x]}{8 - y}", piece) for y, row in enumerate(rows) for x, piece in enumerate(row))
    return {name: piece for name, piece in squares if piece != " "}


def backgammon_moves(theirs: Any, action: int) -> tuple[str, ...]:
    """The moves of two men in Backgammon: two points to the base of 26, 24 for the bar and 25 for none; with the higher
    die first below 676."""
    away = theirs.current_player() == 0
    dice = sorted(map(int, re.findall(r"\d", str(theirs).split("Dice:")[1].split()[0])), reverse=action < 676)
    points = action % 26, action % 676 // 26
    from_far = [25 if point == 24 else 24 - point if away else point + 1 for point in points]
    return tuple(f"{n} by {die}" for point, n, die in zip(points, from_far, dice, strict=True) if point < 25)


def backgammon_dice(state: State, events: Sequence[Event]) -> Iterator[int]:
    """Two dice; at the beginning, two different ones with the player who begins."""
    drawn = [event[3] for event in events if event[0] == "random"]
    opening = len(drawn) == 3
    rolls = [(drawn[1], drawn[2] + (drawn[2] >= drawn[1]))] if opening else zip(*[iter(drawn)] * 2, strict=True)
    pairs = [*combinations(range(1, 7), 2)]
    for first, second in rolls:
        low, high = sorted((first, second))
        if low == high:
            yield 2 * len(pairs) + low - 1
        else:
            yield 2 * pairs.index((low, high)) + (drawn[0] if opening else first > second)


ROWS = [
    Pair(
        "kuhn_poker",
        "kuhn_poker",
        [Setting(n, {"players": n}) for n in (2, 3, 4)],
        {"pass": lambda: 0, "fold": lambda: 0, "bet": lambda: 1, "call": lambda: 1},
        State.returns,
        chance("deck", lambda face: int(face[0]) - 1),
    ),
    Pair(
        "leduc_poker",
        "leduc_poker",
        [Setting(n, {"players": n}) for n in (2, 3)],
        {"fold": lambda: 0, "call": lambda: 1, "raise": lambda: 2},
        halves,
        chance("deck", lambda face: 2 * (int(face[0]) - 1) + ["spades", "hearts"].index(face[1])),
    ),
    Pair(
        "goofspiel",
        "goofspiel",
        [
            Setting(n, {"players": n, "points_order": theirs, "returns_type": "total_points"}, {"order": ours})
            for n in (2, 3, 4)
            for ours, theirs in (("shuffled", "random"), ("descending", "descending"))
        ],
        {"bid bid_card {value}": lambda value: int(value) - 1},
        State.returns,
        chance("prizes", lambda face: int(face[1]) - 1 if face[0] == "prize_card" else None),
    ),
    Pair(
        "liars_dice",
        "liars_dice",
        [Setting(2, {"numdice": number}, {"dice": words}) for number, words in ((1, "one"), (2, "two"))],
        {"bid {n} of {f}": lambda n, f: 6 * (int(n) - 1) + int(f) - 1, "call": lambda: -1},
        State.returns,
        chance("", lambda face: None, lambda n: n - 1),
    ),
    Pair(
        "pig",
        "pig",
        [Setting(n, {"players": n}) for n in (2, 3, 4)],
        {"roll": lambda: 0, "stop": lambda: 1},
        winner,
        chance("", lambda face: None, lambda n: n - 1),
    ),
    Pair(
        "yacht",
        "yacht",
        [Setting(n, {"players": n}, {"four_counted": "all_five", "five_alike": "a_house_too"}) for n in (2, 3)],
        {
            "roll {dice}": lambda dice: sum(2**place for place, die in enumerate(DICE) if die in dice.split(", ")),
            "score {k}": lambda k: 32 + YACHT.index(k),
        },
        shared,
        rolled_together,
    ),
    Pair(
        "hearts",
        "hearts",
        [Setting(4), Setting(4, {"qs_breaks_hearts": False}, {"spade_queen": "only_hearts_do"})],
        {"pass {first}, {second}, {third}": playing_cards, "play {rank} {suit}": playing_card},
        State.returns,
        chance("deck", lambda face: playing_card(*face), lambda side: side),
    ),
    Pair(
        "oh_hell",
        "oh_hell",
        [Setting(n, {"players": n}) for n in (3, 4, 5, 6)],
        {
            "bid {n}": lambda n: 52 + int(n),
            "play {rank} {suit}": lambda rank, suit: playing_card(rank, suit, OH_HELL),
        },
        State.returns,
        chance("deck", lambda face: playing_card(*face, OH_HELL), lambda tricks: tricks, lambda dealer: dealer),
    ),
    Pair(
        "crazy_eights",
        "crazy_eights",
        [Setting(n, {"players": n}, {"blocked": "one_more_pass", "ace_counts": "ten_points"}) for n in (2, 3, 4, 5)],
        {
            "play {rank} {suit}": playing_card,
            "draw": lambda: 52,
            "pass": lambda: 53,
            "name {suit}": lambda suit: 54 + SUITS.index(suit),
        },
        deck_numbers,
        chance("deck", lambda face: playing_card(*face), lambda dealer: 52 + dealer),
        corrected=crazy_eights_faces,
    ),
    Pair(
        "hex",
        "hex",
        [Setting(2, {"board_size": 5})],
        {"place {s}": lambda s: square(s, 5)},
        winner,
    ),
    Pair(
        "go",
        "go",
        [Setting(2, {"board_size": 5, "komi": 0.5}, {"repetition": "draw"})],
        {"place {s}": lambda s: square(s, 5), "pass": lambda: 25},
        winner,
    ),
    Pair(
        "tic_tac_toe",
        "tic_tac_toe",
        [Setting(2)],
        {"mark {s}": lambda s: square(s, 3)},
        State.returns,
    ),
    Pair(
        "phantom_tic_tac_toe",
        "phantom_ttt",
        [Setting(2)],
        {"mark {s}": lambda s: square(s, 3)},
        State.returns,
        informed=True,
    ),
    Pair(
        "battleship",
        "battleship",
        [
            Setting(2, {**FLEET, "allow_repeated_shots": again}, {"repeated": "allowed" if again else "forbidden"})
            for again in (True, False)
        ],
        {"place {s} {w}": placed, "shoot {s}": shot_at},
        State.returns,
        informed=True,
    ),
    Pair("connect_four", "connect_four", [Setting(2)], {"drop on {s}": lambda s: square(s, 7) % 7}, winner),
    Pair(
        "nim",
        "nim",
        [Setting(2, {"is_misere": misere}, {"last_match": "loses" if misere else "wins"}) for misere in (True, False)],
        {"take {n} of the {r} row": lambda n, r: 4 * (int(n) - 1) + ["first", "second", "third", "fourth"].index(r)},
        winner,
    ),
    Pair(
        "mancala",
        "mancala",
        [Setting(2)],
        {"sow a{k}": lambda k: int(k), "sow b{k}": lambda k: 7 + int(k)},
        winner,
    ),
    Pair(
        "blackjack",
        "blackjack",
        [Setting(1)],
        {"hit": lambda: 0, "stand": lambda: 1},
        State.returns,
        chance("deck", lambda face: 13 * SUITS.index(face[1]) + FROM_ACE.index(face[0])),
    ),
    Pair(
        "breakthrough",
        "breakthrough",
        [Setting(2)],
        {"move {s} {d}": lambda s, d: step(s, d, 0), "capture {s} {d}": lambda s, d: step(s, d, 1)},
        winner,
    ),
    Pair(
        "checkers",
        "checkers",
        [Setting(2)],
        {"move {s} {d}": lambda s, d: diagonal(s, d, 0), "jump {s} {d}": lambda s, d: diagonal(s, d, 1)},
        State.returns,
    ),
    Pair("chess", "chess", [Setting(2)], {}, mirrored, parts=chess_move, seats=(1, 0)),
    Pair("backgammon", "backgammon", [Setting(2)], {}, State.returns, backgammon_dice, parts=backgammon_moves),
    Pair("clobber", "clobber", [Setting(2)], {"move {name} {way}": clobbered}, winner),
    Pair(
        "nine_mens_morris",
        "nine_mens_morris",
        [Setting(2)],
        {
            "place {q}": lambda q: MORRIS.index(q),
            "take {q}": lambda q: MORRIS.index(q),
            "move {a} to {b}": lambda a, b: 24 * (1 + MORRIS.index(a)) + MORRIS.index(b),
        },
        winner,
    ),
    Pair(
        "othello",
        "othello",
        [Setting(2)],
        {"place {s}": lambda s: square(s, 8), "pass": lambda: 64},
        winner,
    ),
    Pair(
        "quoridor",
        "quoridor",
        [Setting(2)],
        {
            "go {d}": lambda d: pawn(d),
            "jump {d} {e}": lambda d, e: pawn(d) if d == e else pawn(d, e),
            "wall across at {s}": lambda s: wall(s, 0, -1),
            "wall upright at {s}": lambda s: wall(s, 1, -2),
        },
        winner,
        many_on="native",  # a decision takes a thousand searches for a way
    ),
    Pair(
        "hanabi",
        "hanabi",
        [Setting(2, {"players": 2})],
        {
            "discard card {n}": lambda n: int(n) - 1,
            "play card {n}": lambda n: 4 + int(n),
            "show the {k} cards": lambda k: 10 + FIREWORKS.index(k),
            "show the cards of rank {r}": lambda r: 14 + int(r),
        },
        State.returns,
        chance("deck", lambda face: 5 * FIREWORKS.index(face[0]) + int(face[1]) - 1),
    ),
    Pair(
        "dots_and_boxes",
        "dots_and_boxes",
        [Setting(2)],
        {"draw {line}": drawn},
        winner,
    ),
    Pair(
        "go_fish",
        "go_fish",
        [Setting(n, {"players": n}) for n in (2, 3, 4, 5)],
        {"ask player {q} for {rank}": lambda q, rank: 13 * (int(q) - 1) + RANKS.index(rank)},
        shared,
        chance("deck", lambda face: RANKS.index(face[0])),
        apart=lambda state: any(state.zone("books", seat) for seat in range(state.game.players)),
    ),
    Pair(
        "spades",
        "spades",
        [Setting(4, rulings={"lead_spades": "never"})],
        {"bid {n}": lambda n: 52 + int(n), "play {rank} {suit}": card_by_suit},
        State.returns,
        chance("deck", lambda face: card_by_suit(*face)),
    ),
]
