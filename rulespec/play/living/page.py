"""The rulebook that plays as one self-contained HTML page: docs/text.md describes it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from rulespec.base.messages import say
from rulespec.base.pages import templates
from rulespec.engine.states.game import Game
from rulespec.engine.wasm.memory import layout_of, memory_of
from rulespec.games import examples
from rulespec.games.api import Spec
from rulespec.language.model.spec import nested
from rulespec.play.living import recording
from rulespec.play.living.host import Host
from rulespec.play.living.recording import Recording
from rulespec.play.table.arrangement import arranged
from rulespec.play.table.hosts import hosted
from rulespec.play.table.scene import Scene
from rulespec.play.table.words import words_in
from rulespec.text.output.render.blocks import parsed, rendered
from rulespec.text.output.render.book import (
    Definition,
    Other,
    Rulebook,
    definitions,
    digits,
    marked_terms,
    others,
    written,
)
from rulespec.text.output.render.page import Item, content

_IMPORT = re.compile(r'^import \{(?P<names>[^}]*)\} from "\./(?P<file>[\w.-]+)";$', re.MULTILINE)
_PASSED_ON = re.compile(r'^export \{(?P<names>[^}]*)\} from "\./(?P<file>[\w.-]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (?P<name>\w+))", re.MULTILINE)


def script(folder: Path, file: str) -> str:
    """A module with all that it imports from its folder, as one script: each module is a function, called once."""
    return "".join(_wrapped(name, text) for name, text in _modules(folder, file, set()))


def _modules(folder: Path, file: str, known: set[str]) -> Iterator[tuple[str, str]]:
    """The modules that a module needs before itself, then itself, each once."""
    if file in known:
        return
    known.add(file)
    text = (folder / file).read_text(encoding="utf-8")
    for pattern in (_IMPORT, _PASSED_ON):
        for found in pattern.finditer(text):
            yield from _modules(folder, found["file"], known)
    yield file, text


def _wrapped(file: str, text: str) -> str:
    passed = [f"...{_variable(found['file'])}" for found in _PASSED_ON.finditer(text)]
    given = ", ".join([*passed, *(found["name"] for found in _EXPORT.finditer(text))])
    body = _EXPORT.sub("", _PASSED_ON.sub("", _IMPORT.sub(_taken, text)))
    return f"const {_variable(file)} = (() => {{\n{body}\nreturn {{ {given} }};\n}})();\n"


def _taken(found: re.Match[str]) -> str:
    """The names of an import as constants."""
    return f"const {{{found['names']}}} = {_variable(found['file'])};"


def _variable(file: str) -> str:
    return re.sub(r"\W", "_", file)


SEED = 1
"""The seed of the set-up that is shown."""

WORDS = {
    "set_up": say("The set-up, step by step"),
    "example": say("The example, step by step"),
    "first": say("First step"),
    "back": say("Back"),
    "next": say("Next"),
    "last": say("Last step"),
    "step": say("Step {n} of {steps}"),
    "start": say("The position at the beginning"),
    "start_of_set_up": say("Before the set-up"),
    "instead": say("What if? Choose another move"),
    "moves": say("{player} may choose:"),
    "left": say("You have left the example. Moves of your own: {n}"),
    "return": say("Back to the example"),
    "over": say("The game is over"),
    "placed": say("{player}: place {place}"),
    "others": say("Other numbers of players"),
}
"""The words of the page besides those of the rulebook and of tables, by their keys in the scripts."""


def living(rulebook: Rulebook, spec: Spec, scripts: Path, host: Host | None = None, ids: bool = False) -> str:
    """The rulebook of a game as an HTML page whose examples, and the set-up, are played step by step.

    `scripts` is the folder js/. With a `host` readers choose other moves, and play on from there.
    """
    page = _Page(rulebook, spec)
    return page.html(scripts, ids, _json(page.data(host)), script(scripts, "living-page.js"))


def parts(rulebook: Rulebook, spec: Spec, scripts: Path) -> tuple[str, dict[str, Any]]:
    """The same page without its script and its data, and the data, for a page that has the modules of `scripts`: it
    calls `begin` of living.js."""
    page = _Page(rulebook, spec)
    return page.html(scripts, False, "null", ""), page.data(None)


class _Page:
    """What the page of a rulebook shows besides its texts."""

    def __init__(self, rulebook: Rulebook, spec: Spec) -> None:
        self.rulebook, self.spec = rulebook, spec
        self.game = Game(rulebook.setting, engine="interpreter")
        self.words = words_in(spec, self.game, rulebook.lang)
        self.recordings = dict(self._recordings())

    def _recordings(self) -> Iterator[tuple[str, Recording]]:
        """What is played, by the name of its place in the page."""
        yield "set-up", recording.of_set_up(self.game, SEED, self.words)
        for name, example in examples.named(self.rulebook.translation, self.spec, self.game.setting):
            yield name, recording.of_case(examples.case_of(example, self.spec), self.words)

    def html(self, scripts: Path, ids: bool, data: str, code: str) -> str:
        """The page with its data, as JSON, and its script."""
        return (
            templates("rulespec.play.living", "rulespec.text.output.render")
            .get_template("living.html.j2")
            .render(
                self.content(ids),
                data=data,
                script=code,
                hash=b64encode(sha256(code.encode()).digest()).decode(),
                table_style=(scripts / "table.css").read_text(encoding="utf-8"),
            )
        )

    def content(self, ids: bool) -> dict[str, Any]:
        """What the template shows."""
        found = content(self.rulebook, ids)
        terms = definitions(self.rulebook)
        return found | {
            "rules": [self._with_terms(item, terms) for item in found["rules"]],
            "definitions": [(one, rendered(parsed(one.text))) for one in terms.values()],
            "others": {id_: [self._other(one) for one in several] for id_, several in others(self.rulebook).items()},
            "recordings": self.recordings,
            "set_up_at": self._set_up_at(),
            "said": {key: self.words.of(message) for key, message in WORDS.items()},
        }

    def _with_terms(self, item: Item, terms: Mapping[str, Definition]) -> Item:
        elsewhere = {id_: one for id_, one in terms.items() if one.section.id != item.id}
        return replace(item, body=marked_terms(item.body, self.rulebook, elsewhere, _button))

    def _other(self, other: Other) -> tuple[str, str]:
        """The numbers of players, and what is said for them, as HTML."""
        numbers = self.words.template(", ").join(map(str, other.players))
        return written(numbers, digits(self.rulebook)), rendered(parsed(other.text))

    def _set_up_at(self) -> str:
        """The last rule of the set-up that the rulebook has a section for; its first section if there is none."""
        setup = {inner.rule for step in self.game.spec.setup for inner in nested(step)}
        sections = [section.id for section in self.rulebook.sections]
        return next((id_ for id_ in reversed(sections) if id_ in setup), next(iter(sections), ""))

    def data(self, host: Host | None) -> dict[str, Any]:
        """What the scripts draw."""
        layout = layout_of(self.game) if host is not None else None
        return {
            "scene": hosted(Scene(self.game, self.words, arranged(self.spec, self.rulebook.lang))),
            "words": {key: self.words.of(message) for key, message in WORDS.items()},
            "module": _base64(host.module) if host is not None else None,
            "description": host.description if host is not None else None,
            "recordings": {
                id_: {
                    "seat": one.seat,
                    "choices": one.choices,
                    "start": _base64(memory_of(one.start, layout)) if layout is not None else None,
                    "steps": [vars(step) for step in one.steps],
                }
                for id_, one in self.recordings.items()
            },
        }


def _button(definition: Definition, inside: str) -> str:
    place = escape(f"term-{definition.id}")
    return f'<button type="button" class="term" popovertarget="{place}">{inside}</button>'


def _base64(data: bytes) -> str:
    return b64encode(data).decode()


def _json(data: Any) -> str:
    """JSON that ends no script and holds no invisible character."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
