"""RS3xx: names, types and places that do not fit together. RS4xx: cards and tables. RS5xx: steps and blocks."""

from rulespec.catalogue.kind import Kind, Severity

_NAMES = (
    "unknown-name unclear-name name-taken unknown-type type-mismatch wrong-index unknown-field unknown-function wrong-arguments "
    "out-of-range may-be-absent never-absent too-large division-by-zero folded-expression bad-expression not-constant not-a-value "
    "empty-range duplicate-id no-owner no-start circular-value recursive-procedure bad-member"
).split()
_CARDS = "field-missing unknown-source too-many-cards wrong-value wrong-total table-gap".split()
_STEPS = "nothing-to-leave wrong-from wrong-domain".split()

MEANING = tuple(
    Kind(f"RS{base + i:03}", name, Severity.ERROR, f"{name}.", "Bad:\nGood:\n")
    for base, names in ((301, _NAMES), (401, _CARDS), (501, _STEPS))
    for i, name in enumerate(names)
)
