"""What a rulebook marks as changed since an earlier version of its game."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.changes.asked import Asked
from rulespec.changes.errata import Errata
from rulespec.changes.text_diff import TextDiff
from rulespec.model.constants import Setting
from rulespec.model.spec import Spec
from rulespec.pages.sheet import Section as Changes
from rulespec.text import Translation
from rulespec.text.render import Rulebook, Section, Since, changed_blocks


def since(rulebook: Rulebook, old: Translation, errata: Errata, named: str = "") -> Since:
    """The paragraphs of a rulebook that differ for its number of players from those of an old text, or whose rule means
    something else with the same words; and the changes, for all numbers of players.

    `errata` are those between the versions of the game. `named` is what the old one is called (default: its number).
    """
    changes, names = errata.changes, errata.texts.names
    diff = TextDiff(old, rulebook.translation, errata.words, Asked(changes), names)
    setting = _same(changes.old, rulebook.setting)
    before = Rulebook(old, setting, with_rulings=rulebook.with_rulings) if setting is not None else None
    blocks = changed_blocks(
        _sections(before) if before is not None else (),
        _sections(rulebook),
        {name: was for was, now in names.items() for name, was in ((now, was), (_ruling(now), _ruling(was)))},
        {name for id_ in diff.waiting for name in (id_, _ruling(id_))},
    )
    nothing = Changes(errata.words.phrases.errata["none"])
    return Since(named or changes.old.version, blocks, (*errata.sections(), *errata.reworded()) or (nothing,))


def _sections(rulebook: Rulebook) -> Iterator[Section]:
    yield from rulebook.sections
    yield from (Section(_ruling(id_), "", text, 1) for id_, text in rulebook.rulings)


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
