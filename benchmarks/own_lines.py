"""The lines of the modules that one detector of a table alone imports, itself or through others."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import cached_property
from importlib.util import find_spec
from inspect import getattr_static
from pathlib import Path
from types import FunctionType
from typing import Protocol

from rulespec.text.checks.page import Page


class Row(Protocol):
    """A row of a table of detectors."""

    @property
    def name(self) -> str: ...
    @property
    def find(self) -> Callable[..., object]: ...


def own_lines(table: Iterable[Row], package: str, left_out: Set[str] = frozenset()) -> dict[str, int]:
    """For each row the lines of the modules of a package that no other row imports, those left out excepted."""
    modules = {row.name: _closed(set(_homes(row.find, package)), package) - left_out for row in table}
    found = {}
    for name, mine in modules.items():
        others = set().union(*(each for other, each in modules.items() if other != name))
        found[name] = sum(len(_path(one).read_text(encoding="utf-8").splitlines()) for one in mine - others)
    return found


def _homes(find: Callable[..., object], package: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The modules that a function needs, through functions of its module and what it asks of a page."""
    function = getattr(find, "__wrapped__", find)
    if not isinstance(function, FunctionType):
        return
    home = sys.modules[function.__module__]
    if not home.__name__.endswith((".detectors", ".page")):
        yield from (one for one in (home.__name__,) if one.startswith(f"{package}."))
        return
    imported = _imported(home.__name__, package)
    for name in _names(function):
        if name in imported:
            yield imported[name]
        for other in (vars(home).get(name), _of_page(name)):
            if isinstance(other, FunctionType) and name not in seen:
                yield from _homes(other, package, seen | {name})


def _names(function: FunctionType) -> set[str]:
    """The names in the code of a function and of the functions inside it."""
    codes, found = [function.__code__], set[str]()
    while codes:
        code = codes.pop()
        found.update(code.co_names)
        codes += [one for one in code.co_consts if isinstance(one, type(code))]
    return found


def _of_page(name: str) -> object:
    member = getattr_static(Page, name, None)
    return (
        member.func if isinstance(member, cached_property) else member.fget if isinstance(member, property) else member
    )


def _closed(left: set[str], package: str) -> set[str]:
    found = set[str]()
    while left:
        found.add(one := left.pop())
        left |= set(_imported(one, package).values()) - found
    return found


_KNOWN: dict[tuple[str, str], Mapping[str, str]] = {}


def _imported(module: str, package: str) -> Mapping[str, str]:
    """The names that a module imports from modules of a package, each with the module."""
    if (module, package) not in _KNOWN:
        tree = ast.parse(_path(module).read_text(encoding="utf-8"))
        froms = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) and one.module]
        _KNOWN[module, package] = {
            alias.asname or alias.name: _module(f"{one.module}.{alias.name}", str(one.module))
            for one in froms
            if f"{one.module}.".startswith(f"{package}.")
            for alias in one.names
        }
    return _KNOWN[module, package]


def _module(name: str, otherwise: str) -> str:
    try:
        return name if find_spec(name) is not None else otherwise
    except ModuleNotFoundError:
        return otherwise


def _path(module: str) -> Path:
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin)
