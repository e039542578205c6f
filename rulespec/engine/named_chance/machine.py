"""Playouts with named chance in machine code, called through ctypes."""

from __future__ import annotations

import ctypes
from array import array

from rulespec.engine.backend.engines.native import library
from rulespec.engine.named_chance.draws import Measures
from rulespec.engine.named_chance.labels import Labels
from rulespec.engine.named_chance.playout_code import named_source
from rulespec.engine.program import ir
from rulespec.language.model.constants import Setting


class NamedPlayouts:
    """Playouts with named chance in machine code, and the comparison of their columns."""

    def __init__(self, setting: Setting, program: ir.Program, labels: Labels, measures: Measures) -> None:
        self.columns = measures.columns(program.players)
        details = ("named", repr(labels.aliases.to_list()))
        exported = frozenset({"play_pairs", "compare"})
        code = library(setting, details, lambda: named_source(program, labels, measures), exported)
        number, pointer = ctypes.c_int64, ctypes.c_void_p
        self._play = code.function("play_pairs", ctypes.CFUNCTYPE(None, ctypes.c_uint64, number, number, pointer))
        self._compare = code.function("compare", ctypes.CFUNCTYPE(None, pointer, pointer, number, pointer, pointer))

    def play(self, seed: int, first: int, count: int) -> list[array[int]]:
        """Games `first` to `first + count - 1` of a seed, in the columns that `named_source` names."""
        out = array("q", bytes(8 * self.columns * count))
        self._play(seed & 2**64 - 1, first, count, out.buffer_info()[0])
        return [out[number * count : (number + 1) * count] for number in range(self.columns)]

    def compare(self, old: array[int], new: array[int], differs: array[int]) -> tuple[int, int, int, int]:
        """The sums of both columns and of the squares of their differences, and the number of games that differ; these
        get a 1 in `differs`."""
        sums = array("q", bytes(32))
        self._compare(_place(old), _place(new), len(old), _place(differs), _place(sums))
        return sums[0], sums[1], sums[2], sums[3]


def _place(numbers: array[int]) -> int:
    return numbers.buffer_info()[0]
