"""Static checks of a sealed game: it ends, every choice has an option, every table decides, every name is used.

The engine relies on them and has no defensive code. Each check reads the whole game and yields findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulespec.base.diagnostics import Finding
from rulespec.language.model.spec import Spec
from rulespec.proofs.checks import (
    blocks,
    cards,
    claims,
    endings,
    flow,
    hidden_information,
    option_texts,
    size,
    trials,
    usage,
)

Check = Callable[[Spec], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    size.too_much,
    flow.played,
    trials.refused,
    blocks.drafts,
    blocks.auctions,
    endings.ends,
    endings.early,
    endings.ties,
    endings.compared,
    cards.in_play,
    claims.general,
    usage.settled,
    cards.each_its_own,
    cards.unordered,
    blocks.amounts,
    usage.unused,
    usage.uncalled,
    usage.unremembered,
    option_texts.options,
    hidden_information.reads,
    hidden_information.picks,
    hidden_information.conditions,
    hidden_information.chance,
)


def run(spec: Spec) -> Iterator[Finding]:
    """The findings of all checks about a sealed spec. It raises nothing."""
    for check in CHECKS:
        yield from check(spec)
