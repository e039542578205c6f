"""Two versions of a text: its sentences that differ, and the changes of the spec that asked for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rulespec.base.pages.sheet import Entry, Line, Section, Sheet, compared, plain
from rulespec.text.languages.registry import find
from rulespec.text.reading.revision import Edit, Revised, Sentence, revised
from rulespec.text.reading.translation import Translation
from rulespec.text.rules.subjects import outer
from rulespec.text.seals.confirmation import confirmation
from rulespec.versions.changes.both import Both
from rulespec.versions.changes.change import Change
from rulespec.versions.changes.compare import Changes
from rulespec.versions.changes.words import Words


@dataclass(frozen=True)
class TextDiff:
    """Two versions of a translation, and what asks for another text: the changes between the specs next to them.

    `names` are the new ids of rules with other ids.
    """

    old: Translation
    new: Translation
    words: Words
    asked: Asked
    names: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def sentences(self) -> Sequence[Revised]:
        """The sentences that differ, in the order of the new text."""
        return revised(self.old, self.new, self.names)

    @cached_property
    def waiting(self) -> Mapping[str, tuple[Change, ...]]:
        """The rules and rulings that a change asks another text for, and whose texts are the same."""
        touched = {one.rule for one in self.sentences}
        same = (id_ for id_ in self.new.passages if id_ not in touched and id_ in self.old.passages)
        return {id_: by for id_ in same if self.asked.differs(id_) and (by := self.asked.by(id_))}

    def sheet(self) -> Sheet:
        say, changes = self.words.phrases.phrases, self.asked.changes
        versions = f"{changes.old.version} → {changes.new.version}"
        lead = "" if self.sentences or self.waiting else say["text_same"]
        title = f"{self.new.title or changes.new.title} {versions} · {self.new.lang}"
        return Sheet(self.new.lang, title, lead, tuple(self._sections()), find(self.new.lang).direction)

    def _sections(self) -> Iterator[Section]:
        for rule in dict.fromkeys(one.rule for one in self.sentences):
            some = [one for one in self.sentences if one.rule == rule]
            yield Section(self._title(rule), tuple(self._entry(one) for one in some))
        if self.waiting:
            listed = (Entry(self._title(rule), (), (self._because(by),)) for rule, by in self.waiting.items())
            yield Section(self.words.phrases.phrases["text_waiting"], tuple(listed))

    def _title(self, rule: str) -> str:
        known = self.new.passages.get(rule) or self.old.passages.get(rule)
        title = known.title if known is not None else ""
        return f"{title} (`{rule}`)" if title else f"`{rule}`"

    def _entry(self, one: Revised) -> Entry:
        say = self.words.phrases.phrases
        return Entry(say[f"text_{one.kind}"], tuple(self._lines(one)), (self._because(self.asked.by(one.rule)),))

    def _lines(self, one: Revised) -> Iterator[Line]:
        say = self.words.phrases.errata
        if one.kind is Edit.MOVED and one.old is not None and one.new is not None:
            where = self._title(one.old.rule) if one.old.rule != one.new.rule else ""
            yield plain(one.new.text + f" ← {where}" * bool(where))
            return
        was, now = ([each.text] if each is not None else [] for each in (one.old, one.new))
        yield from compared(was, now, say["old"], say["new"])

    def _because(self, by: Sequence[Change]) -> str:
        phrases = self.words.phrases
        if not by:
            return phrases.phrases["text_unasked"]
        shown = dict.fromkeys(f"{self.words.title(one)}: {self.words.kind(one)} [{one.fingerprint}]" for one in by)
        return phrases.say("because", changes=phrases.phrases["separator"].join(shown))

    def to_dict(self) -> dict[str, Any]:
        """The differences as JSON data, version 1. Lines and columns count code points from 1."""
        return {
            "version": 1,
            "game": self.new.game,
            "lang": self.new.lang,
            "old": self.old.source.path,
            "new": self.new.source.path,
            "sentences": [
                {
                    "rule": one.rule,
                    "kind": str(one.kind),
                    "old": _sentence(one.old, self.old),
                    "new": _sentence(one.new, self.new),
                    "changes": self._changes(self.asked.by(one.rule)),
                }
                for one in self.sentences
            ],
            "waiting": [{"rule": rule, "changes": self._changes(by)} for rule, by in self.waiting.items()],
        }

    def _changes(self, by: Sequence[Change]) -> list[dict[str, str]]:
        return [
            {
                "kind": one.kind,
                "name": one.name,
                "title": self.words.title(one),
                "impact": str(one.impact),
                "fingerprint": one.fingerprint,
            }
            for one in by
        ]


def _sentence(one: Sentence | None, text: Translation) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"rule": one.rule, "text": one.text, **text.source.position(one.span.start).to_dict()}


_COUNTED = {"cards-changed", "component-changed"}


@dataclass(frozen=True)
class Asked:
    """The changes behind the texts of rules and rulings."""

    changes: Changes

    def by(self, id_: str) -> tuple[Change, ...]:
        """The changes that concern a rule, or the rules that depend on a ruling, or else the rules around it.

        If its facts or its digest differ without one, these are the changes of cards and components, of which rules
        state numbers; else there are none.
        """
        if id_ not in self._known:
            self._known[id_] = self._by(id_)
        return self._known[id_]

    @cached_property
    def _known(self) -> dict[str, tuple[Change, ...]]:
        return {}

    def _by(self, id_: str) -> tuple[Change, ...]:
        new = self.changes.new
        users = self._both.users(("ruling", id_), True) if id_ in new.rulings else ()
        # What the rules around a rule do, the texts of the rules inside them may say.
        around = outer(new, id_) if id_ in new.rules else ()
        for rules in ({id_, *users}, {*around}):
            own = tuple(one for one in self.changes.every if rules.intersection((*one.rules, one.name)))
            if own:
                return own
        return (self.loose or self.changes.every) if self.differs(id_) else ()

    @property
    def loose(self) -> tuple[Change, ...]:
        """The changes of cards and components."""
        return tuple(one for one in self.changes.every if one.kind in _COUNTED)

    @cached_property
    def _both(self) -> Both:
        return Both(self.changes.old, self.changes.new)

    def differs(self, id_: str) -> bool:
        """Whether a rule that both versions have states something else."""
        versions = (self.changes.old, self.changes.new)
        if not all(id_ in spec.rules or id_ in spec.rulings for spec in versions):
            return False
        was, now = (confirmation(spec, id_) for spec in versions)
        return was != now
