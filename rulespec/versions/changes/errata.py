"""Errata sheets: the changes of a game for players, in the words of its rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rulespec.base.characters import capital
from rulespec.base.pages.sheet import Entry, Line, Section, Sheet, compared, plain
from rulespec.language.model.constants import Setting, settings
from rulespec.language.model.spec import Spec
from rulespec.text.languages.registry import find, labels_of
from rulespec.text.output.render.blocks import Since, changed
from rulespec.text.output.render.book import Rulebook, rules_in_order
from rulespec.text.output.render.index import RuleSection
from rulespec.text.reading.revision import Edit, Revised, revised
from rulespec.text.reading.translation import Translation
from rulespec.versions.changes.change import Change, Impact
from rulespec.versions.changes.compare import Changes
from rulespec.versions.changes.text_diff import Asked, TextDiff
from rulespec.versions.changes.words import Words

_IMPACTS = (Impact.BREAKING, Impact.PLAY, Impact.TEXT)
"""The impacts that a player must know of, from the most serious."""

_IN_TEXTS_ONLY = {"facts-changed", "words-changed", "question-changed"}
"""Changes of what texts must state and of words: a player needs them only where a text has changed."""


_TITLES = 3
"""The most rules in a title: a name without a term is known by the rules that use it."""


@dataclass(frozen=True)
class Texts:
    """The texts of both versions in one language, None where there is none; `names` are the new ids of rules."""

    old: Translation | None
    new: Translation | None
    names: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def revised(self) -> tuple[Revised, ...]:
        if self.old is None or self.new is None:
            return ()
        return tuple(revised(self.old, self.new, self.names))

    def of(self, id_: str) -> list[Revised]:
        """The sentences of a rule or ruling that differ."""
        return [one for one in self.revised if one.rule == id_]


@dataclass(frozen=True)
class _Item:
    """An entry with what it is sorted by: its impact, and its place in the rulebook."""

    impact: Impact
    place: int
    section: str
    entry: Entry


@dataclass(frozen=True)
class Errata:
    """The errata from one version of a game to another, in one language."""

    changes: Changes
    words: Words
    texts: Texts

    def sheet(self) -> Sheet:
        """The whole sheet: a heading for each impact, and under it the sections of the rulebook.

        Texts of which only the words have changed come last.
        """
        old, new, say = self.changes.old, self.changes.new, self.words.phrases.errata
        title = say["title"].format(game=self.words.new.game or new.title, old=old.version, new=new.version)
        sections = tuple(self.sections())
        lead = "" if sections else say["none"]
        lang = self.words.new.lang
        return Sheet(lang, title, lead, (*sections, *self.reworded()), find(lang).direction)

    def sections(self, depth: int = 1) -> Iterator[Section]:
        items = sorted(self._items, key=lambda one: (-one.impact, one.place))
        for impact in _IMPACTS:
            some = [one for one in items if one.impact is impact]
            if some:
                yield Section(self.words.phrases.errata[str(impact)], depth=depth)
            for name in dict.fromkeys(one.section for one in some):
                entries = (one.entry for one in some if one.section == name)
                # No title that is the heading above it.
                shown = (replace(one, title="") if one.title == name else one for one in entries)
                yield Section(name, tuple(shown), depth + 1)

    def reworded(self, depth: int = 1) -> Iterator[Section]:
        """The texts that say the same in other words: no change of the game is behind them."""
        say = self.words.phrases.errata
        ids = (one.rule for one in self.texts.revised if one.rule not in self._by_rule)
        entries = [self._entry(id_) for id_ in dict.fromkeys(ids)]
        if entries:
            yield Section(say["reworded"], tuple(entries), depth)

    @property
    def described(self) -> tuple[Change, ...]:
        """The changes of which no text says anything new, so that a generated description stands for them."""
        return tuple(change for change, by_text in self._by_change.items() if not (by_text or change.face))

    # --- entries -----------------------------------------------------------------------------------------------------

    @cached_property
    def _items(self) -> tuple[_Item, ...]:
        rules = self._by_rule.items()
        stated = [self._placed(max(one.impact for one in by), id_, self._entry(id_)) for id_, by in rules]
        cards = (one for one in self._by_change if one.face)  # texts say how many there are, not what they show
        return (*stated, *(self._generated(change) for change in (*cards, *self.described)))

    @cached_property
    def _by_rule(self) -> Mapping[str, tuple[Change, ...]]:
        """The rules and rulings whose texts differ because of changes that players must know of."""
        asked = Asked(self.changes)
        ids = dict.fromkeys(one.rule for one in self.texts.revised)
        found = {id_: tuple(one for one in asked.by(id_) if one.impact in _IMPACTS) for id_ in ids}
        return {id_: by for id_, by in found.items() if by}

    @cached_property
    def _by_change(self) -> Mapping[Change, bool]:
        """The changes that players must know of, and whether a text says what is new."""
        said = {change.fingerprint for by in self._by_rule.values() for change in by}
        wanted = (one for one in self.changes.every if one.impact in _IMPACTS)
        return {one: one.fingerprint in said for one in wanted if one.kind not in _IN_TEXTS_ONLY}

    def _entry(self, id_: str) -> Entry:
        """The sentences of a rule or ruling that differ."""
        return Entry(self._title(id_), tuple(_joined(self.texts.of(id_), self.words)), anchor=id_)

    def _generated(self, change: Change) -> _Item:
        """A change in generated sentences."""
        say = self.words.phrases.errata
        before, after = self.words.before(change), self.words.after(change)
        labels = (say["old"], say["new"]) if before and after else (say["removed"], say["added"])
        lines = tuple(compared(before, after, *labels))
        concerned = [id_ for id_ in dict.fromkeys((change.name, *change.rules)) if id_ in self._chapters]
        title = self.words.title(change)
        if title == change.name and concerned:  # players do not know the names of a spec
            title = self.words.phrases.phrases["separator"].join(map(self._title, concerned[:_TITLES]))
        entry = Entry(capital(title), lines, anchor=change.fingerprint)
        return self._placed(change.impact, concerned[0] if concerned else change.name, entry, bool(change.face))

    def _placed(self, impact: Impact, id_: str, entry: Entry, cards: bool = False) -> _Item:
        say = self.words.phrases.errata
        rulings = [*self.changes.new.rulings, *self.changes.old.rulings]
        if cards:
            return _Item(impact, -1, say["cards"], entry)
        if id_ in self._chapters:
            return _Item(impact, list(self._chapters).index(id_), self._title(self._chapters[id_]), entry)
        if id_ in rulings:
            return _Item(impact, len(self._chapters), labels_of(self.words.new.lang)["rulings"], entry)
        return _Item(impact, -2, say["game"], entry)

    def _title(self, id_: str) -> str:
        """The title of a rule, as its text has it; a ruling has none but its id."""
        for text in (self.texts.new, self.texts.old):
            if text is not None and id_ in text.titles:
                return text.titles[id_]
        if id_ in self.changes.new.rules:
            return self.words.new.say.names.title(id_)
        return self.words.old.say.names.title(id_) if id_ in self.changes.old.rules else id_

    @cached_property
    def _chapters(self) -> Mapping[str, str]:
        """The chapter of every rule, in the order of the rulebook; rules that are gone come last."""
        gone = ((id_, chapter) for id_, chapter in _chapters(self.changes.old) if id_ not in self.changes.new.rules)
        return {**dict(_chapters(self.changes.new)), **dict(gone)}


def texts(changes: Changes, old: Translation | None, new: Translation | None) -> Texts:
    """The texts of both versions, matched by the ids of rules and rulings, renamed ones included."""
    return Texts(old, new, renamed_rules(changes))


def renamed_rules(changes: Changes) -> Mapping[str, str]:
    """The new ids of rules and rulings with other ids."""
    renamed = (one for one in changes.every if one.kind in ("rule-renamed", "ruling-renamed"))
    return {one.before.text: one.after.text for one in renamed}


def history_sheet(steps: Sequence[Errata], first: Words, unreleased: bool = False) -> Sheet:
    """The errata of all steps from one version to the next, the latest first; `first` describes the first version.

    `unreleased` says whether the last version is the present one, which is not released yet.
    """
    say = first.phrases.errata
    return Sheet(
        first.new.lang,
        say["history"].format(game=(steps[-1].words if steps else first).new.game or first.new.spec.title),
        "",
        (
            *(section for one in reversed(steps) for section in _step(one, unreleased and one is steps[-1])),
            Section(say["version"].format(version=first.old.spec.version), (Entry(say["first"]),)),
        ),
        find(first.new.lang).direction,
    )


def _step(errata: Errata, unreleased: bool) -> Iterator[Section]:
    say = errata.words.phrases.errata
    found = tuple(errata.sections(depth=2))
    nothing = () if found else (Entry(say["none"]),)
    title = say["unreleased"] if unreleased else say["version"].format(version=errata.changes.new.version)
    yield Section(title, nothing)
    yield from found


def _chapters(spec: Spec) -> Iterator[tuple[str, str]]:
    """Every rule with its chapter, the outermost rule around it, in the order of play."""
    seen = set()
    for setting in settings(spec):
        chapter = ""
        for id_, depth in rules_in_order(setting):
            chapter = id_ if depth <= 1 or not chapter else chapter
            if id_ not in seen:
                seen.add(id_)
                yield id_, chapter
    yield from ((id_, id_) for id_ in spec.rules if id_ not in seen)


def _joined(found: Sequence[Revised], words: Words) -> Iterator[Line]:
    """The lines of sentences that differ; sentences that were added or removed one after the other are one line."""
    say = words.phrases.errata
    for kind, some in _runs(found):
        olds, news = [one.old.text for one in some if one.old], [one.new.text for one in some if one.new]
        if kind is Edit.CHANGED:
            yield from compared(olds, news, say["old"], say["new"])
        elif kind is Edit.MOVED:
            yield plain(" ".join(news), say["moved"])
        elif kind is Edit.ADDED:
            yield from compared([], [" ".join(news)], "", say["added"])
        else:
            yield from compared([" ".join(olds)], [], say["removed"], "")


def _runs(found: Sequence[Revised]) -> Iterator[tuple[Edit, list[Revised]]]:
    run: list[Revised] = []
    for one in found:
        if run and (run[0].kind is not one.kind or one.kind is Edit.CHANGED):
            yield run[0].kind, run
            run = []
        run.append(one)
    if run:
        yield run[0].kind, run


def since(rulebook: Rulebook, old: Translation, errata: Errata, named: str = "") -> Since:
    """The titles and blocks of a rulebook that differ for its number of players from those of an old text, or whose
    rule means something else with the same words; and the changes, for all numbers of players.

    `errata` are those between the versions of the game. `named` is what the old one is called (default: its number).
    """
    changes, names = errata.changes, errata.texts.names
    diff = TextDiff(old, rulebook.translation, errata.words, Asked(changes), names)
    setting = _same(changes.old, rulebook.setting)
    back = {now: was for was, now in names.items()}
    examples = _examples(old, rulebook, back)
    before = Rulebook(old, setting, None, rulebook.with_rulings, examples) if setting is not None else None
    marks = changed(
        _sections(before) if before is not None else (),
        _sections(rulebook),
        {name: was for now, id_ in back.items() for name, was in ((now, id_), (_ruling(now), _ruling(id_)))},
        {name for id_ in diff.waiting for name in (id_, _ruling(id_))},
    )
    nothing = Section(errata.words.phrases.errata["none"])
    return Since(named or changes.old.version, marks, (*errata.sections(), *errata.reworded()) or (nothing,))


def _sections(rulebook: Rulebook) -> Iterator[RuleSection]:
    yield from rulebook.sections
    yield from (RuleSection(_ruling(id_), "", text, 1) for id_, text in rulebook.rulings)


def _examples(old: Translation, rulebook: Rulebook, names: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """What an old text has for the worked examples of a rulebook, by the old ids of their rules. Examples that are gone
    are not among them: whether they were for that number of players is not known without their cases."""
    found = {}
    for id_, passage in rulebook.translation.rules.items():
        shown = rulebook.examples.get(id_, ())
        cases = {one.case.text for one in passage.examples if one.text.text in shown}
        was = old.rules.get(names.get(id_, id_))
        if was is not None:
            known = (one for one in was.examples if one.case.text in cases or one.text.text in shown)
            found[was.id] = tuple(one.text.text for one in known)
    return found


def _ruling(id_: str) -> str:
    return f"ruling-{id_}"


def _same(old: Spec, new: Setting) -> Setting | None:
    """The same setting of an old version; None if it is not for that number of players."""
    if new.players not in old.players:
        return None
    options = {id_: ruling.options[new.chosen[id_]] for id_, ruling in new.spec.rulings.items()}
    chosen = {
        id_: ruling.options.index(options[id_]) if options.get(id_) in ruling.options else 0
        for id_, ruling in old.rulings.items()
    }
    return Setting(old, new.players, chosen)
