"""A position as the page draws it: what one seat may know, in its language, as JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ftk_cli.page.words import Words

if TYPE_CHECKING:
    from rulespec import State
    from rulespec.engine import Ruleset
    from rulespec.model import StoredValue

_NOTHING = ("none", "no", "", "0")


def zones(state: State, words: Words, seat: int | None) -> list[dict[str, Any]]:
    """Every zone with cards, as a seat sees it; None sees everything."""
    views = state.view(seat).zones if seat is not None else _everything(state)
    return [_zone(words, *one) for one in views if one[1]]


def _everything(state: State) -> Iterator[tuple[int, int, bool, list[int], list[None], dict[int, int]]]:
    faces = state.game.program.faces
    for number, cards in enumerate(state.z):
        shown = [faces[card] for card in cards]
        yield number, len(cards), True, shown if state.game.ordered[number] else sorted(shown), [], {}


def _zone(words: Words, number: int, size: int, visible: bool, faces: Any, places: Any, known: Any) -> dict[str, Any]:
    placed = [face for face in places if face is not None] + [
        face for face, times in known.items() for _ in range(times)
    ]
    return {
        "number": number,
        "title": words.zone(number),
        "owner": words.owner(number),
        "index": words.index(number),
        "size": size,
        "visible": visible,
        "cards": [card(words, face) for face in faces],
        "known": [card(words, face) for face in placed],
    }


def card(words: Words, face: int) -> dict[str, Any]:
    """A card as it is drawn."""
    return {"face": face, "name": words.face(face), "suit": words.suit(face), "fields": words.fields(face)}


def actions(state: State, words: Words, seat: int) -> list[dict[str, Any]]:
    """The legal actions of a seat: their words, rules and parts."""
    return [_action(words, action) for action in state.legal_actions(seat)]


def _action(words: Words, action: int) -> dict[str, Any]:
    rule = words.game.rule_of_action(action)
    return {
        "action": action,
        "text": words.action(action),
        "kind": words.kind(action),
        "rule": rule,
        "title": words.rule_title(rule),
        "parts": [_part(words, pick, at) for pick, at in words.game.actions.parts(action)],
    }


def _part(words: Words, pick: Any, at: int) -> dict[str, Any]:
    word = words.face(at) if pick.type.kind == "card" else words.content(pick.type, at)
    return {"name": pick.name, "type": pick.type.name or pick.type.kind, "at": at, "word": word}


def values(state: State, words: Words, seat: int | None) -> dict[str, Any]:
    """What a seat may know of the values: single ones, boards, and tables by the last index."""
    game = state.game
    contents: dict[str, dict[int, int]] = {}
    for name, cell, content in game.observers.values(state, seat):
        contents.setdefault(name, {})[cell] = content
    kept = {name: cells for name, cells in contents.items() if _says_something(game, name, cells)}
    single = [_single(words, name, cells[0]) for name, cells in kept.items() if not game.spec.values[name].per]
    boards = [name for name in kept if _places(game, game.spec.values[name])]
    rest = [name for name in kept if game.spec.values[name].per and name not in boards]
    return {
        "single": single,
        "boards": [_board(words, name, kept[name]) for name in boards],
        "tables": [_table(words, type_, {n: kept[n] for n in of}) for type_, of in _by_last(game, rest).items()],
    }


def _says_something(game: Ruleset, name: str, cells: dict[int, int]) -> bool:
    return any(game.value_word(name, content) not in _NOTHING for content in cells.values())


def _single(words: Words, name: str, content: int) -> dict[str, Any]:
    type_ = words.game.spec.values[name].type
    return {"title": words.value(name), "word": words.content(type_, content)}


def _places(game: Ruleset, value: StoredValue) -> tuple[tuple[int, int], ...]:
    """The column and the row of every square that a value is for; empty if its index is no grid."""
    if len(value.per) != 1 or value.per[0].type.kind != "enum":
        return ()
    return game.spec.enums[value.per[0].type.name].places


def _board(words: Words, name: str, cells: dict[int, int]) -> dict[str, Any]:
    value = words.game.spec.values[name]
    type_ = value.per[0].type
    return {
        "title": words.value(name),
        "type": type_.name,
        "cells": [
            {"column": place[0], "row": place[1], "at": at, "name": words.game.names.word(type_, at)}
            | _content(words, value, cells.get(at))
            for at, place in enumerate(_places(words.game, value))
        ],
    }


def _content(words: Words, value: StoredValue, content: int | None) -> dict[str, Any]:
    if content is None or words.game.value_word(value.name, content) in _NOTHING:
        return {"word": "", "player": None}
    return {"word": words.content(value.type, content), "player": content if value.type.kind == "player" else None}


def _by_last(game: Ruleset, names: list[str]) -> dict[Any, list[str]]:
    found: dict[Any, list[str]] = {}
    for name in names:
        found.setdefault(game.spec.values[name].per[-1].type, []).append(name)
    return found


def _table(words: Words, type_: Any, values: dict[str, dict[int, int]]) -> dict[str, Any]:
    game = words.game
    columns = list(game.setting.in_play(type_.name) if type_.kind == "enum" else game.setting.places(type_))
    return {
        "type": type_.name or type_.kind,
        "columns": [{"at": at, "word": words.content(type_, at)} for at in columns],
        "rows": [row for name, cells in values.items() for row in _rows(words, name, cells, columns)],
    }


def _rows(words: Words, name: str, cells: dict[int, int], columns: list[int]) -> Iterator[dict[str, Any]]:
    value = words.game.spec.values[name]
    wide = words.game.setting.extent(value.per[-1].type)
    for first in sorted({cell - cell % wide for cell in cells}):
        found = [cells.get(first + column - value.per[-1].type.low) for column in columns]
        filled = [one for one in found if one is not None]
        if len(value.per) == 1 or any(words.game.value_word(name, one) not in _NOTHING for one in filled):
            index = words.game.names.indices(name, first)[:-1]
            title = ", ".join([words.value(name), *(words.content(of, at) for of, at in index)])
            yield {"title": title, "words": ["" if o is None else _content(words, value, o)["word"] for o in found]}
