"""HTML pages that need nothing else: no font, picture or style from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulespec.characters import visible

if TYPE_CHECKING:
    from jinja2 import Environment


def templates(package: str) -> Environment:
    """The templates of a package (its folder `templates`), which may include those of this one.

    Every text is escaped, for HTML and by `characters.visible`. A missing name raises `jinja2.UndefinedError`.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(__name__)]),
        autoescape=True,
        finalize=_visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _visible(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    shown = visible(value)  # a plain string; markup must stay markup, so that it is not escaped twice
    return type(value)(shown) if shown != value else value
