"""A game at a table: choices asked part by part, typed words, undo, resume, and the words of a language."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import rulespec
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.states.log import LogError, replay
from rulespec.engine.states.playout import random_game
from rulespec.play.bots import bot
from rulespec.play.table.automated import sentence
from rulespec.play.table.behind import why
from rulespec.play.table.choice import Choice, choice_of
from rulespec.play.table.finding import find
from rulespec.play.table.lexicon import Lexicon
from rulespec.play.table.moments import moment
from rulespec.play.table.story import Story
from rulespec.play.table.table import Table
from rulespec.play.table.words import Words, languages_of, words_in
from rulespec.text.rules.describe.terms import Noun

pytestmark = pytest.mark.slow("plays large games")


@cache
def game(name: str, players: int | None = None) -> rulespec.Game:
    return rulespec.load(name).game(players, engine="interpreter")


def table(name: str, people: tuple[int, ...] = (0,), seed: int = 3, players: int | None = None) -> Table:
    return Table(game(name, players).new_initial_state(seed), people)


def at_many(name: str, least: int) -> Choice:
    """The first choice of so many actions in a random game."""
    one, dice = table(name, (0, 1)), random.Random(1)
    while (seat := one.seat()) is not None:
        legal = one.state.legal_actions(seat)
        if len(legal) >= least:
            return choice_of(one.state, seat)
        one.play(dice.choice(legal))
    raise AssertionError(f"no choice of {least} actions")


@cache
def bid() -> Choice:
    return at_many("keyflower_king", 100)


# --- part by part ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "least", "path", "part", "answers"),
    [
        ("keyflower_king", 100, (), "k", ["blue", "red", "yellow"]),
        ("keyflower_king", 100, ("blue",), "a", ["s1", "s2", "s3"]),
        ("keyflower_king", 100, ("blue", "s2"), "n", ["1", "2", "3"]),
        ("fortheking", 20, (), "action", ["Bid", "pass"]),
        ("fortheking", 20, ("Bid",), "amount", ["1", "2", "3"]),
        ("yacht", 30, (), "action", ["roll nothing", "roll …"]),
        ("yacht", 30, ("roll …",), "dice", ["red", "green", "blue"]),
        ("yacht", 30, ("roll …", "blue", "red"), "action", ["roll red, blue", "roll red, green, blue"]),
        ("liars_dice", 20, (), "n", ["1", "2", "3"]),
        ("checkers", 14, (), "s", ["c7", "f4", "g7"]),
    ],
)
def test_many_actions_are_asked_part_by_part(
    name: str, least: int, path: tuple[str, ...], part: str, answers: list[str]
) -> None:
    choice = at_many(name, least)
    question = choice.ask(path)
    assert (question.part, [item.key for item in question.items][: len(answers)]) == (part, answers)
    assert json.loads(json.dumps(question.to_dict()))["path"] == list(path)


@pytest.mark.parametrize(
    ("name", "least"),
    [("keyflower_king", 100), ("fortheking", 20), ("yacht", 30), ("kingme", 30), ("checkers", 13), ("hanabi", 14)],
)
def test_every_action_is_reached_by_some_answers(name: str, least: int) -> None:
    choice, reached = at_many(name, least), set()
    paths: list[tuple[str, ...]] = [()]
    while paths:
        question = choice.ask(paths.pop())
        for item in question.items:
            if item.action is None:
                paths.append((*question.path, item.key))
            else:
                reached.add(item.action)
                assert choice.ask((*question.path, item.key)).action == item.action
    assert reached == {row.action for row in choice.rows}


def test_an_answer_that_is_none_is_an_error() -> None:
    with pytest.raises(KeyError):
        bid().ask(("blue", "purple"))
    assert bid().ask(("blue",)[:-1]) == bid().ask()


# --- what is reported ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case", yaml.safe_load(Path(__file__).with_name("reported_events.yaml").read_text("utf-8")), ids=str
)
def test_events_are_reported_as_players_say_them(case: dict[str, Any]) -> None:
    spec = rulespec.load(case["game"])
    one = game(case["game"], sorted(spec.players, key=lambda number: abs(number - 3))[0])
    words, state = words_in(spec, one, case.get("lang", "en")), one.new_initial_state(5)
    story = Story(state, None, words=words)
    for chosen in case.get("chooses", ()):
        story.news(state)
        seat = state.deciders()[0]
        (row,) = [row for row in choice_of(state, seat, words).rows if row.words == chosen]
        state.apply_action(row.action, seat)
    assert [line.strip() for line in story.news(state) if not line.startswith("—")] == case["says"]


# --- typed words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("bid 2 blue s3", "2 blue on s3"),
        ("s3 blue 2", "2 blue on s3"),
        ("S3  BL 2", "2 blue on s3"),
        ("2 blue first", "2 blue on first place"),
        ("12 ye s1", "12 yellow on s1"),
        ("2 blue on s3", "2 blue on s3"),
    ],
)
def test_words_find_an_action_in_any_order(typed: str, words: str) -> None:
    found = find(bid(), typed)
    assert found.action is not None and bid().row(found.action).words == words


@pytest.mark.parametrize(
    ("typed", "left"),
    [("2 blue", 7), ("blue s1", 20), ("nonsense", 0), ("", 0), ("\x1b[31m", 0), ("²", 0), ("99 blue s1", 0)],
)
def test_words_that_mean_several_or_none(typed: str, left: int) -> None:
    found = find(bid(), typed)
    assert found.action is None and found.message == (found.message or "")
    assert (len(found.choice.rows) if found.choice else 0) == left


def test_what_is_still_meant_can_be_asked() -> None:
    found = find(bid(), "2 blue")
    assert found.choice is not None
    assert [item.key for item in found.choice.ask().items][:2] == ["2 blue on s1", "2 blue on s2"]


# --- undo ------------------------------------------------------------------------------------------------------------


def play_to_choice(one: Table, seat: int) -> None:
    while one.seat() != seat or len(one.state.legal_actions(seat)) < 2:
        one.automated()


def test_one_person_takes_anything_back_and_bots_answer_as_before() -> None:
    one = table("kingme", (0,), players=3)
    play_to_choice(one, 0)
    before, legal = one.state.snapshot(), one.state.legal_actions(0)
    one.play(legal[0])
    first = [one.automated().action for _ in range(2)]
    assert one.undo() == "" and one.state.snapshot() == before
    one.play(legal[0])
    assert [one.automated().action for _ in range(2)] == first
    assert one.undo() == "" and one.undo() == "there is no decision to take back"


@pytest.mark.parametrize(
    ("name", "moves", "reason"),
    [
        ("tic_tac_toe", 1, ""),
        ("tic_tac_toe", 2, "player 2 has decided something since"),
        ("pig", 1, "chance has decided something since"),
        ("fortheking", 1, "player 1 has seen a card since"),
        ("breakthrough", 1, ""),
        ("goofspiel", 1, ""),
    ],
)
def test_several_people_take_back_what_revealed_nothing(name: str, moves: int, reason: str) -> None:
    one = table(name, (0, 1))
    for _ in range(moves):
        one.play(one.state.legal_actions(one.seat())[0])
    made, before = len(one.made), one.state.snapshot()
    assert one.undo(0) == reason
    assert len(one.made) == (made if reason else 0) and (one.state.snapshot() == before or not reason)


@pytest.mark.parametrize(
    ("name", "words", "reason"),
    [
        ("hanabi", "show the cards of rank 1", "player 2 can have learned something hidden since"),
        ("hearts", "pass ", ""),
    ],
)
def test_a_choice_that_only_some_worlds_allow_shows_something_if_it_is_seen(name: str, words: str, reason: str) -> None:
    of = game(name)
    one = Table(of.new_initial_state(4), tuple(range(of.players)))
    one.play(next(a for a in one.state.legal_actions(one.seat()) if of.action_to_string(a).startswith(words)))
    assert one.undo(0) == reason


# --- save and resume -------------------------------------------------------------------------------------------------


def half(one: Table, number: int = 25) -> Table:
    dice = random.Random(5)
    for _ in range(number):
        if (seat := one.seat()) is not None:
            one.play(dice.choice(one.state.legal_actions(seat)), seat)
    return one


@pytest.mark.parametrize("name", ["fortheking", "yacht", "goofspiel"])
def test_a_game_goes_on_from_its_log_and_from_its_state(name: str) -> None:
    one = half(table(name))
    replay(one.game, one.saved())
    for text in (one.saved(), one.state.to_json()):
        other = Table(one.game.new_initial_state(99), (0,))
        other.resume(text)
        assert other.state.snapshot() == one.state.snapshot() and other.made == one.made
        if other.seat() not in (None, 0):
            assert other.automated() is not None


def test_a_physical_deck_is_entered_card_by_card() -> None:
    one = Table(game("kuhn_poker").new_initial_state(chance="explicit"), (0,))
    assert one.seat() == -1 and len(one.state.legal_actions()) == 3
    words = [row.words for row in choice_of(one.state, -1).rows]
    assert words == [f"{rank} at place 3 of deck" for rank in (1, 2, 3)]
    one.play(one.state.legal_actions()[0])
    one.play(one.state.legal_actions()[0])
    other = Table(one.game.new_initial_state(1), (0,))
    other.resume(one.saved())
    assert other.is_dealt and other.state.snapshot() == one.state.snapshot()
    assert one.undo() == "" and one.seat() == -1


@pytest.mark.parametrize("text", ["", "nonsense", "{}", "[1]", '{"history": 3}', '{"log": 2, "seed": 1}'])
def test_other_texts_are_refused_and_change_nothing(text: str) -> None:
    one = half(table("yacht"), 3)
    before = one.state.snapshot()
    with pytest.raises((LogError, StateError)):
        one.resume(text)
    assert one.state.snapshot() == before


# --- automated players -----------------------------------------------------------------------------------------------


def test_what_an_automated_player_does_is_one_sentence() -> None:
    one = table("tic_tac_toe", ())
    one.bots = [bot("random", seat, 1) for seat in (0, 1)]
    words = sentence(one.state, one.automated(), None)
    assert words.startswith("player 1 (random): ") and words.endswith(", one of 9 choices")


def test_a_bot_that_fails_chooses_at_random_and_says_so() -> None:
    one = table("tic_tac_toe", ())

    class Broken:
        name = "ismcts:10"

        def thinking(self, state: object) -> int:
            raise ValueError("no world fits\nand more")

    one.bots = [Broken(), Broken()]  # type: ignore[list-item]
    words = sentence(one.state, one.automated(), None)
    assert words.startswith("player 1 (ismcts:10) could not decide and chooses at random: ")
    assert words.endswith("Reason: no world fits.") and len(one.made) == 1


# --- languages -------------------------------------------------------------------------------------------------------


def test_a_language_has_its_words_for_actions_rules_and_the_story() -> None:
    spec, one = rulespec.load("fortheking"), table("fortheking")
    assert set(languages_of(spec)) >= {"en", "uk", "zh-Hant"}
    for lang, title, rule, shuffled in (
        ("uk", "залишити собі", "За хід рівно одна картка", "Колоду перетасовано."),
        ("zh-Hant", "", "", "洗勻"),
    ):
        words = words_in(spec, one.game, lang)
        choice = choice_of(one.state, one.seat() or 0, words)
        assert choice.rows[0].words.startswith(title) and "keep" not in choice.rows[0].words
        assert find(choice, "keep").action == choice.rows[0].action
        assert why(one.state, choice.rows[0].action, words).text.startswith(rule)
        assert any(shuffled in line for line in Story(one.state, 0, words=words).news(one.state))


def seen(text: str, words: Words) -> str:
    """A text without the Latin names that the language has, such as those of boats."""
    latin = {name for own in words.lexicon.names.values() for name in re.findall("[A-Za-z ]+", own)}
    return re.sub("|".join(map(re.escape, sorted(latin, key=len, reverse=True))), "", text)


@pytest.mark.parametrize(
    "rulings",
    [
        {"merchants": "with_merchants"},
        {"draws": "drawn_at_table", "winter_places": "anywhere"},
        {"winter_places": "anywhere", "kings_winter": "shuffled_together"},
    ],
)
@pytest.mark.slow("every option of a long game in Chinese")
@pytest.mark.sample(1)
def test_the_king_is_played_in_chinese(rulings: dict[str, str]) -> None:
    spec = rulespec.load("keyflower_king")
    setting = spec.game(rulings=rulings, engine="interpreter")
    one, dice = Table(setting.new_initial_state(2), (0, 1)), random.Random(1)
    words = words_in(spec, setting, "zh-Hans")
    story = Story(one.start, 0, words=words)
    while (seat := one.seat()) is not None:
        rows = choice_of(one.state, seat, words).rows
        texts = [row.words for row in rows]
        assert len(set(texts)) == len(texts)
        assert [text for text in texts if re.search("[a-z]{2}", seen(text, words))] == []
        one.play(dice.choice(rows).action)
    lines = story.news(one.state)
    assert [line for line in lines if re.search("[a-z]{2}", seen(line, words))] == []


MOVES = yaml.safe_load((Path(__file__).parent / "hidden_moves.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("number", "lang", "sentence"),
    [(number, lang, said) for number, languages in MOVES["cases"].items() for lang, said in languages.items()],
)
def test_cards_that_move_unseen_are_one_sentence_with_their_number(number: int, lang: str, sentence: str) -> None:
    spec = rulespec.loads(MOVES["spec"].replace("COUNT", str(number)))
    state = spec.game(engine="interpreter").new_initial_state(seed=1)
    nouns = {name: Noun(**one) for name, one in MOVES["nouns"].get(lang, {}).items()}
    words = Words(lang, Lexicon(nouns=nouns))
    story = Story(state, 0, words=words)
    lines = story.news(state)
    in_sight = MOVES["in_sight"][lang]
    assert [line.strip() for line in lines[:2]] == [in_sight, sentence]
    assert [text for kind, text, _ in story.texts(words) if kind == "move"] == [in_sight, sentence, sentence]


@pytest.mark.parametrize(
    ("player", "addressed", "lang", "moved", "chosen"),
    [
        (0, True, "", "Entertainment 3 F goes from the deck to your card in the adviser's hand.", "You keep it."),
        (
            0,
            False,
            "",
            "Entertainment 3 F goes from the deck to player 1’s card in the adviser's hand.",
            "Player 1 keeps it.",
        ),
        (
            1,
            True,
            "",
            "1 card goes from the deck to player 1’s card in the adviser's hand, unseen.",
            "Player 1 keeps it.",
        ),
        (
            0,
            True,
            "uk",
            "Розваги 3 F переміщено з колоди на таємний перегляд до вас.",
            "Ваш вибір: залишити собі.",
        ),
        (
            1,
            True,
            "uk",
            "1 картку переміщено долілиць із колоди на таємний перегляд до гравця 1.",
            "Гравець 1 обирає: залишити собі.",
        ),
        (0, True, "zh-Hant", "娛樂3（F）從牌堆移到你的查看區。", "你：留給自己。"),
        (1, True, "zh-Hant", "1張牌從牌堆移到玩家1的查看區，面朝下。", "玩家1：留給自己。"),
    ],
)
def test_a_person_alone_is_you_in_the_story(player: int, addressed: bool, lang: str, moved: str, chosen: str) -> None:
    spec = rulespec.load("fortheking")
    setting = spec.game(2, engine="interpreter")
    state = setting.new_initial_state(4)
    story = Story(state, player, words=words_in(spec, setting, lang), addressed=addressed)
    state.apply_action(state.legal_actions()[0])
    lines = [line.strip() for line in story.news(state)]
    first = lines.index(moved)
    assert lines[first + 1] == chosen
    assert [one.seat for one in story.texts(words_in(spec, setting, lang)) if one.kind == "choice"] == [0]


@pytest.mark.parametrize("name", ["fortheking", "kingme", "keyflower_king"])
def test_options_of_a_rule_have_different_words_in_every_language(name: str) -> None:
    spec = rulespec.load(name)
    setting = spec.game(engine="interpreter")
    for lang in languages_of(spec):
        words = words_in(spec, setting, lang)
        shown = [words.template(says) for says in setting.spec.option_words]
        assert len(set(shown)) == len(shown), lang


def test_the_rule_around_a_rule_without_a_text_explains_it() -> None:
    spec, one = rulespec.load("fortheking"), half(table("fortheking"), 3)
    choice = choice_of(one.state, one.seat() or 0)
    for row in choice.rows:
        reason = why(one.state, row.action, words_in(spec, one.game, "uk"))
        assert reason.text and reason.text_of and reason.line > 1


@pytest.mark.parametrize(
    ("rule", "lang", "words"),
    [
        ("setup.deck", "uk", "Колоду перетасовано."),
        ("setup.deck", "", "The deck is shuffled."),
        ("esteem.bid", "uk", "Гравець 1 обирає: поставити "),
        ("king.first", "zh-Hant", "玩家"),
    ],
)
def test_a_moment_at_which_a_rule_applies(rule: str, lang: str, words: str) -> None:
    found = moment(rulespec.load("fortheking"), rule, lang, players=4)
    assert found is not None and found.players == 4
    assert found.lines[0].startswith(words)
    assert moment(rulespec.load("fortheking"), rule, lang, players=4) == found


def test_a_rule_without_steps_has_no_moment() -> None:
    assert moment(rulespec.load("fortheking"), "aim", players=3) is None


def test_a_moment_of_an_unknown_rule() -> None:
    with pytest.raises(KeyError):
        moment(rulespec.load("fortheking"), "nowhere")


@pytest.mark.parametrize("lang", ["uk", "zh-Hant"])
@pytest.mark.parametrize("name", ["fortheking", "kingme"])
def test_the_result_of_a_game_is_told_in_its_language(name: str, lang: str) -> None:
    spec = rulespec.load(name)
    game = spec.game(3)
    words = words_in(spec, game, lang)
    ends = [state for seed in range(3) for state in random_game(game, seed) if state.is_terminal()]
    lines = [(line, words.of(line)) for state in ends for line in state.explain_result()]
    assert lines and [own for english, own in lines if re.search("[a-z]{2}", own) or own == english] == []
