"""Pictures for the rulebook of one number of players: the table before the first decision under the title, the cards
after what is in the box, and where each example begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from rulespec.games import examples
from rulespec.games.looks import usable_looks
from rulespec.language.model.spec import Note
from rulespec.play.living.recording import of_case
from rulespec.play.table.arrangement import arranged
from rulespec.play.table.scene import Scene, position_of
from rulespec.play.table.still import still
from rulespec.play.table.words import PLAIN, words_in
from rulespec.text.output.render.book import Picture, Rulebook
from rulespec.text.output.sheets.drawing import Template, document, drawn
from rulespec.text.output.sheets.faces import Words, different, faces
from rulespec.text.output.sheets.pages import family

if TYPE_CHECKING:
    from rulespec.engine.states.game import Game
    from rulespec.games.api import Spec

CARD_WIDTH, TABLE_WIDTH = 26, 110
"""In millimetres."""

_BOX = ("components", "contents", "box")
"""How the id of the rule ends that says what is in the box."""


def illustrations(spec: Spec, game: Game, rulebook: Rulebook) -> dict[str, tuple[Picture, ...]]:
    """The pictures of the rulebook of a game: "" for that under its title, by the ids of the rules after which they
    stand, and for examples by their names (`examples.named`)."""
    begun = {"": (table(spec, game, rulebook),), **dict(_examples(spec, game, rulebook))}
    setup = [step for step in spec.model.setup if step.rule in {section.id for section in rulebook.sections}]
    if not setup:
        return begun
    notes = [step.rule for step in setup if isinstance(step, Note)]
    first = next((id_ for id_ in notes if id_.rpartition(".")[2] in _BOX), setup[0].rule)
    return begun | {first: tuple(_cards(spec, rulebook))}


def table(spec: Spec, game: Game, rulebook: Rulebook) -> Picture:
    """The table before the first decision, as the first player sees it, with what lies where."""
    position = position_of(game.new_initial_state(seed=7), 0)
    return Picture(still(_scene(spec, game, rulebook), position, 480, 300, labelled=True), TABLE_WIDTH)


def _scene(spec: Spec, game: Game, rulebook: Rulebook) -> dict[str, Any]:
    return Scene(game, words_in(spec, game, rulebook.lang), arranged(spec, rulebook.lang)).to_dict()


def _examples(spec: Spec, game: Game, rulebook: Rulebook) -> Iterator[tuple[str, tuple[Picture, ...]]]:
    scene = _scene(spec, game, rulebook)
    for name, example in examples.named(rulebook.translation, spec, game.setting):
        start = of_case(examples.case_of(example, spec), PLAIN).steps[0].position
        yield name, (Picture(still(scene, start), TABLE_WIDTH),)


def _cards(spec: Spec, rulebook: Rulebook) -> Iterator[Picture]:
    """The different cards that are in play, as on sheets."""
    looks = usable_looks(spec)
    lang, title, book = rulebook.lang, rulebook.translation.title, rulebook.book
    words = Words(spec.model, book.glossary if book is not None else None, lang, looks, rulebook.translation)
    known = different(faces(spec.model, words, None if rulebook.for_all else frozenset(rulebook.setting.cards)))
    svgs = drawn(known, title, lang, Template(looks.template if looks is not None else ""))
    for face, svg in zip(known, svgs, strict=True):
        written = f"<g font-family={quoteattr(family(lang, svg))}>{svg}</g>"
        yield Picture(document(written), CARD_WIDTH, f"{face.title} ×{face.copies}", face.copies)
