"""Keys that are unknown, missing, misplaced or at odds with each other, in our words."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from rulespec import document
from rulespec.document import Mapping, Scalar
from rulespec.document.places import short
from rulespec.schema.case import Case, Problem, either, joined, with_article, with_choices


def extra_keys(case: Case) -> Iterator[Problem]:
    """Keys that are unknown, or not together with the others."""
    known = case.owner.get("properties", {})
    outside = _outside(case)
    yield from [outside] if outside else []
    settled = outside.keys if outside else ()
    for key in case.given if case.operation not in settled else ():
        if key in case.schema.get("properties", {}) or key in settled:
            continue
        if key not in known:
            yield from () if case.operation else [_unknown(case, key, known)]
        elif key in case.owner["dependentSchemas"]:
            yield _conflict(case)
        else:
            yield _misplaced(case, key)


def _unknown(case: Case, key: str, known: dict[str, Any]) -> Problem:
    free = {name: part for name, part in known.items() if name not in case.given}
    meant = _meant(key, free)
    hint = f"Did you mean `{meant}`?" if meant else _other_hint(case, key, free)
    message = f"`{short(key)}` is not a key of {with_article(case.called)}."
    # Where nothing is known of the mapping, what it misses is better seen once it makes sense at all.
    nothing = not any(name in known for name in case.given)
    instead = (meant, *(case.owner.get("required", ()) if nothing else ()))
    return Problem("unknown-key", message, hint, case.path, case.key_span(key), (key,), instead)


def _meant(key: str, free: dict[str, Any]) -> str:
    """The key that was meant: one people call so, or the one that is spelled most like it."""
    also = next((name for name, part in free.items() if key.lower() in part.get("x-aka", ())), "")
    near = get_close_matches(key.lower(), free, n=1, cutoff=0.65)
    return also or (near[0] if near else "")


def _other_hint(case: Case, key: str, free: dict[str, Any]) -> str:
    rivals, value = case.owner.get("dependentSchemas", {}), document.at(case.root, (*case.path, key))
    homes = [name for name, part in free.items() if key in case.keys_inside(part)]
    if len(homes) == 1:
        return f"`{key}` stands inside `{homes[0]}:`."
    if isinstance(value, Scalar) and value.text == value.style == "" and value.span.start == value.span.end:
        return "Delete it; a text with a comma in it needs quotes."
    if "do" in case.owner.get("properties", {}) and not rivals and key in case.operations:
        return f"`{key}` is a step of its own: write it under `do:`."
    present = [name for name in case.given if name in rivals]
    usual = [name for name in (rivals or free) if name in free]
    if present:
        usual = [name for name in _companions(rivals, present[0]) if name in free and "x-with" in free[name]]
        if usual == ["with"]:
            return "What a procedure is given stands under `with:`."
    return f"There could be {either(usual)} here." if usual else "Delete it."


# --- keys beside a mapping they belong into --------------------------------------------------------------------------


def _outside(case: Case) -> Problem | None:
    """One finding for all keys that stand beside an operation though they belong into its mapping."""
    rivals, node = case.owner.get("dependentSchemas", {}), case.node
    for operation in case.given if isinstance(node, Mapping) else ():
        inside = case.keys_inside(case.owner.get("properties", {}).get(operation, {}))
        present = [name for name in case.given if name in rivals and name != "do"]
        beside = {key for name in present for key in rivals[name]["properties"]}
        keys = tuple(key for key in case.given if key in inside and key not in beside and key != operation)
        held = case.given[operation]
        if operation in rivals and keys and not (isinstance(held, dict) and any(key in held for key in keys)):
            return _outside_of(case, operation, keys)
    return None


def _outside_of(case: Case, operation: str, keys: tuple[str, ...]) -> Problem:
    verb = "belongs" if len(keys) == 1 else "belong"
    form = ", ".join(f"{key}: …" for key in keys)
    message = f"{joined(keys)} {verb} inside `{operation}`, not beside it."
    places = tuple((*case.path, operation, key) for key in keys)
    hint = f"Write `{operation}: {{…, {form}}}`."
    return Problem("misplaced-key", message, hint, case.path, case.key_span(keys[0]), keys, inside=places)


# --- keys that do not fit together -----------------------------------------------------------------------------------


def _conflict(case: Case) -> Problem:
    rivals = case.owner["dependentSchemas"]
    present = [key for key in case.given if key in rivals]
    # `do` is an operation of its own only where no other one brings it along.
    present = [key for key in present if key != "do" or not any(key in _companions(rivals, op) for op in present)]
    conflict = f"This {case.called} has both {joined(present)}"
    span = case.key_span(present[1])
    if case.called == "step":
        message, hint = f"{conflict}; a step does one thing.", _apart(case, present)
        return Problem("several-operations", message, hint, case.path, span)
    return Problem("either-or", f"{conflict}; only one of them can count.", "Keep one of them.", case.path, span)


def _apart(case: Case, present: list[str]) -> str:
    """What to do about two operations in one step."""
    if set(present) == {"if", "do"} and "then" not in case.given:
        return "After `if:` write `then:` instead of `do:`."
    round_ = next((key for key in ("each", "random") if key in present), "")
    if round_ and "do" not in case.given:
        others = [key for key in present if key != round_]
        return f"Write {joined(others)} inside the `do:` of `{round_}`."
    return "Split it into steps of their own, one after the other or one inside the other."


def _companions(rivals: dict[str, Any], operation: str) -> list[str]:
    return [key for key in rivals[operation]["properties"] if key != operation]


def _misplaced(case: Case, key: str) -> Problem:
    with_ = str(case.owner["properties"][key].get("x-with"))
    message = f"`{key}` goes with `{with_}`, which this {case.called} does not have."
    return Problem("misplaced-key", message, f"Delete it, or add `{with_}:`.", case.path, case.key_span(key), (with_,))


def without_companion(case: Case) -> Iterator[Problem]:
    """Keys that only add to another one, which is not there."""
    outside = _outside(case)
    for key, needed in case.asked.items():
        if outside is not None and key in outside.keys:
            continue
        if key in case.given and any(name not in case.given for name in needed):
            yield _misplaced(case, key)


def missing_keys(case: Case) -> Iterator[Problem]:
    """Keys that are always needed."""
    span = case.key_span(case.operation) if case.operation else case.head
    for key in case.asked:
        if key not in case.given:
            name, message = _missing(case, key)
            yield Problem(name, message, _how_to_add(case, key), case.path, span, (key,))


def _missing(case: Case, key: str) -> tuple[str, str]:
    question = case.owner.get("properties", {}).get(key, {}).get("x-question")
    if question:
        return "open-question", f"This {case.called} does not say {question}."
    return "missing-key", f"{f'`{case.operation}`' if case.operation else f'This {case.called}'} needs `{key}`."


def _how_to_add(case: Case, key: str) -> str:
    choices = case.owner.get("properties", {}).get(key, {}).get("enum", [])
    return f"Add `{key}: {choices[0]}`." if len(choices) == 1 else f"Add `{key}:`{with_choices(choices)}."


def none_of(case: Case) -> Iterator[Problem]:
    """A mapping that has none of the keys of which it needs one."""
    names = tuple(choice["required"][0] for choice in case.asked)
    if case.called != "step":
        message, hint = f"This {case.called} needs {either(names)}.", "Add one of them."
        yield Problem("missing-key", message, hint, case.path, case.head, names)
        return
    properties = case.schema["properties"]
    needs = [(key, properties.get(key, {}).get("x-with")) for key in case.given]
    hint = next((f"`{key}` goes with `{with_}:`." for key, with_ in needs if with_), _SOME_OPERATION)
    yield Problem("no-operation", "This step does not say what happens.", hint, case.path, case.head, names)


_SOME_OPERATION = "Add what happens, such as `do:` or `move:`; with `note:` it is a rule for people only."
