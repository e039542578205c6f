"""The findings of a search, each with the shortest log that shows it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from rulespec.base.diagnostics import Finding, Span
from rulespec.base.messages import Message, chained, counted, player_count, say
from rulespec.engine.states.game import Game
from rulespec.engine.states.log import lines
from rulespec.engine.states.state import State
from rulespec.language.model import spec as m
from rulespec.play.deep.cells import CoveredGame
from rulespec.play.deep.coverage import ENOUGH_GAMES, in_setting, missed
from rulespec.play.deep.ground import Ground
from rulespec.play.deep.lines import Line, choices_of, played
from rulespec.play.deep.run import Found
from rulespec.proofs.checks import locations

ENOUGH_POSITIONS = 20
"""Positions in which two options must have been legal together."""
ENOUGH_DECISIONS = 20
"""Decisions of bots at which an option must have been clearly worse than another."""
ENOUGH_WINS = 300
"""Games with one winner, of which a seat must have won none."""
MOST_MOVES = 6
"""Choices of a line that a message lists."""


Shown = Callable[[], Collection[str]]


@dataclass(frozen=True)
class DeepFinding:
    """A finding of a search, and the log of a game that shows it; empty if there is no single game that does."""

    finding: Finding
    log: str = ""


def findings(found: Found, shown: Shown = frozenset) -> Iterator[DeepFinding]:
    """The findings. `shown` gives the rules that scenarios reach: of these it is known that they can apply."""
    yield from _faults(found)
    yield from _rounds(found)
    yield from _leaks(found)
    yield from _engines(found)
    for finding in (*_never(found, shown), *_seats(found), *_options(found)):
        yield DeepFinding(finding)


def _faults(found: Found) -> Iterator[DeepFinding]:
    for (kind, about), (game, line) in found.faults.items():
        if kind == "broken":
            assert isinstance(about, int)
            invariant = found.spec.invariants[about]
            what = say(
                "The invariant `{invariant}` does not hold {where}.", invariant=invariant.id, where=_where(game, line)
            )
            hint = say("Correct the rule that breaks it, or the invariant.")
            yield _shown(found, "broken-invariant", what, invariant.span, hint, game, line)
        else:
            assert isinstance(about, m.Step)
            bound = _recorded(game, line).stopped().partition(": ")[2]
            what = say("The game stops at a bound {where}: {bound}.", where=_where(game, line), bound=bound)
            hint = say("Correct the rules, or widen the bound.")
            yield _shown(found, "bound-reached", what, locations.of(found.spec, about), hint, game, line)


def _rounds(found: Found) -> Iterator[DeepFinding]:
    for loop, (game, line) in found.loops.items():
        assert loop is not None
        what = say(
            "This loop only goes round without change {where}, whatever the players choose.", where=_where(game, line)
        )
        hint = say("End the loop when nobody can change anything any more.")
        yield _shown(found, "endless-rounds", what, locations.of(found.spec, loop), hint, game, line)


def _leaks(found: Found) -> Iterator[DeepFinding]:
    for option, (game, leak) in found.leaks.items():
        if leak.announced:
            what = say(
                "Player {seat} sees what is chosen {where}, but nothing of what it changes.",
                seat=leak.player + 1,
                where=_where(game, leak),
            )
            hint = say("Add `seen_by: nobody` to the option, or `seen_by: everybody` if it is announced.")
            yield _shown(found, "options-reveal", what, _of_option(found.spec, option), hint, game, leak)
            continue
        what = say(
            "Whether this is legal reveals something hidden to player {seat} {where}: in a deal that looks the same to "
            "them, it is not the same.",
            seat=leak.player + 1,
            where=_where(game, leak),
        )
        hint = say("Let the condition depend only on what the player who chooses can see.")
        yield _shown(found, "options-reveal", what, _of_option(found.spec, option), hint, game, leak)


def _engines(found: Found) -> Iterator[DeepFinding]:
    first = found.grounds[0]
    for name, line in first.engines.items():
        what = say("The engine {engine} plays another game {where}.", engine=name, where=_where(first.game, line))
        hint = say("Report this with the spec: it is a bug of ftk.")
        yield _shown(
            found, "engines-differ", what, locations.at(found.spec, None, "game", "id"), hint, first.game, line
        )


def _never(found: Found, shown: Shown) -> Iterator[Finding]:
    """What never happened, but for rules that a scenario shows."""
    spec = found.spec
    assigned = {step.target.name for step in found.steps[0] if isinstance(step, m.Set)}
    for one in missed(found):
        games, name, hint = _games(one.games), "never-happens", say("Correct the condition, or remove the part.")
        if one.games < ENOUGH_GAMES or one.kind == "if":
            continue
        if one.kind == "value":
            if one.about not in assigned:
                continue
            name, hint = "never-changes", say("Correct the steps that set it, or remove it.")
            what = say(
                "The value `{value}` never changed in {games}, although it is set.", value=one.about, games=games
            )
        elif one.kind in ("while", "until"):
            hint = say("Correct the condition.")
            what = say("The condition never ended the loop: it always held in {times}.", times=games)
            if one.kind == "until":
                what = say("The condition never ended the loop: it never held in {times}.", times=games)
        elif locations.rule_around(spec, one.span) in shown():
            continue
        elif one.kind == "option":
            what = say("This option was never taken in {games}.", games=games)
        else:
            what = say("This never happened in {games}.", games=games)
        yield locations.report(spec, name, what, one.span, hint)


def _seats(found: Found) -> Iterator[Finding]:
    said: set[str] = set()
    for ground in found.grounds:
        for what, message in _left_out(ground):
            if what not in said:
                said.add(what)
                place = locations.at(found.spec, None, "game", "players")
                hint = say("Correct the order of turns, or the ranking.")
                yield locations.report(found.spec, "seat-left-out", message, place, hint)


def _left_out(ground: Ground) -> Iterator[tuple[str, Message]]:
    seats = range(ground.setting.players)
    idle = [seat + 1 for seat in seats if ("decides", seat) not in ground.covered]
    losers = [seat + 1 for seat in seats if not ground.wins[seat]]
    players, won = player_count(ground.setting.players), ground.wins.total()
    if 0 < len(idle) < len(seats) and ground.games >= ENOUGH_GAMES:
        yield (
            "decides",
            say(
                "With {players}, player {seat} never decided anything in {games}.",
                players=players,
                seat=idle[0],
                games=_games(ground.games),
            ),
        )
    elif ground.long >= ENOUGH_GAMES and ground.one_sided == ground.long:
        yield (
            "decides",
            say(
                "With {players}, one of them never decided anything in any of {games}.",
                players=players,
                games=_games(ground.long),
            ),
        )
    elif losers and won >= ENOUGH_WINS:
        yield (
            "wins",
            say(
                "With {players}, player {seat} never won, although {games} had a winner.",
                players=players,
                seat=losers[0],
                games=_games(won),
            ),
        )


def _options(found: Found) -> Iterator[Finding]:
    spec, compared = found.spec, found.compared
    for (kind, options), times in compared.items():
        if kind == "together" and times >= ENOUGH_POSITIONS and compared["same", options] == times:
            one, other = sorted(options, key=lambda option: option.span.start)
            what = say("This led to the same as “{says}” in all {number} positions.", says=_says(one), number=times)
            hint = say("Correct one of them, or leave one out.")
            yield locations.report(spec, "same-effect", what, _of_option(spec, other), hint)
    for (kind, options), times in compared.items():
        if kind == "worse" and times >= ENOUGH_DECISIONS and not compared["best", options]:
            (option,) = options
            what = say(
                "In {number} decisions of a bot this was clearly worse, and it was never the best.", number=times
            )
            hint = say("Make it worth taking, or leave it out.")
            yield locations.report(spec, "never-preferred", what, _of_option(spec, option), hint)


def _says(option: m.Step) -> str:
    return option.says if isinstance(option, m.Option | m.Place) else ""


def _of_option(spec: m.Spec, option: m.Step) -> Span:
    return locations.at(spec, option.span, "says")


def _shown(
    found: Found, name: str, what: Message, span: Span, hint: Message, game: CoveredGame, line: Line
) -> DeepFinding:
    log = "\n".join(lines(_recorded(game, line))) + "\n"
    return DeepFinding(locations.report(found.spec, name, what, span, hint), log)


def _recorded(game: CoveredGame, line: Line) -> State:
    """The state at the end of a line, with all events."""
    state = Game(game.setting).new_initial_state(line.seed)
    for player, action in choices_of(played(game, line)):
        state.apply_action(action, player)
    return state


def _where(game: CoveredGame, line: Line) -> Message:
    """The setting of a line and its choices, in words."""
    taken = choices_of(played(game, line))
    setting = in_setting(game.setting)
    if not taken:
        return say("{setting}, before any choice", setting=setting)
    made = [(player + 1, game.action_to_string(action)) for player, action in taken[:MOST_MOVES]]
    moves = chained(say("{first}; {second}"), [say("player {number}: {move}", number=n, move=said) for n, said in made])
    more = "; …" if len(taken) > MOST_MOVES else ""
    number = counted("{number} choice", "{number} choices", len(taken))
    return say("{setting}, after {number} ({moves})", setting=setting, number=number, moves=moves + more)


def _games(number: int) -> Message:
    return counted("{number} game", "{number} games", number)
