"""Decks for Tabletop Simulator: saved objects in its Save File Format, JSON.

https://kb.tabletopsimulator.com/custom-content/save-file-format/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulespec.text.output.sheets.faces import Face
from rulespec.text.output.sheets.paper import Paper

_FACE_DOWN = {
    **{"posX": 0.0, "posY": 1.0, "posZ": 0.0},
    **{"rotX": 0.0, "rotY": 180.0, "rotZ": 180.0},
    **{"scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0},
}


def saved_object(faces: Sequence[Face], title: str, on: Paper, pictures: Sequence[str], back: str) -> dict[str, Any]:
    """A deck of all cards, face down. `pictures` are the addresses of pictures with the faces in order, each with as
    many as `on` holds; `back` is that of the back of all cards."""
    sheets = {
        str(number): {
            "FaceURL": address,
            "BackURL": back,
            "NumWidth": on.columns,
            "NumHeight": on.rows,
            "BackIsHidden": True,
            "UniqueBack": False,
            "Type": 0,
        }
        for number, address in enumerate(pictures, 1)
    }
    cards = list(_cards(faces, on, sheets))
    return {"SaveName": title, "ObjectStates": [_deck(cards, title, sheets) if len(cards) > 1 else cards[0]]}


def _deck(cards: Sequence[dict[str, Any]], title: str, sheets: dict[str, Any]) -> dict[str, Any]:
    return {
        "Name": "DeckCustom",
        "Transform": _FACE_DOWN,
        "Nickname": title,
        "Description": "",
        "HideWhenFaceDown": True,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": sheets,
        "ContainedObjects": cards,
    }


def _description(face: Face) -> Iterator[str]:
    yield from (f"{field.label}: {field.word}" for field in face.fields)
    yield from face.text.splitlines()


def _cards(faces: Sequence[Face], on: Paper, sheets: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each card, with the picture of its face: `CardID` is the number of the picture and the place in it."""
    for at, face in enumerate(faces):
        sheet, place = at // on.capacity + 1, at % on.capacity
        card = {
            "Name": "Card",
            "Transform": _FACE_DOWN,
            "Nickname": face.title,
            "Description": "\n".join(_description(face)),
            "Hands": True,
            "HideWhenFaceDown": True,
            "CardID": 100 * sheet + place,
            "SidewaysCard": False,
            "CustomDeck": {str(sheet): sheets[str(sheet)]},
        }
        yield from [card] * face.copies
