"""What a rulebook marks as changed since an earlier version of its game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulespec.base.pages.sheet import Section
from rulespec.language.model.constants import Setting
from rulespec.language.model.spec import Spec
from rulespec.text.output.render.book import Rulebook
from rulespec.text.output.render.sections import RuleSection
from rulespec.text.output.render.since import Since, changed
from rulespec.text.reading.translation import Translation
from rulespec.versions.changes.asked import Asked
from rulespec.versions.changes.errata import Errata
from rulespec.versions.changes.text_diff import TextDiff


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
