"""Games at the page: one table at a time, with people and bots on its seats."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftk_cli.page import titles
from ftk_cli.page.lexicon import known_languages, nearest, prepared
from ftk_cli.page.result import result_of
from ftk_cli.page.searches import is_hosted
from ftk_cli.page.workbench import edited, first
from ftk_cli.page.workbench import opened as opened_first
from rulespec.base.diagnostics import Report
from rulespec.base.project import find, known_games, known_variants, of, playable_games
from rulespec.base.source import Source
from rulespec.engine.states.log import head as log_head
from rulespec.engine.states.log import replay_on, rulings_of
from rulespec.games.api import SpecError, load, loads
from rulespec.games.rulebook import description_of
from rulespec.games.scenario.start import from_case, from_there
from rulespec.language.overlay.stack import with_variant
from rulespec.play.table.arrangement import arranged
from rulespec.play.table.automated import sentence
from rulespec.play.table.choice import choice_of
from rulespec.play.table.scene import Scene, actions_of, position_of
from rulespec.play.table.story import Story
from rulespec.play.table.table import Table
from rulespec.play.table.words import Words
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.rules.describe.grammar import languages

if TYPE_CHECKING:
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.engine.states.state import State
    from rulespec.games.api import Spec
    from rulespec.play.bots.bot import Bot
    from rulespec.play.bots.thinking import Thinking
    from rulespec.play.table.automated import Automated
    from rulespec.play.table.passing import Passing

PERSON = "person"
"""What a seat is called that a person plays; all others name a bot."""


class Seated:
    """A game in progress: who sits where, what each seat has seen, and how to begin it again."""

    def __init__(self, state: State, spec: Spec, seats: list[str], seed: int, begun: Mapping[str, Any]) -> None:
        self.spec, self.seats, self.begun = spec, seats, begun
        people = [seat for seat, name in enumerate(seats) if name == PERSON]
        self.table = Table(state, people, seed, _bots(seats, seed))
        self.searches = _searches(state.game, seats)
        self.has_rules = bool(known_languages(spec.id))
        self.stories: dict[int | None, Story] = {}
        self._alone = people[0] if len(people) == 1 else None
        self.words: dict[str, Words] = {}
        self.scenes: dict[str, Scene] = {}
        self._thinking: Thinking[Automated] | None = None
        self.listen()

    @property
    def state(self) -> State:
        return self.table.state

    def listen(self) -> None:
        """Begins every story again. Without people, everything is shown. What a bot thinks of is no more."""
        self._thinking = None
        seats: Sequence[int | None] = self.table.people or (None,)
        alone = self._alone is not None
        self.stories = {seat: Story(self.table.start, seat, addressed=alone) for seat in seats}

    def viewer(self, seat: int | None) -> int | None:
        """Who looks for a seat: of one person it is that person. None: an observer of everything if nobody plays, and
        with several people nobody in particular: any of them may be looking at the device, so nothing is shown."""
        return seat if seat in self.stories else self._alone

    def think(self, until: float, now: bool) -> float | None:
        """Lets the next bot think until a time, or act if it is done or has to act `now`; None if it has acted."""
        thinking, self._thinking = self._thinking, None
        try:
            if thinking is None:
                thinking, now = self.table.thinking(), False
            share = thinking.send(now or None)
            while time.monotonic() < until:
                share = next(thinking)
        except StopIteration as done:
            if done.value.failure:
                self._failed(done.value)
            return None
        self._thinking = thinking
        return share

    def _failed(self, move: Automated) -> None:
        """Adds to every log that a bot could not decide."""
        for seat, story in self.stories.items():
            story.follow(self.state)
            if said := sentence(self.state, move, seat):
                story.note("failure", said)

    def words_in(self, lang: str) -> Words:
        if lang not in self.words:
            lexicon, variant = prepared(self.spec.id, lang).lexicon, self.spec.model.variant
            if variant:
                lexicon = replace(lexicon, title=titles.in_variant(self.spec.id, variant, lang))
            self.words[lang] = Words(lang, lexicon)
        return self.words[lang]

    def does(self, rule: str, lang: str) -> list[str]:
        """What the steps of a rule do, in a language that rules can be described in."""
        from rulespec.text.rules.describe.description import body

        kept = {} if self.begun["own"] else prepared(self.spec.id, lang).does
        if kept or rule not in self.spec.model.rules:
            return kept.get(rule, [])
        description = description_of(self.spec, nearest(lang, languages()) or LANGUAGE_OF_SPECS)
        return list(body(description, description.rule(rule)))

    def scene_in(self, lang: str) -> Scene:
        """What stays the same while the table is drawn, in a language."""
        if lang not in self.scenes:
            self.scenes[lang] = Scene(self.state.game, self.words_in(lang), arranged(self.spec, lang))
        return self.scenes[lang]


def _searches(game: Ruleset, seats: Sequence[str]) -> str:
    """What bots search in: wasm or python, "" if none of them searches."""
    if all(name in (PERSON, "random") for name in seats):
        return ""
    return "wasm" if is_hosted(game) else "python"


def _bots(seats: Sequence[str], seed: int) -> list[Bot]:
    """The bot of each seat; that of a person is never asked."""
    from rulespec.play.bots import bot

    return [bot("random" if name == PERSON else name, seat, seed) for seat, name in enumerate(seats)]


PLAY = "play"
"""The place of the game in the tab of games."""

_SEATED: dict[str, Seated] = {}
"""The games that are played, by place."""


def game_at(place: str) -> Seated:
    """The game that is played at a place. Raises ValueError if there is none."""
    if place not in _SEATED:
        raise ValueError("no game has been started")
    return _SEATED[place]


def put(game: Seated, place: str) -> None:
    """Has a game at a place, instead of the one that was played there."""
    _SEATED[place] = game


def leave() -> None:
    """Leaves the game that is played."""
    _SEATED.clear()


def games(lang: str) -> list[dict[str, Any]]:
    """The games that can be played, with their titles. No spec is read but for its title, so this is quick."""
    own = known_games()
    return [{"id": one, "own": one in own, "title": titles.of_game(one, lang)} for one in playable_games()]


def game(name: str, lang: str) -> dict[str, Any]:
    """What has to be chosen before a game: numbers of players, rulings, variants."""
    variants = [{"id": one, "title": titles.of_variant(name, one, lang)} for one in known_variants(name, find(name))]
    return _described(load(name), variants, lang)


def opened(text: str, name: str, lang: str) -> dict[str, Any]:
    """The same for a spec that the reader has opened. Raises SpecError."""
    return _described(loads(Source(name, text)), [], lang)


def _described(spec: Spec, variants: list[dict[str, str]], lang: str) -> dict[str, Any]:
    lexicon, _, rulings = prepared(spec.id, lang)
    return {
        "id": spec.id,
        "title": _titled(spec, lang),
        "version": spec.model.version,
        "players": list(spec.players),
        "languages": known_languages(spec.id),
        "variants": variants,
        "rulings": [
            {
                "id": one.id,
                "question": lexicon.names.get(one.question, one.question),
                "options": [
                    {"id": option, "title": lexicon.names.get(f"{one.id}.{option}", option.replace("_", " "))}
                    for option in one.options
                ],
                "text": rulings.get(one.id, ""),
            }
            for one in spec.model.rulings.values()
        ],
    }


def start(
    name: str,
    seats: list[str],
    lang: str,
    seed: int,
    rulings: Mapping[str, str] | None = None,
    variant: str = "",
    text: str | None = None,
    choices: Sequence[Sequence[int]] = (),
    case: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Starts a game, or continues one after these choices (seats and actions), and shows it as `look` does.

    `text` is the text of a spec that the reader has opened or edited, "" for a game as the page has it; without one the
    game is played as it is edited now. The answer has the text, so that the game can be continued with it. `case` is
    the case of scenarios that the game starts from: `name` and `text` of its file, its `id`, and its `title`, which is
    for readers only.
    """
    game, text = new_game(name, seats, seed, rulings, variant, text, case)
    for who, action in choices:
        game.table.play(action, who)
    put(game, PLAY)  # only now: choices that are not legal leave the game before as it is
    return {**look(lang, scene=True), "text": text}


def new_game(
    name: str,
    seats: list[str],
    seed: int,
    rulings: Mapping[str, str] | None = None,
    variant: str = "",
    text: str | None = None,
    case: Mapping[str, str] | None = None,
) -> tuple[Seated, str]:
    """A game before its first choice, in no place yet, and the text that `start` answers with."""
    spec, text = current(name, variant) if text is None else (_spec(name, variant, text), text)
    state = _first_state(spec, len(seats), rulings, seed, case)
    settings = {
        "name": name,
        "variant": spec.model.variant,
        "rulings": dict(rulings or {}),
        "own": bool(text),
        "case": case,
    }
    return Seated(state, spec, seats, seed, settings), text


def current(name: str, variant: str) -> tuple[Spec, str]:
    """The spec of a game as it is edited now, and its text if it is another one than that of the page.

    With an edited overlay, the text is that of the whole variant, which is no variant of the game any more.
    """
    path = Path(find(name))
    text = edited(path)
    if variant and _overlays(path):
        now = _joined(Source(str(path), path.read_text(encoding="utf-8")), variant, {})
        if any(edited(Path(one.path)) for one in now.files[1:]):
            loads(now)  # its errors are at their places in the files
            return loads(Source(str(path), now.text)), now.text
    return _spec(name, variant, text), text


def _spec(name: str, variant: str, text: str) -> Spec:
    """The spec of a text; without one, of a game as the page has it. Overlays are those of the page."""
    path = Path(find(name))
    if not text and not edited(path) and not (variant and _overlays(path)):
        return load(name, variant=variant)
    base = Source(str(path), text) if text else opened_first(path)
    return loads(_joined(base, variant, first()) if variant else base)


def _overlays(path: Path) -> list[Path]:
    """The overlays of the game of a spec that are edited."""
    return [one for one in of(path).variants(path.stem).glob("*.yaml") if edited(one)]


def _joined(base: Source, variant: str, given: Mapping[str, Source]) -> Source:
    """A spec with the overlays of a variant, which `given` has by path, or the project. Raises SpecError."""
    joined, found = with_variant(base, variant, given)
    if joined is None:
        raise SpecError(Report.of(found))
    return joined


def _first_state(
    spec: Spec, players: int, rulings: Mapping[str, str] | None, seed: int, case: Mapping[str, str] | None
) -> State:
    if case is None:
        return spec.game(players, rulings, "interpreter").new_initial_state(seed)
    return from_case(Source(case["name"], case["text"]), case["id"], spec).state


def look(lang: str, seat: int | None = None, after: int = 0, scene: bool = False, place: str = PLAY) -> dict[str, Any]:
    """The position as a person sees it, with the lines of the log from a number on, and the scene if it is asked for:
    what stays the same until another game or language is chosen.

    With several people and no seat nobody has taken the device yet: there is nothing of the table then.
    """
    seated, words = game_at(place), game_at(place).words_in(lang)
    state, viewer = seated.state, seated.viewer(seat)
    return {
        "title": words.game(seated.spec.model.title),
        "players": [{"seat": at, "name": words.player(at), "is": one} for at, one in enumerate(seated.seats)],
        "seat": viewer,
        "next": seated.table.seat(),
        "forced": _forced(seated),
        "over": state.is_terminal(),
        "after": after,
        **(_table(seated, seated.scene_in(lang), viewer, after) if viewer in seated.stories else _NOTHING),
        **({"scene": seated.scene_in(lang).to_dict()} if scene else {}),
        "result": result_of(seated.table, words),
        "searches": seated.searches,
        "rules": seated.has_rules,
        "kept": {**seated.begun, "seats": seated.seats, "seed": seated.table.seed, "choices": _made(seated)},
    }


MOST_BETWEEN = 6
"""The most positions between two decisions that are shown."""

_NOTHING: Mapping[str, Any] = {"between": [], "position": None, "actions": [], "log": [], "heard": 0}
"""What there is of the table while nobody has taken the device."""


def _table(seated: Seated, scene: Scene, viewer: int | None, after: int) -> dict[str, Any]:
    """What a seat sees of the table and of the log, and what it can do."""
    state, story, following = seated.state, seated.stories[viewer], seated.table.seat()
    between: list[dict[str, Any]] = []
    story.follow(state, lambda passing: between.append(_position(passing, viewer)) if after else None)
    return {
        "between": between[-MOST_BETWEEN:],
        "position": _position(state, viewer),
        "actions": actions_of(scene, choice_of(state, following, scene.words), state)
        if following is not None and following == viewer
        else [],
        "log": [line._asdict() for line in story.texts(scene.words, after)],
        "heard": len(story.seen),
    }


def _position(state: State | Passing, viewer: int | None) -> dict[str, Any]:
    """What a seat may know of a position, and of the scores of the players there."""
    return {**position_of(state, viewer), "scores": state.game.viewers.scores(state, viewer)}


def _forced(seated: Seated) -> int | None:
    """The only legal action of the next seat, if that is a person's and there is only one."""
    seat = seated.table.seat()
    legal = seated.state.legal_actions(seat) if seat is not None and seated.table.is_asked(seat) else []
    return legal[0] if len(legal) == 1 else None


def _made(seated: Seated) -> list[tuple[int, int]]:
    """What leads to the position: with it, `start` continues the game."""
    return [(one.seat, one.action) for one in seated.table.made]


def choices_of(state: State) -> list[tuple[int, int]]:
    """All choices that lead to a state, with those of seats that decide at once with others and have decided."""
    return [*state.choices, *state.decided.items()]


def act(action: int, lang: str, seat: int | None = None, after: int = 0) -> dict[str, Any]:
    """The next person acts; shown is what `seat` sees then. Raises NoStart if the position that was set up lacks what
    the rules need here."""
    seated = game_at(PLAY)
    with from_there(seated.state):
        seated.table.play(action)
    return look(lang, seat, after)


def prepare_bots() -> None:
    """Makes the code that bots search in, once the first table is shown: it takes no time of a move then."""
    from rulespec.engine.search.tree_search import search_of

    if game_at(PLAY).searches:
        search_of(game_at(PLAY).state.game)


SLICE = 0.12
"""Seconds that a bot thinks until the page is answered, so that it can show how far it is and be stopped."""


def bot(lang: str, seat: int | None = None, after: int = 0, now: bool = False) -> dict[str, Any]:
    """The next seat acts, a bot. While it thinks, the answer is the share of its time that is over, as `thinks`; called
    again, it thinks on, or acts with what it has found, `now`. Raises NoStart like `act`."""
    seated, table = game_at(PLAY), game_at(PLAY).table
    following = table.seat()
    with from_there(seated.state):
        if following is not None and not table.is_asked(following):
            share = seated.think(time.monotonic() + SLICE, now)
            if share is not None:
                return {"thinks": share}
    return look(lang, seat, after)


def undo(lang: str, seat: int) -> dict[str, Any]:
    """Takes back the last decision of a person. Raises ValueError if that is not possible."""
    seated = game_at(PLAY)
    if refused := seated.table.undo(seat):
        raise ValueError(seated.words_in(lang).of(refused))
    seated.listen()
    return look(lang, seat)


def why(lang: str, action: int | None = None, place: str = PLAY) -> dict[str, Any]:
    """The rule behind a legal action, or without one behind the whole decision: its title, its text in the language,
    and what its steps do."""
    from rulespec.play.table.behind import why, why_now

    seated = game_at(place)
    state, words, seat = seated.state, seated.words_in(lang), seated.table.seat()
    assert seat is not None
    found = why_now(state, seat, words) if action is None else why(state, action, words)
    return {**found.to_dict(), "title": found.title or found.rule, "does": seated.does(found.rule, lang)}


def save() -> dict[str, Any]:
    """The log of the game, as `ftk replay` reads it."""
    seated = game_at(PLAY)
    return {"name": f"{seated.spec.id}.jsonl", "text": seated.table.saved()}


def opened_log(text: str, lang: str, own: str = "") -> dict[str, Any]:
    """What `start` needs to continue the game of a log, its title, and the number of players. `own` is the spec that
    the reader has opened, if any. For a game that is neither that one nor in the project it is only `unknown`, its id.

    Raises LogError.
    """
    head = log_head(text)
    name, variant = str(head["game"]), str(head.get("variant", ""))
    spec, used = _logged(name, variant, own)
    if spec is None:
        return {"unknown": name}
    rulings = rulings_of(spec.model, head)
    state = replay_on(spec.game(head["players"], rulings, "interpreter"), text)
    found = {"name": name, "variant": variant, "rulings": rulings, "text": used, "seed": head["seed"]}
    return {**found, "title": _titled(spec, lang), "players": head["players"], "choices": state.choices}


def _titled(spec: Spec, lang: str) -> str:
    """The title of a game, with its variant, in a language."""
    if spec.model.variant:
        return titles.in_variant(spec.id, spec.model.variant, lang)
    return prepared(spec.id, lang).lexicon.title or spec.model.title


def _logged(name: str, variant: str, own: str) -> tuple[Spec | None, str]:
    """The spec of a log, with its text if it is one that the reader has opened or edited."""
    opened = loads(Source(name, own)) if own else None
    if opened is not None and opened.id == name:
        return opened, own
    return current(name, variant) if name in playable_games() else (None, "")


CALLS: Mapping[str, Callable[..., Any]] = {
    "games": games,
    "game": game,
    "opened": opened,
    "start": start,
    "look": look,
    "act": act,
    "prepare_bots": prepare_bots,
    "bot": bot,
    "undo": undo,
    "why": why,
    "save": save,
    "openedLog": opened_log,
}
