"""Templates of self-contained HTML pages: without fonts, pictures or styles from other files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulespec.base.characters import visible
from rulespec.base.messages import Message

if TYPE_CHECKING:
    from jinja2 import Environment


def templates(*packages: str, of: Callable[[str], str] = str) -> Environment:
    """The Jinja environment of the folders `templates` of packages. Their templates can include those of the packages
    after them, and of `rulespec.base.pages`.

    Messages are put into a language by `of`. All values are escaped for HTML, and invisible characters are shown as
    escapes. A template that uses an undefined
    name raises `jinja2.UndefinedError`.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, __name__)]),
        autoescape=True,
        finalize=lambda value: _visible(of(value) if isinstance(value, Message) else value),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _visible(value: Any) -> Any:
    """A value of a template with invisible characters as escapes."""
    if not isinstance(value, str):
        return value
    shown = visible(value)  # a plain string; markup must stay markup, or Jinja would escape it again
    return type(value)(shown) if shown != value else value
