"""The JSON Schemas of the data files of a language. Those of lexicons follow from the tables of what they may hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from rulespec.base.messages import say
from rulespec.language.schema.validate import text as schema_text
from rulespec.proofs.meaning.constructors import FAMILIES
from rulespec.text.checks.counted import LISTS, TABLES
from rulespec.text.reading.contrasts.lexicon import AFFIRMED, CLAUSES, DENIED, NEGATION, PREDICATES
from rulespec.text.rules.describe.grammar import FRAMES
from rulespec.text.rules.describe.grammar import LABELS as DESCRIBED
from rulespec.versions.changes.words import FINDINGS, KEYS

Schema = dict[str, Any]

PUBLISHED = ("language", "numerals", "samples")
"""The files whose schema is a file of its own."""


@cache
def schema_of(name: str) -> Schema:
    """The schema of the file `NAME.yaml` of a language. Raises KeyError if a language has no such file."""
    if name in PUBLISHED:
        return json.loads(schema_text(f"{name}-1"))  # type: ignore[no-any-return]
    return _MADE[name]()


def _file(name: str, title: str, description: str, properties: Mapping[str, Schema]) -> Schema:
    version = {
        "title": "Format version",
        "description": "The version of this format: 1. It may be left out.",
        "enum": ["1"],
    }
    macros = _keys_of(
        "macros",
        "Parts of wordings by name: `{name}` in a wording stands for its part.",
        {"$ref": "#/$defs/macro"},
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://ftk.example/{name}-1.schema.json",
        "title": f"{title} of a language, format version 1",
        "description": description,
        "type": "object",
        "x-name": say("file"),
        "x-kind": say("a mapping"),
        "additionalProperties": False,
        "properties": {"language": version, "macros": macros, **properties},
        "$defs": _DEFINITIONS,
    }


_HINT = say("Write it like `[first, second]`.")
_DEFINITIONS: Schema = {
    "text": {"x-kind": say("a text"), "type": "string"},
    "number": {
        "x-kind": say("a whole number"),
        "x-hint": say("Write a whole number."),
        "type": "string",
        "pattern": r"^\d{1,4}$",
    },
    "pattern": {"x-kind": say("a pattern"), "x-pattern": True, "type": "string"},
    "macro": {
        "x-kind": say("a pattern, or a list of alternatives"),
        "x-pattern": True,
        "type": ["string", "array"],
        "items": {"$ref": "#/$defs/pattern"},
    },
    "words": {"x-kind": say("a list of words"), "x-hint": _HINT, "type": "array", "items": {"$ref": "#/$defs/text"}},
    "patterns": {
        "x-kind": say("a list of patterns"),
        "x-hint": _HINT,
        "type": "array",
        "items": {"$ref": "#/$defs/pattern"},
    },
    "wordings": {
        "x-kind": say("a list of wordings"),
        "x-hint": _HINT,
        "type": "array",
        "items": {"x-kind": say("words, or a pattern between slashes"), "x-pattern": "wording", "type": "string"},
    },
    "rows": {
        "x-kind": say("a list of lists of words"),
        "x-hint": say("Write a row like `[left, right]`."),
        "type": "array",
        "items": {"$ref": "#/$defs/words"},
    },
    "any": {"x-kind": say("a text, a list of texts or a mapping of them"), "type": ["string", "array", "object"]},
    "pair": {
        "x-kind": say("a pair of separators"),
        "x-hint": say("Write it like `[', ', ' and ']`."),
        "type": "array",
        "minItems": 2,
        "items": {"$ref": "#/$defs/text"},
    },
    "texts": {"x-kind": say("a mapping of texts"), "type": "object", "additionalProperties": {"$ref": "#/$defs/text"}},
}


def _mapping(title: str, description: str, properties: Mapping[str, Schema], whole: bool = False) -> Schema:
    """A mapping with these keys; with `whole` all of them are required."""
    return {
        "title": title.capitalize(),
        "description": description,
        "x-kind": say("a mapping"),
        "type": "object",
        "additionalProperties": False,
        "properties": dict(properties),
        **({"required": list(properties)} if whole else {}),
    }


def _keys_of(title: str, description: str, value: Schema) -> Schema:
    """A mapping with any keys."""
    return {
        "title": title.capitalize(),
        "description": description,
        "x-kind": say("a mapping"),
        "type": "object",
        "additionalProperties": value,
    }


def _key(kind: str, title: str, description: str) -> Schema:
    return {"title": title.replace("_", " ").capitalize(), "description": description, "$ref": f"#/$defs/{kind}"}


def _named(kind: str, names: Iterable[str], description: str) -> dict[str, Schema]:
    """Keys with the same kind of value. The description has `{name}` for each."""
    return {name: _key(kind, name, description.replace("{name}", name.replace("_", " "))) for name in _sorted(names)}


def _sorted(names: Iterable[str]) -> list[str]:
    return list(names) if isinstance(names, tuple | list | dict) else sorted(names)


_OF_NEGATION = {
    "before": ("wordings", "Negators of what follows."),
    "after": ("wordings", "Negators of what precedes."),
    "reach": ("number", "The most words between a negator and a contrast; characters in a language without spaces."),
    "nearest": ("number", "The same for contrasts that only a negator next to them negates."),
    "concord": ("number", "The most words between a “nobody” and a negator that repeats its negation."),
    "over": ("words", "Conjunctions that negation goes over."),
    "stops": ("words", "Words that begin another clause and so end negation."),
    "copulas": ("words", "Verbs that link a prohibition to a state."),
    "instead": ("patterns", "Patterns of “not A but B”, with A in the group `false`."),
    "exceptions": ("wordings", "Wordings with a negator that negate nothing."),
}

_OF_CLAUSES = {
    "exceptions": "Words that leave a part of their clause out.",
    "conditions": "Words after which a clause states a case.",
    "conditions_after": "Words before which a clause states a case.",
    "relatives": "Words after which the next predicate states a case.",
    "relatives_after": "Words before which the last predicate states a case.",
}


def _contrasts() -> Schema:
    assert _OF_NEGATION.keys() == NEGATION and _OF_CLAUSES.keys() == CLAUSES.keys()
    families = {
        family: _mapping(
            family, f"Wordings of each value of `{family}`.", _named("wordings", values, "Wordings of “{name}”.")
        )
        for family, values in FAMILIES.items()
    }
    both = _named("wordings", (AFFIRMED, DENIED), "Wordings by which it is {name}.")
    predicates = {name: _mapping(name, f"Wordings of `{name}`.", both) for name in sorted(PREDICATES)}
    clauses = {key: _key("wordings", key, means) for key, means in _OF_CLAUSES.items()}
    negation = {key: _key(kind, key, means) for key, (kind, means) in _OF_NEGATION.items()}
    return _file(
        "contrasts",
        "Contrasts",
        "The wordings of contrasts, such as left and right, and how negation works.",
        {
            "families": _mapping("families", "The wordings of each value of each family of contrasts.", families),
            "predicates": _mapping("predicates", "Wordings that affirm or deny what happens.", predicates),
            "clauses": _mapping("clauses", "Words that say what kind of clause theirs is.", clauses),
            "negation": _mapping("negation", "How the language negates.", negation),
            "idioms": _key("wordings", "idioms", "Wordings in which no contrast is read."),
            "swaps": _key("rows", "swaps", "Forms that can stand for each other, for tests."),
        },
    )


_OF_COUNTED = {
    "forms": "For each plural category of a number, `sing` or `plur` and the case of its noun.",
    "adjectives": "The same for adjectives between a number and its noun, where they differ.",
    "genders": "The genders of number words.",
    "prepositions": "Words before a number by the cases that they govern.",
    "like": "Words that the dictionary lacks, each with one that has the same endings.",
    "collective": "Number words with the genitive plural.",
    "alone": "Number words that may stand without a noun.",
    "genitive": "Lemmas after which, or before which, a number may be in the genitive.",
    "containers": "Places that have no number themselves.",
    "ordinal": "Nouns whose singular may have an ordinal in digits.",
    "labels": "Nouns that a number names, as in “card 4”.",
    "rare": "Forms that are never proposed.",
    "mass": "Nouns for amounts.",
    "before": "Words before a number and its noun between which a wrong plural is certain.",
    "after": "Words after a number and its noun between which a wrong plural is certain.",
    "articles": "Articles and forms of “one” that a term in the singular follows.",
    "plurals": "Plurals of what any game counts, in a language with regular ones.",
}


def _counted() -> Schema:
    assert _OF_COUNTED.keys() == {*LISTS, *TABLES}
    lists = {key: _key("list", key, _OF_COUNTED[key]) for key in LISTS}
    tables = {key: _key("texts", key, _OF_COUNTED[key]) for key in TABLES}
    forms = {key: _keys_of(key, _OF_COUNTED[key], {"$ref": "#/$defs/form"}) for key in ("forms", "adjectives")}
    made = _file("counted", "Counted nouns", "Which form of a noun follows a number.", {**tables, **forms, **lists})
    of_noun = {
        "x-kind": say("`sing` or `plur` and a case"),
        "x-hint": say("Write it like `plur gent`."),
        "type": "string",
        "pattern": r"^(sing|plur) \w{4}$",
    }
    of_words = {
        "x-kind": say("a list of words, or a text with spaces between them"),
        "x-hint": _HINT,
        "type": ["array", "string"],
        "items": {"$ref": "#/$defs/text"},
    }
    return {**made, "$defs": {**_DEFINITIONS, "list": of_words, "form": of_noun}}


def _describe() -> Schema:
    described = {
        "templates": _keys_of("templates", "A text for each constructor of phrases.", {"$ref": "#/$defs/any"}),
        "frames": _mapping(
            "frames", "The texts of sentences.", _named("text", FRAMES, "The text of “{name}”."), whole=True
        ),
        "lists": _keys_of(
            "lists", "The separator and the last separator of each kind of list.", {"$ref": "#/$defs/pair"}
        ),
        "nouns": _keys_of("nouns", "Counted nouns by plural category.", {"$ref": "#/$defs/texts"}),
        "variables": _keys_of("variables", "Words for the variables that blocks bind.", {"$ref": "#/$defs/any"}),
        "labels": _mapping("labels", "Other words of descriptions.", _named("text", DESCRIBED, "The label “{name}”.")),
    }
    forms = {
        "agreeing": _keys_of("agreeing", "Words that agree with a noun.", {"$ref": "#/$defs/texts"}),
        "derivations": _keys_of(
            "derivations", "Forms of a noun that follow from its letters.", {"$ref": "#/$defs/rows"}
        ),
        "euphony": _key("rows", "euphony", "Words that change beside others, in a finished sentence."),
    }
    made = _file("describe", "Descriptions", "The grammar of generated sentences.", described | forms)
    properties = {key: value for key, value in made["properties"].items() if key != "macros"}
    return {**made, "properties": properties, "required": list(described)}


def _changes() -> Schema:
    keys = {
        "kinds": "What each kind of change is.",
        "impacts": "The impacts of changes.",
        "levels": "How far a version rises.",
        "phrases": "The sentences and headings of reports.",
        "errata": "The headings and labels of errata sheets.",
        "findings": "Headings for findings.",
    }
    words = {**KEYS, "findings": FINDINGS}
    nouns = _keys_of("nouns", "Counted nouns by plural category.", {"$ref": "#/$defs/texts"})
    return _file(
        "changes",
        "Words for changes",
        "The words of `ftk diff` and `ftk errata`.",
        {
            **{
                key: _mapping(key, means, _named("text", words[key], "The words for “{name}”."))
                for key, means in keys.items()
            },
            "nouns": nouns,
        },
    )


_MADE = {
    "contrasts": _contrasts,
    "counted": _counted,
    "describe": _describe,
    "changes": _changes,
}

DATA = ("numerals", *_MADE, "samples")
"""The names of the data files of a language, without `.yaml`."""


def home_of(key: str, without: str) -> str:
    """The file of a language that has a key at its top level, except that of the name `without`; "" if none has."""
    homes = (name for name in ("language", *DATA) if name != without)
    return next((name for name in homes if key in schema_of(name)["properties"] and key != "language"), "")
