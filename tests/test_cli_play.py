"""`ftk play` and `ftk replay`: interactive games, what each player sees, and logs."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from command import ftk
from events_of_cards import moved
from high_card import SPEC as HIGH_CARD

import rulespec
from ftk_cli.play.menu import Menu
from ftk_cli.play.session import Session
from ftk_cli.play.sitting import Sitting
from ftk_cli.play.view import view
from rulespec.engine.states.log import lines
from rulespec.play.table.choice import choice_of
from rulespec.play.table.story import Story
from rulespec.play.table.table import Table
from rulespec.play.table.words import PLAIN

pytestmark = pytest.mark.slow("plays large games")

CARD = re.compile(r"(?:diplomacy|entertainment|livestock|architecture|military|provisions) [1-4] [A-I]")


def play(*arguments: object, stdin: str | bytes = "") -> Result:
    return ftk("play", "fortheking", "--players", 3, "--seed", 7, *arguments, stdin=stdin)


def test_bots_play_a_whole_game_and_explain_it() -> None:
    result = play("--people", "none")
    assert result.exit_code == 0
    assert "— Gain esteem —" in result.output
    assert "victory points" in result.output.splitlines()[-2]


def test_a_person_chooses_by_number_or_words_and_sees_what_is_wrong() -> None:
    result = play(stdin="9\nfoo\nlay it\nkeep\nq\n")
    assert result.exit_code == 0
    assert "There is no choice 9: type a number from 1 to 3." in result.output
    assert "There is no such choice." in result.output
    assert "You lay it face up in the middle." in result.output
    assert "You keep it." in result.output
    assert result.output.rstrip().endswith("The game stops here.")


def test_play_speaks_the_language_or_english_as_a_whole() -> None:
    begun = {
        lang: ftk("play", "kingme", "--seed", 5, "--lang", lang, stdin="?\nq\n") for lang in ("uk", "zh-Hant", "de")
    }
    first = {lang: run.stdout.splitlines()[0] for lang, run in begun.items()}
    assert first["uk"] == "Зроби мене королем! · 3 гравці (люди: гравець 1); зерно 5."
    assert first["zh-Hant"] == "封我為王！ 3位玩家（由人操作：玩家1）；種子5。"
    assert "Рука гравця 2: 5 карток, відомі: картка згоди, картки вето ×4\n" in begun["uk"].stdout
    assert not re.search("[a-z]{3}", begun["uk"].stdout)
    assert "  Eine Ja-Karte kommt aus dem Vorrat an Ja-Karten auf deine Hand.\n" in begun["de"].stdout
    japanese = ftk("play", "yacht", "--seed", 5, "--lang", "ja", stdin="?\nq\n")
    assert japanese.stdout == ftk("play", "yacht", "--seed", 5, stdin="?\nq\n").stdout
    assert japanese.stderr == "Nothing but the texts of rules is in ja: what happens is said in English.\n"


def test_question_marks_help_and_why() -> None:
    result = play(stdin="?\nh\nwhy 1\nwhy\nwhy 99\nq\n")
    assert "deck: 71 cards" in result.output
    assert "or words of a choice" in result.output
    assert "The rule “Keep one card” allows “keep it”.\n\nExactly one card of the turn is for you" in result.output
    assert "influence.keep: defined at " in result.output
    assert "Which choice?" in result.output
    assert "There is no choice 99" in result.output


def test_a_board_is_one_picture_with_a_sign_for_each_side() -> None:
    chess = ftk("play", "chess", "--seed", 1, "--bot", "random", stdin="q\n").stdout
    assert "  owner, piece: ● player 1 · ○ player 2\n    8 ○rook   ○knight ○bishop" in chess
    crowned = "specs/gallery/scenarios/checkers/cases.yaml#move.crowned"
    checkers = ftk("play", "checkers", "--from", crowned, stdin="q\n").stdout
    assert "man: ● player 1 · ○ player 2\n    8 ·     ●king" in checkers


def test_words_on_a_board_are_shortened_to_fit() -> None:
    state = rulespec.load("chess").game(engine="interpreter").new_initial_state(1)
    shown = "\n".join(view(state, Story(state, 0), 46))
    assert "○r  ○kn ○b" in shown and "kn knight" in shown


@pytest.mark.parametrize("stdin", ["", "\n", "1\n2", b"\xff\xfe\x00\n", "1" * 100_000, "\x1b[31m\n"])
def test_the_end_of_the_input_ends_the_game(stdin: str | bytes) -> None:
    result = play(stdin=stdin)
    assert result.exit_code == 0
    assert "the game stops here" in result.output
    assert "\x1b" not in result.output


def test_nobody_at_the_keyboard_does_not_go_on_for_ever() -> None:
    result = play(stdin="nonsense\n" * 1000)
    assert result.exit_code == 0
    assert "Too many invalid inputs" in result.output


@pytest.mark.parametrize("people", ["0", "4", "1,", "x", "1,9999999999999999"])
def test_seats_there_are_not(people: str) -> None:
    result = play("--people", people)
    assert result.exit_code == 2
    assert "numbers from 1 to 3" in result.output


@pytest.mark.parametrize(
    ("ruling", "words"),
    [
        ("overbid", "ID=ANSWER"),
        ("overbid=never", "Unknown answer `never` to `overbid`"),
        ("nothing=x", "Unknown ruling `nothing`"),
    ],
)
def test_rulings_there_are_not(ruling: str, words: str) -> None:
    result = play("--ruling", ruling)
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())


def test_a_ruling_cannot_be_answered_twice() -> None:
    result = play("--ruling", "overbid=allowed", "--ruling", "overbid=forbidden")
    assert (result.exit_code, "answered twice" in result.output) == (2, True)


CASES = "specs/scenarios/fortheking/rulings.yaml"


def test_a_game_starts_where_a_rule_is_offered_or_before_it_applies(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    offered = ftk("play", "fortheking", "--from", "esteem.pay_gold", "--seed", 7, "--log", log, "-q", stdin="q\n")
    assert re.search(
        r"2 players \(people: player \d\); from a random game \(seed 7\) after \d+ choices", offered.output
    )
    assert "every line agrees" in ftk("replay", log).output
    before = ftk("play", "fortheking", "--from", "end.winner", "--players", 3, "--seed", 7, "--people", "none")
    assert len(re.findall(r"^Player \d[: ]", before.output, re.MULTILINE)) == 1
    assert "win" in before.output.splitlines()[-1]


def test_a_game_starts_at_the_last_decision_of_a_case() -> None:
    result = ftk("play", "fortheking", "--from", f"{CASES}#overbid.allowed", stdin="q\n")
    assert "3 players (people: player 2); from the case overbid.allowed after 1 choice." in result.output
    assert "Card up for bids: military 1 A" in result.output


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["esteem.pay_gol"], 3, "has no rule `esteem.pay_gol`.\n  Did you mean `esteem.pay_gold`?"),
        ([f"{CASES}#overbid.alowed"], 3, "Did you mean `overbid.allowed`?"),
        (["specs/kingme.yaml#x"], 3, "specs/kingme.yaml has no scenarios."),
        (["none.yaml#x"], 3, "none.yaml"),
        (["specs/scenarios/kingme/place.yaml#x"], 3, "has no scenarios of fortheking."),
        ([f"{CASES}#overbid.allowed", "--players", 3], 2, "A case has its own players"),
        ([f"{CASES}#overbid.allowed", "--log", "x.jsonl"], 2, "leave out --log"),
        (["esteem.pay_gold", "--ruling", "x=y"], 2, "nknown ruling"),
    ],
)
def test_places_where_no_game_can_start(arguments: list[object], status: int, message: str) -> None:
    result = ftk("play", "fortheking", "--from", *arguments, stdin="q\n")
    assert (result.exit_code, message in result.output) == (status, True), result.output


CASES_OF_HIGH_CARD = """
scenario: 2
game: high_card
cases:
  - {id: over, title: Nobody decides, players: 2, given: {at: end, rest: deck}, expect: {winner: [player 1, player 2]}}
  - id: first
    title: The seat breaks the tie
    players: 2
    rulings: {tied: first}
    do: [{player 1: swap it}, {player 2: keep it}]
    expect: {fires: seat.counts}
"""


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("{cases}#over", "The case `over` leads to no decision."),
        ("{cases}#first", "people: player 2); from the case first after 1 choice."),
        ("seat.counts", "from the case first after 0 choices"),
        ("seat.other", "No decision comes before the rule `seat.other` in 100 random games, nor in a scenario."),
    ],
)
def test_starts_of_a_small_game(tmp_path: Path, place: str, message: str) -> None:
    (tmp_path / "specs/scenarios/high_card").mkdir(parents=True)
    cases, spec = tmp_path / "specs/scenarios/high_card/cases.yaml", tmp_path / "specs/high_card.yaml"
    cases.write_text(CASES_OF_HIGH_CARD, encoding="utf-8")
    rule = "  - {id: %s, title: Seats count, only_if: tied == %s, note: For ties.}\n  - id: swap\n"
    rules = [rule % ("seat.counts", "first"), rule % ("seat.other", "other")]
    text = HIGH_CARD.replace("or: [first]", "or: [first, other]")
    spec.write_text(text.replace("  - id: swap\n", "".join(rules).replace("  - id: swap\n", "", 1)), encoding="utf-8")
    result = ftk("play", spec, "--from", place.format(cases=cases), stdin="q\n")
    assert message in result.output


class Person(Session):
    """A scripted player that compares the output with what the player may know."""

    def __init__(self, people: tuple[int, ...], capsys: pytest.CaptureFixture[str], ruling: str = "allowed") -> None:
        game = rulespec.load("fortheking").game(players=3, rulings={"overbid": ruling})
        table = Table(game.new_initial_state(7), people, 7)
        super().__init__(Sitting(rulespec.load("fortheking"), table, PLAIN))
        self.capsys, self.asked, self.never_seen = capsys, 0, 0

    def seen(self, seat: int) -> set[str]:
        """The names of the cards that the player owned or that were in a zone that the player sees."""
        state = self.state
        mine = {"drawn", "personal", "hand"}
        open_to_all = {"centre", "shown", "lot", "coins", "discard"}
        zones = self.game.program.zones
        visible = {
            i for i, (name, owner) in enumerate(zones) if name in open_to_all or (name in mine and owner == (seat,))
        }
        found = set()
        for source, target, cards, _ in moved(state.events):
            if visible.intersection((source, target)):
                found |= set(map(self.game.card_name, cards))
        return found

    def _read(self, prompt: str) -> str:
        self.check()
        self.asked += 1
        return ("?", "1")[self.asked % 2] if self.asked % 40 < 20 else "p"

    def check(self) -> None:
        shown = set(CARD.findall(self.capsys.readouterr().out))
        seat = self.at_keyboard
        assert seat is not None
        assert shown <= self.seen(seat), f"player {seat + 1} was shown what they cannot know"
        every = {self.game.card_name(card) for card in self.game.program.cards}
        self.never_seen += len({name for name in every if CARD.fullmatch(name)} - self.seen(seat)) > 0


@pytest.mark.parametrize("people", [(0,), (1,), (0, 2), (0, 1, 2)])
def test_nobody_is_shown_a_card_before_they_may_see_it(
    people: tuple[int, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    person = Person(people, capsys)
    person.play()
    assert person.asked > 40
    assert person.never_seen > 20


def test_a_person_sees_the_end_explained() -> None:
    result = play("--ruling", "overbid=forbidden", stdin="1\np\n" * 400)
    assert result.exit_code == 0
    last = result.output.rstrip().splitlines()[-1]
    assert "wins" in last or "share the win" in last


def menu_at_an_auction() -> Menu:
    state = rulespec.load("fortheking").game(players=2).new_initial_state(seed=1)
    while state.why(state.legal_actions()[0]) != "esteem.bid":
        state.apply_action(state.legal_actions()[0])
    return Menu(choice_of(state, state.deciders()[0]))


def test_bids_are_one_line_and_typed_as_numbers() -> None:
    menu = menu_at_an_auction()
    assert str(menu.amounts) == "1–54"
    assert [(entry.key, entry.words) for entry in menu.entries] == [("p", "pass")]
    four = menu.find("4")
    assert four == menu.find("b4") == menu.find("bid 4") == menu.find(" BID  4 ")
    assert four.action is not None
    assert menu.find("p").action == menu.find("pass").action == menu.entries[0].action
    assert menu.find("99").message == "99 is not possible; it can be 1–54."
    assert menu.find("²").action is None
    assert menu.find("").action is None


def test_a_log_replays_to_the_same_bytes(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    assert play("--people", "none", "--log", log).exit_code == 0
    first = log.read_bytes()
    assert play("--people", "none", "--log", log).exit_code == 0
    assert log.read_bytes() == first
    result = ftk("replay", log)
    assert result.exit_code == 0
    assert "a whole game" in result.output
    from rulespec.engine.states.log import replay

    again = replay(rulespec.load("fortheking").game(players=3), first.decode())
    assert "".join(f"{line}\n" for line in lines(again)).encode() == first


def test_a_game_that_was_left_keeps_its_log(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    play("--log", log, stdin="1\n1\nq\n")
    assert "not finished, 2 choices" in ftk("replay", log).output
    assert "Player 1 keeps it." in ftk("replay", log, "-v").output


def test_a_log_that_cannot_be_kept_is_known_before_the_game(tmp_path: Path) -> None:
    result = play("--log", tmp_path / "no" / "game.jsonl", stdin="1\n")
    assert result.exit_code == 3
    assert "choose" not in result.output


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = tmp_path_factory.mktemp("log") / "game.jsonl"
    play("--people", "none", "--log", path)
    yield path.read_text(encoding="utf-8")


def replayed(tmp_path: Path, text: str | bytes) -> Result:
    path = tmp_path / "changed.jsonl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return ftk("replay", path)


def test_a_changed_line_is_found(tmp_path: Path, log: str) -> None:
    changed = log.splitlines()
    number = next(i for i, line in enumerate(changed) if '"is now"' in line or '"event": "set"' in line)
    changed[number] = changed[number].replace('"rule": "', '"rule": "x', 1)
    result = replayed(tmp_path, "\n".join(changed))
    assert result.exit_code == 1
    assert f"changed.jsonl:{number + 1}: the replay differs here" in result.output


def test_an_illegal_choice_is_found_at_its_line(tmp_path: Path, log: str) -> None:
    changed = log.splitlines()
    number = next(i for i, line in enumerate(changed) if '"event": "choice"' in line)
    changed[number] = re.sub(r'"action": \d+', '"action": 999999', changed[number])
    result = replayed(tmp_path, "\n".join(changed))
    assert result.exit_code == 1
    assert f"changed.jsonl:{number + 1}: " in result.output


def test_a_replay_names_the_kept_version_that_a_log_was_written_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    spec, kept = Path("specs/high_card.yaml"), Path("specs/history/high_card/1.0.0.yaml")
    kept.parent.mkdir(parents=True)
    for path in (spec, kept):
        path.write_text(HIGH_CARD, encoding="utf-8")
    assert ftk("play", "high_card", "--people", "none", "--seed", 7, "--log", "game.jsonl").exit_code == 0
    assert "ftk diff" not in ftk("replay", "game.jsonl").stderr
    spec.write_text(HIGH_CARD.replace("1.0.0", "1.0.1") + "# a comment\n", encoding="utf-8")
    command = "What has changed: ftk diff specs/history/high_card/1.0.0.yaml specs/high_card.yaml"
    assert command in ftk("replay", "game.jsonl").stderr
    kept.write_text(HIGH_CARD + "# another text of this version\n", encoding="utf-8")
    assert "ftk diff" not in ftk("replay", "game.jsonl").stderr


def test_a_log_of_a_newer_format_is_refused(tmp_path: Path, log: str) -> None:
    head, _, rest = log.partition("\n")
    result = replayed(tmp_path, json.dumps(json.loads(head) | {"log": 3}) + f"\n{rest}")
    assert result.exit_code == 3
    assert "the log has the format 3, and this ftk reads up to 2" in result.stderr


def test_another_version_of_the_spec_is_a_warning(tmp_path: Path, log: str) -> None:
    head, _, rest = log.partition("\n")
    other = json.dumps(json.loads(head) | {"digest": "0" * 64, "version": "0.9.0"})
    result = replayed(tmp_path, f"{other}\n{rest}")
    assert result.exit_code == 0
    assert "another text of the spec" in result.stderr
    assert "every line agrees" in result.stdout


@pytest.mark.parametrize(
    "change",
    [
        {"game": "../../etc/passwd"},
        {"game": 3},
        {"players": "3"},
        {"players": 77},
        {"rulings": []},
        {"rulings": {"overbid": "never"}},
        {"seed": None},
        {"log": 3},
    ],
)
def test_a_hostile_head_is_status_3(tmp_path: Path, log: str, change: dict[str, object]) -> None:
    head, _, rest = log.partition("\n")
    result = replayed(tmp_path, f"{json.dumps(json.loads(head) | change)}\n{rest}")
    assert result.exit_code == 3
    assert result.output.startswith("ftk: ")


def test_a_line_nested_too_deeply_is_no_traceback(tmp_path: Path, log: str) -> None:
    result = replayed(tmp_path, log + "[" * 100_000)
    assert (result.exit_code, "the replay differs here" in result.output) == (1, True)


@pytest.mark.parametrize("content", [b"", b"\n", b"{}", b"[" * 10_000, b"\xff\xfe", b"\0" * 10, b"rulespec: 2\n"])
def test_what_is_no_log_is_status_3(tmp_path: Path, content: bytes) -> None:
    result = replayed(tmp_path, content)
    assert (result.exit_code, "changed.jsonl:1:" in result.output) == (3, True)
    assert ftk("replay", tmp_path).exit_code == 3
    assert ftk("replay", tmp_path / "no.jsonl").exit_code == 3


def test_a_choice_is_made_by_some_of_its_words() -> None:
    result = ftk("play", "kingme", "--seed", "4", stdin="p 4\nE 3\nputt\nfloor\nq\n")
    assert "You put P on floor 4." in result.output
    assert "You put E on floor 3." in result.output
    assert "There is no such choice" in result.output
    assert "That could mean several: put " in result.output


def test_with_v_the_rules_are_named_as_they_apply() -> None:
    loud, quiet = (ftk("play", "kingme", "--people", "none", "--seed", "1", *more).output for more in (["-v"], []))
    assert "[election.vote] Vote on the character" in loud or "[election.vote] All vote at once" in loud
    assert "[" not in quiet


def test_a_grid_is_drawn_as_a_board() -> None:
    result = ftk("play", "othello", "--people", "1", "--seed", 1, stdin="q\n")
    board = """\
  disc: ● player 1 · ○ player 2
    8 · · · · · · · ·
    7 · · · · · · · ·
    6 · · · · · · · ·
    5 · · · ● ○ · · ·
    4 · · · ○ ● · · ·
    3 · · · · · · · ·
    2 · · · · · · · ·
    1 · · · · · · · ·
      a b c d e f g h
"""
    assert result.exit_code == 0 and board in result.output


def test_nouns_of_events_have_the_case_and_the_plural_that_a_sentence_asks_for() -> None:
    shown = ftk("play", "kingme", "--seed", 5, "--lang", "pl", "--people", "none").output
    assert "Przełożono 6 kart poparcia z pudełka do puli kart poparcia." in shown
    assert "Przełożono 4 karty sprzeciwu z puli kart sprzeciwu na rękę gracza 1." in shown
    assert "ze stosu kart celu do gracza 1 jako własna karta celu." in shown
    assert "Punkty gracza 1 za pierwszą rundę: teraz " in shown and "{" not in shown
