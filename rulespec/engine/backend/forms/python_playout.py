"""Playouts in plain Python: a module with `play(deal, policy)`, which plays one game from the states of its streams."""

from __future__ import annotations

import ast
from types import MappingProxyType

from rulespec.engine.backend.analyses.faces import by_face
from rulespec.engine.backend.dialects.lists import ZONES, Lists
from rulespec.engine.backend.forms.playout import DECISIONS, GameWriter, PlayoutWriter, variables
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import NOTHING, Code, assign, call, do, each_of, list_of, name, tuple_of, when
from rulespec.engine.backend.tree.writer import REGISTERS
from rulespec.engine.program import ir
from rulespec.language.model.types import LIMIT, NONE

_DRAWS = "rulespec.engine.backend.runtime.draws"
_DEAL, _POLICY, _DEALS, _AWARDS, _ZONE, _FACE = map(name, ("deal", "policy", "deals", "awards", "zone", "face"))


class PythonPlayout(GameWriter, Lists):
    """If cards are faces, the sorted distinct faces of zones that options pick from are cached until a card is moved
    there: `q0` has the list of each zone, None if it is not valid."""

    zone_variables = True
    own = MappingProxyType({**Lists.own, ir.Shuffle: lambda w, i: w.shuffle(i)})
    longest_unrolled = 16
    zones = ZONES
    """The cards in all zones at the end."""

    def __init__(self, program: ir.Program, variables: frozenset[int]) -> None:
        super().__init__(program, variables)
        self.sets: dict[frozenset[int], Code] = {}
        self.in_order: set[Code] = set()
        self.face_lists = {those: (name(f"q{n}"), zones) for n, (those, zones) in enumerate(self.picked().items())}

    def kinds(self, zone: ir.Expr, those: frozenset[int] | None) -> Code:
        found, (named, cards) = self.name("c"), self.both(zone)
        faces = self.face_lists[those][0][named]
        kinds = syntax.set_of(syntax.unpacked(cards))
        if those is not None:
            kinds = self.sets.setdefault(those, name(f"K{len(self.sets)}")).method("intersection", cards)
        self.put(assign(faces, found))
        with self.inside(when(syntax.identical(found, NOTHING))):
            self.put(assign(call("sorted", kinds), found, faces))
        self.in_order.add(found)
        return found

    def find(self, option: ir.Option, zone: ir.Expr, card: Code) -> Code:
        found = self.only_cards(option)
        return self.face_lists[found[1]][0] if found is not None else super().find(option, zone, card)

    def goes(self, i: ir.Move, a: Code, b: Code, card: Code) -> None:
        super().goes(i, a, b, card)
        place = self.available.known_place(i)
        where = place.where if place is not None else None
        self._forget(i, a, b, unless=where)
        if where is not None and where in self._lists_of(i.source):
            with self.inside(when(syntax.missing_in(card, self.both(i.source)[1]))):
                self.put(do(where[a].method("remove", card)))

    def all_go(self, i: ir.Move, a: Code, b: Code) -> None:
        super().all_go(i, a, b)
        self._forget(i, a, b)

    def _lists_of(self, zone: ir.Expr) -> list[Code]:
        return [faces for faces, zones in self.face_lists.values() if not zones.isdisjoint(self.zones_of(zone))]

    def _forget(self, i: ir.Move, a: Code, b: Code, unless: Code | None = None) -> None:
        self.put(*(assign(NOTHING, faces[a]) for faces in self._lists_of(i.source) if faces != unless))
        self.put(*(assign(NOTHING, faces[b]) for faces in self._lists_of(i.target)))

    def collected(self, collection: Code, size: int) -> Code:
        return call("len", collection) if collection in self.in_order else super().collected(collection, size)

    def draw(self, stream: str, bound: syntax.Operand, drawn: Code | None = None) -> Code:
        drawn, limit = drawn or self.name("k"), self.once(bound if isinstance(bound, Code) else syntax.number(bound))
        self.put(assign(call(stream) * limit, drawn))
        self._scaled_down(stream, drawn, limit)
        return drawn

    def _scaled_down(self, stream: str, product: Code, limit: Code) -> None:
        """Scales the product of a 32-bit random number and a limit down to a number below the limit."""
        accepted = product & 2**32 - 1 >= limit
        self.put(assign(syntax.either(accepted, product >> 32, call("again", name(stream), product, limit)), product))

    def shuffle(self, i: ir.Shuffle) -> None:
        """`zip` draws the random number of each position, which saves a call for each."""
        _, cards = self.both(i.zone)
        last, bound, other = self.name(), self.name(), self.name("k")
        size = call("len", cards)
        places = call("zip", call("range", size - 1, 0, -1), call("range", size, 1, -1), _DEALS)
        with self.inside(syntax.loop(tuple_of(last, bound, other), places)):
            self.put(syntax.scale(other, bound))
            self._scaled_down("deal", other, bound)
            self.put(syntax.exchange(cards[last], cards[other]))

    def finish(self) -> None:
        players, ranking = range(self.program.players), self.program.ranking
        ranks = scores = [syntax.number(0) for _ in players]
        if ranking is not None:
            ranks = [self.register(ranking.ranks + p) for p in players]
            points = [self.register(ranking.keys[0].base + p) for p in players]
            scores = [syntax.either(syntax.between(NONE, score, LIMIT), score, 0) for score in points]
        returns = [self.register(slot) for slot in self.program.returns]
        results = (tuple_of(*column) for column in (ranks, scores, returns))
        self.put(syntax.give(tuple_of(DECISIONS, *results, _AWARDS, self.zones)))

    def note(self, place: int, i: ir.Note) -> None:
        if isinstance(award := i.report, ir.Award):
            worth = self.value(award.worth) if award.worth is not None else NONE
            given = tuple_of(place, self.register(award.subject), self.register(award.winner), worth)
            self.put(do(_AWARDS.method("append", given)))


def playout_source(program: ir.Program, tally: bool = False) -> ast.Module:
    """A module with playouts."""
    cards = [program.faces.index(face) for face in range(1 + max(program.faces, default=-1))]

    def source(played: ir.Program, only_placed: bool) -> ast.Module:
        w = PythonPlayout(played, variables(played))
        w.only_placed = only_placed
        if tally and played.faces != program.faces:
            w.zones = each_of(each_of(w.table(cards)[_FACE], _FACE, _ZONE), _ZONE, ZONES)
        PlayoutWriter(w, played, tally).write()
        body, w.block = w.block, []
        _begin(w, played)
        arguments = {"deal": "", "policy": ""}
        return syntax.module([*_head(w), syntax.function("play", arguments, [*w.block, *body])])

    return by_face(program, source)


def _begin(w: PythonPlayout, program: ir.Program) -> None:
    """Writes the variables of a game at its start."""
    zones, start = len(program.zones), program.start
    w.put(assign(each_of(list_of(), name("_"), call("range", zones)), ZONES))
    if program.zones:
        w.put(assign(ZONES, tuple_of(*(name(f"z{n}") for n in range(zones)))))
        w.put(do(name(f"z{program.start_zone}").method("extend", w.table(program.cards))))
    for n, aggregate in enumerate(w.aggregates):
        w.put(assign(list_of(0) * zones, w.sums(n)))
        w.put(assign(sum(aggregate.weights[card] for card in program.cards), w.sums(n)[program.start_zone]))
    w.put(*(assign(list_of(NOTHING) * zones, faces) for faces, _ in w.face_lists.values()))
    if len(w.variables) < len(start):
        w.put(assign(call("list", w.table(start)), REGISTERS))
    for value in sorted({start[slot] for slot in w.used}):
        w.put(assign(value, *(w.register(slot) for slot in sorted(w.used) if start[slot] == value)))
    w.put(assign(call("numbers_from", _DEAL), _DEALS))
    drawn = syntax.attribute(_DEALS, "__next__"), syntax.attribute(call("numbers_from", _POLICY), "__next__")
    w.put(assign(tuple_of(*drawn), tuple_of(_DEAL, _POLICY)))
    w.put(assign(0, DECISIONS), assign(list_of(), _AWARDS))


def _head(w: PythonPlayout) -> list[ast.stmt]:
    """The imports and constants of the module."""
    sets = [assign(call("frozenset", list_of(*sorted(values))), one) for values, one in w.sets.items()]
    return [syntax.imports(_DRAWS, "again", "numbers_from"), *syntax.constants(w.tables), *sets]
