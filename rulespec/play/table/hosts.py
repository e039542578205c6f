"""A scene for a host that plays a game itself, such as a page with a module of WebAssembly: it names actions, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulespec.base.messages import COMMA, say
from rulespec.engine.program.sets import groups
from rulespec.engine.rules.actions import least
from rulespec.language.model.phrase import Phrase
from rulespec.play.table.choice import label_of
from rulespec.play.table.narrator import Phrases

if TYPE_CHECKING:
    from rulespec.engine.program import ir
    from rulespec.play.table.scene import Scene

FORMAT = 1
"""The version of these data. It rises with every change that breaks a host."""

WORDS = {
    "table": say("On the table"),
    "values": say("Where things stand"),
    "zone_cards": say("{zone}, cards: {number}"),
    "hidden_cards": say("face down: {number}"),
    "acts": say("to move"),
    "at_random": say("plays at random"),
    "chosen": say("chosen by you"),
    "can_go": say("can go here"),
    "takes": say("takes {what}"),
    "taken": say("taken: {what}"),
    "confirm": say("Confirm ({picked})"),
    "confirm_of": say("Confirm ({picked} of {number})"),
    "aside": say("Seldom needed"),
    "nothing_on_table": say("There is nothing on the table."),
}
"""The words of js/table.js and js/element.js, by their keys there."""


def hosted(scene: Scene) -> dict[str, Any]:
    """A scene with its actions and the words around a table, as JSON data. A zone that any player may look into is
    `looked`; a game in which everybody always sees everything is `open`."""
    made, everybody = scene.to_dict(), set(range(scene.game.players))
    seen = scene.game.viewers.of_zone
    zones = [zone | {"looked": bool(by.always or by.sometimes)} for zone, by in zip(made["zones"], seen, strict=True)]
    viewers = scene.game.viewers
    is_open = all(everybody == by.always for by in (*viewers.of_zone, *viewers.of_register.values()))
    words = {key: scene.words.of(message) for key, message in WORDS.items()}
    return {"format": FORMAT} | made | {"open": is_open, "zones": zones, "actions": _actions(scene), "words": words}


def _actions(scene: Scene) -> dict[str, Any]:
    """The options that own the action numbers from `first` on, in the words of the language; `words` are lists that
    picks share: what they stand for alone, and as `said` in the option; `times` and `comma` make a list of a set."""
    lists: dict[tuple[str, ...], int] = {}
    options = [_option(scene, option, lists) for option in scene.game.program.options if option.size]
    template = scene.words.template
    return {"options": options, "words": list(lists), "times": template("{name} x{number}"), "comma": template(COMMA)}


def _option(scene: Scene, option: ir.Option, lists: dict[tuple[str, ...], int]) -> dict[str, Any]:
    actions, words = scene.game.actions, scene.words
    return {
        "first": option.first,
        "rule": actions.rule(option.first),
        "title": words.of(say(actions.title(option.first))),
        "says": words.template(actions.says(option)),
        "picks": list(_picks(scene, option, lists)),
    }


def _picks(scene: Scene, option: ir.Option, lists: dict[tuple[str, ...], int]) -> Iterator[dict[str, Any]]:
    """Each pick, or the picks of the elements of a set as one."""
    for group in groups(option.picks):
        pick = group[0]
        words = tuple(_words(scene, pick))
        said = tuple(_said(scene, option, pick)) or words
        about = {"name": pick.name, "type": pick.type.name or pick.type.kind, "least": least(pick), "size": pick.size}
        shown = {"label": scene.words.of(label_of(pick.type)), "words": lists.setdefault(words, len(lists))}
        shown["said"] = lists.setdefault(said, len(lists))
        yield about | shown | ({"ranks": _ranks(group)} if pick.ranks else {})


def _words(scene: Scene, pick: ir.Pick) -> Iterator[str]:
    """What a pick stands for with each of its digits, in words."""
    for digit in range(len(pick.ranks) or pick.size):
        yield scene.words.of(say(scene.game.actions.word(pick, digit)))


def _said(scene: Scene, option: ir.Option, pick: ir.Pick) -> Iterator[str]:
    """The same as they stand in the words of the option; nothing without a template for these in the language."""
    game, words = scene.game, scene.words
    template = words.option(game.spec, game.actions.says(option))
    for digit in range(len(pick.ranks) or pick.size) if template else ():
        element = Phrases(game).pick(pick, digit + least(pick))
        one = Phrase("picked", (element,)) if pick.ranks else element
        yield words.picked(game.spec, template, pick.name, one)


def _ranks(group: Sequence[ir.Pick]) -> list[tuple[int, ...]]:
    return [pick.ranks for pick in group]
