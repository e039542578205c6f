"""Findings about keys: unknown, missing, misplaced or conflicting ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from rulespec.base.characters import alike, latin
from rulespec.base.messages import NOTHING, Message, counted, say
from rulespec.base.worklist import MOST_SHOWN
from rulespec.language.document.nodes import Mapping, Scalar
from rulespec.language.document.nodes import at as at_document
from rulespec.language.document.places import short
from rulespec.language.schema.context import NEAR, Problem, SchemaContext, either, joined, with_article


def extra_keys(context: SchemaContext) -> Iterator[Problem]:
    """Keys that are unknown, or that do not fit the other keys."""
    known = context.owner.get("properties", {})
    outside = _outside(context)
    yield from [outside] if outside else []
    settled = outside.keys if outside else ()
    unknown = 0
    for key in context.given if context.operation not in settled else ():
        if key in context.schema.get("properties", {}) or key in settled or _fits_pattern(context, key):
            continue
        if key not in known:
            # The schema of the whole mapping reports it; that of each operation would report it once more.
            unknown += 1
            yield from () if context.operation else [_unknown(context, key, known, compared=unknown <= MOST_SHOWN)]
        elif key in context.owner["dependentSchemas"]:
            yield _conflict(context)
        else:
            yield _misplaced(context, key)


def _fits_pattern(context: SchemaContext, key: str) -> bool:
    """Whether a key is one of many that the schema describes by a pattern, such as language tags."""
    return any(re.search(pattern, key) for pattern in context.schema.get("patternProperties", {}))


def _unknown(context: SchemaContext, key: str, known: dict[str, Any], compared: bool) -> Problem:
    """The problem of an unknown key; only one that is shown is `compared` with those that are known."""
    free = {name: part for name, part in known.items() if name not in context.given} if compared else {}
    name, _, rest = key.partition(":")
    meant = name if name in free else _meant(key, free) if compared else ""
    there = next(iter(get_close_matches(key.lower(), known, n=1, cutoff=0.75)), "") if compared and not meant else ""
    if meant and meant == name != key:
        hint = say("Write a space after the colon: `{name}: {rest}`.", name=name, rest=rest.strip())
    elif meant:
        hint = say("Did you mean `{name}`?", name=meant)
    elif there:
        hint = say("Did you mean `{name}`, which is there already?", name=there)
    else:
        hint = _other_hint(context, key, free)
    letters = say(": {letters}", letters=alike(key)) if latin(key) else NOTHING
    message = say(
        "`{key}` is not a key of {called}{letters}.",
        key=short(key),
        called=with_article(context.called),
        letters=letters,
    )
    # If no key of the mapping is known, its missing keys are reported only after the unknown ones are fixed.
    nothing = not any(name in context.given for name in known)
    # Of one letter, such as `i`, may be several keys, so that nothing else can be said with one of them.
    unclear = len(key) == 1 and len(get_close_matches(key.lower(), free, n=2, cutoff=NEAR)) > 1
    instead = ("" if unclear else meant or there, *(context.owner.get("required", ()) if nothing else ()))
    return Problem("unknown-key", message, hint, context.path, context.key_span(key), (key,), instead)


def _meant(key: str, free: dict[str, Any]) -> str:
    """The key that was meant: one with this alias or these letters, else the one with the most similar spelling; empty
    if none."""
    also = next((name for name, part in free.items() if key.lower() in part.get("x-aka", ())), "")
    also = also or next((name for name in free if sorted(name) == sorted(key.lower())), "")
    near = get_close_matches(key.lower(), free, n=1, cutoff=NEAR)
    written = latin(key) if latin(key) in free else ""
    return also or written or (near[0] if near else "")


def _other_hint(context: SchemaContext, key: str, free: dict[str, Any]) -> Message:
    rivals, value = context.owner.get("dependentSchemas", {}), at_document(context.root, (*context.path, key))
    homes = [name for name, part in free.items() if key in context.keys_inside(part)]
    if len(homes) == 1:
        return say("Move `{key}` into `{other}:`.", key=key, other=homes[0])
    if isinstance(value, Scalar) and value.text == value.style == NOTHING and value.span.start == value.span.end:
        return say("Delete it, or put quotes around a text that contains a comma.")
    if "do" in context.owner.get("properties", {}) and not rivals and key in context.operations:
        return say("Write the step `{key}` under `do:`.", key=key)
    present = context.present
    usual = [name for name in (rivals or free) if name in free]
    if present:
        companions = (name for name in _companions(rivals, present[0]) if name in free)
        usual = [name for name in companions if free[name].get("x-with", "id") != "id"]
        if usual == ["with"]:
            return say("Write the parameters of a procedure under `with:`.")
    return say("Use {names}, or delete it.", names=either(usual)) if usual else say("Delete it.")


# --- keys next to the mapping they belong in -------------------------------------------------------------------------


def _outside(context: SchemaContext) -> Problem | None:
    """One finding for all keys that stand next to an operation but belong inside its mapping."""
    rivals, node = context.owner.get("dependentSchemas", {}), context.node
    for operation in context.present if isinstance(node, Mapping) else ():
        inside = context.keys_inside(context.owner.get("properties", {}).get(operation, {}))
        present = [name for name in context.present if name != "do"]
        beside = {key for name in present for key in rivals[name]["properties"]}
        keys = tuple(key for key in context.given if key in inside and key not in beside and key != operation)
        held = context.given[operation]
        if keys and not (isinstance(held, dict) and any(key in held for key in keys)):
            form = ", ".join(f"{key}: …" for key in keys)
            message = counted(
                "{names} belongs inside `{operation}`, not next to it.",
                "{names} belong inside `{operation}`, not next to it.",
                len(keys),
                names=joined(keys),
                operation=operation,
            )
            places = tuple((*context.path, operation, key) for key in keys)
            hint = say("Write `{operation}: {{…, {form}}}`.", operation=operation, form=form)
            return Problem("misplaced-key", message, hint, context.path, context.key_span(keys[0]), keys, inside=places)
    return None


# --- keys that do not fit together -----------------------------------------------------------------------------------


def _conflict(context: SchemaContext) -> Problem:
    rivals, present = context.owner["dependentSchemas"], context.present
    # `do` is an operation only if no other operation has it as a companion.
    present = [key for key in present if key != "do" or not any(key in _companions(rivals, op) for op in present)]
    both = joined(present)
    span = context.key_span(present[1])
    if context.called == "step":
        message = say("This step has both {names}; a step does one thing.", names=both)
        return Problem("several-operations", message, _apart(context, present), context.path, span)
    message = say("This {called} has both {names}; it takes only one of them.", called=context.called, names=both)
    return Problem("either-or", message, say("Delete one of them."), context.path, span)


def _apart(context: SchemaContext, present: list[str]) -> Message:
    """How to resolve two operations in one step."""
    if set(present) == {"if", "do"} and "then" not in context.given:
        return say("After `if:` write `then:` instead of `do:`.")
    round_ = next((key for key in ("each", "random", "let") if key in present), NOTHING)
    if round_ and "do" not in context.given:
        others = [key for key in present if key != round_]
        return say("Write {names} inside the `do:` of `{round}`.", names=joined(others), round=round_)
    return say("Split it into several steps, in sequence or nested.")


def _companions(rivals: dict[str, Any], operation: str) -> list[str]:
    return [key for key in rivals[operation]["properties"] if key != operation]


def _misplaced(context: SchemaContext, key: str) -> Problem:
    if context.owner["properties"].get(with_ := context.owner["properties"][key].get("x-with"), {}).get("x-question"):
        name, message = _missing(context, with_)
        return Problem(name, message, _how_to_add(context, with_), context.path, context.key_span(key), (with_,))
    with_ = context.owner["properties"][key].get("x-with", "")
    if not with_:
        # A key that goes with other keys than the one that the mapping has
        words = say("`{key}` does not go with `{other}`.", key=key, other=context.operation)
        fitting = [name for name, part in context.owner["dependentSchemas"].items() if key in part["properties"]]
        hint = say("Delete it, or use it with {names}.", names=either(fitting))
        return Problem("misplaced-key", words, hint, context.path, context.key_span(key), ())
    message = say(
        "`{key}` needs `{other}`, which this {called} does not have.", key=key, other=with_, called=context.called
    )
    return Problem(
        "misplaced-key",
        message,
        say("Delete it, or add `{key}:`.", key=with_),
        context.path,
        context.key_span(key),
        (with_,),
    )


def without_companion(context: SchemaContext) -> Iterator[Problem]:
    """Keys that need another key, which is missing."""
    outside = _outside(context)
    for key, needed in context.asked.items():
        if outside is not None and key in outside.keys:
            continue
        if key in context.given and any(name not in context.given for name in needed):
            yield _misplaced(context, key)


def missing_keys(context: SchemaContext) -> Iterator[Problem]:
    """Required keys that are missing."""
    span = context.key_span(context.operation) if context.operation else context.head
    for key in context.asked:
        if key not in context.given:
            name, message = _missing(context, key)
            yield Problem(name, message, _how_to_add(context, key), context.path, span, (key,))


def _missing(context: SchemaContext, key: str) -> tuple[str, Message]:
    question = context.owner.get("properties", {}).get(key, {}).get("x-question")
    if question:
        return "open-question", say(
            "This {called} does not say {question}.", called=context.called, question=say(question)
        )
    return (
        "missing-key",
        say("`{operation}` needs `{key}`.", operation=context.operation, key=key)
        if context.operation
        else say("This {called} needs {names}.", called=context.called, names=f"`{key}`"),
    )


def _how_to_add(context: SchemaContext, key: str) -> Message:
    choices = context.owner.get("properties", {}).get(key, {}).get("enum", [])
    if len(choices) == 1:
        return say("Add `{key}: {choice}`.", key=key, choice=choices[0])
    return (
        say("Add `{key}:` with {choices}.", key=key, choices=either(choices))
        if choices
        else say("Add `{key}:`.", key=key)
    )


def none_of(context: SchemaContext) -> Iterator[Problem]:
    """A mapping without any of the keys of which it needs one."""
    names = tuple(choice["required"][0] for choice in context.asked)
    if context.called != "step":
        message, hint = (
            say("This {called} needs {names}.", called=context.called, names=either(names)),
            say("Add one of them."),
        )
        yield Problem("missing-key", message, hint, context.path, context.head, names)
        return
    properties = context.schema["properties"]
    needs = [(key, properties.get(key, {}).get("x-with")) for key in context.given]
    hint = next(
        (say("Add `{other}:`, which `{key}` needs.", other=with_, key=key) for key, with_ in needs if with_),
        _SOME_OPERATION,
    )
    yield Problem("no-operation", say("This step has no operation."), hint, context.path, context.head, names)


_SOME_OPERATION = say("Add an operation such as `do:` or `move:`, or `note:` for a rule that only people follow.")
