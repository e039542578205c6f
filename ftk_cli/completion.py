"""What the completion of a shell proposes for an argument or option: games, rules, rulings, languages, variants, bots.

A shell runs ftk for every proposal, so only the spec that the line names is read; whatever is wrong with it, the line
stays as it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from rulespec.games.api import Spec

Proposed = Iterable[str]


def is_asked() -> bool:
    """Whether a shell asks for proposals, or for the script that does."""
    return "_FTK_COMPLETE" in os.environ


def attach(command: click.Command) -> None:
    """Gives the parameters of a command that are in the table what proposes their values."""
    for param in command.params:
        propose = PROPOSED.get(f"{command.name}.{param.name}", PROPOSED.get(param.name or ""))
        if propose is not None:
            setattr(param, "shell_complete", _Completion(propose))  # noqa: B010  # click asks for it by this name


class _Completion:
    """Proposes values that begin as the line does; of an argument that may be a path, files as well."""

    def __init__(self, propose: Callable[[click.Context, str], Proposed]) -> None:
        self.propose = propose

    def __call__(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        files = [CompletionItem(incomplete, type="file")] if self.propose in WITH_FILES else []
        return files + [CompletionItem(one) for one in self._words(ctx, incomplete) if one.startswith(incomplete)]

    def _words(self, ctx: click.Context, incomplete: str) -> list[str]:
        try:
            return sorted(set(self.propose(ctx, incomplete)))
        except Exception:  # a spec with errors, for example: a shell could only print this into the line
            return []


def _games(ctx: click.Context, incomplete: str) -> Proposed:
    from rulespec.base.project import playable_games

    return playable_games()


def _specs(ctx: click.Context) -> Iterator[Spec]:
    """The spec that the line names, else those of all games of the project."""
    from rulespec.base.project import known_games
    from rulespec.games.api import load

    named = _named(ctx)
    yield from (load(name, variant=ctx.params.get("variant") or "") for name in ([named] if named else known_games()))


def _named(ctx: click.Context) -> str | None:
    """The spec that the line names. An option without its value ends the parsing: then arguments are in `args`."""
    given = [ctx.params.get(name) for name in ("spec", "spec_name")]
    if ctx.args and any(param.name == "spec" for param in ctx.command.params if isinstance(param, click.Argument)):
        given.append(ctx.args[0])
    return next(filter(None, given), None)


def _rulings(ctx: click.Context, incomplete: str) -> Proposed:
    every = (ruling for spec in _specs(ctx) for ruling in spec.model.rulings.values())
    return (f"{ruling.id}={option}" for ruling in every for option in ruling.options)


def _rules(ctx: click.Context, incomplete: str) -> Proposed:
    return (rule for spec in _specs(ctx) for rule in spec.model.rules)


def _explained(ctx: click.Context, incomplete: str) -> Proposed:
    """What `ftk explain` knows: rules, rulings, invariants, and findings by code and name."""
    from rulespec.base.findings import KINDS

    models = [spec.model for spec in _specs(ctx)]
    ids = (id_ for model in models for id_ in (*model.rules, *model.rulings, *(one.id for one in model.invariants)))
    return chain(ids, (word for kind in KINDS.values() for word in (kind.code, kind.name)))


def _languages(ctx: click.Context, incomplete: str) -> Proposed:
    from rulespec.games.rulebook import texts_of

    return (tag for spec in _specs(ctx) for tag in texts_of(spec))


def _languages_of_all(ctx: click.Context, incomplete: str) -> Proposed:
    from rulespec.text.rules.describe.grammar import languages

    return languages()


def _variants(ctx: click.Context, incomplete: str) -> Proposed:
    from rulespec.base.project import find, known_variants
    from rulespec.games.api import load

    named = _named(ctx)
    return known_variants(load(named).id, find(named)) if named else ()


def _bots(ctx: click.Context, incomplete: str) -> Proposed:
    """The names of bots, after those of the seats before."""
    from rulespec.play.bots.table import BOTS

    # A shell replaces the whole word, with the seats before.
    before, comma, _ = incomplete.rpartition(",")
    return (f"{before}{comma}{name}" for name in BOTS)


PROPOSED: Mapping[str, Callable[[click.Context, str], Proposed]] = {
    "spec": _games,
    "game": _games,
    "paths": _games,
    "diff.old": _games,
    "diff.new": _games,
    "errata.old": _games,
    "errata.new": _games,
    "spec_name": _games,
    "rulings": _rulings,
    "wanted": _rules,
    "status.rules": _rules,
    "rename.old": _rules,
    "what": _explained,
    "lang": _languages,
    "new.lang": _languages_of_all,
    "cards.langs": _languages,
    "reference": _languages,
    "diff.texts": _languages,
    "variant": _variants,
    "bots": _bots,
}
"""What is proposed for a parameter, by its name, or by those of its command and itself."""

WITH_FILES = frozenset({_games})
