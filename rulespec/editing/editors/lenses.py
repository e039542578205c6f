"""What an editor shows above the lines of a file, to follow or to run: uses, sentences of texts, scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.editing.editors.names import Reference, spec_source
from rulespec.editing.editors.uses import declarations, uses
from rulespec.editing.file_kinds import game_of, kind_of
from rulespec.games.api import model_of
from rulespec.games.rulebook import texts_at
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar, Sequence
from rulespec.text.languages.registry import find as language_of
from rulespec.text.reading.clauses import passages
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.reading.translation import read as read_text

_COUNTED = ("enum", "table", "zone", "value", "ruling", "procedure", "rule")
"""The kinds of names whose uses are counted; members and fields stand too close to each other."""
_WITH_TEXT = ("rule", "ruling")


@dataclass(frozen=True)
class Lens:
    """A line above a span: places to go to, the id of a case to run, or what to call `ftk play` with."""

    span: Span
    title: str
    places: tuple[Reference, ...] = ()
    case: str = ""
    play: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Game:
    """A spec as an editor has it, with the other files that are open."""

    spec: Source
    opened: tuple[Source, ...]

    def texts(self) -> Mapping[str, Translation]:
        """The texts of the game by language, as an editor has them."""
        model = model_of(self.spec)[0]
        found = dict(texts_at(self.spec.path, model.id)) if model is not None else {}
        for source in self.opened:
            if model is not None and _is_text_of(source, model.id):
                translation, _ = read_text(source)
                found |= {translation.lang: translation} if translation is not None else {}
        return found


def _is_text_of(source: Source, game: str) -> bool:
    kind = kind_of(source)
    return kind is not None and kind.name == "translation" and game_of(source) == game


def lenses(source: Source, spec: Source | None = None, opened: Iterable[Source] = ()) -> tuple[Lens, ...]:
    """The lenses of a file, in order. `spec` is the spec that it is about (default: that on disk)."""
    kind, root = kind_of(source), parse(source)[0]
    found = _LENSES.get(kind.name) if kind is not None else None
    declaring = spec or spec_source(source)
    if found is None or declaring is None or not isinstance(root, MapNode):
        return ()
    return tuple(found(root, _Game(declaring, tuple(opened))))


def _of_spec(root: MapNode, game: _Game) -> Iterator[Lens]:
    texts, used = game.texts(), uses(game.spec, game.opened)
    for target in declarations(game.spec):
        if target.kind in _COUNTED:
            yield Lens(target.span, _times(used[target]), tuple(used[target]))
        if target.kind in _WITH_TEXT and texts:
            stating = {lang: one.passages[target.name] for lang, one in texts.items() if target.name in one.passages}
            places = tuple(place for lang, passage in stating.items() for place in _sentences(passage, lang))
            number = f"{len(places)} sentence{'s' * (len(places) != 1)}"
            yield Lens(target.span, f"{number} in {', '.join(stating)}" if places else "no text", places)
        if target.kind == "rule":
            yield _playable(target.span, game, target.name)


def _playable(span: Span, game: _Game, place: str) -> Lens:
    return Lens(span, "Play from here", play=(game.spec.path, "--from", place))


def _times(places: list[Reference]) -> str:
    return f"{len(places)} use{'s' * (len(places) != 1)}" if places else "no uses"


def _sentences(passage: Passage, lang: str) -> Iterator[Reference]:
    words = passage.text.text
    for span in passages(words, language_of(lang), 0, len(words)):
        yield Reference(passage.source, passage.text.value_span(span.start, span.end))


def _of_translation(root: MapNode, game: _Game) -> Iterator[Lens]:
    """The rule of each text, its texts in the other languages, and play from it."""
    own = root.get("lang")
    texts = {lang: one for lang, one in game.texts().items() if not isinstance(own, Scalar) or lang != own.text}
    rules = {one.name: one for one in declarations(game.spec) if one.kind in _WITH_TEXT}
    for key in (*_keys(root.get("rules")), *_keys(root.get("rulings"))):
        beside = {lang: one.passages[key.text] for lang, one in texts.items() if key.text in one.passages}
        if key.text in rules:
            places = [Reference(game.spec, rules[key.text].span)]
            places += [Reference(one.source, one.text.span) for one in beside.values()]
            yield Lens(key.span, ", ".join(("rule", *beside)), tuple(places))
            if rules[key.text].kind == "rule":
                yield _playable(key.span, game, key.text)


def _of_glossary(root: MapNode, game: _Game) -> Iterator[Lens]:
    """The uses of what each concept names."""
    used = uses(game.spec, game.opened)
    known = {target.full: target for target in declarations(game.spec)}
    concepts = root.get("concepts")
    for key, concept in concepts.entries if isinstance(concepts, MapNode) else ():
        names = concept.get("names") if isinstance(concept, MapNode) else None
        if isinstance(names, Scalar) and names.text in known:
            target = known[names.text]
            places = (Reference(game.spec, target.span), *used[target])
            yield Lens(key.span, f"{_times(used[target])} of {names.text}", places)


def _of_scenarios(root: MapNode, game: _Game) -> Iterator[Lens]:
    cases = root.get("cases")
    for case in cases.items if isinstance(cases, Sequence) else ():
        id_ = case.get("id") if isinstance(case, MapNode) else None
        if isinstance(id_, Scalar):
            yield Lens(id_.span, "Run this scenario", case=id_.text)
            yield _playable(id_.span, game, f"{root.source.path}#{id_.text}")


def _keys(node: Node | None) -> list[Scalar]:
    return [key for key, _ in node.entries] if isinstance(node, MapNode) else []


_LENSES: dict[str, Callable[[MapNode, _Game], Iterator[Lens]]] = {
    "spec": _of_spec,
    "translation": _of_translation,
    "glossary": _of_glossary,
    "scenario": _of_scenarios,
}
"""The lenses of each kind of file that has some."""
