"""Playouts in plain Python: a module with `play(deal, policy)`, which plays one game from the states of its streams."""

from __future__ import annotations

import re

from rulespec.engine import ir
from rulespec.engine.backend.faces import by_face
from rulespec.engine.backend.lists import Lists
from rulespec.engine.backend.playout import PlayoutWriter, used, variables
from rulespec.model.types import LIMIT, NONE

_IMPORTS = "from rulespec.engine.backend.draws import again, numbers_from"


class PythonPlayout(Lists):
    """If cards are faces, the sorted distinct faces of zones that options pick from are cached until a card is moved
    there: `q0` has the list of each zone, None if it is not valid."""

    zone_variables = True
    longest_unrolled = 16
    zones = "z"
    """The source of the cards in all zones at the end."""

    def __init__(self, program: ir.Program, variables: frozenset[int]) -> None:
        super().__init__(program, variables)
        self.sets: dict[frozenset[int], str] = {}
        self.in_order: set[str] = set()
        self.face_lists = {those: (f"q{n}", zones) for n, (those, zones) in enumerate(self.picked().items())}

    def kinds(self, zone: ir.Expr, those: frozenset[int] | None) -> str:
        name, (number, cards) = self.name("c"), self.both(zone)
        faces = f"{self.face_lists[those][0]}[{number}]"
        kinds = f"{{*{cards}}}"
        if those is not None:
            kinds = f"{self.sets.setdefault(those, f'K{len(self.sets)}')}.intersection({cards})"
        self.put(f"{name} = {faces}")
        with self.inside(f"if {name} is None:"):
            self.put(f"{name} = {faces} = sorted({kinds})")
        self.in_order.add(name)
        return name

    def find(self, option: ir.Option, zone: ir.Expr, card: str) -> str:
        found = self.only_cards(option)
        return self.face_lists[found[1]][0] if found is not None else super().find(option, zone, card)

    def goes(self, i: ir.Move, a: str, b: str, card: str) -> None:
        super().goes(i, a, b, card)
        place = self.available.known_place(i)
        self._forget(i, a, b, unless=place.where if place is not None else "")
        if place is not None and place.where in self._lists_of(i.source):
            with self.inside(f"if {card} not in {self.both(i.source)[1]}:"):
                self.put(f"{place.where}[{a}].remove({card})")

    def all_go(self, i: ir.Move, a: str, b: str) -> None:
        super().all_go(i, a, b)
        self._forget(i, a, b)

    def _lists_of(self, zone: ir.Expr) -> list[str]:
        return [name for name, zones in self.face_lists.values() if not zones.isdisjoint(self.zones_of(zone))]

    def _forget(self, i: ir.Move, a: str, b: str, unless: str = "") -> None:
        self.put(*(f"{name}[{a}] = None" for name in self._lists_of(i.source) if name != unless))
        self.put(*(f"{name}[{b}] = None" for name in self._lists_of(i.target)))

    def collected(self, collection: str, size: int) -> str:
        return f"len({collection})" if collection in self.in_order else super().collected(collection, size)

    def draw(self, stream: str, bound: str, name: str = "") -> str:
        drawn, limit = name or self.name("k"), self.once(bound)
        self.put(f"{drawn} = {stream}() * {limit}")
        self._scaled_down(stream, drawn, limit)
        return drawn

    def _scaled_down(self, stream: str, product: str, limit: str) -> None:
        """Scales the product of a 32-bit random number and a limit down to a number below the limit."""
        low = f"{product} & {2**32 - 1}"
        self.put(f"{product} = {product} >> 32 if {low} >= {limit} else again({stream}, {product}, {limit})")

    def shuffle(self, i: ir.Shuffle) -> None:
        """`zip` draws the random number of each position, which saves a call for each."""
        _, cards = self.both(i.zone)
        last, bound, other = self.name(), self.name(), self.name("k")
        places = f"range(len({cards}) - 1, 0, -1), range(len({cards}), 1, -1)"
        with self.inside(f"for {last}, {bound}, {other} in zip({places}, deals):"):
            self.put(f"{other} *= {bound}")
            self._scaled_down("deal", other, bound)
            self.put(f"{cards}[{last}], {cards}[{other}] = {cards}[{other}], {cards}[{last}]")

    def finish(self) -> None:
        players, ranking = self.program.players, self.program.ranking
        ranks = scores = f"(0,) * {players}"
        if ranking is not None:
            ranks = "".join(f"{self.register(ranking.ranks + p)}, " for p in range(players))
            points = [self.register(ranking.keys[0].base + p) for p in range(players)]
            scores = "".join(f"{s} if {NONE} < {s} < {LIMIT} else 0, " for s in points)
        returns = "".join(f"{self.register(slot)}, " for slot in self.program.returns)
        self.put(f"return decisions, ({ranks}), ({scores}), ({returns}), awards, {self.zones}")

    def note(self, place: int, i: ir.Note) -> None:
        if isinstance(award := i.report, ir.Award):
            worth = self.value(award.worth) if award.worth is not None else str(NONE)
            self.put(
                f"awards.append(({place}, {self.register(award.subject)}, {self.register(award.winner)}, {worth}))"
            )


def playout_source(program: ir.Program, tally: bool = False) -> str:
    """The source of a module with playouts."""
    cards = [program.faces.index(face) for face in range(1 + max(program.faces, default=-1))]

    def source(played: ir.Program, only_placed: bool) -> str:
        w = PythonPlayout(played, variables(played))
        w.only_placed = only_placed
        if tally and played.faces != program.faces:
            w.zones = f"[[{w.table(cards)}[face] for face in zone] for zone in z]"
        return _source(w, played, tally)

    return by_face(program, source)


def _source(w: PythonPlayout, program: ir.Program, tally: bool) -> str:
    PlayoutWriter(w, program, tally).write()
    body, w.lines = w.lines, []
    variables_used = used(body)
    w.put(f"z = [[] for _ in range({len(program.zones)})]")
    if program.zones:
        w.put("".join(f"z{n}, " for n in range(len(program.zones))) + "= z")
        w.put(f"z{program.start_zone}.extend({w.table(program.cards)})")
    for number, aggregate in enumerate(w.aggregates):
        w.put(f"s{number} = [0] * {len(program.zones)}")
        w.put(f"s{number}[{program.start_zone}] = {sum(aggregate.weights[card] for card in program.cards)}")
    w.put(*(f"{name} = [None] * {len(program.zones)}" for name, _ in w.face_lists.values()))
    if any(re.search(r"\br\[", line) for line in body):
        w.put(f"r = list({w.table(program.start)})")
    for start in sorted({program.start[slot] for slot in variables_used}):
        names = [f"r{slot}" for slot in variables_used if program.start[slot] == start]
        w.put(" = ".join([*names, str(start)]))
    w.put("deals = numbers_from(deal)", "deal, policy = deals.__next__, numbers_from(policy).__next__")
    w.put("decisions = 0", "awards = []")
    head = [f"{name} = {values}" for values, name in w.tables.items()]
    head += [f"{name} = frozenset({sorted(values)})" for values, name in w.sets.items()]
    return "\n".join([_IMPORTS, *head, "", "", "def play(deal, policy):", *w.lines, *body, ""])
