"""What the door of the page shows of each game. It is known when the page is written, so that no visitor waits for
Python."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from ftk_cli.page import titles
from ftk_cli.page.lexicon import nearest
from rulespec.games.rulebook import texts_of
from rulespec.proofs.meaning.rules import outer_rules, propositions
from rulespec.text.languages.han import between
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, find

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.text.reading.translation import Translation

SECONDS = 10
"""How long a decision is assumed to take at a table: docs/page.md states it."""

DECISIONS = 300
"""After how many decisions no other random game is begun: enough for a mean that is rounded to `STEP` minutes."""

STEP = 5
_FIRST = re.compile(r".+?(?:[.!?…](?=\s|$)|[。！？])", re.DOTALL)


def described(spec: Spec) -> dict[str, Any]:
    """A game for the door. `about`, by language, is a sentence, or the titles of two rules where no text has an aim:
    of the one with the most decisions, and of the one that ranks, "" for none. `players` are the people at the table:
    without the seats that decide nothing, which are `idle`."""
    texts, played = texts_of(spec), random_games(spec)
    shown = interface_languages()
    return {
        "id": spec.id,
        "titles": {lang: _in(lang, titles.language_of(spec.id, lang), titles.of_game(spec.id, lang)) for lang in shown},
        "about": {lang: _about(spec, texts, played.rule, lang) for lang in shown},
        "kind": kind(spec),
        "players": [number - len(spec.model.idle(number)) for number in spec.players],
        "idle": spec.model.idle(spec.players[0]),
        "languages": list(texts),
        "minutes": minutes(played.decisions),
        "rules": len(spec.model.rules),
    }


def with_errors(game: str) -> dict[str, Any]:
    """A game whose spec has errors: all that is known is its title. It can be changed, not played."""
    shown = {lang: titles.of_game(game, lang) for lang in interface_languages()}
    nothing: dict[str, Any] = {"about": {}, "players": [], "idle": [], "languages": []}
    nothing |= {"minutes": 0, "rules": 0}
    return {"id": game, "titles": shown, "kind": "errors", **nothing}


def interface_languages() -> list[str]:
    return sorted(file.name.removesuffix(".json") for file in (files(__package__) / "static" / "words").iterdir())


def _about(spec: Spec, texts: Mapping[str, Translation], decided: str, lang: str) -> str | list[str]:
    aims = {tag: first_sentence(aim) for tag, text in texts.items() if (aim := _aim(text))}
    found = nearest(lang, aims) or nearest(LANGUAGE_OF_SPECS, aims)
    if found:
        return _in(lang, found, aims[found])
    tag = nearest(lang, texts)
    return [_in(lang, tag, _title(spec, texts.get(tag), rule)) for rule in (decided, _ranking(spec))]


def _title(spec: Spec, text: Translation | None, rule: str) -> str:
    """The title of a rule in a text, else in the spec."""
    named = text.rules.get(rule) if text is not None else None
    return named.title if named is not None else spec.model.rules[rule].title if rule in spec.model.rules else ""


def _ranking(spec: Spec) -> str:
    """The rule that ranks the players, "" without one."""
    stated = ((rule, one.act.constructor) for rule, some in propositions(spec.model).items() for one in some)
    return next((rule for rule, constructor in stated if constructor == "rank"), "")


def _in(lang: str, known: str, text: str) -> str:
    """A text of a language in the characters of another one."""
    return between(text, find(known).han_form, find(lang).han_form)


def _aim(text: Translation) -> str:
    """The text of the rule with the aim of the game: one of the first two, whose id ends so; "" without one."""
    first = islice(text.rules.items(), 2)
    return next((one.text.text for id_, one in first if id_.rpartition(".")[2] == "aim"), "")


def first_sentence(text: str) -> str:
    """The first sentence of a text, in one line and without marks of Markdown; all of it without an end."""
    found = _FIRST.match(text)
    return " ".join((found.group() if found else text).replace("**", "").split())


def kind(spec: Spec) -> str:
    """The kind of a game that the page has a sentence for: with or without cards, with or without hidden ones."""
    zones = spec.model.zones.values()
    if not zones:
        return "no_cards" if all(one.sight.public for one in spec.model.values.values()) else "hidden_values"
    return "open_cards" if all(one.sight.viewers.group == "everybody" for one in zones) else "hidden_cards"


class Played(NamedTuple):
    """What random games of the middle number of players show: the mean number of decisions, and the rule with the most
    of them ("" outside of all rules). Single choices are none."""

    decisions: float
    rule: str


def random_games(spec: Spec) -> Played:
    """Plays until there are `DECISIONS`."""
    game = spec.game(spec.players[len(spec.players) // 2], engine="interpreter")
    made: list[list[str]] = []
    while sum(map(len, made)) < DECISIONS and len(made) < DECISIONS:
        made.append(list(_choices(game.new_initial_state(len(made)), Random(len(made)))))
    every = [one for decisions in made for one in decisions]
    outer, ranking = outer_rules(spec.model), _ranking(spec)
    within = (_outermost(one, outer) for one in every if one in spec.model.rules)
    rules = Counter(rule for rule in within if rule != ranking and not spec.model.rules[rule].says)
    return Played(len(every) / len(made), next((rule for rule, _ in rules.most_common(1)), ""))


def _outermost(rule: str, outer: Mapping[str, str]) -> str:
    while rule in outer:
        rule = outer[rule]
    return rule


def _choices(state: Any, random: Random) -> Iterator[str]:
    """The decisions of a random game from a state on: the rules that offer the chosen options."""
    while not state.is_terminal():
        for player in state.deciders():
            legal = state.legal_actions(player)
            action = random.choice(legal)
            if len(legal) > 1:
                yield state.why(action)
            state.apply_action(action, player)


def minutes(decided: float) -> int:
    """How long so many decisions take, in steps of five minutes."""
    return max(STEP, STEP * round(decided * SECONDS / 60 / STEP))
