"""What the page asks Python for: a table of functions, JSON in and JSON out.

The worker calls `answer` with a JSON object {"call": name, "args": {...}} and sends the answer to the page: {"result":
...} or {"error": {"message", "hint", "findings"}}.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ftk_cli.page import beside, desk, effect, first_game, from_here, play, rules, versions, workbench
from rulespec.games.api import SpecError

CALLS: Mapping[str, Callable[..., Any]] = {
    **play.CALLS,
    **workbench.CALLS,
    **versions.CALLS,
    **effect.CALLS,
    **first_game.CALLS,
    **from_here.CALLS,
    **beside.CALLS,
    **desk.CALLS,
    **rules.CALLS,
}
"""Every function by its name. Their arguments and results are JSON values."""


def answer(request: str) -> str:
    """The answer to a request. Errors are part of it: nothing is raised."""
    asked = json.loads(request)
    try:
        found = {"result": CALLS[asked["call"]](**asked.get("args", {}))}
    except Exception as error:  # the page shows what went wrong, whatever it is
        found = {"error": _failed(error, asked.get("args", {}).get("lang", ""))}
    return json.dumps(found, ensure_ascii=False)


def _failed(error: Exception, lang: str) -> dict[str, Any]:
    """What went wrong, with findings in the language of the page, if the call names it."""
    found = error.diagnostics if isinstance(error, SpecError) else ()
    findings = [(one.in_language(lang) if lang else one).to_dict() for one in found]
    words = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
    return {"message": words, "hint": getattr(error, "hint", ""), "findings": findings}
