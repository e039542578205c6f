"""Changes in the words of a language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.naming import naming_of
from rulespec.text.rules.describe.style import Style, naming_in
from rulespec.versions.changes.change import Card, Change, Side
from rulespec.versions.changes.kinds import DECLARED
from rulespec.versions.changes.phrases import Phrases, phrases_of


@dataclass(frozen=True)
class Words:
    """Says changes in a language: `old` and `new` describe the two versions."""

    old: Description
    new: Description

    @property
    def phrases(self) -> Phrases:
        return phrases_of(self.new.lang)

    def before(self, change: Change) -> list[str]:
        """What held and is not said in the same words now."""
        return self._sides(change)[0]

    def after(self, change: Change) -> list[str]:
        """What holds and was not said in the same words."""
        return self._sides(change)[1]

    def _sides(self, change: Change) -> tuple[list[str], list[str]]:
        before, after = _sentences(change, change.before, self.old), _sentences(change, change.after, self.new)
        return [one for one in before if one not in after], [one for one in after if one not in before]

    def examples(self, change: Change) -> list[str]:
        """Positions in which both versions differ: what holds there, what was and what is."""
        known = naming_in(self.new.say)
        found = []
        for one in change.examples:
            say = Style(self.new.say, naming_of([(*one.when, one.before, one.after)], known))
            conditions = self.new.say.grammar.joined([say(phrase) for phrase in one.when], "conditions")
            filled = {"conditions": conditions, "before": say(one.before), "after": say(one.after)}
            found.append(self.phrases.say("example", **filled))
        return found

    def kind(self, change: Change) -> str:
        """What kind of change it is."""
        return self.phrases.kinds[change.kind]

    def title(self, change: Change) -> str:
        """What changed: the title of a rule, the term of a declared name, or the face of a card."""
        by = self.new if change.after != Side() else self.old
        if change.face:
            return _card(change.face, by)
        if change.name in ("game", "cards"):
            return self.phrases.phrases[change.name]
        if change.kind.partition("-")[0] not in DECLARED and change.name in by.spec.rules:
            return by.say.names.title(change.name)
        return _name(change.name, by)


def _name(name: str, description: Description) -> str:
    """The term or title of a name of a spec; the name itself without one."""
    names = description.say.names
    return names.term(name) if names.is_worded(name) else name


def _card(card: Card, description: Description) -> str:
    """What a card shows in words: the term of a member alone, every other content after its field."""
    spec = description.spec
    shown = []
    for field, content in card:
        type_ = spec.deck.declared.get(field)
        member = f"{type_.name}.{content}" if type_ is not None else ""
        if member and description.say.names.is_worded(member):
            shown.append(description.say.names.term(member))
        else:
            shown.append(f"{_name(field, description)} {content}")
    return _listed(shown, description)


def _listed(items: Sequence[str], description: Description) -> str:
    return phrases_of(description.lang).phrases["separator"].join(items)


def _sentences(change: Change, side: Side, description: Description) -> list[str]:
    if side.stated:
        return [description.sentence(one) for one in side.stated]
    if not side.text:
        return []
    for kinds, say in _SAYS.items():
        if change.kind in kinds:
            return say(change, side, description)
    return [side.text]


def _cards(change: Change, side: Side, description: Description) -> list[str]:
    said = (f"{copies} × {_card(card, description)}" for copies, card in side.cards)
    return ["; ".join(said)]


def _answers(change: Change, side: Side, description: Description) -> list[str]:
    """Answers to a ruling; each as a sentence if the version has it."""
    known = description.spec.rulings.get(change.name)
    options = side.text.split(", ")
    if known is None or not set(options) <= set(known.options):
        return [side.text]
    return [description.ruling(change.name, option) for option in options]


def _members(change: Change, side: Side, description: Description) -> list[str]:
    """The members of an enum."""
    named = ((one, f"{change.name}.{one}") for one in side.text.split(", "))
    names = description.say.names
    said = [names.term(full) if names.is_worded(full) else one for one, full in named]
    return [_listed(said, description)]


def _order(change: Change, side: Side, description: Description) -> list[str]:
    """The order of rules by their titles, of anything else as it is written."""
    rules = side.text.split(", ")
    if not set(rules) <= set(description.spec.rules):
        return [side.text]
    return [_listed([description.say.names.title(rule) for rule in rules], description)]


_SAYS: dict[tuple[str, ...], Callable[[Change, Side, Description], list[str]]] = {
    ("cards-changed",): _cards,
    ("order-changed",): _order,
    ("answer-changed", "answer-added", "answer-removed"): _answers,
    tuple(f"enum-{what}" for what in ("added", "removed", "changed")): _members,
}
"""How the texts of some kinds of changes are said in a language; others stand as the spec has them."""
