"""`do`: steps one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.language.model.phrase import Proposition, Scene
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields


@dataclass(frozen=True, kw_only=True, eq=False)
class Do(Step, key="do", once=True, followed=True):
    """Steps one after the other."""

    body: Body = fields.body("do")

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        return scene.body(self.body)
