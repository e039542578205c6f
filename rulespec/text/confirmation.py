"""Confirmations: what a text was last compared with, so that a changed rule makes its text stale."""

from __future__ import annotations

from rulespec import meaning
from rulespec.model.spec import Spec
from rulespec.text import facts


def confirmation(spec: Spec, id_: str) -> str:
    """The value of `confirmed:` for a text that agrees with its rule or ruling today.

    Two digests: of the facts under `states:`, and of what the rule does. Raises KeyError for an unknown id.
    """
    return f"{facts.digest(spec, id_)}-{meaning.digest(spec, id_)}"


def is_stale(confirmed: str, spec: Spec, id_: str) -> bool:
    """Whether a rule or ruling has changed since its text was confirmed; False for a text that was never confirmed."""
    return bool(confirmed) and confirmed != confirmation(spec, id_)


def changes(confirmed: str, spec: Spec, id_: str) -> str:
    """A sentence about what has changed since a stale text was confirmed: the facts, listed as they are now, or the
    rule."""
    if confirmed.partition("-")[0] == facts.digest(spec, id_):
        what = "ruling" if id_ in spec.rulings else "rule"
        return f"The {what} `{id_}` has changed since this text was confirmed; its facts have not."
    now = "; ".join(str(fact) for fact in facts.of_rule(spec, id_)) or "none"
    return f"The facts of `{id_}` have changed since this text was confirmed. Facts now: {now}."
