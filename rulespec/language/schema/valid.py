"""Whether a document fits a JSON Schema, decided fast. Most do; jsonschema says what is wrong with the others.

Every keyword of our schemas is a row of `KEYWORDS`: a function of its value that returns the test of an instance. As in
JSON Schema, a keyword says nothing about instances of other types than its own. A new one, such as `maxItems`, also
needs a row of `_WORDINGS` in `wording.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from operator import gt, lt
from typing import Any, TypeAlias

Schema: TypeAlias = "dict[str, Any] | bool"
Test = Callable[[Any], bool]


def fits(schema: dict[str, Any]) -> Test:
    """The test whether a document fits a schema. Raises KeyError for a keyword that is no row of `KEYWORDS`."""
    return Compiler(schema).test(schema)


class Compiler:
    """Makes tests of the parts of a schema; of each definition one, when it is first needed."""

    def __init__(self, whole: dict[str, Any]) -> None:
        self._definitions = {f"#/$defs/{name}": part for name, part in whole.get("$defs", {}).items()}
        self._known: dict[str, Test] = {}

    def test(self, schema: Schema) -> Test:
        """The test whether an instance fits a part of the schema."""
        if isinstance(schema, bool):
            return lambda instance: schema
        said = [key for key in schema if key not in _SILENT and not key.startswith("x-")]
        tests = tuple(KEYWORDS[key](schema[key], schema, self) for key in said)
        return tests[0] if len(tests) == 1 else _all(tests)

    def of_definition(self, reference: str) -> Test:
        if reference not in self._known:
            self._known[reference] = self.test(self._definitions[reference])
        return self._known[reference]


_SILENT = frozenset(
    ("$schema", "$id", "$comment", "$defs", "title", "description", "examples", "default", "then", "else")
)
"""Keywords without a test of their own."""


def _all(tests: tuple[Test, ...]) -> Test:
    return lambda instance: all(test(instance) for test in tests)


def _reference(target: str, schema: Any, compiler: Compiler) -> Test:
    return lambda instance: compiler.of_definition(target)(instance)


def _type(names: str | list[str], schema: Any, compiler: Compiler) -> Test:
    kinds = tuple(_KINDS[one] for one in ([names] if isinstance(names, str) else names))
    return lambda instance: type(instance) in kinds


_KINDS = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
"""JSON Schema accepts 1.0 as an integer; the engine only has whole numbers."""


def _enum(options: list[Any], schema: Any, compiler: Compiler) -> Test:
    known = {(type(option), option) for option in options}
    return lambda instance: not isinstance(instance, dict | list) and (type(instance), instance) in known


def _required(keys: list[str], schema: Any, compiler: Compiler) -> Test:
    return lambda instance: type(instance) is not dict or all(key in instance for key in keys)


def _properties(parts: Mapping[str, Schema], schema: Any, compiler: Compiler) -> Test:
    tests = {key: compiler.test(part) for key, part in parts.items()}

    def test(instance: Any) -> bool:
        if type(instance) is dict:
            for key, value in instance.items():
                if key in tests and not tests[key](value):
                    return False
        return True

    return test


def _pattern_properties(parts: Mapping[str, Schema], schema: Any, compiler: Compiler) -> Test:
    tests = [(re.compile(pattern), compiler.test(part)) for pattern, part in parts.items()]
    return lambda instance: (
        type(instance) is not dict
        or all(test(value) for key, value in instance.items() for pattern, test in tests if pattern.search(key))
    )


def _additional(part: Schema, schema: dict[str, Any], compiler: Compiler) -> Test:
    known, test = schema.get("properties", {}), compiler.test(part)
    patterns = [re.compile(pattern) for pattern in schema.get("patternProperties", {})]
    return lambda instance: (
        type(instance) is not dict
        or all(
            key in known or any(one.search(key) for one in patterns) or test(value) for key, value in instance.items()
        )
    )


def _property_names(part: Schema, schema: Any, compiler: Compiler) -> Test:
    test = compiler.test(part)
    return lambda instance: type(instance) is not dict or all(map(test, instance))


def _dependent_schemas(parts: Mapping[str, Schema], schema: Any, compiler: Compiler) -> Test:
    tests = {key: compiler.test(part) for key, part in parts.items()}
    return lambda instance: (
        type(instance) is not dict or all(test(instance) for key, test in tests.items() if key in instance)
    )


def _dependent_required(parts: Mapping[str, list[str]], schema: Any, compiler: Compiler) -> Test:
    return lambda instance: (
        type(instance) is not dict
        or all(key in instance for given, keys in parts.items() if given in instance for key in keys)
    )


def _items(part: Schema, schema: Any, compiler: Compiler) -> Test:
    test = compiler.test(part)
    return lambda instance: type(instance) is not list or all(map(test, instance))


def _pattern(pattern: str, schema: Any, compiler: Compiler) -> Test:
    matches = re.compile(
        pattern
    ).fullmatch  # the patterns have ^ and $, but in Python $ also matches before a line break
    return lambda instance: type(instance) is not str or matches(instance) is not None


def _if(condition: Schema, schema: dict[str, Any], compiler: Compiler) -> Test:
    parts = (condition, schema.get("then", True), schema.get("else", True))
    holds, then, otherwise = map(compiler.test, parts)
    return lambda instance: then(instance) if holds(instance) else otherwise(instance)


def _any_of(parts: list[Schema], schema: Any, compiler: Compiler) -> Test:
    tests = [compiler.test(part) for part in parts]
    return lambda instance: any(test(instance) for test in tests)


def _not(part: Schema, schema: Any, compiler: Compiler) -> Test:
    test = compiler.test(part)
    return lambda instance: not test(instance)


def _limit(kind: tuple[type, ...], beyond: Callable[[Any, Any], bool]) -> Callable[..., Test]:
    """The row of a limit: an instance of these types must not be beyond it."""

    def row(limit: int, schema: Any, compiler: Compiler) -> Test:
        return lambda instance: type(instance) not in kind or not beyond(instance, limit)

    return row


def _is_shorter(instance: Any, limit: int) -> bool:
    return len(instance) < limit


def _is_longer(instance: Any, limit: int) -> bool:
    return len(instance) > limit


KEYWORDS: dict[str, Callable[[Any, dict[str, Any], Compiler], Test]] = {
    "$ref": _reference,
    "type": _type,
    "enum": _enum,
    "required": _required,
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
    "propertyNames": _property_names,
    "dependentSchemas": _dependent_schemas,
    "dependentRequired": _dependent_required,
    "minProperties": _limit((dict,), _is_shorter),
    "maxProperties": _limit((dict,), _is_longer),
    "items": _items,
    "minItems": _limit((list,), _is_shorter),
    "pattern": _pattern,
    "minLength": _limit((str,), _is_shorter),
    "minimum": _limit((int, float), lt),
    "maximum": _limit((int, float), gt),
    "if": _if,
    "anyOf": _any_of,
    "not": _not,
}
