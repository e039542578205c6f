"""Methods of states as machine code that uses Python's C interface. Programs that play spend their time in calls of
them, which take a third as long as methods in Python that call machine code through ctypes.

The functions are in backend/runtime/methods.py. They read the slots of a state by their offsets in memory, and what
else they need from its `frame`: addresses as bytes, first that of its own block, then those that all states of its
game share. The frame of all states that Python runs has no block.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable
from struct import Struct
from typing import Any

from llvmlite import binding

from rulespec.engine.backend.engines import cache
from rulespec.engine.backend.engines.native import compiled, is_checked, processor
from rulespec.engine.backend.engines.native_segments import Segments
from rulespec.engine.backend.forms.machine_segments import ASKED, LEGAL, PLACE, PLAYER
from rulespec.engine.backend.forms.machine_source import Source, runtime_functions
from rulespec.engine.backend.llvm.declarations import is_foreign
from rulespec.engine.backend.llvm.loading import host, loaded
from rulespec.engine.interpreter.running import SIMULTANEOUS

_WORD = 8
_OWN = Struct("2q")
"""The addresses of the block of a state and of the desk."""

_SHARED_NAMES = ("DESK", "ACT", "FIRST_LEGAL", "APPLIED", "LISTED", "SECRET", "NOTHING")
_SHARED = Struct(f"{len(_SHARED_NAMES)}q")
_SLOTS = {
    "ASKED": "asked",
    "CHOICES": "choices",
    "FRAME": "frame",
    "LEGAL": "legal",
    "PLACE": "pc",
    "PLAYER": "player",
}
_DESK = {
    "DESK_ASKED": ASKED,
    "DESK_LEGAL": LEGAL,
    "DESK_PLACE": PLACE,
    "DESK_PLAYER": PLAYER,
    "SIMULTANEOUS": SIMULTANEOUS,
}


class _Member(ctypes.Structure):
    """PyMemberDef, the description of a slot."""

    _fields_ = (("name", ctypes.c_char_p), ("type", ctypes.c_int), ("offset", ctypes.c_ssize_t))


class _Slot(ctypes.Structure):
    """PyMemberDescrObject: the header of an object, what all descriptors have, the slot."""

    _fields_ = (("header", ctypes.c_ssize_t * 2), ("base", ctypes.c_void_p * 3), ("slot", ctypes.POINTER(_Member)))


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_FASTCALL, _KEYWORDS = 0x80, 0x02
_METHODS = ("apply_action", "legal_actions", "is_terminal")


class MachineMethods:
    """The methods of a class of states in machine code. Its methods in Python take over where anything is unusual, and
    `secret` where several players decide at once, with a copy of the desk."""

    def __init__(self, kind: type[Any], secret: Callable[[Any, list[int]], None]) -> None:
        self._python = (kind.apply_action, kind.legal_actions, secret)
        # In another Python, or without the GIL, objects lie in memory in another way.
        is_known = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
        if is_known and sys.maxsize.bit_length() == 8 * _WORD - 1:
            kind.PYTHON_FRAME[:] = bytes(_OWN.size) + self._shared(0, 0, 0)
            slots = {name: _offset(kind, slot) // _WORD for name, slot in _SLOTS.items()}
            shared = {name: place for place, name in enumerate(_SHARED_NAMES, _OWN.size // _WORD)}
            sizes = {"OWN": 0, "SLOTS": max(slots.values()) + 1, "PLACES": max(shared.values()) + 1}
            source = Source([], {}, "methods.py", slots | shared | sizes | _DESK)
            for function in filter(is_foreign, runtime_functions(source.runtime)):
                binding.add_symbol(function.name, _address(getattr(ctypes.pythonapi, function.name)))
            key = cache.key_of_source(source, "methods", sys.version, processor())
            code = cache.cached(key, lambda: compiled(source, frozenset(_METHODS), host()), loaded)
            described = ctypes.pythonapi.PyDescr_NewMethod
            described.restype, described.argtypes = ctypes.py_object, (ctypes.py_object, ctypes.c_void_p)
            self._code, self._described = code, (_Method * len(_METHODS))()
            for name, method in zip(_METHODS, self._described, strict=True):
                method.name, method.flags = name.encode(), _FASTCALL | _KEYWORDS
                method.doc = (getattr(kind, name).__doc__ or "").encode()
                method.function = code.get_function_address(name)
                setattr(kind, name, described(kind, ctypes.addressof(method)))

    def shared(self, segments: Segments) -> bytes:
        """The part of a frame that all states of a game share."""
        # Each of the functions in Python is kept by `self`, the rest by the segments.
        act = 0 if is_checked() else _address(segments.act)
        desk = segments.methods_desk.buffer_info()[0]
        return self._shared(desk, act, segments.legal)

    def _shared(self, *numbers: int) -> bytes:
        return _SHARED.pack(*numbers, *map(_of_object, (*self._python, None)))


def frame(block: int, segments: Segments) -> bytearray:
    """The frame of a state whose block lies at this address."""
    return bytearray(_OWN.pack(block, segments.methods_desk.buffer_info()[0]) + segments.shared)


def _offset(kind: type[Any], slot: str) -> int:
    """Where a slot lies in the objects of a class. Raises TypeError if this Python describes slots in another way."""
    (descriptor,) = (one.__dict__[slot] for one in kind.__mro__ if slot in one.__dict__)
    member = _Slot.from_address(_of_object(descriptor)).slot.contents
    if member.name != slot.encode():
        raise TypeError(f"slot {slot} is described in an unknown way")
    return int(member.offset)


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _of_object(one: object) -> int:
    """The address of an object, which the caller must keep."""
    return ctypes.c_void_p.from_buffer(ctypes.py_object(one)).value or 0
