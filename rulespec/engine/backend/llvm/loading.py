"""Loads object code into this process. Apart from compiler.py, so that loading cached code does not import the
compiler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct

from llvmlite import binding


@dataclass(frozen=True)
class Target:
    """What code is compiled for. `deposits` says whether the processor has the instruction PDEP, `layout` how data lies
    in memory (empty: as on this machine); `machine` takes whether code is optimised, and `unrolls` says whether loops
    are unrolled."""

    triple: str
    deposits: bool
    machine: Callable[[bool], binding.TargetMachine]
    layout: str = ""
    unrolls: bool = False


def host() -> Target:
    """This machine."""
    deposits = binding.get_host_cpu_features().get("bmi2", False)
    return Target(binding.get_process_triple(), deposits, machine)


def machine(optimised: bool = True) -> binding.TargetMachine:
    """The target of this machine, with all instructions of its processor."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    features = binding.get_host_cpu_features().flatten()
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(), features=features, opt=3 if optimised else 0, jit=True
    )


def loaded(code: bytes) -> binding.ExecutionEngine:
    """Object code, ready to call; `get_function_address` gives the address of a function. Raises ValueError for bytes
    that are no whole object file, for which LLVM would end the process."""
    if not _whole(code):
        raise ValueError("this is no whole object file")
    # MCJIT begins with a module; all that is called is in the object file.
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine())
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


_MACH_O, _COFF = b"\xcf\xfa\xed\xfe", (b"\x64\x86", b"\x64\xaa")
_ELF_HEADER = Struct("<40xQ10x2H2x")
"""Of an ELF file for 64 bits: where its table of sections begins, the size of a section's entry and their number."""


def _whole(code: bytes) -> bool:
    """Whether bytes begin as an object file of this kind of machine and, for ELF, reach to the end of the table of
    sections, which comes last."""
    if code.startswith(b"\x7fELF\x02") and len(code) >= _ELF_HEADER.size:
        first, size, number = _ELF_HEADER.unpack_from(code)
        return bool(first > 0 and first + size * number <= len(code))
    return code.startswith((_MACH_O, *_COFF))
