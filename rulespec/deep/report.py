"""The findings of a search, each with the shortest log that shows it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from rulespec.checks import locations
from rulespec.deep import never
from rulespec.deep.ground import Ground
from rulespec.deep.lines import Line, played
from rulespec.deep.run import Found
from rulespec.diagnostics import Finding, Span
from rulespec.engine.game import Game
from rulespec.engine.log import lines
from rulespec.engine.state import State
from rulespec.model import spec as m

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
    for (kind, about), line in found.lines.items():
        if kind == "broken":
            assert isinstance(about, int)
            invariant = found.spec.invariants[about]
            message = f"The invariant `{invariant.id}` does not hold{_after(line)}."
            hint = "Correct the rule that breaks it, or the invariant."
            yield _shown(found, "broken-invariant", message, invariant.span, hint, line)
        else:
            assert isinstance(about, m.Step)
            message = f"The game stops at a bound{_after(line)}: {_bound(line)}."
            hint = "Correct the rules, or widen the bound."
            yield _shown(found, "bound-reached", message, locations.of(found.spec, about), hint, line)


def _bound(line: Line) -> str:
    """The bound at which the game of a line stops, in words."""
    state = _recorded(line)
    return state.stopped().partition(": ")[2]


def _rounds(found: Found) -> Iterator[DeepFinding]:
    for loop, line in found.loops.items():
        message = f"This loop only goes round without change{_after(line)}, whatever the players choose."
        hint = "End the loop when nobody can change anything any more."
        yield _shown(found, "endless-rounds", message, locations.of(found.spec, loop), hint, line)


def _leaks(found: Found) -> Iterator[DeepFinding]:
    for option, leak in found.leaks.items():
        what = f"Whether this option is legal reveals something hidden to player {leak.player + 1}{_after(leak.line)}"
        message = f"{what}: in another deal that looks the same to them, it is not the same."
        hint = "Let the condition depend only on what the player who chooses can see."
        yield _shown(found, "options-reveal", message, _of_option(found.spec, option), hint, leak.line)


def _engines(found: Found) -> Iterator[DeepFinding]:
    for name, line in found.engines.items():
        message = f"The engine {name} plays another game than the interpreter{_after(line)}."
        place = locations.at(found.spec, None, "game", "id")
        yield _shown(found, "engines-differ", message, place, "Report this with the spec: it is a bug of ftk.", line)


def _never(found: Found, shown: Shown) -> Iterator[Finding]:
    spec = found.spec
    for one in never.steps(spec, found.grounds, shown):
        games = _counted(one.times, "game")
        if isinstance(one.step, m.Option | m.Place):
            message = f"This option was never legal in {games}."
            place = _of_option(spec, one.step)
        else:
            message, place = f"This never happened in {games}.", locations.of(spec, one.step)
        yield locations.report(spec, "never-happens", message, place, "Correct the condition, or remove the part.")
    for one in never.endings(found.grounds):
        held = "never held" if one.key == "until" else "always held"
        message = f"The condition never ended the loop: it {held} in {_counted(one.times, 'test')}."
        place = locations.of(spec, one.step, "repeat", one.key)
        yield locations.report(spec, "never-happens", message, place, "Correct the condition.")
    for name, times in never.unchanged(spec, found.grounds):
        message = f"The value `{name}` never changed in {_counted(times, 'game')}, although it is set."
        hint = "Correct the steps that set it, or remove it."
        yield locations.report(spec, "never-changes", message, locations.at(spec, None, "values", name), hint)


def _seats(found: Found) -> Iterator[Finding]:
    said: set[str] = set()
    for ground in found.grounds:
        for what, message in _left_out(ground):
            if what not in said:
                said.add(what)
                place = locations.at(found.spec, None, "game", "players")
                hint = "Correct the order of turns, or the ranking."
                yield locations.report(found.spec, "seat-left-out", message, place, hint)


def _left_out(ground: Ground) -> Iterator[tuple[str, str]]:
    seats, decided = range(ground.setting.players), ground.game.trace.decided
    idle = [seat for seat in seats if not decided[seat]]
    losers = [seat for seat in seats if not ground.wins[seat]]
    with_players = f"With {ground.setting.players} players"
    if decided and idle and ground.games >= never.ENOUGH_GAMES:
        games = _counted(ground.games, "game")
        yield "decides", f"{with_players}, player {idle[0] + 1} never decided anything in {games}."
    elif losers and ground.wins.total() >= ENOUGH_WINS:
        games = _counted(ground.wins.total(), "game")
        yield "wins", f"{with_players}, player {losers[0] + 1} never won, although {games} had a winner."


def _options(found: Found) -> Iterator[Finding]:
    spec, compared = found.spec, found.compared
    for pair, times in compared.together.items():
        if times >= ENOUGH_POSITIONS and compared.same[pair] == times:
            one, other = sorted(pair, key=lambda option: option.span.start)
            message = f"This option led to the same as “{_says(one)}” in all {times:,} positions that were compared."
            hint = "Correct one of them, or leave one out."
            yield locations.report(spec, "same-effect", message, _of_option(spec, other), hint)
    for option, times in compared.worse.items():
        if times >= ENOUGH_DECISIONS and not compared.best[option]:
            message = f"This option was clearly worse than another in {times:,} decisions of a bot, and never the best."
            hint = "Make it worth taking, or leave it out."
            yield locations.report(spec, "never-preferred", message, _of_option(spec, option), hint)


def _says(option: m.Step) -> str:
    return option.says if isinstance(option, m.Option | m.Place) else ""


def _of_option(spec: m.Spec, option: m.Step) -> Span:
    return locations.at(spec, option.span, "says")


def _shown(found: Found, name: str, message: str, span: Span, hint: str, line: Line) -> DeepFinding:
    log = "\n".join(lines(_recorded(line))) + "\n"
    return DeepFinding(locations.report(found.spec, name, message, span, hint), log)


def _recorded(line: Line) -> State:
    """The state at the end of a line, with all events."""
    game = Game(line.game.setting)
    state = game.new_initial_state(line.seed)
    for player, action in (*played(line).choices, *played(line).decided.items()):
        state.apply_action(action, player)
    return state


def _after(line: Line) -> str:
    """The setting of a line and its choices, in words."""
    game, state = line.game, played(line)
    with_players = f" with {_counted(game.players, 'player')}"
    others = [
        f"`{id_}`: {ruling.options[game.setting.chosen[id_]]}"
        for id_, ruling in game.spec.rulings.items()
        if game.setting.chosen[id_]
    ]
    where = f"{with_players}{' and ' if others else ''}{', '.join(others)}"
    taken = [*state.choices, *state.decided.items()]
    if not taken:
        return f"{where}, before any choice"
    moves = [f"player {player + 1}: {game.action_to_string(action)}" for player, action in taken[:MOST_MOVES]]
    more = "; …" if len(taken) > MOST_MOVES else ""
    return f"{where}, after {_counted(len(taken), 'choice')} ({'; '.join(moves)}{more})"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"
