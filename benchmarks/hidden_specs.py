"""Random specs in which picks are indices of hidden values, or decide what these or hidden zones become: made of the
templates in `hidden_specs.yaml`, for `hidden_indices.py`.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import yaml

Parts = dict[str, Any]
Scope = dict[str, list[str]]
TEMPLATES: Parts = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
PLAYERS = 3
TRIES = 20
"""How many steps are made for an option until they use all of its picks."""
TOKEN = re.compile(r"%([A-Z])|\b(?:do|then):|\b([NTSPFCMDRZXOK])\b")


class Maker:
    """Makes a spec: replaces the tokens of templates at random by what is in scope."""

    def __init__(self, seed: int) -> None:
        self.dice, self.names = random.Random(seed), 0

    def spec(self) -> Parts:
        sights, asked = TEMPLATES["sights"], {"options": [], "none": "skip"}
        declared = re.sub("OWNED|SIGHT", lambda found: self.dice.choice(sights[found[0]]), TEMPLATES["declared"])
        self.has_stocks = self.dice.random() < 0.1
        stocks = {"stocks": TEMPLATES["stocks"]} if self.has_stocks else {}
        given, inside = {"q": "player", "k": "0..3", "t": "suit"}, {"P": ["q"], "N": ["k"], "S": ["t"]}
        keep = {"with": {**given}, "do": yaml.safe_load(self.make("X", inside, 2))}
        pass_on = {"with": given, "do": yaml.safe_load(self.make("X", {**inside, "R": ["keep"]}, 2))}
        scope = {"P": ["p"], "R": ["keep", "pass_on"]}
        asked["options"] = [yaml.safe_load(self.option(scope, "p", 2)) for _ in range(self.dice.randint(1, 3))]
        turn: Parts = {"each": {"p": "player"}, "do": {"choose": {"by": "p", **asked}}}
        if self.dice.random() < 0.25:
            turn = {"secret": {"who": {"p": "player"}, **asked, "revealed": "together", "then": {"note": "Done."}}}
        rounds = [turn, {"set": {"scout": "left_of(scout)"}}][: self.dice.choice((1, 1, 2))]
        by = [{"high": self.dice.choice(("pub", "own[p]")), "title": "points"}]
        play = [
            {"id": "rounds", "title": "Rounds", "each": {"round": "1..2"}, "do": rounds},
            {"id": "end", "title": "The end", "rank": {"among": {"p": "player"}, "by": by, "left": "share"}},
        ]
        procedures = {"keep": keep, "pass_on": pass_on}
        return {**yaml.safe_load(declared), **stocks, "play": play, "procedures": procedures}

    def option(self, scope: Scope, by: str, deep: int) -> str:
        kinds = self.dice.choices(list(TEMPLATES["picks"]), k=self.dice.choice((1, 1, 2)))
        picks, inner = [(self.name(kind), kind) for kind in kinds], dict(scope)
        for pick, kind in picks:
            inner[kind] = [*inner.get(kind, []), pick]
        name, count = self.name("O"), self.dice.randint(1, 2)
        tries = (", ".join(self.make("X", inner, deep) for _ in range(count)) for _ in range(TRIES))
        used = (steps for steps in tries if all(re.search(rf"\b{pick}\b", steps) for pick, _ in picks))
        steps = next(used, self.make("X", inner, deep))
        says = " ".join([name, *("{" + pick + "}" for pick, _ in picks)])
        domains = ", ".join(f"{pick}: {TEMPLATES['picks'][kind].replace('BY', by)}" for pick, kind in picks)
        test = f'if: "{self.make("T", inner, 1)}", ' if self.dice.random() < 0.2 else ""
        rule = f"id: {name}, title: Option {name}, " if self.dice.random() < 0.7 else ""
        return f'{{{rule}says: "{says}", pick: {{{domains}}}, {test}do: [{steps}]}}'

    def make(self, kind: str, scope: Scope, deep: int) -> str:
        """What a token stands for: mostly a variable in scope, if there is one."""
        ways = TEMPLATES["simple"].get(kind, []) + (TEMPLATES["deeper"].get(kind, []) if deep > 0 else [])
        ways = [way for way in ways if self.fits(way, scope)]
        ways += [way for way in ways if "transfer" in way] * 4  # few specs have tokens
        known = scope.get(kind, [])[-2:]
        if known and (not ways or self.dice.random() < 0.75):
            return self.dice.choice(known)
        return self.expand(self.dice.choice(ways), scope, deep - 1)

    def fits(self, way: str, scope: Scope) -> bool:
        tokens = TOKEN.findall(way)
        needed = {used for _, used in tokens} & set("CMDR") - {declared for declared, _ in tokens}
        return all(scope.get(kind) for kind in needed) and (self.has_stocks or "transfer" not in way)

    def expand(self, template: str, scope: Scope, deep: int) -> str:
        inner, declared = dict(scope), list[tuple[str, str]]()
        by = self.make("P", scope, 0) if "BY" in template else ""

        def part(token: re.Match[str]) -> str:
            declares, used = token.groups()
            if declares:
                declared.append((declares, self.name(declares)))
                return declared[-1][1]
            if not used:
                inner.update({kind: [*inner.get(kind, []), name] for kind, name in declared})
                return token[0]
            if used == "K":
                return self.name("K")
            return self.option(inner, by, deep) if used == "O" else self.make(used, inner, deep)

        return TOKEN.sub(part, template).replace("BY", by)

    def name(self, kind: str) -> str:
        self.names += 1
        return f"{kind.lower()}{self.names}"
