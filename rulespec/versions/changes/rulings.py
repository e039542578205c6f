"""Changes of rulings and of their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.language.model.spec import Ruling
from rulespec.versions.changes import sides
from rulespec.versions.changes.both import Both
from rulespec.versions.changes.change import Change, Side


def ruling_changes(both: Both) -> Iterator[Change]:
    gone, added, kept = both.of_kind("ruling")
    for name in gone:
        users = both.users(("ruling", name), False)
        yield Change("ruling-removed", name, users, _asked(both.old.rulings[name]), Side())
    for name in added:
        users = both.users(("ruling", name), True)
        yield Change("ruling-added", name, users, Side(), _asked(both.new.rulings[name]))
    for name, other in kept:
        if name != other:
            yield sides.renamed(both, "ruling", name, other)
        yield from _answers(both, both.old.rulings[name], both.new.rulings[other])
        yield from _questions(both, both.old.rulings[name], both.new.rulings[other])


def _answers(both: Both, old: Ruling, new: Ruling) -> Iterator[Change]:
    users = both.users(("ruling", new.id), True)
    options = [both.names.text(f"{old.id}.{option}").partition(".")[2] for option in old.options]
    if options[0] != new.options[0]:
        yield Change("answer-changed", new.id, users, _side(old, old.options[:1]), _side(new, new.options[:1]))
    if more := [option for option in new.options if option not in options]:
        yield Change("answer-added", new.id, users, Side(), _side(new, more))
    if less := [option for option in options if option not in new.options]:
        yield Change("answer-removed", new.id, users, _side(old, less), Side())


def _questions(both: Both, old: Ruling, new: Ruling) -> Iterator[Change]:
    users = both.users(("ruling", new.id), True)
    if old.question.split() != new.question.split():
        yield Change("question-changed", new.id, users, _asked(old), _asked(new))
    if set(old.silent) != set(new.silent):
        yield Change("silence-changed", new.id, users, _side(old, sorted(old.silent)), _side(new, sorted(new.silent)))


def _asked(ruling: Ruling) -> Side:
    return Side(" ".join(ruling.question.split()), ruling.span)


def _side(ruling: Ruling, names: Sequence[str]) -> Side:
    return Side(", ".join(names), ruling.span)
